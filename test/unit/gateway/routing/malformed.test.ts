/** Answers that are JSON but not what the wire says: no field of a vendor is taken at its word. */
import { describe, expect, test } from 'vitest';
import { anthropicFixture, openAiFixture, type WireFixture } from '../../../helpers/vendor-fixtures.ts';
import { errorOf, gatewayTo, shown } from '../../../helpers/vendor-gateway.ts';

const invalid = { code: 'provider_invalid_response' };
const deep = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`;
const call = (more: object = {}, called: object = {}) => ({
  id: 'call_1',
  type: 'function',
  function: { name: 'get_time', arguments: '{}', ...called },
  ...more,
});
const use = (more: object = {}) => ({
  type: 'tool_use',
  id: 'toolu_1',
  name: 'get_time',
  input: {},
  ...more,
});

async function wholeAnswer(fixture: WireFixture, body: string) {
  const gateway = await gatewayTo(fixture, ({ reply }) => reply(200, body));
  const error = await errorOf(gateway.ask());
  expect(gateway.attempts).toMatchObject([{ outcome: 'failed', errorCode: error.code }]);
  return error;
}

async function streamed(fixture: WireFixture, ...events: readonly unknown[]) {
  const body = events.map(
    (event) => `data: ${typeof event === 'string' ? event : JSON.stringify(event)}\n\n`,
  );
  const gateway = await gatewayTo(fixture, (reply) => reply.events(body.join('')));
  return gateway.read();
}

describe('a whole answer on the openai wire is malformed with', () => {
  const choice = (more: object, message: object = {}) => ({
    choices: [
      { index: 0, message: { role: 'assistant', content: 'x', ...message }, finish_reason: 'stop', ...more },
    ],
  });
  test.each<[string, object]>([
    ['content that is a number', choice({}, { content: 42 })],
    ['content that is true', choice({}, { content: true })],
    ['content that is an object', choice({}, { content: { text: 'x' } })],
    ['a part of the content that is a number', choice({}, { content: [42] })],
    ['a part of the content whose text is a number', choice({}, { content: [{ type: 'text', text: 42 }] })],
    ['a part of the content whose text is a list', choice({}, { content: [{ type: 'text', text: ['x'] }] })],
    ['a refusal that is a number', choice({}, { refusal: 42 })],
    [
      'neither an answer nor a finish reason',
      choice({ finish_reason: null }, { content: null, tool_calls: [] }),
    ],
    ['a finish reason that is a number', choice({ finish_reason: 1 })],
    ['a choice that is null', { choices: [null] }],
    ['choices that are null', { choices: null }],
    ['choices that are an object', { choices: { 0: choice({}).choices[0] } }],
    ['a message that is a list', { choices: [{ message: [], finish_reason: 'stop' }] }],
    ['calls that are an object', choice({}, { tool_calls: { 0: call() } })],
    ['a call that is null', choice({}, { tool_calls: [null] })],
    ['a call whose function is text', choice({}, { tool_calls: [call({ function: 'get_time' })] })],
    ['a call whose name is a number', choice({}, { tool_calls: [call({}, { name: 42 })] })],
    ['a call whose arguments are a number', choice({}, { tool_calls: [call({}, { arguments: 42 })] })],
    ['a call whose arguments are true', choice({}, { tool_calls: [call({}, { arguments: true })] })],
    ['a call whose arguments are a list', choice({}, { tool_calls: [call({}, { arguments: [1] })] })],
    ['a call whose id is an object', choice({}, { tool_calls: [call({ id: {} })] })],
  ])('%s', async (_, reply) => {
    expect(await wholeAnswer(openAiFixture, JSON.stringify(reply))).toMatchObject(invalid);
  });

  test.each<[string, string]>([
    ['nothing but depth', deep(200_000)],
    ['depth in place of the choices', `{"choices":${deep(200_000)}}`],
    ['depth in a field that nobody reads', JSON.stringify(choice({})).replace('{', `{"x":${deep(200_000)},`)],
    [
      'depth in the arguments',
      JSON.stringify(choice({}, { tool_calls: [call({}, { arguments: deep(200_000) })] })),
    ],
    [
      'depth in arguments that are an object',
      JSON.stringify(choice({}, { tool_calls: [call({}, { arguments: { x: 0 } })] })).replace(
        '"x":0',
        `"x":${deep(200_000)}`,
      ),
    ],
  ])('%s', async (_, body) => {
    expect(await wholeAnswer(openAiFixture, body)).toMatchObject(invalid);
  });

  test.each<[string, object, object]>([
    [
      'content null with calls',
      choice({ finish_reason: 'tool_calls' }, { content: null, tool_calls: [call()] }),
      { content: '', finishReason: 'tool_calls' },
    ],
    [
      'no content at all',
      choice({ finish_reason: 'length' }, { content: undefined }),
      { content: '', finishReason: 'length' },
    ],
    ['a finish reason that is null', choice({ finish_reason: null }), { content: 'x', finishReason: 'stop' }],
    ['no finish reason', choice({ finish_reason: undefined }), { content: 'x', finishReason: 'stop' }],
    ['an empty finish reason', choice({ finish_reason: '' }), { content: 'x', finishReason: 'stop' }],
    [
      'no finish reason after a call',
      choice({ finish_reason: null }, { content: null, tool_calls: [call()] }),
      { content: '', finishReason: 'tool_calls' },
    ],
    ['calls that are null', choice({}, { tool_calls: null }), { content: 'x', finishReason: 'stop' }],
    ['a reason to come', choice({ finish_reason: 'eos' }), { content: 'x', finishReason: 'stop' }],
    [
      'a part of another type',
      choice(
        {},
        {
          content: [
            { type: 'reference', reference_ids: [1] },
            { type: 'text', text: 'y' },
          ],
        },
      ),
      { content: 'y' },
    ],
    [
      'a call without an id',
      choice({}, { tool_calls: [call({ id: null })] }),
      { finishReason: 'tool_calls' },
    ],
    [
      'usage that is none',
      { ...choice({}), usage: { prompt_tokens: 1e300, completion_tokens: -1, total_tokens: 1.5 } },
      { usage: null },
    ],
    [
      'usage that no model can have',
      { ...choice({}), usage: { prompt_tokens: 9e15, completion_tokens: 9e15 } },
      { usage: null },
    ],
    ['usage that is text', { ...choice({}), usage: 'many' }, { usage: null }],
    ['brackets in its text', choice({}, { content: '['.repeat(5000) }), { content: '['.repeat(5000) }],
  ])('but not with %s', async (_, reply, expected) => {
    const gateway = await gatewayTo(openAiFixture, ({ json }) => json(reply));
    expect(shown((await gateway.ask()).completion)).toMatchObject(expected);
  });
});

describe('a stream on the openai wire is malformed with', () => {
  const chunk = (delta: unknown, finish_reason: unknown = null) => ({
    choices: [{ index: 0, delta, finish_reason }],
  });
  const piece = (more: object) => chunk({ tool_calls: [{ index: 0, ...call(), ...more }] });
  test.each<[string, unknown]>([
    ['an event that is a number', 42],
    ['an event that is null', null],
    ['an event that is a list', []],
    ['an event that is text', '"x"'],
    ['an event of nothing but depth', deep(200_000)],
    ['choices that are text', { choices: 'x' }],
    ['a choice that is a number', { choices: [42] }],
    ['a delta that is text', chunk('x')],
    ['content that is a number', chunk({ content: 42 })],
    ['content that is an object', chunk({ content: {} })],
    ['a refusal that is true', chunk({ refusal: true })],
    ['a finish reason that is a number', chunk({}, 1)],
    ['a finish reason that is a list', chunk({}, [])],
    ['calls that are an object', chunk({ tool_calls: {} })],
    ['a call that is a number', chunk({ tool_calls: [42] })],
    ['a call at an index below 0', piece({ index: -1 })],
    ['a call at an index that is a fraction', piece({ index: 0.5 })],
    ['a call at an index that is text', piece({ index: '0' })],
    ['a call at an index that is too large', piece({ index: 1e300 })],
    ['a call whose arguments are a number', piece({ function: { name: 'a', arguments: 42 } })],
    ['a call whose name is a list', piece({ function: { name: ['a'], arguments: '{}' } })],
  ])('%s', async (_, event) => {
    const { error, events } = await streamed(
      openAiFixture,
      chunk({ content: 'a' }),
      event,
      chunk({}, 'stop'),
      '[DONE]',
    );
    expect(error).toMatchObject(invalid);
    expect(events.filter(({ type }) => type === 'end')).toEqual([]);
  });

  test('arguments that are nested without end, in pieces', async () => {
    const pieces = Array.from({ length: 50 }, () =>
      piece({ function: { name: 'a', arguments: '{"a":'.repeat(100) } }),
    );
    const { error } = await streamed(openAiFixture, ...pieces, chunk({}, 'tool_calls'), '[DONE]');
    expect(error).toMatchObject(invalid);
  });

  test('more of a call that was told as whole', async () => {
    const { error } = await streamed(openAiFixture, piece({}), chunk({}, 'tool_calls'), piece({}), '[DONE]');
    expect(error).toMatchObject(invalid);
  });

  test('neither an answer nor a finish reason', async () => {
    const { error } = await streamed(openAiFixture, chunk({ role: 'assistant', content: '' }, ''), '[DONE]');
    expect(error).toMatchObject({ code: 'provider_stream_interrupted' });
  });

  test.each<[string, readonly unknown[]]>([
    ['empty finish reasons before the last', [chunk({ content: 'a' }, ''), chunk({}, 'stop'), '[DONE]']],
    [
      'choices that are missing or empty',
      [{ id: 'x' }, { choices: [] }, chunk({ content: 'a' }), chunk({}, 'stop'), { choices: null }, '[DONE]'],
    ],
    [
      'a delta that is missing or null',
      [chunk(null), chunk({ content: 'a' }), chunk(undefined, 'stop'), '[DONE]'],
    ],
    [
      'content that is null',
      [
        chunk({ role: 'assistant', content: null }),
        chunk({ content: 'a', tool_calls: null }),
        chunk({}, 'stop'),
        '[DONE]',
      ],
    ],
    ['a finish reason to come', [chunk({ content: 'a' }), chunk({}, 'bored'), '[DONE]']],
    ['no finish reason but empty ones', [chunk({ content: 'a' }, ''), '[DONE]']],
  ])('but not with %s', async (_, events) => {
    const read = await streamed(openAiFixture, ...events);
    expect([read.error, read.text, read.events.at(-1)]).toMatchObject([
      null,
      'a',
      { type: 'end', finishReason: 'stop' },
    ]);
  });
});

describe('a whole answer on the anthropic wire is malformed with', () => {
  const message = (more: object) => ({ ...anthropicFixture.reply, ...more });
  test.each<[string, object]>([
    ['content that is a number', message({ content: 42 })],
    ['content that is text', message({ content: 'x' })],
    ['a block that is null', message({ content: [null] })],
    ['a block that is text', message({ content: ['x'] })],
    ['a block without a type', message({ content: [{ text: 'x' }] })],
    ['text that is a number', message({ content: [{ type: 'text', text: 42 }] })],
    ['text that is missing', message({ content: [{ type: 'text' }] })],
    ['neither an answer nor a stop reason', message({ content: [], stop_reason: null })],
    ['a stop reason that is a number', message({ stop_reason: 7 })],
    ['a call whose name is null', message({ content: [use({ name: null })] })],
    ['a call whose name is a number', message({ content: [use({ name: 42 })] })],
    ['a call whose id is a number', message({ content: [use({ id: 42 })] })],
    ['a call whose input is a number', message({ content: [use({ input: 42 })] })],
    ['a call whose input is text', message({ content: [use({ input: '{}' })] })],
    ['a call whose input is a list', message({ content: [use({ input: [] })] })],
  ])('%s', async (_, reply) => {
    expect(await wholeAnswer(anthropicFixture, JSON.stringify(reply))).toMatchObject(invalid);
  });

  test.each<[string, string]>([
    ['nothing but depth', deep(200_000)],
    ['depth in place of the content', `{"content":${deep(200_000)}}`],
    [
      'depth in the input of a call',
      JSON.stringify(message({ content: [use({ input: { x: 0 } })] })).replace(
        '"x":0',
        `"x":${deep(200_000)}`,
      ),
    ],
  ])('%s', async (_, body) => {
    expect(await wholeAnswer(anthropicFixture, body)).toMatchObject(invalid);
  });

  test.each<[string, object, object]>([
    ['no blocks', message({ content: [] }), { content: '', finishReason: 'stop' }],
    ['a call without an id', message({ content: [use({ id: undefined })] }), { finishReason: 'tool_calls' }],
    [
      'a call without input',
      message({ content: [use({ input: undefined })] }),
      { finishReason: 'tool_calls' },
    ],
    ['a stop reason to come', message({ stop_reason: 'model_bored' }), { finishReason: 'stop' }],
    ['a stop reason that is null', message({ stop_reason: null }), { finishReason: 'stop' }],
    ['no stop reason', message({ stop_reason: undefined }), { finishReason: 'stop' }],
    ['a block to come', message({ content: [{ type: 'hologram', text: 42 }] }), { content: '' }],
    ['usage that is none', message({ usage: { input_tokens: -1, output_tokens: 1e300 } }), { usage: null }],
    [
      'usage that no model can have',
      message({ usage: { input_tokens: 9e15, output_tokens: 9e15 } }),
      { usage: null },
    ],
  ])('but not with %s', async (_, reply, expected) => {
    const gateway = await gatewayTo(anthropicFixture, ({ json }) => json(reply));
    expect(shown((await gateway.ask()).completion)).toMatchObject(expected);
  });
});

describe('a stream on the anthropic wire is malformed with', () => {
  const start = { type: 'message_start', message: { usage: { input_tokens: 1, output_tokens: 1 } } };
  const text = { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'a' } };
  const begin = (index: unknown, content_block: unknown) => ({
    type: 'content_block_start',
    index,
    content_block,
  });
  const delta = (index: unknown, held: unknown) => ({ type: 'content_block_delta', index, delta: held });
  const stop = (stop_reason: unknown) => ({
    type: 'message_delta',
    delta: { stop_reason },
    usage: { output_tokens: 2 },
  });
  const end = { type: 'message_stop' };

  test.each<[string, readonly unknown[]]>([
    ['an event that is a number', [42]],
    ['an event that is null', [null]],
    ['an event that is a list', [[]]],
    ['an event of nothing but depth', [deep(200_000)]],
    ['an event whose type is a number', [{ type: 42 }]],
    ['text that is a number', [delta(0, { type: 'text_delta', text: 42 })]],
    ['text that is missing', [delta(0, { type: 'text_delta' })]],
    ['a delta that is null', [delta(0, null)]],
    ['a block that is null', [begin(0, null)]],
    ['a block that begins with a number', [begin(0, { type: 'text', text: 42 })]],
    ['a call at no index', [begin(undefined, use())]],
    ['a call at an index below 0', [begin(-1, use())]],
    ['a call whose name is a number', [begin(1, use({ name: 42 }))]],
    ['a call whose input is text', [begin(1, use({ input: '{}' }))]],
    [
      'a piece of input that is an object',
      [begin(1, use()), delta(1, { type: 'input_json_delta', partial_json: {} })],
    ],
    ['a piece of input that is missing', [begin(1, use()), delta(1, { type: 'input_json_delta' })]],
    [
      'more of a call that has ended',
      [
        begin(1, use()),
        { type: 'content_block_stop', index: 1 },
        delta(1, { type: 'input_json_delta', partial_json: '{}' }),
      ],
    ],
    ['a stop reason that is a number', [stop(42)]],
    ['an end of the message that is text', [{ type: 'message_delta', delta: 'x' }]],
  ])('%s', async (_, events) => {
    const read = await streamed(anthropicFixture, start, text, ...events, stop('end_turn'), end);
    expect(read.error).toMatchObject(invalid);
    expect(read.events.filter(({ type }) => type === 'end')).toEqual([]);
  });

  test.each([[[]], [[stop(null)]]])('neither an answer nor a stop reason: %j', async (events) => {
    const { error } = await streamed(anthropicFixture, start, ...events, end);
    expect(error).toMatchObject(invalid);
  });

  test.each([[[]], [[stop(null)]]])('but not with an end without a stop reason: %j', async (events) => {
    const read = await streamed(anthropicFixture, start, text, ...events, end);
    expect([read.error, read.events.at(-1)]).toMatchObject([null, { type: 'end', finishReason: 'stop' }]);
  });

  test.each<[string, readonly unknown[]]>([
    ['a delta of another type', [delta(0, { type: 'signature_delta', signature: 42 })]],
    [
      'a block of another type, with input',
      [
        begin(3, { type: 'server_tool_use', id: 's', name: 'web' }),
        delta(3, { type: 'input_json_delta', partial_json: '{}' }),
      ],
    ],
    ['an event of another type', [{ type: 'hologram', index: -1 }]],
    ['a reason that is told late', [stop(null)]],
  ])('but not with %s', async (_, events) => {
    const read = await streamed(anthropicFixture, start, text, ...events, stop('end_turn'), end);
    expect([read.error, read.text, read.events.at(-1)]).toMatchObject([
      null,
      'a',
      { type: 'end', finishReason: 'stop' },
    ]);
  });

  test('a field of the usage of a count that would take minutes, were each a copy of those before', async () => {
    const usage = Object.fromEntries(Array.from({ length: 60_000 }, (_, at) => [`field_${at}`, at]));
    const many = {
      type: 'message_start',
      message: { usage: { ...usage, input_tokens: 3, output_tokens: 4 } },
    };
    const read = await streamed(anthropicFixture, many, text, stop('end_turn'), end);
    expect(read.events.at(-1)).toMatchObject({ usage: { inputUncached: 3, output: 2 } });
  });
});
