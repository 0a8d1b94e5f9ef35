import { describe, expect, test } from 'vitest';
import { geminiCall } from '../../../../../../src/gateway/wires/gemini/vendor/request.ts';
import { geminiSchema } from '../../../../../../src/gateway/wires/gemini/vendor/tools.ts';
import { type ModelMessage, said } from '../../../../../../src/model/parts.ts';
import type { ModelCall } from '../../../../../../src/model/port.ts';

describe('a schema on the Gemini wire', () => {
  test.each([
    ['a text that is fixed', { const: 'a' }, { type: 'string', enum: ['a'] }],
    ['a number that is fixed', { type: 'integer', const: 3 }, { type: 'integer', enum: [3] }],
    ['a flag that is fixed', { const: true }, { const: true }],
    [
      'a property of that name',
      { properties: { const: { type: 'string' } } },
      { properties: { const: { type: 'string' } } },
    ],
    ['bounds of integers', { type: 'integer', exclusiveMinimum: 0 }, { type: 'integer', minimum: 1 }],
    [
      'bounds of other numbers',
      { type: 'number', exclusiveMinimum: 0 },
      { type: 'number', exclusiveMinimum: 0 },
    ],
    [
      'a reference with words',
      { $ref: '#/$defs/A', description: 'd' },
      { description: 'd', anyOf: [{ $ref: '#/$defs/A' }] },
    ],
    ['a reference alone', { $ref: '#/$defs/A' }, { $ref: '#/$defs/A' }],
    [
      'older names of definitions',
      { definitions: { A: { const: 'x' } }, properties: { a: { $ref: '#/definitions/A' } } },
      { $defs: { A: { type: 'string', enum: ['x'] } }, properties: { a: { $ref: '#/$defs/A' } } },
    ],
    [
      'one that is all',
      { allOf: [{ type: 'string' }], description: 'd' },
      { type: 'string', description: 'd' },
    ],
    [
      'choices',
      { oneOf: [{ const: 'a' }, { type: 'null' }] },
      { oneOf: [{ type: 'string', enum: ['a'] }, { type: 'null' }] },
    ],
    [
      'items',
      { type: 'array', items: { const: 'a' } },
      { type: 'array', items: { type: 'string', enum: ['a'] } },
    ],
    [
      'what it does not know',
      { type: 'string', pattern: '^a$', default: { const: 1 } },
      { type: 'string', pattern: '^a$', default: { const: 1 } },
    ],
  ])('says %s', (_, schema, expected) => {
    const before = structuredClone(schema);
    expect(geminiSchema(schema)).toEqual(expected);
    expect(schema).toEqual(before);
  });
});

describe('tools and forms on the Gemini wire', () => {
  const callOf = (more: Partial<ModelCall>) =>
    geminiCall(
      {
        model: 'gemini-2.5-flash',
        messages: [said('user', 'Hi')],
        temperatureGiven: false,
        temperatureRange: null,
        ...more,
      },
      { provider: 'gemini', baseUrl: 'https://generativelanguage.googleapis.com/v1beta' },
    );
  const parameters = { type: 'object', properties: { kind: { const: 'x' } } } as const;
  const tools = [
    { type: 'function', function: { name: 'look', description: 'Looks', parameters } },
    { type: 'function', function: { name: 'now' } },
  ] as const;

  test('are declared with their JSON schemas', () => {
    expect(callOf({ tools }).request.tools).toEqual([
      {
        functionDeclarations: [
          {
            name: 'look',
            description: 'Looks',
            parametersJsonSchema: { type: 'object', properties: { kind: { type: 'string', enum: ['x'] } } },
          },
          { name: 'now' },
        ],
      },
    ]);
  });

  test.each([
    ['auto', { mode: 'AUTO' }],
    ['none', { mode: 'NONE' }],
    ['required', { mode: 'ANY' }],
    [
      { type: 'function', function: { name: 'now' } },
      { mode: 'ANY', allowedFunctionNames: ['now'] },
    ],
  ] as const)('chosen by %j', (toolChoice, functionCallingConfig) => {
    expect(callOf({ tools, toolChoice }).request.toolConfig).toEqual({ functionCallingConfig });
  });

  test('that keep to their schemas strictly', () => {
    const strict = [{ type: 'function', function: { name: 'look', parameters, strict: true } }] as const;
    expect(callOf({ tools: strict }).request.toolConfig).toEqual({
      functionCallingConfig: { mode: 'VALIDATED' },
    });
  });

  test('that take a text become functions of it, on the way there and in what was said before', () => {
    const custom = [{ type: 'custom', custom: { name: 'patch', description: 'Patches' } }] as const;
    const messages: ModelMessage[] = [
      said('user', 'Go'),
      {
        role: 'assistant',
        content: [{ type: 'tool_call', id: 'a', name: 'patch', arguments: '*** "Begin"', custom: true }],
      },
      {
        role: 'tool',
        content: [{ type: 'tool_result', callId: 'a', content: [{ type: 'text', text: 'done' }] }],
      },
    ];
    const { request, warnings } = callOf({ tools: custom, messages });
    expect(request.tools?.[0]?.functionDeclarations[0]).toMatchObject({
      name: 'patch',
      parametersJsonSchema: { properties: { input: { type: 'string' } }, required: ['input'] },
    });
    expect(request.contents[1]?.parts?.[0]?.functionCall).toEqual({
      id: 'a',
      name: 'patch',
      args: { input: '*** "Begin"' },
    });
    expect(warnings.map(({ code }) => code)).toEqual(['content_adapted']);
  });

  test.each([
    [{ type: 'text' }, undefined],
    [{ type: 'json_object' }, { responseMimeType: 'application/json' }],
    [
      {
        type: 'json_schema',
        json_schema: { name: 'a', description: 'An answer', schema: { type: 'object' } },
      },
      {
        responseMimeType: 'application/json',
        responseJsonSchema: { type: 'object', description: 'An answer' },
      },
    ],
  ] as const)('answers in the form %j', (responseFormat, config) => {
    expect(callOf({ responseFormat } as Partial<ModelCall>).request.generationConfig).toEqual(config);
  });
});
