import type { ModelAdapter } from '../../../../model/port.ts';
import type { StreamDecoder } from '../../../upstream/completion-stream.ts';
import { customNames } from '../../../upstream/custom-tools.ts';
import type { ProviderSettings } from '../../../upstream/settings.ts';
import { endpointOf } from '../../../upstream/settings.ts';
import { parseJson, type Vendor } from '../../../upstream/vendor.ts';
import type { Connection } from '../../../upstream/vendor-client.ts';
import { createVendorClient } from '../../../upstream/vendor-client.ts';
import { errorIn, errorOfObject } from '../../../upstream/vendor-errors.ts';
import { AnswerReader } from './answer-reader.ts';
import { readReply } from './reply.ts';
import { geminiCall } from './request.ts';

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

/**
 * Decodes the events of `streamGenerateContent?alt=sse`, each of which is a `GenerateContentResponse`. The answer is
 * complete when one has named a `finishReason` or blocked the prompt. There is no end mark, and the signature of the last
 * thought or the usage may still follow: the end is the end of the connection.
 */
export function createGeminiDecoder(
  vendor: Vendor,
  model: string,
  custom: ReadonlySet<string>,
): StreamDecoder {
  const reader = new AnswerReader(vendor, model, custom);
  return {
    completed(emit) {
      const { ending } = reader;
      if (ending) emit({ type: 'end', ...ending });
    },
    take({ data }, emit) {
      const chunk = parseJson(vendor, data, 'an event');
      const error = errorIn(chunk);
      if (error !== undefined) throw errorOfObject(vendor, model, error);
      reader.take(chunk, emit);
    },
  };
}
