import type { ModelAdapter } from '../../../../model/port.ts';
import { customNames } from '../../../upstream/custom-tools.ts';
import type { ProviderSettings } from '../../../upstream/settings.ts';
import { endpointOf } from '../../../upstream/settings.ts';
import type { Connection } from '../../../upstream/vendor-client.ts';
import { askingForUsage, createVendorClient } from '../../../upstream/vendor-client.ts';
import { readReply } from './reply.ts';
import { openAiCall, streamed } from './request.ts';
import { createOpenAiDecoder } from './stream.ts';

/** The OpenAI wire, which many vendors speak. Protocol: https://platform.openai.com/docs/api-reference/chat */
export function createOpenAiAdapter(provider: ProviderSettings, connection: Connection): ModelAdapter {
  const endpoint = endpointOf(provider, 'openai-chat');
  const client = createVendorClient(connection, endpoint, () => '/chat/completions');
  const { vendor } = client;

  return {
    read: (model, reply) => readReply(vendor, model, reply),
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
          return askingForUsage(connection, call.model, (asking) =>
            client.stream(call.model, JSON.stringify(streamed(request, asking)), options, {
              decoder: createOpenAiDecoder(vendor, call.model, wrapped),
              whole: (reply) => readReply(vendor, call.model, reply, wrapped),
            }),
          );
        },
      };
    },
  };
}
