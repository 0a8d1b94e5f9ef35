import type { ByteBudget } from '../../lib/byte-budget.ts';
import type { ModelAdapter, TimeLimits } from '../port.ts';
import type { ProviderSettings } from '../settings.ts';
import { openCompletionStream } from '../wire/completion-stream.ts';
import { customNames } from '../wire/custom-tools.ts';
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
      const { request, warnings } = openAiCall(call, provider);
      const wrapped = customNames(call.tools);
      return {
        warnings,
        async complete(options) {
          const reply = await client.json(call.model, JSON.stringify(request), options);
          return readReply(vendor, call.model, reply, wrapped);
        },
        async stream(options) {
          const body = JSON.stringify(streamed(request));
          const sent = await client.events(call.model, body, options);
          return openCompletionStream(sent, createOpenAiDecoder(vendor, call.model, wrapped), vendor);
        },
      };
    },
    close: client.close,
  };
}
