import { describe, expect, test } from 'vitest';
import type { ResponseFormat } from '../../../../generated/types.gen.ts';
import { anthropicCall } from '../../../../src/gateway/wires/anthropic/vendor/request.ts';
import { openAiCall } from '../../../../src/gateway/wires/openai-chat/vendor/request.ts';
import { type ContractMessage, messageOf, messagesOf } from '../../../../src/model/contract-form.ts';
import { said } from '../../../../src/model/parts.ts';
import type { ModelCall } from '../../../../src/model/port.ts';
import { timeTool, toolCall, weatherTool } from '../../../helpers/tool-fixtures.ts';
import { callOf } from '../../../helpers/vendor-gateway.ts';

const tools = [weatherTool, timeTool];
const schema = { type: 'object', properties: { age: { type: 'integer' } }, required: ['age'] };

const spoken = [
  { role: 'user', content: 'The weather in Bern and the time?' },
  {
    role: 'assistant',
    content: 'I look.',
    tool_calls: [
      toolCall('functions.get_weather:0', 'get_weather', '{"city":"Bern"}'),
      toolCall('call_2', 'get_time', '{}'),
    ],
  },
  { role: 'tool', tool_call_id: 'functions.get_weather:0', content: 'Rain, 7 °C' },
  { role: 'tool', tool_call_id: 'call_2', content: '' },
  { role: 'user', content: 'And now?' },
  { role: 'assistant', content: null, tool_calls: [toolCall('call_3', 'get_time', '{}')] },
  { role: 'tool', tool_call_id: 'call_3', content: '12:00' },
  { role: 'assistant', content: 'Noon.' },
  { role: 'user', content: 'Thanks' },
] satisfies ContractMessage[];
const conversation = messagesOf(spoken);
const compatible = { id: 'mistral', maxTokensField: 'max_tokens' } as const;

function modelCall(model: string, more: Partial<ModelCall>): ModelCall {
  return { ...callOf('Hi'), model, temperatureRange: null, ...more };
}

/** What the body has beyond that of a plain call, as it goes over the wire. */
function openAi(more: Partial<ModelCall>, model = 'gpt-4o') {
  const { request, warnings } = openAiCall(modelCall(model, more), compatible);
  const { model: _, max_tokens, temperature, messages, ...rest } = JSON.parse(JSON.stringify(request));
  return { messages: more.messages ? messages : undefined, rest, warnings };
}

function anthropic(more: Partial<ModelCall>, model = 'claude-sonnet-4-6') {
  const { request, warnings } = anthropicCall(modelCall(model, more), 'anthropic');
  const { model: _, max_tokens, temperature, messages, ...rest } = JSON.parse(JSON.stringify(request));
  return { messages: more.messages ? messages : undefined, rest, warnings };
}

describe('the OpenAI wire takes as it is', () => {
  test('tools and all that goes with them', () => {
    expect(openAi({ tools }).rest).toEqual({ tools });
    const named = { type: 'function', function: { name: 'get_time' } } as const;
    expect(openAi({ tools, toolChoice: named, parallelToolCalls: false }).rest).toEqual({
      tools,
      tool_choice: named,
      parallel_tool_calls: false,
    });
  });

  test('a conversation with calls and results, signatures included', () => {
    const extra_content = { google: { thought_signature: 'c2ln' } };
    const signed: ContractMessage = {
      role: 'assistant',
      content: null,
      tool_calls: [{ ...toolCall('call_9', 'get_time', 'no JSON'), extra_content }],
    };
    const messages = [...conversation, messageOf(signed)];
    expect(openAi({ messages, tools })).toEqual({
      messages: [...spoken, signed].map((message) => ({ ...message, content: message.content ?? '' })),
      rest: { tools },
      warnings: [],
    });
  });

  test.each<ResponseFormat>([
    { type: 'json_object' },
    { type: 'json_schema', json_schema: { name: 'person', description: 'A person.', schema, strict: true } },
  ])('the format $type', (responseFormat) => {
    expect(openAi({ responseFormat })).toMatchObject({
      rest: { response_format: responseFormat },
      warnings: [],
    });
  });
});

describe('the Anthropic wire', () => {
  test('has its own form of tools', () => {
    const strict = { ...timeTool, function: { ...timeTool.function, strict: true } };
    expect(anthropic({ tools: [weatherTool, strict] })).toEqual({
      messages: undefined,
      rest: {
        tools: [
          {
            name: 'get_weather',
            description: 'The weather in a city.',
            input_schema: weatherTool.function.parameters,
          },
          { name: 'get_time', input_schema: { type: 'object', properties: {} }, strict: true },
        ],
      },
      warnings: [],
    });
  });

  test.each([
    [{ toolChoice: 'auto' }, { type: 'auto' }],
    [{ toolChoice: 'none' }, { type: 'none' }],
    [{ toolChoice: 'none', parallelToolCalls: false }, { type: 'none' }],
    [{ toolChoice: 'required' }, { type: 'any' }],
    [
      { toolChoice: { type: 'function', function: { name: 'get_time' } } },
      { type: 'tool', name: 'get_time' },
    ],
    [{ parallelToolCalls: false }, { type: 'auto', disable_parallel_tool_use: true }],
    [
      { toolChoice: 'required', parallelToolCalls: false },
      { type: 'any', disable_parallel_tool_use: true },
    ],
    [{ parallelToolCalls: true }, undefined],
  ] as const)('says %j in its own way', (more, expected) => {
    expect(anthropic({ tools, ...more }).rest.tool_choice).toEqual(expected);
  });

  test('without tools has no choice either', () => {
    expect(anthropic({ toolChoice: 'none' }).rest).toEqual({});
  });

  test('gathers the results of a turn in one message, before what the user says next', () => {
    expect(anthropic({ messages: conversation, tools }).messages).toEqual([
      { role: 'user', content: 'The weather in Bern and the time?' },
      {
        role: 'assistant',
        content: [
          { type: 'text', text: 'I look.' },
          {
            type: 'tool_use',
            id: 'functions.get_weather:0',
            name: 'get_weather',
            input: { city: 'Bern' },
          },
          { type: 'tool_use', id: 'call_2', name: 'get_time', input: {} },
        ],
      },
      {
        role: 'user',
        content: [
          { type: 'tool_result', tool_use_id: 'functions.get_weather:0', content: 'Rain, 7 °C' },
          { type: 'tool_result', tool_use_id: 'call_2' },
          { type: 'text', text: 'And now?' },
        ],
      },
      { role: 'assistant', content: [{ type: 'tool_use', id: 'call_3', name: 'get_time', input: {} }] },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'call_3', content: '12:00' }] },
      { role: 'assistant', content: 'Noon.' },
      { role: 'user', content: 'Thanks' },
    ]);
  });

  const deep = `${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}`;
  test.each(['{"city":', '[]', '"Bern"', 'null', deep])(
    'refuses the arguments %.20s, naming them',
    (json) => {
      const calls = [toolCall('call_1', 'get_weather', json)];
      const messages = [messageOf({ role: 'assistant', tool_calls: calls })];
      expect(() => anthropic({ messages })).toThrow(
        'messages[0].tool_calls[0].function.arguments must be a JSON object for this model.',
      );
    },
  );

  test('leaves out what another vendor wanted to see again, and says so', () => {
    const extra_content = { google: { thought_signature: 'c2ln' } };
    const calls = [{ ...toolCall('call_1', 'get_time', '{}'), extra_content }];
    const { messages, warnings } = anthropic({
      messages: [messageOf({ role: 'assistant', tool_calls: calls })],
    });
    expect(JSON.stringify(messages)).not.toContain('thought_signature');
    expect(warnings).toMatchObject([{ code: 'extra_content_ignored', param: 'messages' }]);
  });

  test('takes a schema as its output format', () => {
    const json_schema = { name: 'person', schema };
    expect(anthropic({ responseFormat: { type: 'json_schema', json_schema } })).toMatchObject({
      rest: { output_config: { format: { type: 'json_schema', schema } } },
      warnings: [],
    });
    const described = { ...json_schema, description: 'A person.' };
    const { rest } = anthropic({ responseFormat: { type: 'json_schema', json_schema: described } });
    expect(rest.output_config.format.schema).toEqual({ description: 'A person.', ...schema });
  });

  test('asks for JSON of any shape in words, and says so', () => {
    const messages = [said('system', 'Be brief.'), said('user', 'Hi')];
    const { rest, warnings } = anthropic({ messages, responseFormat: { type: 'json_object' } });
    expect(rest.system).toBe(
      'Be brief.\n\nAnswer with one JSON object and nothing else: no other text, no code fence.',
    );
    expect(warnings).toMatchObject([{ code: 'response_format_adapted', param: 'response_format' }]);
  });

  test.each(['claude-3-5-sonnet-latest', 'claude-sonnet-4-20250514', 'claude-opus-4-0'])(
    'refuses a schema for %s, which cannot be held to it',
    (model) => {
      const responseFormat = { type: 'json_schema', json_schema: { name: 'person', schema } } as const;
      expect(() => anthropic({ responseFormat }, model)).toThrow('does not support JSON schemas');
    },
  );

  test.each(['claude-opus-4-1-20250805', 'claude-sonnet-4-5', 'claude-haiku-5-5', 'something-new'])(
    'has it for %s',
    (model) => {
      const responseFormat = { type: 'json_schema', json_schema: { name: 'person', schema } } as const;
      expect(anthropic({ responseFormat }, model).rest).toHaveProperty('output_config');
    },
  );
});
