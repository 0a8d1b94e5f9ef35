import type { CreateEmbeddingResponse } from 'openai/resources/embeddings';
import { ServiceError } from '../../contract/errors.ts';
import type { VendorUsage } from '../../model/port.ts';
import { tokenUsage } from '../../model/token-usage.ts';
import type { Embeddings } from '../routing/embeddings.ts';
import type { Body } from '../wires/wire.ts';

/** Maximum number of inputs in one request, as OpenAI has it. */
const maxInputs = 2048;

/** What is to be embedded: texts, or lists of the ids of their tokens. */
export interface OpenAiInput {
  readonly inputs: readonly (string | readonly number[])[];
  readonly dimensions?: number;
}

/** The body of `POST /v1/embeddings`. Throws `invalid_request`, which names the path. */
export function readEmbeddingRequest({ input, dimensions, encoding_format: format }: Body): OpenAiInput {
  if (format !== undefined && format !== null && format !== 'float' && format !== 'base64')
    throw wrong('encoding_format', 'must be `float` or `base64`');
  return { inputs: inputsOf(input), ...(typeof dimensions === 'number' && { dimensions }) };
}

function inputsOf(input: unknown): OpenAiInput['inputs'] {
  if (typeof input === 'string') return [textAt(input, 'input')];
  if (!Array.isArray(input) || input.length === 0)
    throw wrong('input', 'must be a text, a list of texts, a list of token ids, or a list of such lists');
  if (typeof input[0] === 'number') return [tokensAt(input, 'input')];
  if (input.length > maxInputs) throw wrong('input', `must hold at most ${maxInputs} texts`);
  return input.map((entry: unknown, index) => {
    const path = `input[${index}]`;
    return Array.isArray(entry) ? tokensAt(entry, path) : textAt(entry, path);
  });
}

function textAt(value: unknown, path: string): string {
  if (typeof value !== 'string') throw wrong(path, 'must be a text or a list of token ids');
  if (value === '') throw wrong(path, 'must not be empty');
  return value;
}

function tokensAt(value: readonly unknown[], path: string): readonly number[] {
  if (value.length === 0) throw wrong(path, 'must not be empty');
  if (!value.every((id): id is number => Number.isInteger(id)))
    throw wrong(path, 'must be a list of token ids');
  return value;
}

/** The reply of `POST /v1/embeddings`. Base64 is of floats of 32 bits, the lowest byte first, as official clients ask for. */
export function embeddingList(
  { vectors }: Embeddings,
  model: string,
  { encoding_format: format }: Body,
  tokens: number,
): CreateEmbeddingResponse {
  const data = vectors.map((vector, index) => ({
    object: 'embedding' as const,
    index,
    embedding: (format === 'base64' ? base64Of(vector) : vector) as number[],
  }));
  return { object: 'list', data, model, usage: { prompt_tokens: tokens, total_tokens: tokens } };
}

function base64Of(vector: readonly number[]): string {
  const bytes = Buffer.allocUnsafe(vector.length * 4);
  for (const [index, value] of vector.entries()) bytes.writeFloatLE(value, index * 4);
  return bytes.toString('base64');
}

/** The tokens that a vendor tells of, found without reading the vectors, which may be megabytes. Voyage tells the total alone. */
export function embeddingUsage(reply: Buffer): VendorUsage {
  const at = reply.lastIndexOf('"usage"');
  if (at < 0) return null;
  const usage = reply.toString('latin1', at, at + 500);
  const told =
    /"prompt_tokens"\s*:\s*(\d{1,15})/.exec(usage) ?? /"total_tokens"\s*:\s*(\d{1,15})/.exec(usage);
  return told ? tokenUsage({ inputUncached: Number(told[1]) }) : null;
}

function wrong(path: string, message: string): ServiceError {
  return new ServiceError('invalid_request', `${path} ${message}.`, {
    details: [{ path, code: 'type', message }],
  });
}
