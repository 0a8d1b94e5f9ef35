import type { CreateEmbeddingResponse } from 'openai/resources/embeddings';
import { fieldError, ServiceError } from '../../contract/errors.ts';
import type { WireCall } from '../../contract/wire-operations.ts';
import { estimateTokens } from '../../lib/tokens.ts';
import type { SendOptions, VendorUsage } from '../../model/port.ts';
import { sandboxId, tokenUsage } from '../../model/usage.ts';
import type { Target } from '../routing/catalogue.ts';
import { type Embeddings, embedder, type ToEmbed } from '../routing/embeddings.ts';
import type { PreparedAsk } from '../routing/lanes.ts';
import type { Provider } from '../routing/provider.ts';
import { defaultDimensions, embed, textOfTokens } from '../sandbox/media/vectors.ts';
import { ProviderError } from '../upstream/provider-error.ts';
import {
  readBatchEmbedContents,
  readEmbedContent,
  writeBatchEmbedContents,
  writeEmbedContent,
} from '../wires/gemini/client/embeddings.ts';
import type { Body } from '../wires/wire.ts';
import type { Forwarded, ForwardWire } from './forward.ts';
import { namedInRequests } from './model-naming.ts';
import { namedInBody } from './native-call.ts';

/** Maximum number of inputs in one request, as OpenAI has it. */
const maxInputs = 2048;

/** Maximum number of characters that the sandbox takes at once. */
const maxSandboxLength = 1024 * 1024;
const bytesPerToken = 4;

/** How one interface asks for vectors where its own wire is not spoken. */
interface Reading {
  readonly read: (body: WireCall['body']) => OpenAiInput;
  readonly write: (embeddings: Embeddings, model: string, body: WireCall['body'], tokens: number) => object;
}

/** A request for vectors, from any vendor that has them, or from the sandbox. */
function elsewhere({ read, write }: Reading, modelIn: (call: WireCall) => string): ForwardWire['elsewhere'] {
  return (provider: Provider, { model }: Target, call: WireCall): PreparedAsk<Forwarded> => {
    const input = read(call.body);
    const ask = provider.id === sandboxId ? sandboxVectors : vendorVectors(provider, model);
    return {
      warnings: [],
      async send(options) {
        const texts = await textsOf(input);
        const embeddings = await ask(
          { texts, ...(input.dimensions !== undefined && { dimensions: input.dimensions }) },
          options,
        );
        const tokens = embeddings.tokens ?? (await estimateTokens(texts.join('\n')));
        return {
          lane: 'translated',
          mediaType: 'application/json',
          body: JSON.stringify(write(embeddings, modelIn(call), call.body, tokens)),
          usage: tokenUsage({ inputUncached: tokens }),
          counted: embeddings.tokens === null ? 'estimated' : 'provider',
        };
      },
    };
  };
}

function vendorVectors(provider: Provider, model: string) {
  const ask = embedder(provider, model);
  if (ask !== null)
    return async (input: ToEmbed, options: SendOptions) =>
      ofLength(await ask(input, options), input.dimensions, model);
  const message = `The provider ${JSON.stringify(provider.id)} of the model ${JSON.stringify(model)} has no embeddings; those that speak OpenAI's or Gemini's interface do, such as text-embedding-3-small or gemini-embedding-001.`;
  throw new ServiceError('invalid_request', message, { param: 'model' });
}

/** Servers of models with a single length ignore the member; a vector cut here would be none of the model's. */
function ofLength(embeddings: Embeddings, wanted: number | undefined, model: string): Embeddings {
  const got = embeddings.vectors[0]?.length;
  if (wanted === undefined || got === undefined || got === wanted) return embeddings;
  const message = `The model ${JSON.stringify(model)} gives vectors of ${got} numbers, although ${wanted} were asked for. Leave the number of dimensions out.`;
  throw new ProviderError('provider_rejected', message, { param: 'dimensions' });
}

async function sandboxVectors(
  { texts, dimensions = defaultDimensions }: ToEmbed,
  { signal }: SendOptions,
): Promise<Embeddings> {
  signal.throwIfAborted();
  const length = texts.reduce((sum, text) => sum + text.length, 0);
  if (length > maxSandboxLength)
    throw new ServiceError('invalid_request', 'input: the sandbox takes at most 1 MiB of text.', {
      param: 'input',
    });
  try {
    return { vectors: texts.map((text) => Array.from(embed(text, dimensions))), tokens: null };
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new ServiceError('invalid_request', error.message, { param: 'dimensions' });
  }
}

async function textsOf({ inputs }: OpenAiInput): Promise<string[]> {
  return Promise.all(
    inputs.map(async (input, index) => {
      if (typeof input === 'string') return input;
      try {
        return await textOfTokens(input);
      } catch (error) {
        if (!(error instanceof RangeError)) throw error;
        throw new ServiceError('invalid_request', `input[${index}]: ${error.message}`, {
          param: `input[${index}]`,
        });
      }
    }),
  );
}

const estimate = ({ bytes }: WireCall) => Math.ceil(bytes.length / bytesPerToken);

const bodyModel = ({ body }: WireCall) => String(body['model']);
const pathModel = ({ path }: WireCall) => path['model'] ?? '';

const openAi: ForwardWire = {
  ability: 'embeddings',
  speaks: ['openai-chat', 'openai-responses'],
  suffix: () => '/embeddings',
  modelNaming: namedInBody,
  modelIn: bodyModel,
  tokens: estimate,
  usage: embeddingUsage,
  elsewhere: elsewhere({ read: readEmbeddingRequest, write: embeddingList }, bodyModel),
};

const gemini = (action: string, reading: Reading): ForwardWire => ({
  ability: 'embeddings',
  speaks: ['gemini'],
  suffix: (model) => `/models/${encodeURIComponent(model)}:${action}`,
  modelNaming: namedInRequests,
  modelIn: pathModel,
  tokens: estimate,
  usage: () => null,
  elsewhere: elsewhere(reading, pathModel),
});

/** By operation. */
export const embeddingWires = {
  createEmbedding: openAi,
  embedContent: gemini('embedContent', {
    read: (body) => asInput(readEmbedContent(body)),
    write: ({ vectors }, _model, _body, tokens) => writeEmbedContent(vectors, tokens),
  }),
  batchEmbedContents: gemini('batchEmbedContents', {
    read: (body) => asInput(readBatchEmbedContents(body)),
    write: ({ vectors }, _model, _body, tokens) => writeBatchEmbedContents(vectors, tokens),
  }),
} as const satisfies Record<string, ForwardWire>;

function asInput({ texts, dimensions }: ToEmbed): OpenAiInput {
  return { inputs: texts, ...(dimensions !== undefined && { dimensions }) };
}

/** The input to embed: texts, or lists of the ids of their tokens. */
interface OpenAiInput {
  readonly inputs: readonly (string | readonly number[])[];
  readonly dimensions?: number;
}

/** The body of `POST /v1/embeddings`. Throws `invalid_request`, which names the path. */
function readEmbeddingRequest({ input, dimensions, encoding_format: format }: Body): OpenAiInput {
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
function embeddingList(
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

/** The tokens that a vendor reports, found without reading the vectors, which may be megabytes. Voyage reports the total alone. */
function embeddingUsage(reply: Buffer): VendorUsage {
  const at = reply.lastIndexOf('"usage"');
  if (at < 0) return null;
  const usage = reply.toString('latin1', at, at + 500);
  const counted =
    /"prompt_tokens"\s*:\s*(\d{1,15})/.exec(usage) ?? /"total_tokens"\s*:\s*(\d{1,15})/.exec(usage);
  return counted ? tokenUsage({ inputUncached: Number(counted[1]) }) : null;
}

function wrong(path: string, message: string): ServiceError {
  return fieldError(path, 'type', message);
}
