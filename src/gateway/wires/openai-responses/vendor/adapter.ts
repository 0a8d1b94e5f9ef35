import type { ModelAdapter } from '../../../../model/port.ts';
import type { ProviderSettings } from '../../../upstream/settings.ts';
import { endpointOf } from '../../../upstream/settings.ts';
import type { Connection } from '../../../upstream/vendor-client.ts';
import { createVendorClient } from '../../../upstream/vendor-client.ts';
import { readReply } from './reply.ts';
import { responsesCall } from './request.ts';
import { createResponsesDecoder } from './stream.ts';

/** OpenAI's Responses, without state at the vendor. Protocol: https://platform.openai.com/docs/api-reference/responses */
export function createResponsesAdapter(provider: ProviderSettings, connection: Connection): ModelAdapter {
  const endpoint = endpointOf(provider, 'openai-responses');
  const client = createVendorClient(connection, endpoint, () => '/responses');
  const { vendor } = client;

  return {
    read: (model, reply) => readReply(vendor, model, reply),
    prepare(call) {
      const { request, warnings } = responsesCall(call, provider.id);
      return {
        warnings,
        async complete(options) {
          // transformers streams unless it is told not to.
          const body = JSON.stringify({ ...request, stream: false });
          const reply = await client.json(call.model, body, options);
          return readReply(vendor, call.model, reply);
        },
        async stream(options) {
          const body = JSON.stringify({ ...request, stream: true });
          return client.stream(call.model, body, options, {
            decoder: createResponsesDecoder(vendor, call.model),
            whole: (reply) => readReply(vendor, call.model, reply),
          });
        },
      };
    },
  };
}
