import type { ModelAdapter } from '../../../../model/port.ts';
import type { ProviderSettings } from '../../../upstream/settings.ts';
import { endpointOf } from '../../../upstream/settings.ts';
import type { Connection } from '../../../upstream/vendor-client.ts';
import { createVendorClient } from '../../../upstream/vendor-client.ts';
import { type Answerer, readReply } from './reply.ts';
import { anthropicCall } from './request.ts';
import { createAnthropicDecoder } from './stream.ts';

/** The Anthropic wire. Protocol: https://docs.anthropic.com/en/api/messages */
export function createAnthropicAdapter(provider: ProviderSettings, connection: Connection): ModelAdapter {
  const endpoint = endpointOf(provider, 'anthropic');
  const client = createVendorClient(connection, endpoint, () => '/messages');
  const { vendor } = client;

  return {
    read: (model, reply) => readReply({ vendor, model, customTools: new Set() }, reply),
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
          return client.stream(model, body, options, {
            decoder: createAnthropicDecoder(answerer),
            whole: (reply) => readReply(answerer, reply),
          });
        },
      };
    },
  };
}
