import type { ContentEmbedding } from '@google/genai';
import { isObject } from '../../../../lib/json.ts';
import { count } from '../../../../model/usage.ts';
import { invalidReply, type Untrusted, type Vendor } from '../../../upstream/vendor.ts';

/** Vectors in the order of the texts. */
interface GeminiVectors {
  readonly vectors: readonly (readonly number[])[];
  /** Null if the vendor reported none. */
  readonly promptTokens: number | null;
}

/**
 * The body of `batchEmbedContents` (https://ai.google.dev/api/embeddings).
 * @param dimensions length of the vectors; left out: the model's own
 */
export function embeddingsRequest(model: string, texts: readonly string[], dimensions?: number) {
  const name = model.includes('/') ? model : `models/${model}`;
  return {
    requests: texts.map((text) => ({
      model: name,
      content: { parts: [{ text }] },
      ...(dimensions !== undefined && { outputDimensionality: dimensions }),
    })),
  };
}

/** Reads a reply of `batchEmbedContents`. Throws `ProviderError` where it does not hold a vector for each text. */
export function readEmbeddings(vendor: Vendor, received: unknown, texts: number): GeminiVectors {
  const reply = isObject(received) ? received : {};
  const embeddings: unknown = reply['embeddings'];
  if (!Array.isArray(embeddings) || embeddings.length !== texts)
    throw invalidReply(vendor, 'another number of vectors than there were texts', received);
  const usage = reply['usageMetadata'];
  return {
    vectors: embeddings.map((embedding) => vectorIn(vendor, embedding)),
    promptTokens: isObject(usage) ? count(usage['promptTokenCount']) : null,
  };
}

function vectorIn(vendor: Vendor, received: unknown): readonly number[] {
  const values: unknown = (received as Untrusted<ContentEmbedding>)?.values;
  if (Array.isArray(values) && values.length > 0 && values.every((value) => typeof value === 'number'))
    return values;
  throw invalidReply(vendor, 'a vector that is none', received);
}
