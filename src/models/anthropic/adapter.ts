import type { ByteBudget } from '../../lib/byte-budget.ts';
import type { ModelAdapter, TimeLimits } from '../port.ts';
import type { ProviderSettings } from '../settings.ts';
import { openCompletionStream } from '../wire/completion-stream.ts';
import { createVendorClient } from '../wire/vendor-client.ts';
import { type Answerer, readReply } from './reply.ts';
import { anthropicCall } from './request.ts';
import { createAnthropicDecoder } from './stream.ts';

/** The Anthropic wire. Protocol: https://docs.anthropic.com/en/api/messages */
export function createAnthropicAdapter(
  provider: ProviderSettings,
  limits: TimeLimits,
  budget: ByteBudget,
): ModelAdapter {
  const headers = {
    ...(provider.apiKey !== null && { 'x-api-key': provider.apiKey }),
    'anthropic-version': '2023-06-01',
  };
  // Anthropic's own clients take the address without the version, ours with it; both will do.
  const path = /\/v\d+\/?$/.test(provider.baseUrl) ? '/messages' : '/v1/messages';
  const client = createVendorClient(provider, path, headers, limits, budget);
  const { vendor } = client;

  return {
    prepare(call) {
      const { model } = call;
      const { request, warnings, customTools } = anthropicCall(call, provider.id);
      const answerer: Answerer = { vendor, model, customTools };
      return {
        warnings,
        async complete(options) {
          return readReply(answerer, await client.json(model, JSON.stringify(request), options));
        },
        async stream(options) {
          const body = JSON.stringify({ ...request, stream: true });
          const sent = await client.events(model, body, options);
          return openCompletionStream(sent, createAnthropicDecoder(answerer), vendor);
        },
      };
    },
    close: client.close,
  };
}
