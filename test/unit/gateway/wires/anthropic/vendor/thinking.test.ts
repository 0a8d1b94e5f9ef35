import { describe, expect, onTestFinished, test } from 'vitest';
import { createConnection } from '../../../../../../src/gateway/upstream/vendor-client.ts';
import {
  anthropicCall,
  createAnthropicAdapter,
} from '../../../../../../src/gateway/wires/anthropic/vendor/request.ts';
import { ByteBudget } from '../../../../../../src/lib/byte-budget.ts';
import { type ModelMessage, said } from '../../../../../../src/model/parts.ts';
import type { ModelCall, Thinking } from '../../../../../../src/model/port.ts';
import { timeTool } from '../../../../../helpers/tool-fixtures.ts';
import { anthropicFixture } from '../../../../../helpers/vendor-fixtures.ts';
import { longLimits, providerOf, vendorFor } from '../../../../../helpers/vendor-gateway.ts';

function fitted(model: string, thinking: Thinking | undefined, more: Partial<ModelCall> = {}) {
  const { request, warnings } = anthropicCall(
    {
      model,
      messages: [said('user', 'Hi')],
      temperatureGiven: false,
      temperatureRange: null,
      ...(thinking && { thinking }),
      ...more,
    },
    'anthropic',
  );
  return {
    thinking: request.thinking,
    effort: request.output_config?.effort,
    codes: warnings.map(({ code }) => code),
    request,
  };
}

const adapted = ['thinking_adapted'];

describe('an effort in words', () => {
  test.each([
    ['claude-opus-4-7', 'low', 'low', []],
    ['claude-opus-5-5', 'xhigh', 'xhigh', []],
    ['claude-fable-5-2', 'max', 'max', []],
    ['claude-sonnet-4-6', 'high', 'high', []],
    ['claude-sonnet-4-6', 'xhigh', 'high', adapted],
    ['claude-haiku-5-5', 'minimal', 'low', adapted],
    ['claude-opus-4-8', 'ultra', undefined, adapted],
  ] as const)('%s: %s becomes %s', (model, effort, expected, codes) => {
    expect(fitted(model, { effort })).toMatchObject({
      thinking: { type: 'adaptive' },
      effort: expected,
      codes,
    });
  });

  test.each([
    ['claude-haiku-4-5', 'low', 4096],
    ['claude-sonnet-4-5', 'high', 32_768],
    ['claude-opus-4-1', 'max', 25_600],
    ['claude-3-7-sonnet-latest', 'minimal', 1024],
  ] as const)('%s thinks by a budget: %s becomes %i tokens', (model, effort, budget) => {
    const { thinking, effort: word, codes } = fitted(model, { effort });
    expect({ thinking, word, codes }).toEqual({
      thinking: { type: 'enabled', budget_tokens: budget },
      word: undefined,
      codes: adapted,
    });
  });
});

describe('a budget of tokens', () => {
  test.each([
    ['claude-haiku-4-5', 2000],
    ['claude-opus-4-6', 10_000],
    ['deepseek-reasoner', 2000],
  ] as const)('%s takes it as it is', (model, budgetTokens) => {
    const { thinking, codes } = fitted(model, { budgetTokens });
    expect({ thinking, codes }).toEqual({
      thinking: { type: 'enabled', budget_tokens: budgetTokens },
      codes: [],
    });
  });

  test.each([
    [1, 'low'],
    [4096, 'low'],
    [10_000, 'medium'],
    [32_000, 'high'],
    [63_999, 'xhigh'],
    [500_000, 'max'],
  ])('of %i is the effort %s where the model refuses budgets', (budgetTokens, effort) => {
    expect(fitted('claude-sonnet-5-5', { budgetTokens })).toMatchObject({
      thinking: { type: 'adaptive' },
      effort,
      codes: adapted,
    });
  });

  test('stays within what the wire takes', () => {
    const low = fitted('claude-haiku-4-5', { budgetTokens: 10 });
    expect(low).toMatchObject({ thinking: { budget_tokens: 1024 }, codes: adapted });
    const high = fitted('claude-haiku-4-5', { budgetTokens: 9000 }, { maxTokens: 4000 });
    expect(high).toMatchObject({ thinking: { budget_tokens: 3999 }, codes: adapted });
  });

  test('goes together with an effort where the model takes both', () => {
    expect(fitted('claude-opus-4-6', { budgetTokens: 2048, effort: 'max' })).toMatchObject({
      thinking: { type: 'enabled', budget_tokens: 2048 },
      effort: 'max',
      codes: [],
    });
  });

  test('has no room in a short answer', () => {
    expect(fitted('claude-haiku-4-5', { budgetTokens: 9000 }, { maxTokens: 1024 })).toMatchObject({
      thinking: { type: 'disabled' },
      codes: adapted,
    });
  });
});

describe('no thinking', () => {
  test.each<Thinking>([{ effort: 'none' }, { budgetTokens: 0 }])('%j', (thinking) => {
    expect(fitted('claude-opus-4-8', thinking)).toMatchObject({ thinking: { type: 'disabled' }, codes: [] });
    expect(fitted('claude-3-haiku-20240307', thinking)).toMatchObject({ thinking: undefined, codes: [] });
    expect(fitted('claude-sonnet-5-5', thinking)).toMatchObject({
      thinking: { type: 'between_tools' },
      codes: adapted,
    });
    expect(fitted('claude-opus-5-5', thinking)).toMatchObject({
      thinking: undefined,
      effort: 'low',
      codes: adapted,
    });
  });

  test('is asked for by saying nothing where that is the default', () => {
    expect(fitted('claude-opus-4-8', undefined)).toMatchObject({
      thinking: undefined,
      effort: undefined,
      codes: [],
    });
  });

  test('is all that an old model can', () => {
    expect(fitted('claude-3-5-haiku-latest', { effort: 'high' })).toMatchObject({
      thinking: undefined,
      codes: adapted,
    });
  });
});

test.each([
  [true, 'summarized'],
  [false, 'omitted'],
] as const)('shown: %s', (shown, display) => {
  expect(fitted('claude-opus-5-5', { shown }).thinking).toEqual({ type: 'adaptive', display });
  expect(fitted('claude-opus-4-6', { shown, budgetTokens: 2048 }).thinking).toEqual({
    type: 'enabled',
    budget_tokens: 2048,
    display,
  });
});

describe('with thinking', () => {
  test('other sampling than the default is told to be left out', () => {
    const more = { temperature: 0.5, temperatureGiven: true, topP: 0.5, topK: 3 };
    const { request, codes } = fitted('claude-sonnet-4-6', { effort: 'low' }, more);
    expect(Object.keys(request)).toEqual(['model', 'max_tokens', 'messages', 'output_config', 'thinking']);
    expect(codes).toEqual(['temperature_ignored', 'parameter_ignored', 'parameter_ignored']);
  });

  test('no tool can be forced: the model does not think', () => {
    const tools = { tools: [timeTool], toolChoice: 'required' } as const;
    expect(fitted('claude-opus-4-8', { effort: 'high' }, tools)).toMatchObject({
      thinking: { type: 'disabled' },
      effort: undefined,
      codes: adapted,
      request: { tool_choice: { type: 'any' } },
    });
  });

  test('a model that always thinks is asked as it is, and may refuse', () => {
    const tools = { tools: [timeTool], toolChoice: 'required' } as const;
    expect(fitted('claude-opus-5-5', { effort: 'high' }, tools)).toMatchObject({
      thinking: { type: 'adaptive' },
      effort: 'high',
      codes: [],
      request: { tool_choice: { type: 'any' } },
    });
  });

  const turn = (first: ModelMessage['content']): readonly ModelMessage[] => [
    said('user', 'The time?'),
    {
      role: 'assistant',
      content: [...first, { type: 'tool_call', id: 'c', name: 'get_time', arguments: '{}' }],
    },
    {
      role: 'tool',
      content: [{ type: 'tool_result', callId: 'c', content: [{ type: 'text', text: '12:00' }] }],
    },
  ];

  test('by a budget no turn can go on that began without', () => {
    const messages = turn([{ type: 'text', text: 'I look.' }]);
    const more = { messages, tools: [timeTool] };
    expect(fitted('claude-haiku-4-5', { budgetTokens: 2048 }, more)).toMatchObject({
      thinking: { type: 'disabled' },
      codes: adapted,
    });
    expect(fitted('claude-opus-4-8', { effort: 'low' }, more)).toMatchObject({
      thinking: { type: 'adaptive' },
      codes: [],
    });
  });

  test('by a budget a turn goes on that began with it', () => {
    const value = { type: 'thinking', thinking: 'Hm.', signature: 'c2ln' };
    const sealed = { wire: 'anthropic', provider: null, model: null, value } as const;
    const messages = turn([{ type: 'thinking', text: 'Hm.', sealed }]);
    const more = { messages, tools: [timeTool] };
    expect(fitted('claude-haiku-4-5', { budgetTokens: 2048 }, more)).toMatchObject({
      thinking: { type: 'enabled' },
      codes: [],
    });
  });
});

// https://platform.claude.com/docs/en/build-with-claude/thinking-troubleshooting
test.each([
  ['messages.1.content.0: The block is bound to a different conversation.', 2],
  ['messages.1.content.0: Bad.', 1],
])('earlier thinking that the vendor refuses is left out of a second request: %s', async (message, asked) => {
  const vendor = await vendorFor(({ reply, json, request }) =>
    JSON.stringify(request.json['messages']).includes('thinking')
      ? reply(400, JSON.stringify({ type: 'error', error: { type: 'invalid_request_error', message } }))
      : json(anthropicFixture.reply),
  );
  const provider = providerOf('anthropic', vendor.baseUrl);
  const connection = createConnection(provider, longLimits, new ByteBudget(64 * 1024 * 1024));
  onTestFinished(() => connection.close());
  const value = { type: 'thinking', thinking: 'Hm.', signature: 'Eabc' };
  const sealed = { wire: 'anthropic', provider: provider.id, model: 'claude-opus-5-5', value } as const;
  const prepared = createAnthropicAdapter(provider, connection).prepare({
    model: 'claude-opus-5-5',
    messages: [
      said('user', 'Hi'),
      {
        role: 'assistant',
        content: [
          { type: 'thinking', text: 'Hm.', sealed },
          { type: 'text', text: 'Yo' },
        ],
      },
      said('user', 'Well?'),
    ],
    temperatureGiven: false,
    temperatureRange: null,
  });
  const options = { signal: new AbortController().signal, memory: null, limits: null };
  const ended = await prepared.complete(options).then(
    ({ endReason }) => endReason,
    ({ code }) => code,
  );
  expect(ended).toBe(asked === 2 ? 'stop' : 'provider_rejected');
  expect(vendor.requests).toHaveLength(asked);
  if (asked === 2)
    expect(vendor.requests[1]?.json['messages']).toEqual([
      { role: 'user', content: 'Hi' },
      { role: 'assistant', content: [{ type: 'text', text: 'Yo' }] },
      { role: 'user', content: 'Well?' },
    ]);
});
