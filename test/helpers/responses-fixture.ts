import { noTokens } from '../../src/model/token-usage.ts';
import type { WireFixture } from './vendor-fixtures.ts';

// In two pieces, so that a surrogate pair, a ZWJ sequence and CJK each stand at a border somewhere.
const text = ['Grüße, 世界! ', '👩‍👩‍👧 and\n"quotes" \\ 𝒳 end'] as const;

const event = (data: { readonly type: string; readonly [field: string]: unknown }) =>
  `event: ${data.type}\ndata: ${JSON.stringify(data)}\n\n`;

const response = {
  id: 'resp_67ccd2bed1ec8190b14f964abc0542670bb6a6b452d3795b',
  object: 'response',
  created_at: 1_763_600_000,
  model: 'gpt-4o-2024-08-06',
  error: null,
  incomplete_details: null,
  instructions: null,
  store: false,
};
const item = { id: 'msg_67ccd2bf17f0819081ff3bb2cf6508e6', type: 'message', role: 'assistant' };
const at = { item_id: item.id, output_index: 0, content_index: 0 };
const part = (said: string) => ({ type: 'output_text', annotations: [], logprobs: [], text: said });
const whole = { ...item, status: 'completed', content: [part(text.join(''))] };

const completed = {
  ...response,
  status: 'completed',
  output: [whole],
  usage: {
    input_tokens: 24,
    input_tokens_details: { cached_tokens: 8, cache_write_tokens: 0 },
    output_tokens: 11,
    output_tokens_details: { reasoning_tokens: 3 },
    total_tokens: 35,
  },
};

const delta = (piece: string) =>
  event({ type: 'response.output_text.delta', ...at, delta: piece, logprobs: [] });

const start =
  event({
    type: 'response.created',
    response: { ...response, status: 'in_progress', output: [], usage: null },
  }) +
  event({
    type: 'response.output_item.added',
    output_index: 0,
    item: { ...item, status: 'in_progress', content: [] },
  }) +
  event({ type: 'response.content_part.added', ...at, part: part('') });

/** OpenAI's Responses (https://platform.openai.com/docs/api-reference/responses-streaming). */
export const responsesFixture: WireFixture<'responses'> = {
  wire: 'responses',
  model: 'gpt-4o',
  path: '/v1/responses',
  reply: completed,
  beforeText: start,
  firstHalf: start + delta(text[0]),
  stream:
    start +
    delta(text[0]) +
    delta(text[1]) +
    event({ type: 'response.output_text.done', ...at, text: text.join(''), logprobs: [] }) +
    event({ type: 'response.output_item.done', output_index: 0, item: whole }) +
    event({ type: 'response.completed', response: completed }),
  text: text.join(''),
  end: {
    type: 'end',
    finishReason: 'stop',
    endReason: 'stop',
    usage: { ...noTokens, inputUncached: 16, cacheRead: 8, output: 11, reasoning: 3 },
  },
  delta,
  errorEvent: (type, message) => event({ type: 'error', error: { type, code: null, message, param: null } }),
  errorReply: (type, message) => ({ error: { message, type, param: null, code: null } }),
};
