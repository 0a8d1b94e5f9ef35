import type { ModelAdapter } from '../../../../model/port.ts';
import type { Connection } from '../../../upstream/connection.ts';
import { customNames } from '../../../upstream/custom-tools.ts';
import { endpointOf } from '../../../upstream/endpoints.ts';
import type { ProviderSettings } from '../../../upstream/settings.ts';
import { createVendorClient } from '../../../upstream/vendor-client.ts';
import { readReply } from './reply.ts';
import { geminiCall } from './request.ts';
import { createGeminiDecoder } from './stream.ts';

/** Gemini's own wire. Protocol: https://ai.google.dev/api/generate-content */
export function createGeminiAdapter(provider: ProviderSettings, connection: Connection): ModelAdapter {
  const client = createVendorClient(connection, endpointOf(provider, 'gemini'), pathOf);
  const { vendor } = client;
  const baseUrl = nativeBase(provider.baseUrl);
  const asked = { provider: provider.id, baseUrl };

  return {
    read: (model, reply) => readReply(vendor, model, new Set(), reply),
    prepare(call) {
      const { request, warnings } = geminiCall(call, asked);
      const custom = customNames(call.tools);
      return {
        warnings,
        async complete(options) {
          const reply = await client.json(call.model, JSON.stringify(request), options);
          return readReply(vendor, call.model, custom, reply);
        },
        async stream(options) {
          return client.stream(call.model, JSON.stringify(request), options, {
            decoder: createGeminiDecoder(vendor, call.model, custom),
            whole: (reply) => readReply(vendor, call.model, custom, reply),
          });
        },
      };
    },
  };
}

/** The address of Gemini's own wire; its OpenAI-compatible endpoint, which may be set in its place, lies below it. */
export function nativeBase(baseUrl: string): string {
  return baseUrl.replace(/\/+$/, '').replace(/\/openai$/, '');
}

/** Path of a request. Of a name with a slash only those of the vendor's own kinds of models stay as they are. */
export function pathOf(model: string, streamed: boolean): string {
  const [kind, name = ''] = /^(?:models|tunedModels)\//.test(model)
    ? model.split(/\/(.*)/s)
    : ['models', model];
  return `/${kind}/${encodeURIComponent(name)}:${streamed ? 'streamGenerateContent?alt=sse' : 'generateContent'}`;
}
