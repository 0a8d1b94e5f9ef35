import { isObject } from '../../lib/json.ts';
import type { SendOptions } from '../../model/port.ts';
import { count } from '../../model/usage.ts';
import { invalidReply, type Vendor } from '../upstream/vendor.ts';
import { createVendorClient } from '../upstream/vendor-client.ts';
import type { Provider } from './provider.ts';

export interface Embeddings {
  /** One for each text, in their order. */
  readonly vectors: readonly (readonly number[])[];
  /** Of the prompt; null where the vendor tells none. */
  readonly tokens: number | null;
}

export interface ToEmbed {
  readonly texts: readonly string[];
  /** Length of the vectors; the model's own if left out. */
  readonly dimensions?: number;
}

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
      const requests = texts.map((text) => ({
        model: `models/${model}`,
        content: { parts: [{ text }] },
        ...(dimensions !== undefined && { outputDimensionality: dimensions }),
      }));
      const reply = await client.json(model, JSON.stringify({ requests }), options);
      return {
        vectors: vectorsIn(connection.vendor, reply, 'embeddings', 'values', texts.length),
        tokens: null,
      };
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
    // Voyage tells the total alone: https://docs.voyageai.com/reference/embeddings-api
    const tokens = isObject(usage) ? (count(usage['prompt_tokens']) ?? count(usage['total_tokens'])) : null;
    return { vectors: vectorsIn(connection.vendor, reply, 'data', 'embedding', texts.length), tokens };
  };
}

function vectorsIn(
  vendor: Vendor,
  reply: unknown,
  list: string,
  member: string,
  expected: number,
): number[][] {
  const entries: unknown = isObject(reply) ? reply[list] : null;
  if (!Array.isArray(entries) || entries.length !== expected)
    throw invalidReply(vendor, 'another number of vectors than of texts', reply);
  return entries.map((entry: unknown) => {
    const vector: unknown = isObject(entry) ? entry[member] : null;
    if (!Array.isArray(vector) || !vector.every((value) => typeof value === 'number'))
      throw invalidReply(vendor, 'a vector that is none', entry);
    return vector;
  });
}
