import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { Dialects, vendorDialects, writtenDialects } from '../../../../src/gateway/dialects/dialect.ts';
import { type DialectSettings, type Rules, ruleSchemas } from '../../../../src/gateway/dialects/rules.ts';
import { inDialect } from '../../../../src/gateway/dialects/speak.ts';
import type { ProviderSettings } from '../../../../src/gateway/upstream/settings.ts';
import { wholeStream } from '../../../../src/gateway/upstream/whole-stream.ts';
import { wires } from '../../../../src/gateway/wires/fields/field-rows.ts';
import { said } from '../../../../src/model/parts.ts';
import type { Completion, CompletionEvent, ModelAdapter, ModelCall } from '../../../../src/model/port.ts';
import { providerOf } from '../../../helpers/vendor-gateway.ts';

const written = writtenDialects();

interface Where {
  readonly host?: string;
  readonly dialect?: DialectSettings;
  readonly field?: ProviderSettings['maxTokensField'];
}

function rulesOf(
  { host = 'llm.example.com', dialect, field = 'max_tokens' }: Where,
  model: string,
  dialects = vendorDialects(),
): Rules {
  const provider = providerOf('responses', `https://${host}/v1`, {
    maxTokensField: field,
    ...(dialect && { dialect }),
  });
  return dialects.at(provider, 'openai-chat')(model);
}

const options = { signal: new AbortController().signal, memory: null, limits: null };

/** What an adapter is asked, and that it calls the first tool by the name that it was told. */
function callingAdapter() {
  const calls: ModelCall[] = [];
  const answerTo = ({ tools }: ModelCall): Completion => {
    const [tool] = tools ?? [];
    const name = tool?.type === 'function' ? tool.function.name : '';
    return {
      parts: [{ type: 'tool_call', id: 'a', name, arguments: '{}' }],
      finishReason: 'tool_calls',
      endReason: 'tool_calls',
      usage: null,
    };
  };
  const adapter: ModelAdapter = {
    read: () => {
      throw new Error('There is nothing to read.');
    },
    prepare(call) {
      calls.push(call);
      return {
        warnings: [],
        complete: async () => answerTo(call),
        stream: async () => wholeStream(answerTo(call)),
      };
    },
  };
  return { adapter, calls };
}

const call = (more: Partial<ModelCall>): ModelCall => ({
  model: 'm',
  messages: [said('user', 'Hi')],
  temperatureGiven: false,
  temperatureRange: null,
  ...more,
});

describe('a dialect is known', () => {
  it.each<[Where, string, Partial<Rules>]>([
    [{ host: 'api.mistral.ai' }, 'anything', { seed: 'random_seed' }],
    [{ host: 'eu.openai.azure.com' }, 'gpt', { user: { max: 64 } }],
    [{}, 'deepseek-v4-flash', { answer_form: 'json_object' }],
    [{ host: 'api.openai.com' }, 'deepseek-v4-flash', { stop: { max: 4 } }],
    [{ host: 'api.openai.com' }, 'gpt-5-chat-latest', { stop: { max: 4 } }],
    [{ host: 'api.openai.com' }, 'gpt-5.5', { stop: { max: 0 } }],
    [{ dialect: { like: 'mistral', rules: {} } }, 'deepseek-x', { seed: 'random_seed' }],
    [{ field: 'max_completion_tokens' }, 'm', { prompt_cache_key: { max: 64 } }],
    [{}, 'm', { system: 'first', roles: 'alternate' }],
  ])('by %j, or else by its model %s: %j', (where, model, rules) => {
    expect(rulesOf(where, model)).toMatchObject(rules);
  });

  it('and an operator overrules single lines, or takes them away', () => {
    const rules = rulesOf({ dialect: { like: null, rules: { system: null, stop: { max: 1 } } } }, 'm');
    expect(rules).toMatchObject({ system: null, stop: { max: 1 }, roles: 'alternate' });
    const { adapter, calls } = callingAdapter();
    const messages = [said('system', 'A'), said('system', 'B'), said('user', 'Hi')];
    inDialect(adapter, () => rules).prepare(call({ messages }));
    expect(calls[0]?.messages).toEqual(messages);
  });

  it('for each model by itself', () => {
    const host = 'api.openai.com';
    expect(rulesOf({ host }, 'gpt-5.1').effort).toEqual(['none', 'low', 'medium', 'high']);
    expect(rulesOf({ host }, 'gpt-5').effort).toEqual(['minimal', 'low', 'medium', 'high']);
    expect(rulesOf({ host }, 'gpt-4.1').effort).toBeUndefined();
    expect(rulesOf({ host }, 'gpt-5.6-sol').tools_while_reasoning).toBe(false);
    expect(rulesOf({ host }, 'gpt-5.4').tools_while_reasoning).toBe('unasked');
  });
});

const lineSchema = {
  type: 'object',
  properties: {
    on: { type: 'array', minItems: 1, items: { enum: wires } },
    model: { type: 'string', format: 'regex' },
    rule: { enum: Object.keys(ruleSchemas) },
    is: {},
    source: { type: 'string', minLength: 1 },
    seen: { type: 'string', format: 'date' },
  },
  required: ['on', 'rule', 'is', 'source', 'seen'],
  additionalProperties: false,
  allOf: Object.entries(ruleSchemas).map(([name, { value }]) => ({
    if: { properties: { rule: { const: name } } },
    // biome-ignore lint/suspicious/noThenProperty: it is a keyword of JSON Schema.
    then: { properties: { is: value } },
  })),
};

const dialectSchema = {
  type: 'object',
  properties: {
    title: { type: 'string' },
    like: { type: 'array', items: { type: 'string' } },
    hosts: { type: 'array', items: { type: 'string' } },
    models: { type: 'string', format: 'regex' },
    made_its_wires: { type: 'boolean' },
    lines: { type: 'array', items: lineSchema },
  },
  required: ['title', 'lines'],
  additionalProperties: false,
};

it('each file has the form of a dialect, and each of its lines that of its rule', () => {
  const validate = addFormats.default(new Ajv2020({ allErrors: true, strict: false })).compile(dialectSchema);
  const wrong = Object.entries(written).flatMap(([name, dialect]) =>
    validate(dialect) ? [] : [`${name}: ${JSON.stringify(validate.errors)}`],
  );
  expect(wrong).toEqual([]);
});

it('a new vendor is one file', () => {
  const file = `
title: Example
like: [unknown]
hosts: [api.example.ai]
lines:
  - { on: [openai-chat], rule: tool_names, is: { letters: a-zA-Z0-9_, max: 16 }, source: https://example.ai/docs, seen: 2026-11-27 }
  - { on: [openai-chat], rule: thinking_off, is: { think: false }, source: https://example.ai/docs, seen: 2026-11-27 }
`;
  const dialects = new Dialects({ ...written, example: parse(file) });
  const { adapter, calls } = callingAdapter();
  const spoken = inDialect(adapter, (model) => rulesOf({ host: 'api.example.ai' }, model, dialects));
  const tools = [{ type: 'function', function: { name: 'find.it' } }] as const;
  spoken.prepare(call({ tools, thinking: { effort: 'none' } }));
  expect(calls[0]).toMatchObject({ tools: [{ function: { name: 'find_it' } }], extraBody: { think: false } });
  expect(calls[0]).not.toHaveProperty('thinking');
});

it.each([
  [
    'one that is not there',
    { a: { title: 'A', like: ['b'], lines: [] } },
    '"a" is like "b", which is not there',
  ],
  ['itself', { a: { title: 'A', like: ['a'], lines: [] } }, '"a" is like itself'],
])('a dialect is not like %s', (_what, more, message) => {
  expect(() => new Dialects({ ...written, ...more })).toThrow(message);
});

describe('names of tools', () => {
  const rules: Rules = { tool_names: { letters: 'a-zA-Z0-9_-', max: 20 } };
  const names = ['files.read', 'files_read', 'files:read', `${'x'.repeat(30)}1`, `${'x'.repeat(30)}2`];
  const tools = names.map((name) => ({ type: 'function', function: { name } }) as const);

  it('differ at the vendor, and are the same again in the next request', () => {
    const { adapter, calls } = callingAdapter();
    const spoken = inDialect(adapter, () => rules);
    spoken.prepare(call({ tools }));
    spoken.prepare(
      call({ tools, messages: [said('user', 'Hi'), said('assistant', 'Ho'), said('user', 'And?')] }),
    );
    const sent = calls.map((one) =>
      one.tools?.map((tool) => (tool.type === 'function' ? tool.function.name : '')),
    );
    expect(new Set(sent[0]).size).toBe(names.length);
    expect(sent[0]?.every((name) => /^[a-zA-Z0-9_-]{1,20}$/.test(name))).toBe(true);
    expect(sent[0]?.[1]).toBe('files_read');
    expect(sent[1]).toEqual(sent[0]);
  });

  it('are the client’s own in an answer, whole and streamed', async () => {
    const spoken = inDialect(callingAdapter().adapter, () => rules).prepare(call({ tools }));
    const { parts } = await spoken.complete(options);
    expect(parts).toMatchObject([{ type: 'tool_call', name: 'files.read' }]);
    const events: CompletionEvent[] = [];
    for await (const event of await spoken.stream(options)) events.push(event);
    expect(events).toMatchObject([
      { type: 'tool_call_delta', name: 'files.read' },
      { type: 'tool_call', toolCall: { name: 'files.read' } },
      { type: 'end' },
    ]);
  });
});

describe('ids of calls', () => {
  const conversation = (ids: readonly string[]) =>
    ids.flatMap((id) => [
      { role: 'assistant', content: [{ type: 'tool_call', id, name: 'f', arguments: '{}' }] } as const,
      { role: 'tool', content: [{ type: 'tool_result', callId: id, content: [] }] } as const,
    ]);
  const idsIn = (rules: Rules, ids: readonly string[]) => {
    const { adapter, calls } = callingAdapter();
    inDialect(adapter, () => rules).prepare(call({ messages: conversation(ids) }));
    return (calls[0]?.messages ?? []).flatMap(({ content }) =>
      content.map((part) =>
        part.type === 'tool_call' ? part.id : part.type === 'tool_result' ? part.callId : '',
      ),
    );
  };

  it.each<[string, Rules['call_ids'] & object, RegExp]>([
    ['of some letters', { letters: 'a-zA-Z0-9_-' }, /^[a-zA-Z0-9_-]+$/],
    ['of a length at most', { max: 40 }, /^.{1,40}$/],
    ['of a length', { letters: 'a-zA-Z0-9', exactly: 9 }, /^[a-zA-Z0-9]{9}$/],
    ['of letters and digits, and short', { letters: 'a-zA-Z0-9', max: 16 }, /^[a-zA-Z0-9]{1,16}$/],
  ])('%s stay apart, and results with their calls', (_what, call_ids, pattern) => {
    const ids = ['a.1', 'a:1', 'a_1', 'x'.repeat(50), `${'x'.repeat(50)}y`];
    const sent = idsIn({ call_ids }, ids);
    expect(sent.filter((_id, index) => index % 2 === 0)).toEqual(
      sent.filter((_id, index) => index % 2 === 1),
    );
    expect(new Set(sent).size).toBe(ids.length);
    expect(sent.filter((id) => !pattern.test(id))).toEqual([]);
    // Those of a conversation that has grown are the same.
    expect(idsIn({ call_ids }, [...ids, 'new']).slice(0, sent.length)).toEqual(sent);
  });
});

it.each([
  ['image/png', [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13]],
  ['image/jpeg', [0xff, 0xd8, 0xff, 0xe0, 0, 16, 0x4a, 0x46, 0x49, 0x46, 0, 1]],
  ['image/gif', [...Buffer.from('GIF89a'), 1, 0, 1, 0, 0, 0]],
  ['image/webp', [...Buffer.from('RIFF'), 0xa4, 0x31, 0, 0, ...Buffer.from('WEBPVP8 ')]],
])('an image of %s is known by its first bytes', (mediaType, bytes) => {
  const { adapter, calls } = callingAdapter();
  const source = {
    type: 'base64',
    mediaType: 'image/x-unknown',
    data: Buffer.from(bytes).toString('base64'),
  } as const;
  const messages = [{ role: 'user', content: [{ type: 'image', source }] }] as const;
  inDialect(adapter, () => ({})).prepare(call({ messages }));
  expect(calls[0]?.messages[0]?.content).toEqual([{ type: 'image', source: { ...source, mediaType } }]);
});
