import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readReply } from '../../../../../../src/gateway/wires/anthropic/vendor/reply.ts';
import { createAnthropicDecoder } from '../../../../../../src/gateway/wires/anthropic/vendor/stream.ts';
import type { ThinkingPart } from '../../../../../../src/model/parts.ts';
import type { AnswerPart, CompletionEvent, Ending } from '../../../../../../src/model/port.ts';
import { noTokens } from '../../../../../../src/model/usage.ts';
import { cutAt, decodedStream, joined } from '../../../../../helpers/answer-events.ts';
import { wireText } from '../../../../../helpers/vendor-fixtures.ts';

const vendor = { id: 'anthropic', apiKey: null };
const noTools: ReadonlySet<string> = new Set();

const fixture = (name: string) => wireText(`anthropic/${name}`);

function read(name: string, model: string, customTools = noTools) {
  return readReply({ vendor, model, customTools }, JSON.parse(fixture(`${name}.reply.json`)));
}

function decode(sse: string, model: string, shares: readonly number[] = [], customTools = noTools) {
  return decodedStream(cutAt(sse, shares), createAnthropicDecoder({ vendor, model, customTools }), vendor);
}

const sealed = (model: string, value: Record<string, unknown>) =>
  ({ wire: 'anthropic', provider: 'anthropic', model, value }) as const;

const signature = 'EqQBCgIYAhIM1gbcDa9GJwZA2b3hGgxBdjrkzLoky3dl1pkiMOYds/+==';
const encrypted =
  'EmwKAhgBEgy3va3pzix/LafPsn4aDFIT2Xlxh0L5L8rLVyIwxtE3rAFBa8cr3qpPkNRj2YfWXGmKDxH4mPnZ5sQ7vB9URj2pLmN3kF8/dW5hR7xJ0aP1oLs9yTcMnKVf2wRpEGjH9XZaBt4UvDcPrQ==';
const thought = 'First the weather in Zürich 🏔️, then the time.';

const thinking: readonly ThinkingPart[] = [
  {
    type: 'thinking',
    text: thought,
    sealed: sealed('claude-opus-4-8', { type: 'thinking', thinking: thought, signature }),
  },
  {
    type: 'thinking',
    text: '',
    sealed: sealed('claude-opus-4-8', { type: 'redacted_thinking', data: encrypted }),
  },
];
const calls = [
  { type: 'tool_call', id: 'toolu_01A09q90qw90lq917835lq9', name: 'get_weather' },
  { type: 'tool_call', id: 'toolu_01T1x1fJ34qAmk2tNTrN7Up6', name: 'get_time', arguments: '{}' },
] as const;
const compact = '{"city":"Zürich 🏔️","unit":"c"}';
const spaced = '{"city": "Zürich 🏔️", "unit": "c"}';

const toolEnd: Ending = {
  finishReason: 'tool_calls',
  endReason: 'tool_calls',
  usage: {
    ...noTokens,
    inputUncached: 21,
    cacheRead: 2048,
    cacheWrite5m: 100,
    cacheWrite1h: 200,
    output: 412,
    reasoning: 180,
  },
};

const toolEvents: readonly CompletionEvent[] = [
  { type: 'thinking_delta', content: thought },
  { type: 'thinking', part: thinking[0] as ThinkingPart },
  { type: 'thinking', part: thinking[1] as ThinkingPart },
  { type: 'delta', content: 'I look both up.' },
  { type: 'tool_call_delta', index: 0, id: calls[0].id, name: 'get_weather', arguments: '' },
  { type: 'tool_call_delta', index: 0, id: calls[0].id, name: 'get_weather', arguments: '{"city": "Zür' },
  { type: 'tool_call_delta', index: 0, id: calls[0].id, name: 'get_weather', arguments: 'ich 🏔️", "unit' },
  { type: 'tool_call_delta', index: 0, id: calls[0].id, name: 'get_weather', arguments: '": "c"}' },
  { type: 'tool_call', index: 0, toolCall: { ...calls[0], arguments: spaced } },
  { type: 'tool_call_delta', index: 1, id: calls[1].id, name: 'get_time', arguments: '' },
  { type: 'tool_call_delta', index: 1, id: calls[1].id, name: 'get_time', arguments: '{}' },
  { type: 'tool_call', index: 1, toolCall: calls[1] },
  { type: 'end', ...toolEnd },
];

describe('an answer with thinking and calls of tools', () => {
  test('keeps its parts in their order, and thinking as it came', () => {
    expect(read('thinking-tools', 'claude-opus-4-8')).toEqual({
      parts: [
        ...thinking,
        { type: 'text', text: 'I look both up.' },
        { ...calls[0], arguments: compact },
        calls[1],
      ] satisfies AnswerPart[],
      ...toolEnd,
    });
  });

  test('is the same in a stream', async () => {
    const events = await decode(fixture('thinking-tools.stream.sse'), 'claude-opus-4-8');
    expect(joined(events)).toEqual(toolEvents);
  });

  test('calls a custom tool with its text', async () => {
    const custom = new Set(['get_weather']);
    const json = JSON.stringify({ input: 'Zürich\n"now"' });
    const reply = JSON.parse(fixture('thinking-tools.reply.json'));
    reply.content[3].input = JSON.parse(json);
    const { parts } = readReply({ vendor, model: 'claude-opus-4-8', customTools: custom }, reply);
    const call = { ...calls[0], arguments: 'Zürich\n"now"', custom: true } as const;
    expect(parts[3]).toEqual(call);

    const inside = (piece: string) => JSON.stringify(piece).slice(1, -1);
    const sse = fixture('thinking-tools.stream.sse')
      .replace('{\\"city\\": \\"Zür', inside(json.slice(0, 10)))
      .replace('ich 🏔️\\", \\"unit', inside(json.slice(10)))
      .replace('\\": \\"c\\"}', '');
    const events = await decode(sse, 'claude-opus-4-8', [], custom);
    const { type: _, ...piece } = call;
    expect(events.filter((event) => 'index' in event && event.index === 0)).toEqual([
      { type: 'tool_call_delta', index: 0, ...piece },
      { type: 'tool_call', index: 0, toolCall: call },
    ]);
  });
});

test.each(['thinking-tools', 'refusal', 'citations'])(
  '%s: the events are the same however the bytes are cut',
  async (name) => {
    const sse = fixture(`${name}.stream.sse`);
    const whole = await decode(sse, 'claude-opus-4-8');
    expect(whole.at(-1)?.type).toBe('end');
    const share = fc.double({ min: 0, max: 1, noNaN: true });
    await fc.assert(
      fc.asyncProperty(fc.array(share, { maxLength: 30 }), async (shares) => {
        expect(await decode(sse, 'claude-opus-4-8', shares)).toEqual(whole);
      }),
      { numRuns: 200 },
    );
  },
);

describe('a refusal', () => {
  const end = {
    finishReason: 'content_filter',
    endReason: 'refusal',
    usage: { ...noTokens, inputUncached: 40, output: 9 },
  };
  const explanation = 'This request was declined because it could enable cyber harm.';

  test('keeps what was said before it, and says why', () => {
    expect(read('refusal', 'claude-opus-5')).toEqual({
      parts: [
        { type: 'text', text: 'Hello..' },
        { type: 'refusal', text: explanation },
      ],
      ...end,
    });
  });

  test('is the same in a stream', async () => {
    expect(await decode(fixture('refusal.stream.sse'), 'claude-opus-5')).toEqual([
      { type: 'delta', content: 'Hello..' },
      { type: 'refusal_delta', content: explanation },
      { type: 'end', ...end },
    ]);
  });

  test('without a reason has no words of ours', () => {
    const reply = { ...JSON.parse(fixture('refusal.reply.json')), stop_details: null };
    const { parts, endReason } = readReply({ vendor, model: 'claude-opus-5', customTools: noTools }, reply);
    expect({ parts, endReason }).toEqual({
      parts: [{ type: 'text', text: 'Hello..' }],
      endReason: 'refusal',
    });
  });
});

describe('an answer with citations', () => {
  const web = { url: 'https://example.org/grass', title: 'Grass', citedText: 'Grass is green.' };
  const document = { title: 'Botany', citedText: 'The sky is blue.' };
  const end = {
    finishReason: 'stop',
    endReason: 'stop_sequence',
    stopSequence: 'END',
    usage: { ...noTokens, inputUncached: 610, output: 12 },
  };

  test('has them with their text', () => {
    expect(read('citations', 'claude-sonnet-4-6')).toEqual({
      parts: [
        { type: 'text', text: 'The grass is green', citations: [web] },
        { type: 'text', text: ' and the sky is blue.', citations: [document] },
      ],
      ...end,
    });
  });

  test('has them in a stream', async () => {
    expect(await decode(fixture('citations.stream.sse'), 'claude-sonnet-4-6')).toEqual([
      { type: 'citation', citation: web },
      { type: 'delta', content: 'The grass is green' },
      { type: 'citation', citation: document },
      { type: 'delta', content: ' and the sky is blue.' },
      { type: 'end', ...end },
    ]);
  });
});

describe('why an answer ended', () => {
  test.each([
    ['end_turn', 'stop', 'stop'],
    ['max_tokens', 'length', 'length'],
    ['model_context_window_exceeded', 'length', 'context_window'],
    ['pause_turn', 'stop', 'pause'],
    ['something_new', 'stop', 'stop'],
  ])('%s', (reason, finishReason, endReason) => {
    const reply = { content: [{ type: 'text', text: 'Hi' }], stop_reason: reason };
    expect(readReply({ vendor, model: 'claude-opus-5', customTools: noTools }, reply)).toMatchObject({
      finishReason,
      endReason,
    });
  });

  test('thinking can use up the whole answer', () => {
    const block = { type: 'thinking', thinking: '', signature: 'c2ln' };
    const reply = { content: [block], stop_reason: 'max_tokens' };
    const { parts, finishReason } = readReply(
      { vendor, model: 'claude-opus-5', customTools: noTools },
      reply,
    );
    expect({ parts, finishReason }).toEqual({
      parts: [{ type: 'thinking', text: '', sealed: sealed('claude-opus-5', block) }],
      finishReason: 'length',
    });
  });
});

describe('usage', () => {
  const usage = (told: object) =>
    readReply(
      { vendor, model: 'claude-opus-5', customTools: noTools },
      { content: [], stop_reason: 'end_turn', usage: told },
    ).usage;

  test('counts writes of unknown lifetime as those for 5 minutes', () => {
    expect(usage({ input_tokens: 1, output_tokens: 2, cache_creation_input_tokens: 30 })).toEqual({
      ...noTokens,
      inputUncached: 1,
      output: 2,
      cacheWrite5m: 30,
    });
  });

  test('counts each token once where the sum is missing', () => {
    const cache_creation = { ephemeral_5m_input_tokens: 4, ephemeral_1h_input_tokens: 5 };
    expect(usage({ input_tokens: 1, output_tokens: 2, cache_creation })).toEqual({
      ...noTokens,
      inputUncached: 1,
      output: 2,
      cacheWrite5m: 4,
      cacheWrite1h: 5,
    });
  });

  test('is unknown where the vendor tells none', () => {
    expect(usage({ input_tokens: 1 })).toBeNull();
  });
});
