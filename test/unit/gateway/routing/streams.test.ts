import { describe, expect, test } from 'vitest';
import { RequestScope } from '../../../../src/gateway/routing/attempts.ts';
import { watchStream } from '../../../../src/gateway/routing/watched-stream.ts';
import { said } from '../../../../src/model/parts.ts';
import type { CompletionEvent, CompletionStream } from '../../../../src/model/port.ts';
import {
  type AnyWireFixture,
  anthropicFixture,
  openAiFixture,
  vendorFixtures,
} from '../../../helpers/vendor-fixtures.ts';
import { callOf, gatewayTo, questionIn, textOf } from '../../../helpers/vendor-gateway.ts';

/** Reads the stream once for each way of cutting it into pieces, a few at a time. */
async function readInPieces(
  fixture: AnyWireFixture,
  cuts: readonly Uint8Array[][],
): Promise<CompletionEvent[][]> {
  const gateway = await gatewayTo(fixture, ({ request, events }) => {
    events(...(cuts[Number(questionIn(request))] ?? []));
  });
  const results: CompletionEvent[][] = [];
  let next = 0;
  const worker = async () => {
    for (let at = next++; at < cuts.length; at = next++) {
      const call = { messages: [said('user', String(at))] };
      const { events, error } = await gateway.read({
        ...call,
        temperature: 0,
        temperatureGiven: false,
        maxTokens: 1,
      });
      if (error) throw error;
      results[at] = [...events];
    }
  };
  await Promise.all(Array.from({ length: 16 }, worker));
  return results;
}

/** Everything that can stand in an event stream beside events (HTML Living Standard, section 9.2.6). */
const grammar: [string, (stream: string) => string][] = [
  ['as it is', (stream) => stream],
  ['CRLF', (stream) => stream.replaceAll('\n', '\r\n')],
  ['CR', (stream) => stream.replaceAll('\n', '\r')],
  ['no space after the colon', (stream) => stream.replaceAll(/^(data|event): /gm, '$1:')],
  ['comments', (stream) => `: OPENROUTER PROCESSING\n\n${stream.replaceAll('\n\n', '\n\n: ping\n\n:\n')}`],
  ['a byte order mark', (stream) => `\uFEFF${stream}`],
  ['id and retry fields', (stream) => `retry: 3000\n\n${stream.replaceAll(/^data:/gm, 'id: 7\ndata:')}`],
  ['unknown fields', (stream) => stream.replaceAll(/^data:/gm, 'weather: fair\ndata:')],
  ['data over several lines', (stream) => stream.replaceAll(/^data: \{/gm, 'data: {\ndata:  ')],
  ['no last blank line', (stream) => stream.trimEnd()],
];

describe.each(vendorFixtures)('a stream on the $wire wire', (fixture) => {
  const whole = Buffer.from(fixture.stream);

  test('is read', async () => {
    const gateway = await gatewayTo(fixture, ({ events }) => events(whole));
    const { events, text, error } = await gateway.read();
    expect(error).toBeNull();
    expect(text).toBe(fixture.text);
    expect(events.filter(({ type }) => type === 'end')).toEqual([fixture.end]);
    expect(events.at(-1)).toEqual(fixture.end);
    expect(gateway.attempts).toMatchObject([{ outcome: 'succeeded', errorCode: null }]);
  });

  test('is the same wherever it is cut in two', async () => {
    const cuts = Array.from(whole, (_, at) => [whole.subarray(0, at), whole.subarray(at)]);
    const results = await readInPieces(fixture, cuts);
    expect(results.length).toBe(whole.length);
    for (const events of results) expect(events).toEqual(results[0]);
    expect(textOf(results[0] ?? [])).toBe(fixture.text);
  });

  test('is the same in pieces of every size', async () => {
    const cuts = [1, 2, 3, 5, 7, 64, 1000].map((size) =>
      Array.from({ length: Math.ceil(whole.length / size) }, (_, at) =>
        whole.subarray(at * size, (at + 1) * size),
      ),
    );
    for (const events of await readInPieces(fixture, cuts)) expect(textOf(events)).toBe(fixture.text);
  });

  test.each(grammar)('may use all of the grammar: %s', async (_, rewrite) => {
    const bytes = Buffer.from(rewrite(fixture.stream));
    const everyByte = Array.from(bytes, (byte) => Uint8Array.of(byte));
    for (const events of await readInPieces(fixture, [[bytes], everyByte])) {
      expect(textOf(events)).toBe(fixture.text);
      expect(events.at(-1)).toEqual(fixture.end);
    }
  });

  test('may hold a line of a megabyte', async () => {
    const long = 'a"\n世'.repeat(250_000);
    const { stream, beforeText } = fixture;
    const gateway = await gatewayTo(fixture, ({ events }) =>
      events(beforeText, fixture.delta(long), stream.slice(beforeText.length)),
    );
    const { text, error } = await gateway.read();
    expect(error).toBeNull();
    expect(text === long + fixture.text).toBe(true);
  });

  test('leaves the connection for the next request', async () => {
    const gateway = await gatewayTo(fixture, ({ events }) => events(whole), {}, { connections: 1 });
    for (let i = 0; i < 5; i += 1) expect((await gateway.read()).text).toBe(fixture.text);
    expect(gateway.vendor.requests.length).toBe(5);
    expect(gateway.vendor.connections).toBe(1);
  });

  test('leaves it also when the end of the body comes after the end mark', async () => {
    const gateway = await gatewayTo(
      fixture,
      async (reply) => {
        reply.eventStream();
        reply.chunk(whole);
        await new Promise((resolve) => setTimeout(resolve, 20));
        reply.chunk(': bye\n\n');
        reply.lastChunk();
      },
      {},
      { connections: 1 },
    );
    for (let i = 0; i < 3; i += 1) expect((await gateway.read()).text).toBe(fixture.text);
    expect(gateway.vendor.requests.length).toBe(3);
    expect(gateway.vendor.connections).toBe(1);
  });

  test('is delivered as far as it came before the connection broke', async () => {
    const gateway = await gatewayTo(fixture, async (reply) => {
      reply.eventStream();
      reply.chunk(fixture.firstHalf);
      await new Promise((resolve) => setTimeout(resolve, 10));
      reply.chunk(fixture.delta('more'));
      await new Promise((resolve) => setTimeout(resolve, 10));
      reply.reset();
    });
    const { events } = await gateway.stream(fixture.model, callOf(), {
      signal: new AbortController().signal,
    });
    await new Promise((resolve) => setTimeout(resolve, 60));
    expect(await events.next()).toMatchObject({ value: { type: 'delta' } });
    expect(await events.next()).toMatchObject({ value: { type: 'delta', content: 'more' } });
    await expect(events.next()).rejects.toMatchObject({ code: 'provider_stream_interrupted' });
  });

  test('is over with its end mark, though the vendor keeps the connection open', async () => {
    const gateway = await gatewayTo(fixture, (reply) => {
      reply.eventStream();
      reply.chunk(whole);
    });
    const { events } = await gateway.read();
    expect(events.at(-1)).toEqual(fixture.end);
  });

  // https://github.com/openclaw/openclaw/pull/97454, seen on 27 November 2026
  test.each(['application/json', 'application/json; charset=utf-8', 'text/plain'])(
    'is read as what it is where it is labelled %s',
    async (type) => {
      const gateway = await gatewayTo(fixture, (reply) => {
        reply.eventStream({ 'content-type': type });
        reply.chunk('\r\n');
        reply.chunk(whole);
        reply.lastChunk();
      });
      const { text, events, error } = await gateway.read();
      expect([error, text, events.at(-1)]).toEqual([null, fixture.text, fixture.end]);
    },
  );

  test.each(['application/json', 'text/event-stream'])('may be a whole reply, labelled %s', async (type) => {
    const body = ` ${JSON.stringify(fixture.reply)}`;
    const gateway = await gatewayTo(fixture, ({ reply }) => reply(200, body, { 'content-type': type }));
    const { text, events, error } = await gateway.read();
    const asked = await gatewayTo(fixture, ({ json }) => json(fixture.reply));
    const { parts, ...ending } = (await asked.ask()).completion;
    expect(parts.length).toBeGreaterThan(0);
    expect([error, text, events.at(-1)]).toEqual([null, fixture.text, { type: 'end', ...ending }]);
  });

  test('throws nothing when it is closed before it was read', async () => {
    const gateway = await gatewayTo(fixture, async (reply) => {
      reply.eventStream();
      reply.chunk(fixture.firstHalf);
      await reply.closed;
    });
    const { signal } = new AbortController();
    const { events } = await gateway.stream(fixture.model, callOf(), { signal });
    expect(await events.return()).toEqual({ value: undefined, done: true });
    expect(await events.next()).toEqual({ value: undefined, done: true });
  });
});

describe('the OpenAI wire', () => {
  const finish = 'data: {"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}\n\n';

  test('an answer that has named its finish is complete without [DONE]', async () => {
    const gateway = await gatewayTo(openAiFixture, ({ events }) => events(openAiFixture.firstHalf, finish));
    expect((await gateway.read()).events.at(-1)).toEqual({
      type: 'end',
      finishReason: 'stop',
      endReason: 'stop',
      usage: null,
    });
  });

  // https://github.com/anomalyco/opencode/issues/43882, seen on 27 November 2026
  test('one that has not is complete with [DONE], and incomplete without', async () => {
    const done = await gatewayTo(openAiFixture, ({ events }) =>
      events(openAiFixture.firstHalf, 'data: [DONE]\n\n'),
    );
    const { events, error } = await done.read();
    expect(events.map(({ type }) => type)).toEqual(['delta', 'end']);
    expect([error, events.at(-1)]).toMatchObject([null, { finishReason: 'stop', usage: null }]);
    const cut = await gatewayTo(openAiFixture, (reply) => reply.events(openAiFixture.firstHalf));
    expect((await cut.read()).error).toMatchObject({ code: 'provider_stream_interrupted' });
  });

  test('an answer that has named its finish is complete, also when the connection is reset then', async () => {
    const gateway = await gatewayTo(openAiFixture, async (reply) => {
      reply.eventStream();
      reply.chunk(openAiFixture.firstHalf + finish);
      await new Promise((resolve) => setTimeout(resolve, 20));
      reply.reset();
    });
    expect((await gateway.read()).events.at(-1)).toEqual({
      type: 'end',
      finishReason: 'stop',
      endReason: 'stop',
      usage: null,
    });
  });

  test('a refusal in a stream is shown and counts as withheld', async () => {
    const refusal = 'data: {"choices":[{"index":0,"delta":{"refusal":"No."}}]}\n\n';
    const gateway = await gatewayTo(openAiFixture, ({ events }) =>
      events(refusal, finish, 'data: [DONE]\n\n'),
    );
    const { events, text } = await gateway.read();
    expect(text).toBe('No.');
    expect(events).toEqual([
      { type: 'refusal_delta', content: 'No.' },
      { type: 'end', finishReason: 'content_filter', endReason: 'refusal', usage: null },
    ]);
  });
});

describe('the Anthropic wire', () => {
  // https://github.com/esengine/DeepSeek-Reasonix/pull/8756, seen on 27 November 2026
  test.each([
    ['nothing', ''],
    ['[DONE]', 'data: [DONE]\n\n'],
  ])('an answer whose stop reason came is complete with %s in place of message_stop', async (_, last) => {
    const body = anthropicFixture.stream.replace(/event: message_stop\n.*\n\n$/, '');
    expect(body).not.toContain('message_stop');
    const gateway = await gatewayTo(anthropicFixture, ({ events }) => events(body + last));
    const { events, error } = await gateway.read();
    expect([error, events.at(-1)]).toEqual([null, anthropicFixture.end]);
  });

  test('one without a stop reason is incomplete', async () => {
    const body = anthropicFixture.stream.replace(/event: message_(?:stop|delta)\n.*\n\n/g, '');
    const gateway = await gatewayTo(anthropicFixture, ({ events }) => events(body));
    expect((await gateway.read()).error).toMatchObject({ code: 'provider_stream_interrupted' });
  });

  test('thinking is not shown', async () => {
    const thinking =
      'event: content_block_delta\ndata: {"type":"content_block_delta","index":0,"delta":{"type":"thinking_delta","thinking":"Hm."}}\n\n';
    const gateway = await gatewayTo(anthropicFixture, ({ events }) =>
      events(thinking, anthropicFixture.stream),
    );
    expect((await gateway.read()).text).toBe(anthropicFixture.text);
  });
});

describe('back-pressure', () => {
  const megabyte = 1024 * 1024;

  test.each(vendorFixtures)('a $wire vendor is not read faster than the client reads', async (fixture) => {
    const event = fixture.delta('x'.repeat(1000));
    const total = 40 * megabyte;
    let taken = 0;
    let stalls = 0;
    const gateway = await gatewayTo(fixture, async (reply) => {
      reply.eventStream();
      reply.chunk(fixture.beforeText);
      const block = event.repeat(32);
      while (taken < total && !reply.socket.destroyed) {
        reply.chunk(block);
        taken += block.length;
        if (!reply.socket.writableNeedDrain) continue;
        stalls += 1;
        await Promise.race([new Promise((resolve) => reply.socket.once('drain', resolve)), reply.closed]);
      }
      reply.chunk(fixture.stream.slice(fixture.beforeText.length));
      reply.lastChunk();
    });
    const { events } = await gateway.stream(fixture.model, callOf(), {
      signal: new AbortController().signal,
    });

    await events.next();
    const quiet = await settled(() => taken);
    // What lies in the sockets' buffers on both sides, in ours and in the vendor's: far from all.
    expect(quiet).toBeLessThan(16 * megabyte);
    expect(stalls).toBeGreaterThan(0);

    let length = 0;
    for (let i = 0; i < 4000; i += 1) {
      const { value } = await events.next();
      if (value?.type === 'delta') length += value.content.length;
    }
    const read = await settled(() => taken);
    expect(read - length).toBeLessThan(16 * megabyte);

    for await (const next of events) if (next.type === 'delta') length += next.content.length;
    expect(length).toBeGreaterThan(total / 2);
  });

  /** The value once it has not changed for a while. */
  async function settled(value: () => number): Promise<number> {
    for (let last = -1; last !== value(); ) {
      last = value();
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    return value();
  }
});

describe('a watched stream', () => {
  const done = { value: undefined, done: true } as const;

  function watch(next: CompletionStream['next'], together: CompletionEvent[] = []) {
    const inner: CompletionStream = {
      [Symbol.asyncIterator]: () => inner,
      next,
      take: () => together.shift() ?? null,
      return: async () => done,
    };
    const ended: unknown[] = [];
    const succeeded: unknown[] = [];
    const attempt = {
      span: null,
      answered: () => undefined,
      succeeded: (ending: unknown) => void succeeded.push(ending),
      ended: (error: unknown) => void ended.push(error),
    };
    const stream = watchStream(inner, new RequestScope(new AbortController().signal, 1000), attempt);
    return { stream, ended, succeeded };
  }

  const delta = (content: string): CompletionEvent => ({ type: 'delta', content });
  const end: CompletionEvent = { type: 'end', finishReason: 'stop', endReason: 'stop', usage: null };

  test('what has come together is taken without waiting, to the end, which is told', async () => {
    const { stream, ended, succeeded } = watch(
      async () => ({ value: delta('a'), done: false }),
      [delta('b'), end, delta('after the end')],
    );
    expect(await stream.next()).toEqual({ value: delta('a'), done: false });
    expect(stream.take()).toEqual(delta('b'));
    expect(succeeded).toEqual([]);
    expect(stream.take()).toBe(end);
    expect(succeeded).toEqual([end]);
    expect(stream.take()).toBeNull();
    expect(await stream.next()).toEqual(done);
    expect(ended).toEqual([]);
  });

  test('nothing is taken of a stream that was closed', async () => {
    const { stream } = watch(async () => ({ value: delta('a'), done: false }), [delta('b')]);
    await stream.next();
    await stream.return();
    expect(stream.take()).toBeNull();
  });

  test('a stream that stops without an end throws once, whatever the adapter made of it', async () => {
    const { stream, ended } = watch(async () => done);
    await expect(stream.next()).rejects.toMatchObject({ code: 'provider_stream_interrupted' });
    expect(await stream.next()).toEqual(done);
    expect(ended.length).toBe(1);
  });

  test('a fault of ours in a stream is an internal error', async () => {
    const { stream, ended } = watch(() => Promise.reject(new TypeError('x is undefined')));
    await expect(stream.next()).rejects.toMatchObject({ code: 'internal_error' });
    expect(await stream.next()).toEqual(done);
    expect(ended.length).toBe(1);
  });
});
