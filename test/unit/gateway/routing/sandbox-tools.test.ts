import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, test } from 'vitest';
import type { ResponseFormat, Tool } from '../../../../generated/types.gen.ts';
import { createModelGateway } from '../../../../src/gateway/routing/gateway.ts';
import { messageOf, messagesOf } from '../../../../src/model/contract-form.ts';
import { type ModelMessage, said } from '../../../../src/model/parts.ts';
import type { CompletionEvent, UnroutedCall } from '../../../../src/model/port.ts';
import { timeTool, toolCall, weatherTool } from '../../../helpers/tool-fixtures.ts';
import { callOf, errorOf, settingsOf, shown } from '../../../helpers/vendor-gateway.ts';

const gateway = createModelGateway(settingsOf([]));
const { signal } = new AbortController();
const complete = (call: UnroutedCall, model = 'sandbox') => gateway.complete(model, call, { signal });

const tool = (name: string, property?: string): Tool => ({
  type: 'function',
  function: {
    name,
    ...(property && {
      parameters: { type: 'object', properties: { [property]: { type: 'string' } }, required: [property] },
    }),
  },
});
const calculator = tool('calculator', 'expression');
const tools = [calculator, tool('fetch_url', 'url'), tool('build_app', 'prompt'), tool('current_time')];

async function callsFor(text: string, more: Partial<UnroutedCall> = {}) {
  const { completion } = await complete(callOf(text, { tools, ...more }));
  return shown(completion).toolCalls.map(({ function: called }) => `${called.name} ${called.arguments}`);
}

describe('the sandbox calls a tool', () => {
  test.each([
    ['What is 17 * 23?', 'calculator {"expression":"17 * 23"}'],
    ['Compute (2+3)×4.5 - 1, please.', 'calculator {"expression":"(2+3)*4.5 - 1"}'],
    ['How much is 2^10', 'calculator {"expression":"2^10"}'],
    ['Read https://example.com/a?b=c.', 'fetch_url {"url":"https://example.com/a?b=c"}'],
    ['Build a habit tracker', 'build_app {"prompt":"Build a habit tracker"}'],
    ['What time is it?', 'current_time {}'],
    ['calculator {"expression": "a{\\"}"}', 'calculator {"expression":"a{\\"}"}'],
    ['Use calculator: one plus one', 'calculator {"expression":"one plus one"}'],
  ])('when asked %j', async (text, expected) => {
    expect(await callsFor(text)).toEqual([expected]);
  });

  test.each(['Hello', 'It was on 2026-11-20.', 'Ring 555 1234', 'calculators are old', 'in 1990-1995', ''])(
    'but not when told %j',
    async (text) => {
      expect(await callsFor(text)).toEqual([]);
      expect(shown((await complete(callOf(text || ' ', { tools }))).completion).content).toContain('sandbox');
    },
  );

  test('several at once, or one after the other', async () => {
    const text = 'What is 1+1, 2 + 2 and what time is it?';
    const all = ['calculator {"expression":"1+1"}', 'calculator {"expression":"2 + 2"}', 'current_time {}'];
    expect(await callsFor(text)).toEqual(all);
    const messages: ModelMessage[] = [said('user', text)];
    const seen: string[] = [];
    for (;;) {
      const call = callOf('', { messages: [...messages], tools, parallelToolCalls: false });
      const { completion } = await complete(call);
      const [made] = shown(completion).toolCalls;
      if (!made) break;
      seen.push(`${made.function.name} ${made.function.arguments}`);
      messages.push(messageOf({ role: 'assistant', tool_calls: [made] }));
      messages.push(messageOf({ role: 'tool', tool_call_id: made.id, content: 'x' }));
    }
    expect(seen).toEqual(all);
  });

  test('as it must: the named one, or the first, or none', async () => {
    const named = { type: 'function', function: { name: 'get_weather' } } as const;
    const offered = { tools: [timeTool, weatherTool] };
    expect(await callsFor('Hello', { ...offered, toolChoice: named })).toEqual([
      'get_weather {"city":"Hello"}',
    ]);
    expect(await callsFor('Hello', { ...offered, toolChoice: 'required' })).toEqual(['get_time {}']);
    expect(await callsFor('What is 1+1?', { toolChoice: 'none' })).toEqual([]);
  });

  test('and answers with the results, without calling again', async () => {
    const messages = messagesOf([
      { role: 'user', content: 'What is 17 * 23?' },
      { role: 'assistant', tool_calls: [toolCall('call_1', 'calculator', '{"expression":"17 * 23"}')] },
      { role: 'tool', tool_call_id: 'call_1', content: '391' },
    ]);
    const { completion } = await complete(callOf('', { messages, tools }));
    expect(shown(completion)).toMatchObject({ toolCalls: [], finishReason: 'stop' });
    expect(shown(completion).content).toContain('calculator {"expression":"17 * 23"} gave: 391');
    expect(shown(completion).content).toContain('without a language model');
  });

  test('the same as a stream, with counted tokens, and not beyond the cap', async () => {
    const read = async (call: UnroutedCall, model = 'sandbox') => {
      const events: CompletionEvent[] = [];
      for await (const event of (await gateway.stream(model, call, { signal })).events) events.push(event);
      return events;
    };
    const call = callOf('What is 17 * 23?', { tools });
    const events = await read(call);
    const { completion } = await complete(call);
    expect(events.at(-2)).toEqual({ type: 'tool_call', index: 0, toolCall: completion.parts[0] });
    expect(events.at(-1)).toEqual({
      type: 'end',
      finishReason: 'tool_calls',
      endReason: 'tool_calls',
      usage: completion.usage,
    });
    expect(completion.usage?.output).toBe(events.length - 2);
    const capped = await read({ ...call, maxTokens: 2 });
    expect(capped.map(({ type }) => type)).toEqual(['tool_call_delta', 'tool_call_delta', 'end']);
    expect(capped.at(-1)).toMatchObject({ finishReason: 'length' });
    await expect(read(call, 'sandbox/cut-stream')).rejects.toMatchObject({
      code: 'provider_stream_interrupted',
    });
  });

  test('also one that takes a text', async () => {
    const patch = { type: 'custom', custom: { name: 'apply_patch' } } as const;
    const { completion } = await complete(callOf('apply_patch *** Begin Patch', { tools: [patch] }));
    expect(completion.parts).toMatchObject([
      { type: 'tool_call', name: 'apply_patch', arguments: '*** Begin Patch', custom: true },
    ]);
  });

  test('but only repeats what it was told as sandbox/echo', async () => {
    const { completion } = await complete(callOf('What is 1+1?', { tools }), 'sandbox/echo');
    expect(shown(completion)).toMatchObject({ content: 'What is 1+1?', toolCalls: [] });
  });
});

describe('the sandbox makes an answer up that fits', () => {
  const format = (schema: Record<string, unknown>): ResponseFormat => ({
    type: 'json_schema',
    json_schema: { name: 'made_up', schema },
  });
  const schemas: Record<string, unknown>[] = [
    {
      type: 'object',
      properties: {
        name: { type: 'string', minLength: 40 },
        age: { type: 'integer', minimum: 18, exclusiveMaximum: 20 },
        share: { type: 'number', exclusiveMinimum: 0, maximum: 1 },
        tags: { type: 'array', items: { enum: ['a', 'b'] }, minItems: 2 },
        born: { type: ['string', 'null'], format: 'date' },
        kind: { const: 7 },
      },
      required: ['name', 'age', 'share', 'tags', 'born', 'kind'],
      additionalProperties: false,
    },
    {
      $defs: {
        node: {
          type: 'object',
          properties: {
            label: { type: 'string', maxLength: 4 },
            children: { type: 'array', items: { $ref: '#/$defs/node' } },
          },
          required: ['label', 'children'],
        },
      },
      $ref: '#/$defs/node',
    },
    { anyOf: [{ type: 'integer', multipleOf: 7, minimum: 8 }, { type: 'string' }] },
    { allOf: [{ properties: { a: { type: 'boolean' } } }, { required: ['a', 'b'] }], type: 'object' },
    { type: 'array', prefixItems: [{ type: 'string' }, { type: 'integer' }], minItems: 2 },
    {},
  ];

  test.each(schemas)('%j', async (schema) => {
    const { completion, warnings } = await complete(callOf('Hi', { responseFormat: format(schema) }));
    const value: unknown = JSON.parse(shown(completion).content);
    const ajv = new Ajv2020({ strict: false, validateFormats: false });
    expect(ajv.validate(schema, value), ajv.errorsText()).toBe(true);
    expect(warnings).toMatchObject([{ code: 'sandbox_made_up', param: 'response_format' }]);
  });

  test.each<[Record<string, unknown>, string]>([
    [{ type: 'string', pattern: '^(a+)+$' }, 'a text with a pattern'],
    [{ type: 'integer', minimum: 5, maximum: 4 }, 'must be'],
    [{ $ref: '#/$defs/none' }, 'there is nothing at'],
    [{ $ref: '#' }, 'round in a circle'],
    [{ type: 'object', properties: { a: { $ref: '#' } }, required: ['a'] }, 'too much'],
    [{ type: 'nonsense' }, 'not a valid schema'],
    [{ type: 'array', minItems: 1e9, items: { type: 'string' } }, 'too much'],
    [{ type: 'string', minLength: 1e9 }, 'too much'],
    [{ description: 'x'.repeat(70_000) }, 'larger than'],
  ])('or refuses: %j', async (schema, why) => {
    const error = await errorOf(complete(callOf('Hi', { responseFormat: format(schema) })));
    expect(error).toMatchObject({ code: 'invalid_request', param: 'response_format.json_schema.schema' });
    expect(error.message).toContain(why);
  });

  test('some JSON, where no schema is given', async () => {
    const { completion } = await complete(callOf('Hi', { responseFormat: { type: 'json_object' } }));
    expect(JSON.parse(shown(completion).content)).toEqual({
      sandbox: 'No language model was called; this is made up.',
    });
  });
});
