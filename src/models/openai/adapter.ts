import type { ByteBudget } from '../../lib/byte-budget.ts';
import type { ModelAdapter, TimeLimits } from '../port.ts';
import type { ProviderSettings } from '../settings.ts';
import { openCompletionStream } from '../wire/completion-stream.ts';
import { createVendorClient } from '../wire/vendor-client.ts';
import { readReply } from './reply.ts';
import { openAiCall, streamed } from './request.ts';
import { createOpenAiDecoder } from './stream.ts';

/** The OpenAI wire, which many vendors speak. Protocol: https://platform.openai.com/docs/api-reference/chat */
export function createOpenAiAdapter(
  provider: ProviderSettings,
  limits: TimeLimits,
  budget: ByteBudget,
): ModelAdapter {
  const authorization = provider.apiKey === null ? {} : { authorization: `Bearer ${provider.apiKey}` };
  const client = createVendorClient(provider, '/chat/completions', authorization, limits, budget);
  const { vendor } = client;

  return {
    prepare(call) {
      const { request, warnings } = openAiCall(call, provider.maxTokensField);
      return {
        warnings,
        async complete(signal, memory) {
          return readReply(
            vendor,
            call.model,
            await client.json(call.model, JSON.stringify(request), signal, memory),
          );
        },
        async stream(signal, memory) {
          const body = JSON.stringify(streamed(request));
          const sent = await client.events(call.model, body, signal, memory);
          return openCompletionStream(sent, createOpenAiDecoder(vendor, call.model), vendor);
        },
      };
    },
    close: client.close,
  };
}
