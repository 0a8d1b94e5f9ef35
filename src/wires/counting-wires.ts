import type { WireCall } from '../contract/wire-operations.ts';
import { countTokensAnswer, readCountTokens } from './anthropic/read.ts';
import type { CountingWire } from './count-tokens.ts';
import { ownThinkingInMessages, ownThinkingInPrompt, ownThinkingInResponses } from './foreign-thinking.ts';
import { writeTokenCount } from './gemini/count-tokens.ts';
import { namedInPrompt } from './gemini/model-naming.ts';
import { readCountRequest } from './gemini/read.ts';
import { namedInBody } from './native-call.ts';
import { openAiResponsesWire } from './openai-responses/wire.ts';

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
