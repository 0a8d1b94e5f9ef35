/** What vendors that speak like OpenAI put beside what OpenAI has, as seen on 27 November 2026. */
import { describe, expect, test } from 'vitest';
import { OpenAiNativeReader } from '../../../../../../src/gateway/wires/openai-chat/vendor/native.ts';
import { readReply } from '../../../../../../src/gateway/wires/openai-chat/vendor/reply.ts';
import { createOpenAiDecoder } from '../../../../../../src/gateway/wires/openai-chat/vendor/stream.ts';
import {
  joinedFields,
  thinkingFields,
} from '../../../../../../src/gateway/wires/openai-chat/vendor/thinking.ts';
import type { CompletionEvent } from '../../../../../../src/model/port.ts';

const vendor = { id: 'v', apiKey: null };

const reply = (message: object, more: object = {}) => ({
  choices: [{ index: 0, message: { role: 'assistant', ...message }, finish_reason: 'stop' }],
  ...more,
});
const chunk = (delta: object, more: object = {}, finish_reason: string | null = null) => ({
  choices: [{ index: 0, delta, finish_reason }],
  ...more,
});

function events(...chunks: object[]): CompletionEvent[] {
  const decoder = createOpenAiDecoder(vendor, 'm');
  const told: CompletionEvent[] = [];
  for (const data of [...chunks.map((one) => JSON.stringify(one)), '[DONE]'])
    decoder.take({ data, event: undefined, id: undefined }, (event) => told.push(event));
  return told;
}

describe('an error that comes with 200', () => {
  test.each<[string, object, string]>([
    // https://github.com/groq/groq-python/blob/main/src/groq/types/chat/chat_completion_chunk.py
    ['in x_groq', { ...chunk({}), x_groq: { id: 'req_1', error: 'over capacity' } }, 'provider_error'],
    // vLLM up to 0.9, and SGLang
    ['as an object', { object: 'error', message: 'out of memory', code: 500 }, 'provider_error'],
    // https://platform.minimax.io/docs/api-reference/text-openai-api
    [
      'in base_resp',
      { id: 'x', choices: null, base_resp: { status_code: 1008, status_msg: 'insufficient balance' } },
      'provider_rate_limited',
    ],
    [
      'in base_resp, of another number',
      { base_resp: { status_code: 1000, status_msg: 'x' } },
      'provider_error',
    ],
  ])('is found %s, on both lanes', (_, body, code) => {
    const failed = expect.objectContaining({ code }) as Error;
    expect(() => readReply(vendor, 'm', body)).toThrow(failed);
    expect(() => events(body)).toThrow(failed);
    const along = () => new OpenAiNativeReader(vendor, 'm', { usageWanted: true });
    expect(() => along().whole(Buffer.from(JSON.stringify(body)))).toThrow(failed);
    const reader = along();
    reader.event(Buffer.from(`data: ${JSON.stringify(body)}`));
    expect(reader.told.failure).toMatchObject({ code });
  });

  test.each([
    ['a status of none', { base_resp: { status_code: 0, status_msg: '' } }],
    ['x_groq without one', { x_groq: { id: 'req_1' } }],
  ])('is none in %s', (_, more) => {
    expect(readReply(vendor, 'm', reply({ content: 'Hi' }, more))).toMatchObject({ endReason: 'stop' });
    expect(events(chunk({ content: 'Hi' }, more)).at(-1)).toMatchObject({ type: 'end' });
  });
});

// https://github.com/vercel/ai/blob/main/packages/openai/CHANGELOG.md (4.0.45)
test.each<[string, string, readonly [string, string][]]>([
  [
    'several calls',
    '{"tool_uses":[{"recipient_name":"functions.a","parameters":{"x":12345678901234567890}},{"recipient_name":"b"}]}',
    [
      ['a', '{"x":12345678901234567890}'],
      ['b', '{}'],
    ],
  ],
  ['something else', '{"x":1}', [['multi_tool_use.parallel', '{"x":1}']]],
])("OpenAI's tool for several calls at once becomes them, of %s", (_, text, calls) => {
  const call = (more: object) => ({ tool_calls: [{ index: 0, ...more }] });
  const named = { id: 'c', type: 'function', function: { name: 'multi_tool_use.parallel', arguments: text } };
  const [half, rest] = [text.slice(0, 9), text.slice(9)];
  const told = events(
    chunk(call({ ...named, function: { ...named.function, arguments: half } })),
    chunk(call({ function: { arguments: rest } })),
    chunk({}, {}, 'tool_calls'),
  );
  const streamed = told.flatMap((event) => (event.type === 'tool_call' ? [event.toolCall] : []));
  for (const parts of [readReply(vendor, 'm', reply({ tool_calls: [named] })).parts, streamed]) {
    expect(parts.map((part) => part.type === 'tool_call' && [part.name, part.arguments])).toEqual(calls);
    expect(parts[0]).toMatchObject({ id: 'c' });
  }
  const pieces = told.flatMap((event) =>
    event.type === 'tool_call_delta' ? [[event.name, event.arguments]] : [],
  );
  expect(pieces).toEqual(calls);
});

test('a refusal that is false is none', () => {
  // https://github.com/vercel/ai/blob/main/packages/openai-compatible/CHANGELOG.md
  const said = { content: 'Hi', refusal: false };
  expect(readReply(vendor, 'm', reply(said)).parts).toEqual([{ type: 'text', text: 'Hi' }]);
  expect(events(chunk(said), chunk({}, {}, 'stop'))).toEqual([
    { type: 'delta', content: 'Hi' },
    expect.objectContaining({ type: 'end', endReason: 'stop' }),
  ]);
});

describe('the sources of an answer', () => {
  const tower = { url: 'https://example.org/tower', title: 'Tower' };
  const urls = { citations: [tower.url, 'https://example.org/bridge'] };

  // https://docs.perplexity.ai/api-reference/chat-completions-post
  test.each<[string, object, object[]]>([
    ['search results', { ...urls, search_results: [{ ...tower, date: '2026-01-01' }] }, [tower]],
    ['addresses alone', urls, [{ url: tower.url }, { url: 'https://example.org/bridge' }]],
    ['no list', { citations: 'x', search_results: null }, []],
    ['what is none', { citations: [1, null, '', tower.url, tower.url] }, [{ url: tower.url }]],
  ])('are told of %s', (_, more, expected) => {
    const [text] = readReply(vendor, 'm', reply({ content: 'Tall [1].' }, more)).parts;
    expect(text).toEqual({
      type: 'text',
      text: 'Tall [1].',
      ...(expected.length > 0 && { citations: expected }),
    });
    const told = events(
      chunk({ content: 'Tall' }, more),
      chunk({ content: ' [1].' }, more),
      chunk({}, more, 'stop'),
    );
    const cited = told.flatMap((event) => (event.type === 'citation' ? [event.citation] : []));
    expect(cited).toEqual(expected);
    expect(told.at(-1)).toMatchObject({ type: 'end' });
  });

  test('are told once, also where they are annotations as well', () => {
    const annotations = [{ type: 'url_citation', url_citation: { ...tower, start_index: 0, end_index: 4 } }];
    const [text] = readReply(vendor, 'm', reply({ content: 'Tall', annotations }, urls)).parts;
    expect(text).toMatchObject({
      citations: [{ ...tower, start: 0, end: 4 }, { url: 'https://example.org/bridge' }],
    });
    const told = events(chunk({ content: 'Tall', annotations }, urls), chunk({}, urls, 'stop'));
    expect(told.filter(({ type }) => type === 'citation')).toHaveLength(2);
  });
});

// https://openrouter.ai/docs/guides/best-practices/reasoning-tokens#preserving-reasoning-blocks
describe('reasoning_details', () => {
  const encrypted = {
    type: 'reasoning.encrypted',
    data: 'AbC=',
    id: 'tool_1',
    format: 'google-gemini-v1',
    index: 0,
  };
  const sealed = (value: object) => ({ wire: 'openai-chat', provider: 'v', model: 'm', value });

  test('of a whole reply are kept as they came', () => {
    const [thinking] = readReply(
      vendor,
      'm',
      reply({ content: 'Hi', reasoning: 'hm', reasoning_details: [encrypted] }),
    ).parts;
    const value = { reasoning: 'hm', reasoning_details: [encrypted] };
    expect(thinking).toEqual({ type: 'thinking', text: 'hm', sealed: sealed(value) });
    expect(thinkingFields(sealed(value) as never)).toEqual(value);
  });

  test('without anything to show are kept as well', () => {
    const [thinking] = readReply(vendor, 'm', reply({ content: 'Hi', reasoning_details: [encrypted] })).parts;
    expect(thinking).toEqual({
      type: 'thinking',
      text: '',
      sealed: sealed({ reasoning_details: [encrypted] }),
    });
  });

  test('of a stream are put together', () => {
    const piece = (text: string, more: object = {}) => ({
      reasoning: text,
      reasoning_details: [{ type: 'reasoning.text', index: 0, text, signature: null, ...more }],
    });
    const told = events(
      chunk(piece('Let me ')),
      chunk(piece('see.')),
      chunk({ reasoning_details: [{ type: 'reasoning.text', index: 0, signature: 'sig' }] }),
      chunk({ reasoning_details: [encrypted] }),
      chunk({ content: 'Hi' }),
      chunk({}, {}, 'stop'),
    );
    expect(told.map(({ type }) => type)).toEqual([
      'thinking_delta',
      'thinking_delta',
      'thinking',
      'delta',
      'end',
    ]);
    expect(told[2]).toMatchObject({
      part: {
        text: 'Let me see.',
        sealed: sealed({
          reasoning: 'Let me see.',
          reasoning_details: [
            { type: 'reasoning.text', index: 0, text: 'Let me see.', signature: 'sig' },
            encrypted,
          ],
        }),
      },
    });
  });

  test('of two stretches go back in one message', () => {
    const first = { reasoning: 'hm', reasoning_details: [{ type: 'reasoning.text', text: 'hm' }] };
    expect(joinedFields(first, { reasoning_details: [encrypted] })).toEqual({
      reasoning: 'hm',
      reasoning_details: [...first.reasoning_details, encrypted],
    });
  });

  test('that a client has made up are passed over', () => {
    for (const value of [{}, { reasoning_details: 'x' }, { reasoning_details: [1] }, { reasoning: 3 }])
      expect(thinkingFields(sealed(value) as never)).toBeNull();
  });
});
