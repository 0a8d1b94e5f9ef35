import type { ServiceError } from '../../contract/errors.ts';
import type { StreamedWireReply, WireCall, WireOperationId } from '../../contract/wire-operations.ts';
import type { VendorWire } from '../../model/parts.ts';
import type { NativeReader } from '../upstream/native.ts';
import type { Vendor } from '../upstream/vendor.ts';
import { anthropicErrors } from '../wires/anthropic/client/errors.ts';
import { anthropicWire } from '../wires/anthropic/client/read.ts';
import { createAnthropicReader } from '../wires/anthropic/vendor/native.ts';
import { errorBody, geminiArrayErrors, geminiErrors, JsonArray } from '../wires/gemini/client/errors.ts';
import { geminiArrayWire, geminiWire } from '../wires/gemini/client/wire.ts';
import { createGeminiReader } from '../wires/gemini/vendor/native.ts';
import { pathOf } from '../wires/gemini/vendor/request.ts';
import { isChatOnly, openAiCompletionsWire } from '../wires/openai-chat/client/completions-wire.ts';
import { openAiChatErrors } from '../wires/openai-chat/client/errors.ts';
import { openAiChatWire } from '../wires/openai-chat/client/wire.ts';
import { OpenAiNativeReader } from '../wires/openai-chat/vendor/native.ts';
import { openAiResponsesErrors } from '../wires/openai-responses/client/errors.ts';
import { openAiCompactionWire, openAiResponsesWire } from '../wires/openai-responses/client/wire.ts';
import { createResponsesReader } from '../wires/openai-responses/vendor/native.ts';
import type { Wire, WireErrors } from '../wires/wire.ts';
import { type BodyChanges, type ModelNaming, namedInBody, namedInPath } from './native-call.ts';
import {
  ownThinkingInChat,
  ownThinkingInContents,
  ownThinkingInMessages,
  ownThinkingInResponses,
  type WithoutForeignThinking,
} from './other-vendor-reasoning.ts';

/** The differences between the interfaces for answers of models. */
export interface GenerationWire {
  /** For the translated lane. */
  readonly wire: Wire;
  readonly errors: WireErrors;
  /** The wire that a vendor must speak to be asked as the client asks. */
  readonly speaks: VendorWire;
  /** Models that such a vendor does not serve on this interface; left out: none. */
  readonly unservedAt?: (model: string) => boolean;
  /** Where it is at the vendor. */
  suffix(model: string, streaming: boolean): string;
  readonly modelNaming: ModelNaming;
  modelIn(call: WireCall): string;
  streaming(call: WireCall): boolean;
  /** Members of the body that we ask a vendor for beside what the client does. */
  asksToo(call: WireCall): BodyChanges;
  readonly withoutForeignThinking: WithoutForeignThinking;
  reader(vendor: Vendor, model: string, call: WireCall): NativeReader;
  streamType(): string;
  /** A native stream in the frame that the client asked for. */
  reframed(chunks: AsyncIterable<Buffer>): Pick<StreamedWireReply, 'chunks' | 'brokenOff'>;
  /** Whether a stream begins with the tokens of the prompt, so that they must be estimated before. */
  readonly tellsInputFirst: boolean;
}

const inBody = {
  modelNaming: namedInBody,
  modelIn: ({ body }: WireCall) => String(body['model']),
  streaming: ({ body }: WireCall) => body['stream'] === true,
  asksToo: () => ({}),
  streamType: () => 'text/event-stream',
  reframed: (chunks: AsyncIterable<Buffer>) => ({ chunks }),
  tellsInputFirst: false,
} as const;

/** OpenAI reports the usage of a stream on request only, and we always need it. */
function withUsage({ body }: WireCall): BodyChanges {
  if (body['stream'] !== true || wantsUsage(body)) return {};
  const given = body['stream_options'];
  const options = typeof given === 'object' && given !== null ? given : {};
  return { stream_options: { ...options, include_usage: true } };
}

function wantsUsage(body: WireCall['body']): boolean {
  const options = body['stream_options'] as { readonly include_usage?: unknown } | null | undefined;
  return options?.include_usage === true;
}

const openAiChat: GenerationWire = {
  ...inBody,
  wire: openAiChatWire,
  errors: openAiChatErrors,
  speaks: 'openai-chat',
  suffix: () => '/chat/completions',
  asksToo: withUsage,
  withoutForeignThinking: ownThinkingInChat,
  reader: (vendor, model, { body }) =>
    new OpenAiNativeReader(vendor, model, { usageWanted: wantsUsage(body) }),
};

const openAiCompletions: GenerationWire = {
  ...openAiChat,
  wire: openAiCompletionsWire,
  unservedAt: isChatOnly,
  suffix: () => '/completions',
};

const openAiResponses: GenerationWire = {
  ...inBody,
  wire: openAiResponsesWire,
  errors: openAiResponsesErrors,
  speaks: 'openai-responses',
  suffix: () => '/responses',
  withoutForeignThinking: ownThinkingInResponses,
  reader: (vendor, model) => createResponsesReader(vendor, model),
};

const openAiCompaction: GenerationWire = {
  ...openAiResponses,
  wire: openAiCompactionWire,
  streaming: () => false,
  suffix: () => '/responses/compact',
};

const anthropic: GenerationWire = {
  ...inBody,
  wire: anthropicWire,
  errors: anthropicErrors,
  speaks: 'anthropic',
  suffix: () => '/messages',
  withoutForeignThinking: ownThinkingInMessages,
  reader: (vendor, model) => createAnthropicReader(vendor, model),
  tellsInputFirst: true,
};

const gemini: GenerationWire = {
  ...inBody,
  wire: geminiWire,
  errors: geminiErrors,
  speaks: 'gemini',
  suffix: pathOf,
  modelNaming: namedInPath,
  modelIn: ({ path }) => path['model'] ?? '',
  streaming: ({ operation }) => operation === 'streamGenerateContent',
  withoutForeignThinking: ownThinkingInContents,
  reader: (vendor, model) => createGeminiReader(vendor, model),
};

/** Without `alt=sse` a stream is one JSON array. Vendors are asked for events all the same, which say where each begins and ends. */
const geminiArray: GenerationWire = {
  ...gemini,
  wire: geminiArrayWire,
  errors: geminiArrayErrors,
  streamType: () => 'application/json',
  reframed(chunks) {
    const array = new JsonArray();
    const brokenOff = (error: ServiceError, requestId: string) => array.end(errorBody(error, requestId));
    return { chunks: array.from(chunks), brokenOff };
  },
};

const byOperation: Partial<Record<WireOperationId, GenerationWire>> = {
  createChatCompletion: openAiChat,
  createCompletion: openAiCompletions,
  createResponse: openAiResponses,
  compactResponse: openAiCompaction,
  createMessage: anthropic,
  generateContent: gemini,
};

/** The interface on which an answer of a model is asked for; null: the operation asks for something else. */
export function generationWire({
  operation,
  query,
}: Pick<WireCall, 'operation' | 'query'>): GenerationWire | null {
  if (operation === 'streamGenerateContent') return query.get('alt') === 'sse' ? gemini : geminiArray;
  return byOperation[operation] ?? null;
}
