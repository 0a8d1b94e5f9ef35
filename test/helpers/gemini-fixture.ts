import { noTokens } from '../../src/model/token-usage.ts';
import type { WireFixture } from './vendor-fixtures.ts';

// In two pieces, so that a surrogate pair, a ZWJ sequence and CJK each stand at a border somewhere.
const text = ['Grüße, 世界! ', '👩‍👩‍👧 and\n"quotes" \\ 𝒳 end'] as const;

const event = (fields: object) => `data: ${JSON.stringify(fields)}\n\n`;
const about = { modelVersion: 'gemini-2.5-flash', responseId: 'c2RrLXRlc3QtcmVzcG9uc2U' };

const delta = (piece: string) =>
  event({
    candidates: [{ content: { parts: [{ text: piece }], role: 'model' }, index: 0 }],
    usageMetadata: { promptTokenCount: 24, totalTokenCount: 24 },
    ...about,
  });

/** Thoughts (3) are counted beside the answer (8). */
const usageMetadata = {
  promptTokenCount: 24,
  candidatesTokenCount: 8,
  totalTokenCount: 35,
  cachedContentTokenCount: 8,
  promptTokensDetails: [{ modality: 'TEXT', tokenCount: 24 }],
  cacheTokensDetails: [{ modality: 'TEXT', tokenCount: 8 }],
  thoughtsTokenCount: 3,
};

const statuses: Readonly<Record<string, readonly [number, string]>> = {
  overloaded_error: [503, 'UNAVAILABLE'],
  rate_limit_error: [429, 'RESOURCE_EXHAUSTED'],
  api_error: [500, 'INTERNAL'],
};

const errorReply = (type: string, message: string) => {
  const [code, status] = statuses[type] ?? [400, 'INVALID_ARGUMENT'];
  return { error: { code, message, status } };
};

const start = event({
  candidates: [{ content: { parts: [{ text: '' }], role: 'model' }, index: 0 }],
  usageMetadata: { promptTokenCount: 24, totalTokenCount: 24 },
  ...about,
});

/** Gemini's own wire (https://ai.google.dev/api/generate-content). */
export const geminiFixture: WireFixture = {
  wire: 'gemini',
  model: 'gemini-2.5-flash',
  path: '/v1/models/gemini-2.5-flash:generateContent',
  reply: {
    candidates: [
      { content: { parts: [{ text: text.join('') }], role: 'model' }, finishReason: 'STOP', index: 0 },
    ],
    usageMetadata,
    ...about,
  },
  beforeText: start,
  firstHalf: start + delta(text[0]),
  stream:
    start +
    delta(text[0]) +
    event({
      candidates: [
        { content: { parts: [{ text: text[1] }], role: 'model' }, finishReason: 'STOP', index: 0 },
      ],
      usageMetadata,
      ...about,
    }),
  text: text.join(''),
  end: {
    type: 'end',
    finishReason: 'stop',
    endReason: 'stop',
    usage: { ...noTokens, inputUncached: 16, cacheRead: 8, output: 11, reasoning: 3 },
  },
  delta,
  errorEvent: (type, message) => event(errorReply(type, message)),
  errorReply,
};
