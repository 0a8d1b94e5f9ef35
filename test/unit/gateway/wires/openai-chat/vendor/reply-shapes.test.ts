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
    // Servers in Python and proxies
    ['as a detail', { detail: 'out of memory' }, 'provider_error'],
    ['as a list of details', { detail: [{ msg: 'x' }] }, 'provider_error'],
    ['as a message with a status', { message: 'Slow down', status: 429 }, 'provider_rate_limited'],
    ['as a message with a status in text', { message: 'x', status: 'UNAVAILABLE' }, 'provider_overloaded'],
    ['as a message with a code', { message: 'x', code: 'InvalidParameter' }, 'provider_error'],
    ['as a message with a type', { message: 'x', type: 'rate_limit_error' }, 'provider_rate_limited'],
  ])('is found %s, on both lanes', (_, body, code) => {
    const failed = expect.objectContaining({ code }) as Error;
    expect(() => readReply(vendor, 'm', body)).toThrow(failed);
    expect(() => events(body)).toThrow(failed);
    const along = () => new OpenAiNativeReader(vendor, 'm', { usageWanted: true });
    expect(() => along().whole(Buffer.from(JSON.stringify(body)))).toThrow(failed);
    const reader = along();
    reader.event(Buffer.from(`data: ${JSON.stringify(body)}`));
    expect(reader.summary.failure).toMatchObject({ code });
  });

  test.each<object>([
    { type: 'ping' },
    { type: 'ping', message: 'Still here' },
    { message: 'In the queue', status: 'processing', code: 0 },
    { message: 'x', code: 200, detail: null },
    { message: '', status: 500, detail: '' },
  ])('is none in %j, which a stream passes over', (body) => {
    expect(events(chunk({ content: 'Hi' }), body, chunk({}, {}, 'stop'))).toHaveLength(2);
    const reader = new OpenAiNativeReader(vendor, 'm', { usageWanted: true });
    reader.event(Buffer.from(`data: ${JSON.stringify(body)}`));
    expect(reader.summary.failure).toBeNull();
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

/** What is said in an answer, and called, by its pieces or parts. */
function saidIn(answer: readonly object[]) {
  return answer.flatMap((one: { content?: string; text?: string; toolCall?: object; type?: string }) => {
    const { name, arguments: text } = Object(one.toolCall ?? one) as Record<string, string>;
    if (one.type === 'tool_call') return [`${name}${text}`];
    return one.type === 'delta' || one.type === 'text' ? [one.content ?? one.text] : [];
  });
}

describe('the forms that came before', () => {
  const called = { name: 'a', arguments: '{"x":1}' };
  const end = (message: object, reason: string) => ({
    choices: [{ delta: {}, message, finish_reason: reason }],
  });
  const calls = [{ id: 'c', type: 'function', function: called }];

  // https://platform.openai.com/docs/api-reference/chat/object (function_call), and its older Completions
  test.each<[string, object, object[], string[]]>([
    [
      'function_call',
      reply({ content: null, function_call: called }),
      [
        chunk({ function_call: { name: 'a', arguments: '' } }),
        chunk({ function_call: { arguments: '{"x":' } }),
        chunk({ function_call: { arguments: '1}' } }),
        chunk({}, {}, 'function_call'),
      ],
      ['a{"x":1}'],
    ],
    [
      'text',
      { choices: [{ index: 0, text: 'Hi you', finish_reason: 'stop' }] },
      [
        { choices: [{ index: 0, text: 'Hi' }] },
        { choices: [{ index: 0, text: ' you' }] },
        { choices: [{ index: 0, text: '', finish_reason: 'stop' }] },
      ],
      ['Hi', ' you'],
    ],
  ])('are read: %s', (_, whole, chunks, said) => {
    expect(saidIn(readReply(vendor, 'm', whole).parts).join('')).toBe(said.join(''));
    expect(saidIn(events(...chunks))).toEqual(said);
    const reader = new OpenAiNativeReader(vendor, 'm', { usageWanted: true });
    for (const one of chunks) reader.event(Buffer.from(`data: ${JSON.stringify(one)}`));
    expect(reader.summary.endReason).toBe(said[0]?.startsWith('a') ? 'tool_calls' : 'stop');
  });

  test.each<[string, object[], string[]]>([
    ['calls', [chunk({ content: null }), end({ tool_calls: calls }, 'tool_calls')], ['a{"x":1}']],
    [
      'calls after a text',
      [chunk({ content: 'Hi' }), end({ content: 'Hi', tool_calls: calls }, 'tool_calls')],
      ['Hi', 'a{"x":1}'],
    ],
    ['a text', [chunk({ role: 'assistant' }), end({ content: 'Hi' }, 'stop')], ['Hi']],
    ['a text that was there', [chunk({ content: 'Hi' }), end({ content: 'Hi' }, 'stop')], ['Hi']],
    [
      'calls that were there',
      [chunk({ tool_calls: [{ index: 0, ...calls[0] }] }), end({ tool_calls: calls }, 'tool_calls')],
      ['a{"x":1}'],
    ],
  ])('are read at the end of a stream, once: a message with %s', (_, chunks, said) => {
    expect(saidIn(events(...chunks))).toEqual(said);
  });
});

test('an answer without anything in it is none, on both lanes', () => {
  const failed = expect.objectContaining({ code: 'provider_invalid_response' }) as Error;
  const along = () => new OpenAiNativeReader(vendor, 'm', { usageWanted: true });
  const missing = { choices: [{ message: { content: null }, finish_reason: 'tool_calls' }] };
  for (const body of [missing, { choices: [] }, { id: 'x' }]) {
    expect(() => readReply(vendor, 'm', body)).toThrow(failed);
    expect(() => along().whole(Buffer.from(JSON.stringify(body)))).toThrow(failed);
  }
  const last = chunk({}, {}, 'tool_calls');
  expect(() => events(chunk({ content: '' }), last)).toThrow(failed);
  const reader = along();
  for (const data of [JSON.stringify(last), '[DONE]']) reader.event(Buffer.from(`data: ${data}`));
  expect(reader.summary.failure).toMatchObject({ code: 'provider_invalid_response' });
});

test('a refusal that is false is none', () => {
  // https://github.com/vercel/ai/blob/main/packages/openai-compatible/CHANGELOG.md
  const said = { content: 'Hi', refusal: false, function_call: '' };
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
