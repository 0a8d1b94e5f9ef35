import { ServiceError } from '../../contract/errors.ts';
import type { WireCall } from '../../contract/wire-operations.ts';
import { estimateTokens } from '../../lib/tokens.ts';
import { type SendOptions, sandboxId } from '../../model/port.ts';
import { tokenUsage } from '../../model/token-usage.ts';
import type { Target } from '../routing/catalogue.ts';
import { type Embeddings, embedder, type ToEmbed } from '../routing/embeddings.ts';
import type { PreparedAsk } from '../routing/lanes.ts';
import type { Provider } from '../routing/provider.ts';
import { defaultDimensions, embed, textOfTokens } from '../sandbox/media/vectors.ts';
import {
  readBatchEmbedContents,
  readEmbedContent,
  writeBatchEmbedContents,
  writeEmbedContent,
} from '../wires/gemini/client/embeddings.ts';
import type { Forwarded, ForwardWire } from './forward.ts';
import { namedInRequests } from './model-naming.ts';
import { namedInBody } from './native-call.ts';
import {
  embeddingList,
  embeddingUsage,
  type OpenAiInput,
  readEmbeddingRequest,
} from './openai-embeddings.ts';

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
  if (ask !== null) return ask;
  const message = `The provider ${JSON.stringify(provider.id)} of the model ${JSON.stringify(model)} has no embeddings; those that speak OpenAI's or Gemini's interface do, such as text-embedding-3-small or gemini-embedding-001.`;
  throw new ServiceError('invalid_request', message, { param: 'model' });
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
