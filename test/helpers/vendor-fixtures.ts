import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'yaml';
import type { CompletionEvent } from '../../src/model/port.ts';
import { noTokens } from '../../src/model/usage.ts';
import { errorOf } from './vendor-gateway.ts';

/** What a vendor on this wire sends, and what it means. */
export interface WireFixture<Wire extends string = 'openai' | 'anthropic' | 'gemini'> {
  readonly wire: Wire;
  readonly model: string;
  readonly path: string;
  /** A whole reply. */
  readonly reply: object;
  /** A whole event stream as it goes over the wire. */
  readonly stream: string;
  /** The part of it before anything of the text has come. */
  readonly beforeText: string;
  /** From the first event up to the middle of the text. */
  readonly firstHalf: string;
  readonly text: string;
  readonly end: Extract<CompletionEvent, { type: 'end' }>;
  /** One event with a piece of text. */
  delta(text: string): string;
  /** The error object in a stream and in a reply. */
  errorEvent(type: string, message: string): string;
  errorReply(type: string, message: string): object;
}

// In two pieces, so that a surrogate pair, a ZWJ sequence and CJK each stand at a border somewhere.
const text = ['Grüße, 世界! ', '👩‍👩‍👧 and\n"quotes" \\ 𝒳 end'] as const;

const openAiChunk = (fields: object) =>
  `data: ${JSON.stringify({
    id: 'chatcmpl-BxYz0123456789',
    object: 'chat.completion.chunk',
    created: 1_763_600_000,
    model: 'gpt-4o-2024-08-06',
    service_tier: 'default',
    system_fingerprint: 'fp_50cad350e4',
    ...fields,
  })}\n\n`;

const openAiDelta = (delta: object, finish: string | null = null) =>
  openAiChunk({ choices: [{ index: 0, delta, logprobs: null, finish_reason: finish }], usage: null });

const openAiUsage = {
  prompt_tokens: 24,
  completion_tokens: 11,
  total_tokens: 35,
  prompt_tokens_details: { cached_tokens: 8, audio_tokens: 0 },
  completion_tokens_details: {
    reasoning_tokens: 3,
    audio_tokens: 0,
    accepted_prediction_tokens: 0,
    rejected_prediction_tokens: 0,
  },
};

const openAiStart = openAiDelta({ role: 'assistant', content: '', refusal: null });
const openAiFirstHalf = openAiStart + openAiDelta({ content: text[0] });

export const openAiFixture: WireFixture = {
  wire: 'openai',
  model: 'gpt-4o',
  path: '/v1/chat/completions',
  reply: {
    id: 'chatcmpl-BxYz0123456789',
    object: 'chat.completion',
    created: 1_763_600_000,
    model: 'gpt-4o-2024-08-06',
    choices: [
      {
        index: 0,
        message: { role: 'assistant', content: text.join(''), refusal: null, annotations: [] },
        logprobs: null,
        finish_reason: 'stop',
      },
    ],
    usage: openAiUsage,
    service_tier: 'default',
    system_fingerprint: 'fp_50cad350e4',
  },
  beforeText: openAiStart,
  firstHalf: openAiFirstHalf,
  stream: `${openAiFirstHalf}${openAiDelta({ content: text[1] })}${openAiDelta({}, 'stop')}${openAiChunk({ choices: [], usage: openAiUsage })}data: [DONE]\n\n`,
  text: text.join(''),
  end: {
    type: 'end',
    finishReason: 'stop',
    endReason: 'stop',
    usage: { ...noTokens, inputUncached: 16, cacheRead: 8, output: 11, reasoning: 3 },
  },
  delta: (content) => openAiDelta({ content }),
  errorEvent: (type, message) =>
    `data: ${JSON.stringify({ error: { message, type, param: null, code: null } })}\n\n`,
  errorReply: (type, message) => ({ error: { message, type, param: null, code: null } }),
};

interface AnthropicEvent {
  readonly type: string;
  readonly [field: string]: unknown;
}

const anthropicEvent = (data: AnthropicEvent) => `event: ${data.type}\ndata: ${JSON.stringify(data)}\n\n`;

const anthropicDelta = (piece: string) =>
  anthropicEvent({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: piece } });

const anthropicEvents = (...events: AnthropicEvent[]) => events.map(anthropicEvent).join('');

const anthropicMessage = {
  id: 'msg_013Zva2CMHLNnjNjJKqJ2EF',
  type: 'message',
  role: 'assistant',
  model: 'claude-sonnet-4-6',
};

const anthropicStart = anthropicEvents(
  {
    type: 'message_start',
    message: {
      ...anthropicMessage,
      content: [],
      stop_reason: null,
      stop_sequence: null,
      usage: {
        input_tokens: 10,
        cache_creation_input_tokens: 6,
        cache_read_input_tokens: 8,
        output_tokens: 1,
        service_tier: 'standard',
      },
    },
  },
  { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
  { type: 'ping' },
);
const anthropicFirstHalf = anthropicStart + anthropicDelta(text[0]);

export const anthropicFixture: WireFixture = {
  wire: 'anthropic',
  model: 'claude-sonnet-4-6',
  path: '/v1/messages',
  reply: {
    ...anthropicMessage,
    content: [
      { type: 'thinking', thinking: 'Not for the reader.', signature: 'c2ln' },
      { type: 'text', text: text[0], citations: null },
      { type: 'text', text: text[1], citations: null },
    ],
    stop_reason: 'end_turn',
    stop_sequence: null,
    usage: {
      input_tokens: 10,
      cache_creation_input_tokens: 6,
      cache_read_input_tokens: 8,
      output_tokens: 11,
      output_tokens_details: { thinking_tokens: 3 },
      service_tier: 'standard',
    },
  },
  beforeText: anthropicStart,
  firstHalf: anthropicFirstHalf,
  stream:
    anthropicFirstHalf +
    anthropicDelta(text[1]) +
    anthropicEvents(
      { type: 'content_block_stop', index: 0 },
      {
        type: 'message_delta',
        delta: { stop_reason: 'end_turn', stop_sequence: null },
        usage: { output_tokens: 11, input_tokens: null, output_tokens_details: { thinking_tokens: 3 } },
      },
      { type: 'message_stop' },
    ),
  text: text.join(''),
  end: {
    type: 'end',
    finishReason: 'stop',
    endReason: 'stop',
    usage: { ...noTokens, inputUncached: 10, cacheRead: 8, cacheWrite5m: 6, output: 11, reasoning: 3 },
  },
  delta: anthropicDelta,
  errorEvent: (type, message) => anthropicEvents({ type: 'error', error: { type, message } }),
  errorReply: (type, message) => ({
    type: 'error',
    error: { type, message },
    request_id: 'req_011CSHoEeqs5C35K2UUqR7Fy',
  }),
};

const geminiEvent = (fields: object) => `data: ${JSON.stringify(fields)}\n\n`;
const geminiAbout = { modelVersion: 'gemini-2.5-flash', responseId: 'c2RrLXRlc3QtcmVzcG9uc2U' };

const geminiDelta = (piece: string) =>
  geminiEvent({
    candidates: [{ content: { parts: [{ text: piece }], role: 'model' }, index: 0 }],
    usageMetadata: { promptTokenCount: 24, totalTokenCount: 24 },
    ...geminiAbout,
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

const geminiStatuses: Readonly<Record<string, readonly [number, string]>> = {
  overloaded_error: [503, 'UNAVAILABLE'],
  rate_limit_error: [429, 'RESOURCE_EXHAUSTED'],
  api_error: [500, 'INTERNAL'],
};

const geminiErrorReply = (type: string, message: string) => {
  const [code, status] = geminiStatuses[type] ?? [400, 'INVALID_ARGUMENT'];
  return { error: { code, message, status } };
};

const geminiStart = geminiEvent({
  candidates: [{ content: { parts: [{ text: '' }], role: 'model' }, index: 0 }],
  usageMetadata: { promptTokenCount: 24, totalTokenCount: 24 },
  ...geminiAbout,
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
    ...geminiAbout,
  },
  beforeText: geminiStart,
  firstHalf: geminiStart + geminiDelta(text[0]),
  stream:
    geminiStart +
    geminiDelta(text[0]) +
    geminiEvent({
      candidates: [
        { content: { parts: [{ text: text[1] }], role: 'model' }, finishReason: 'STOP', index: 0 },
      ],
      usageMetadata,
      ...geminiAbout,
    }),
  text: text.join(''),
  end: {
    type: 'end',
    finishReason: 'stop',
    endReason: 'stop',
    usage: { ...noTokens, inputUncached: 16, cacheRead: 8, output: 11, reasoning: 3 },
  },
  delta: geminiDelta,
  errorEvent: (type, message) => geminiEvent(geminiErrorReply(type, message)),
  errorReply: geminiErrorReply,
};

const responsesEvent = (data: { readonly type: string; readonly [field: string]: unknown }) =>
  `event: ${data.type}\ndata: ${JSON.stringify(data)}\n\n`;

const responsesHead = {
  id: 'resp_67ccd2bed1ec8190b14f964abc0542670bb6a6b452d3795b',
  object: 'response',
  created_at: 1_763_600_000,
  model: 'gpt-4o-2024-08-06',
  error: null,
  incomplete_details: null,
  instructions: null,
  store: false,
};
const responsesItem = { id: 'msg_67ccd2bf17f0819081ff3bb2cf6508e6', type: 'message', role: 'assistant' };
const responsesAt = { item_id: responsesItem.id, output_index: 0, content_index: 0 };
const responsesPart = (said: string) => ({ type: 'output_text', annotations: [], logprobs: [], text: said });
const responsesWhole = { ...responsesItem, status: 'completed', content: [responsesPart(text.join(''))] };

const responsesCompleted = {
  ...responsesHead,
  status: 'completed',
  output: [responsesWhole],
  usage: {
    input_tokens: 24,
    input_tokens_details: { cached_tokens: 8, cache_write_tokens: 0 },
    output_tokens: 11,
    output_tokens_details: { reasoning_tokens: 3 },
    total_tokens: 35,
  },
};

const responsesDelta = (piece: string) =>
  responsesEvent({ type: 'response.output_text.delta', ...responsesAt, delta: piece, logprobs: [] });

const responsesStart =
  responsesEvent({
    type: 'response.created',
    response: { ...responsesHead, status: 'in_progress', output: [], usage: null },
  }) +
  responsesEvent({
    type: 'response.output_item.added',
    output_index: 0,
    item: { ...responsesItem, status: 'in_progress', content: [] },
  }) +
  responsesEvent({ type: 'response.content_part.added', ...responsesAt, part: responsesPart('') });

/** OpenAI's Responses (https://platform.openai.com/docs/api-reference/responses-streaming). */
export const responsesFixture: WireFixture<'responses'> = {
  wire: 'responses',
  model: 'gpt-4o',
  path: '/v1/responses',
  reply: responsesCompleted,
  beforeText: responsesStart,
  firstHalf: responsesStart + responsesDelta(text[0]),
  stream:
    responsesStart +
    responsesDelta(text[0]) +
    responsesDelta(text[1]) +
    responsesEvent({
      type: 'response.output_text.done',
      ...responsesAt,
      text: text.join(''),
      logprobs: [],
    }) +
    responsesEvent({ type: 'response.output_item.done', output_index: 0, item: responsesWhole }) +
    responsesEvent({ type: 'response.completed', response: responsesCompleted }),
  text: text.join(''),
  end: {
    type: 'end',
    finishReason: 'stop',
    endReason: 'stop',
    usage: { ...noTokens, inputUncached: 16, cacheRead: 8, output: 11, reasoning: 3 },
  },
  delta: responsesDelta,
  errorEvent: (type, message) =>
    responsesEvent({ type: 'error', error: { type, code: null, message, param: null } }),
  errorReply: (type, message) => ({ error: { message, type, param: null, code: null } }),
};

export const wireFixtures = [openAiFixture, anthropicFixture, geminiFixture] as const;

/** A fixture of any wire. */
export type AnyWireFixture = WireFixture | typeof responsesFixture;

/** Those, and the wire that no provider is asked on first. */
export const vendorFixtures = [...wireFixtures, responsesFixture] as const;

const folder = path.join(import.meta.dirname, '../fixtures/wires');
const read = new Map<string, Readonly<Record<string, unknown>>>();

/** One of the fixtures of the wires, for example `openai-chat/text.sse`. */
function fixture(name: string): unknown {
  const [file = '', entry = ''] = name.split('/');
  const entries = read.get(file) ?? parse(readFileSync(path.join(folder, `${file}.yaml`), 'utf8'));
  read.set(file, entries);
  if (!Object.hasOwn(entries, entry)) throw new Error(`test/fixtures/wires/${file}.yaml has no ${entry}`);
  return entries[entry];
}

/** Its text, as it goes over the wire. */
export function wireText(name: string): string {
  const text = fixture(name);
  if (typeof text !== 'string') return `${JSON.stringify(text, null, 2)}\n`;
  return name.startsWith('gemini/') ? text.replaceAll('\n', '\r\n') : text;
}

/** The same, parsed as JSON. */
export function wireJson(name: string): Record<string, unknown> {
  return JSON.parse(wireText(name)) as Record<string, unknown>;
}

/** The same of Gemini's wire. */
export const geminiText = (name: string) => wireText(`gemini/${name}`);
export const geminiJson = (name: string) => wireJson(`gemini/${name}`);

/** What a function throws, which has to be a `ServiceError`. */
export function errorBy(throwing: () => unknown): ReturnType<typeof errorOf> {
  return errorOf(Promise.resolve().then(throwing));
}
