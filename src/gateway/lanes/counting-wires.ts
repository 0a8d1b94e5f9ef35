import type { WireCall } from '../../contract/wire-operations.ts';
import { countTokensAnswer, readCountTokens } from '../wires/anthropic/client/read.ts';
import { readCountRequest, writeTokenCount } from '../wires/gemini/client/read.ts';
import { openAiResponsesWire } from '../wires/openai-responses/client/wire.ts';
import type { CountingWire } from './count-tokens.ts';
import { ownThinkingInMessages, ownThinkingInPrompt, ownThinkingInResponses } from './foreign-thinking.ts';
import { namedInPrompt } from './model-naming.ts';
import { namedInBody } from './native-call.ts';

const inBody = { modelNaming: namedInBody, modelIn: ({ body }: WireCall) => String(body['model']) } as const;

/** How each interface counts tokens, by operation. */
export const countingWires = {
  countMessageTokens: {
    ...inBody,
    speaks: 'anthropic',
    withoutForeignThinking: ownThinkingInMessages,
    suffix: () => '/messages/count_tokens',
    read: readCountTokens,
    write: countTokensAnswer,
  },
  countResponseTokens: {
    ...inBody,
    speaks: 'openai-responses',
    withoutForeignThinking: ownThinkingInResponses,
    suffix: () => '/responses/input_tokens',
    read: (body) => openAiResponsesWire.read(body).call,
    write: (tokens) => ({ object: 'response.input_tokens', input_tokens: tokens }),
  },
  countGeminiTokens: {
    speaks: 'gemini',
    withoutForeignThinking: ownThinkingInPrompt,
    modelNaming: namedInPrompt,
    modelIn: ({ path }) => path['model'] ?? '',
    suffix: (model) => `/models/${encodeURIComponent(model)}:countTokens`,
    read: readCountRequest,
    write: writeTokenCount,
  },
} as const satisfies Record<string, CountingWire>;
