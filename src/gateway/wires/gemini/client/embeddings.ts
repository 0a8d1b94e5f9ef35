import type { Body } from '../../wire.ts';
import { Fields, wrong } from './fields.ts';

/** The input to embed. */
export interface EmbeddingsInput {
  readonly texts: readonly string[];
  /** Length of the vectors; left out: the model's own. */
  readonly dimensions?: number;
}

/** Vectors in the order of the texts. */
export type Vectors = readonly (readonly number[])[];

/** An `EmbedContentRequest`. Throws `invalid_request`, which names the path. */
export function readEmbedContent(body: Body): EmbeddingsInput {
  return inputOf([new Fields(body, '')]);
}

/** A `BatchEmbedContentsRequest`. Throws `invalid_request`, which names the path. */
export function readBatchEmbedContents(body: Body): EmbeddingsInput {
  const fields = new Fields(body, '');
  const requests = fields.list('requests');
  if (requests.length === 0) throw wrong(fields.at('requests'), 'required', 'must hold at least one request');
  return inputOf(requests);
}

function inputOf(requests: readonly Fields[]): EmbeddingsInput {
  const texts = requests.map(textOf);
  const sizes = requests.map((request) => sizeOf(request));
  const [dimensions] = sizes;
  const other = sizes.findIndex((size) => size !== dimensions);
  if (other >= 0)
    throw wrong(requests[other]?.at('outputDimensionality') ?? '', 'enum', 'must be the same for all texts');
  return { texts, ...(dimensions !== undefined && { dimensions }) };
}

function sizeOf(request: Fields): number | undefined {
  const config = request.object('embedContentConfig');
  return (
    (config ?? request).whole('outputDimensionality', 1, 65_536) ??
    request.whole('outputDimensionality', 1, 65_536)
  );
}

function textOf(request: Fields): string {
  const content = request.value('content');
  if (typeof content === 'string') return content;
  const parts = request.object('content')?.list('parts') ?? [];
  if (parts.length === 0) throw wrong(request.at('content'), 'required', 'must hold a text');
  return parts
    .map((part) => {
      const text = part.text('text');
      if (text === undefined) throw wrong(part.path, 'unsupported', 'must be a text for this model');
      return text;
    })
    .join('');
}

/** An `EmbedContentResponse`. */
export function writeEmbedContent(vectors: Vectors, promptTokens: number | null): object {
  return { embedding: { values: vectors[0] ?? [] }, ...usageOf(promptTokens) };
}

/** A `BatchEmbedContentsResponse`. */
export function writeBatchEmbedContents(vectors: Vectors, promptTokens: number | null): object {
  return { embeddings: vectors.map((values) => ({ values })), ...usageOf(promptTokens) };
}

function usageOf(promptTokens: number | null): object {
  return promptTokens === null ? {} : { usageMetadata: { promptTokenCount: promptTokens } };
}
