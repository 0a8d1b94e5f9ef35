import type { CompletionEvent } from '../../src/model/port.ts';
import { noTokens } from '../../src/model/token-usage.ts';
import { geminiFixture } from './gemini-fixture.ts';
import { responsesFixture } from './responses-fixture.ts';

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
  /** The error object as it stands in a stream and in a reply. */
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

export const wireFixtures = [openAiFixture, anthropicFixture, geminiFixture] as const;

/** A fixture of any wire. */
export type AnyWireFixture = WireFixture | typeof responsesFixture;

/** Those, and the wire that no provider is asked on first. */
export const vendorFixtures = [...wireFixtures, responsesFixture] as const;
