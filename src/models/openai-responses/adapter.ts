import type { ByteBudget } from '../../lib/byte-budget.ts';
import type { ModelAdapter, TimeLimits } from '../port.ts';
import type { ProviderSettings } from '../settings.ts';
import { openCompletionStream } from '../wire/completion-stream.ts';
import { createVendorClient } from '../wire/vendor-client.ts';
import { readReply } from './reply.ts';
import { responsesCall } from './request.ts';
import { createResponsesDecoder } from './stream.ts';

/** OpenAI's Responses, without state at the vendor. Protocol: https://platform.openai.com/docs/api-reference/responses */
export function createResponsesAdapter(
  provider: ProviderSettings,
  limits: TimeLimits,
  budget: ByteBudget,
): ModelAdapter {
  const authorization = provider.apiKey === null ? {} : { authorization: `Bearer ${provider.apiKey}` };
  const client = createVendorClient(provider, '/responses', authorization, limits, budget);
  const { vendor } = client;

  return {
    prepare(call) {
      const { request, warnings } = responsesCall(call, provider.id);
      return {
        warnings,
        async complete(options) {
          const reply = await client.json(call.model, JSON.stringify(request), options);
          return readReply(vendor, call.model, reply);
        },
        async stream(options) {
          const body = JSON.stringify({ ...request, stream: true });
          const sent = await client.events(call.model, body, options);
          return openCompletionStream(sent, createResponsesDecoder(vendor, call.model), vendor);
        },
      };
    },
    close: client.close,
  };
}
