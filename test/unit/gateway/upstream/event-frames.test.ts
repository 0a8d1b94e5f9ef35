import { createParser } from 'eventsource-parser';
import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import type { StreamDecoder } from '../../../../src/gateway/upstream/completion-stream.ts';
import { EventFrames, fieldsOf } from '../../../../src/gateway/upstream/event-frames.ts';
import { cutAt, decodedStream } from '../../../helpers/answer-events.ts';

const framesOf = (pieces: readonly string[]) => {
  const frames = new EventFrames();
  const events = pieces.flatMap((piece) => frames.push(Buffer.from(piece)).map(String));
  return { events, rest: frames.rest().toString() };
};

it('cuts at blank lines, whatever ends a line', () => {
  expect(framesOf(['event: a\ndata: 1\n\ndata: 2\r\n\r\ndata: 3\r\rdata: 4']).events).toEqual([
    'event: a\ndata: 1\n\n',
    'data: 2\r\n\r\n',
    'data: 3\r\r',
  ]);
  expect(framesOf(['data: 3\r\rdata: 4']).rest).toBe('data: 4');
});

it('waits for the second half of a line end', () => {
  const frames = new EventFrames();
  expect(frames.push(Buffer.from('data: 1\r\n\r'))).toEqual([]);
  expect(frames.push(Buffer.from('\n')).map(String)).toEqual(['data: 1\r\n\r\n']);
  expect(frames.push(Buffer.from('data: 2\r\n\r'))).toEqual([]);
  expect(frames.push(Buffer.from('data: 3\n\n')).map(String)).toEqual(['data: 2\r\n\r', 'data: 3\n\n']);
  expect(frames.push(Buffer.from('data: 4\r\n\r'))).toEqual([]);
  expect(frames.rest().toString()).toBe('data: 4\r\n\r');
});

/** Streams with every kind of line end, and what a parser of others makes of them. */
const lineEnd = fc.constantFrom('\n', '\r\n', '\r');
const line = fc.constantFrom('data: {"a":1}', 'event: ping', ': comment', 'data: ü€😀', 'id: 7');
const stream = fc
  .array(fc.tuple(fc.array(fc.tuple(line, lineEnd), { minLength: 1, maxLength: 4 }), lineEnd), {
    maxLength: 6,
  })
  .map((events) =>
    events.map(([lines, end]) => lines.map(([text, at]) => text + at).join('') + end).join(''),
  );

it('loses and changes no byte, and finds the same events, wherever the stream is cut', () => {
  fc.assert(
    fc.property(stream, fc.array(fc.nat(400)), (text, cuts) => {
      const bytes = Buffer.from(text);
      const places = [...new Set([0, ...cuts.map((cut) => cut % (bytes.length + 1)), bytes.length])].sort(
        (a, b) => a - b,
      );
      const frames = new EventFrames();
      const found = places.slice(1).flatMap((end, n) => frames.push(bytes.subarray(places[n], end)));
      expect(Buffer.concat([...found, frames.rest()])).toEqual(bytes);
      const read = (pieces: readonly Buffer[]) => {
        const events: string[] = [];
        const parser = createParser({ onEvent: ({ event, data }) => events.push(`${event}: ${data}`) });
        for (const piece of pieces) parser.feed(piece.toString());
        return events;
      };
      // Each frame holds whole characters and at most one event.
      for (const frame of found) expect(read([frame]).length).toBeLessThanOrEqual(1);
    }),
  );
});

describe('a stream of completions', () => {
  /** Passes on what each event says. */
  const told: StreamDecoder = {
    take: ({ data }, emit) => emit({ type: 'delta', content: data }),
    completed: (emit) =>
      emit({ type: 'end', endReason: 'stop', finishReason: 'stop', usage: null } as unknown as Parameters<
        typeof emit
      >[0]),
  };

  const vendor = { id: 'v', apiKey: null };
  const textsOf = async (pieces: readonly Buffer[]) =>
    (await decodedStream(pieces, told, vendor)).flatMap((event) =>
      event.type === 'delta' ? [event.content] : [],
    );

  const text = fc
    .array(fc.constantFrom('a', 'Grüße', '👋', '\ufeff', 'plain words', 'é'), { minLength: 1, maxLength: 4 })
    .map((parts) => `.${parts.join(' ')}.`);

  test('whatever is in the texts and wherever the stream is cut, with a mark at its beginning or without, they come as they are', async () => {
    const cuts = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 8 });
    await fc.assert(
      fc.asyncProperty(
        fc.array(text, { minLength: 1, maxLength: 6 }),
        cuts,
        fc.boolean(),
        async (texts, at, marked) => {
          const stream = `${marked ? '\ufeff' : ''}${texts.map((each) => `data: ${each}\n\n`).join('')}`;
          expect(await textsOf(cutAt(stream, at))).toEqual(texts);
        },
      ),
    );
  });

  test.each([
    [
      'half of a character before what is ASCII',
      [Buffer.from('data: é').subarray(0, -1), Buffer.from('x\n\n')],
    ],
    ['a byte that is none', [Buffer.from('data: x\n\n'), Buffer.from([0xff, 0x0a, 0x0a])]],
  ])('%s ends the stream with an error', async (_, pieces) => {
    await expect(textsOf(pieces)).rejects.toMatchObject({ code: 'provider_invalid_response' });
  });
});

describe('one event', () => {
  it.each([
    ['data: {"a":1}\n\n', '{"a":1}', null],
    ['data:{"a":1}', '{"a":1}', null],
    ['event: ping\r\ndata: {}\r\n\r\n', '{}', 'ping'],
    ['id: 7\rdata: {\rdata: }\r\r', '{\n}', null],
    ['event: end\n\n', '', 'end'],
    [': a comment\n\n', '', null],
  ])('%j has its data and its type', (event, data, type) => {
    expect(fieldsOf(event)).toEqual({ data, type });
  });
});
