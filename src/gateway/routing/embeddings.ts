import { isObject } from '../../lib/json.ts';
import type { SendOptions } from '../../model/port.ts';
import { count } from '../../model/usage.ts';
import { invalidReply, type Vendor } from '../upstream/vendor.ts';
import { createVendorClient } from '../upstream/vendor-client.ts';
import { embeddingsRequest, readEmbeddings } from '../wires/gemini/vendor/embeddings.ts';
import type { Provider } from './provider.ts';

export interface Embeddings {
  /** One for each text, in their order. */
  readonly vectors: readonly (readonly number[])[];
  /** Of the prompt; null if the vendor reports none. */
  readonly tokens: number | null;
}

export interface ToEmbed {
  readonly texts: readonly string[];
  /** Length of the vectors; the model's own if left out. */
  readonly dimensions?: number;
}

/** Gemini takes no more texts at once (https://github.com/vercel/ai/blob/main/packages/google/CHANGELOG.md). */
const maxGeminiTexts = 100;

/** Asks a vendor for vectors, in whichever of its wires has them. Null: it has none. Rejects with `ProviderError`. */
export function embedder(
  provider: Provider,
  model: string,
): ((input: ToEmbed, options: SendOptions) => Promise<Embeddings>) | null {
  const { connection, speaks } = provider;
  if (connection === null) return null;
  if (speaks.includes('gemini')) {
    // https://ai.google.dev/api/embeddings
    const client = createVendorClient(
      connection,
      provider.endpoint('gemini'),
      (name) => `/models/${encodeURIComponent(name)}:batchEmbedContents`,
    );
    return async ({ texts, dimensions }, options) => {
      const vectors: (readonly number[])[] = [];
      let tokens: number | null = 0;
      for (let start = 0; start < texts.length; start += maxGeminiTexts) {
        const some = texts.slice(start, start + maxGeminiTexts);
        const body = JSON.stringify(embeddingsRequest(model, some, dimensions));
        const read = readEmbeddings(connection.vendor, await client.json(model, body, options), some.length);
        vectors.push(...read.vectors);
        tokens = tokens === null || read.promptTokens === null ? null : tokens + read.promptTokens;
      }
      return { vectors, tokens };
    };
  }
  const wire = speaks.find((spoken) => spoken === 'openai-chat' || spoken === 'openai-responses');
  if (wire === undefined) return null;
  // https://platform.openai.com/docs/api-reference/embeddings
  const client = createVendorClient(connection, provider.endpoint(wire), () => '/embeddings');
  return async ({ texts, dimensions }, options) => {
    const body = {
      model,
      input: texts,
      encoding_format: 'float',
      ...(dimensions !== undefined && { dimensions }),
    };
    const reply = await client.json(model, JSON.stringify(body), options);
    const usage: unknown = isObject(reply) ? reply['usage'] : null;
    // Voyage reports the total alone: https://docs.voyageai.com/reference/embeddings-api
    const tokens = isObject(usage) ? (count(usage['prompt_tokens']) ?? count(usage['total_tokens'])) : null;
    return { vectors: vectorsIn(connection.vendor, reply, texts.length), tokens };
  };
}

function vectorsIn(vendor: Vendor, reply: unknown, expected: number): number[][] {
  const entries: unknown = isObject(reply) ? reply['data'] : null;
  if (!Array.isArray(entries) || entries.length !== expected)
    throw invalidReply(vendor, 'another number of vectors than of texts', reply);
  return entries.map((entry: unknown) => {
    const vector: unknown = isObject(entry) ? entry['embedding'] : null;
    if (!Array.isArray(vector) || !vector.every((value) => typeof value === 'number'))
      throw invalidReply(vendor, 'a vector that is none', entry);
    return vector;
  });
}
