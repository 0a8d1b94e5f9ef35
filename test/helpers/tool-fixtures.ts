import type { Tool, ToolCall } from '../../generated/types.gen.ts';
import type { UnroutedCall } from '../../src/model/port.ts';
import { callOf } from './vendor-gateway.ts';

export const weatherTool: Tool = {
  type: 'function',
  function: {
    name: 'get_weather',
    description: 'The weather in a city.',
    parameters: {
      type: 'object',
      properties: { city: { type: 'string' } },
      required: ['city'],
      additionalProperties: false,
    },
  },
};

export const timeTool: Tool = { type: 'function', function: { name: 'get_time' } };

export const toolCall = (id: string, name: string, json: string): ToolCall => ({
  id,
  type: 'function',
  function: { name, arguments: json },
});

/** An answer with text and two calls, as a vendor on this wire sends it. */
export interface ToolFixture {
  readonly wire: 'openai' | 'anthropic';
  readonly model: string;
  readonly reply: object;
  readonly stream: string;
  /** The stream up to the middle of the first call's arguments. */
  readonly firstHalf: string;
  readonly text: string;
  readonly toolCalls: readonly ToolCall[];
}

export const toolQuestion: UnroutedCall = callOf('The weather in Zürich, and the time?', {
  tools: [weatherTool, timeTool],
});

const text = 'I look both up. ';
const pieces = ['{"ci', 'ty":"Zür', 'ich 🏔️"}'] as const;

const openAiChunk = (delta: object, finish: string | null = null) =>
  `data: ${JSON.stringify({
    id: 'chatcmpl-BxYz0123456789',
    object: 'chat.completion.chunk',
    created: 1_763_600_000,
    model: 'gpt-4o-2024-08-06',
    choices: [{ index: 0, delta, logprobs: null, finish_reason: finish }],
  })}\n\n`;

const piece = (index: number, json: string) =>
  openAiChunk({ tool_calls: [{ index, function: { arguments: json } }] });

const openAiHalf =
  openAiChunk({ role: 'assistant', content: text, refusal: null }) +
  openAiChunk({
    tool_calls: [
      { index: 0, id: 'call_a1', type: 'function', function: { name: 'get_weather', arguments: '' } },
    ],
  }) +
  piece(0, pieces[0]) +
  piece(0, pieces[1]);

export const openAiToolFixture: ToolFixture = {
  wire: 'openai',
  model: 'gpt-4o',
  reply: {
    id: 'chatcmpl-BxYz0123456789',
    object: 'chat.completion',
    created: 1_763_600_000,
    model: 'gpt-4o-2024-08-06',
    choices: [
      {
        index: 0,
        message: {
          role: 'assistant',
          content: text,
          tool_calls: [
            toolCall('call_a1', 'get_weather', pieces.join('')),
            toolCall('call_a2', 'get_time', '{}'),
          ],
          refusal: null,
        },
        logprobs: null,
        finish_reason: 'tool_calls',
      },
    ],
  },
  firstHalf: openAiHalf,
  stream:
    openAiHalf +
    piece(0, pieces[2]) +
    openAiChunk({
      tool_calls: [
        { index: 1, id: 'call_a2', type: 'function', function: { name: 'get_time', arguments: '' } },
      ],
    }) +
    piece(1, '{}') +
    openAiChunk({}, 'tool_calls') +
    'data: [DONE]\n\n',
  text,
  toolCalls: [toolCall('call_a1', 'get_weather', pieces.join('')), toolCall('call_a2', 'get_time', '{}')],
};

const anthropicEvents = (...events: { readonly type: string; readonly [field: string]: unknown }[]) =>
  events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join('');

const anthropicMessage = {
  id: 'msg_013Zva2CMHLNnjNjJKqJ2EF',
  type: 'message',
  role: 'assistant',
  model: 'claude-sonnet-4-6',
};

const toolUse = (id: string, name: string, input: object) => ({
  type: 'tool_use',
  id,
  name,
  input,
  caller: { type: 'direct' },
});
const jsonDelta = (index: number, json: string) => ({
  type: 'content_block_delta',
  index,
  delta: { type: 'input_json_delta', partial_json: json },
});

const anthropicHalf = anthropicEvents(
  {
    type: 'message_start',
    message: {
      ...anthropicMessage,
      content: [],
      stop_reason: null,
      stop_sequence: null,
      usage: { input_tokens: 472, output_tokens: 2 },
    },
  },
  { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
  { type: 'ping' },
  { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } },
  { type: 'content_block_stop', index: 0 },
  { type: 'content_block_start', index: 1, content_block: toolUse('toolu_01T1x', 'get_weather', {}) },
  jsonDelta(1, ''),
  jsonDelta(1, pieces[0]),
  jsonDelta(1, pieces[1]),
);

export const anthropicToolFixture: ToolFixture = {
  wire: 'anthropic',
  model: 'claude-sonnet-4-6',
  reply: {
    ...anthropicMessage,
    content: [
      { type: 'text', text, citations: null },
      toolUse('toolu_01T1x', 'get_weather', { city: 'Zürich 🏔️' }),
      toolUse('toolu_01T2x', 'get_time', {}),
    ],
    stop_reason: 'tool_use',
    stop_sequence: null,
    usage: { input_tokens: 472, output_tokens: 89 },
  },
  firstHalf: anthropicHalf,
  stream:
    anthropicHalf +
    anthropicEvents(
      jsonDelta(1, pieces[2]),
      { type: 'content_block_stop', index: 1 },
      { type: 'content_block_start', index: 2, content_block: toolUse('toolu_01T2x', 'get_time', {}) },
      { type: 'content_block_stop', index: 2 },
      {
        type: 'message_delta',
        delta: { stop_reason: 'tool_use', stop_sequence: null },
        usage: { output_tokens: 89 },
      },
      { type: 'message_stop' },
    ),
  text,
  toolCalls: [
    toolCall('toolu_01T1x', 'get_weather', pieces.join('')),
    toolCall('toolu_01T2x', 'get_time', '{}'),
  ],
};

export const toolFixtures = [openAiToolFixture, anthropicToolFixture] as const;
