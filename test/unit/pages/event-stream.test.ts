import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readEvents } from '../../../src/pages/assets/event-stream.js';

const options = { silenceMs: 60_000, signal: new AbortController().signal };

async function eventsOf(body: ReadableStream<Uint8Array>, given = options): Promise<string[]> {
  const events: string[] = [];
  for await (const data of readEvents(body, given)) events.push(data);
  return events;
}

/** The bytes in chunks that end at these places. */
function chunked(bytes: Uint8Array, cuts: readonly number[]): ReadableStream<Uint8Array> {
  const ends = [...cuts.map((cut) => cut % (bytes.length + 1)), bytes.length].sort((a, b) => a - b);
  return new ReadableStream({
    start(controller) {
      let from = 0;
      for (const to of ends) {
        controller.enqueue(bytes.slice(from, to));
        from = to;
      }
      controller.close();
    },
  });
}

const encode = (text: string) => new TextEncoder().encode(text);
const read = (text: string) => eventsOf(chunked(encode(text), []));

describe('reading events', () => {
  it('knows every way to end a line, fields of other names and comments', async () => {
    expect(await read('data: one\n\ndata:two\r\n\r\ndata:  three\r\r')).toEqual(['one', 'two', ' three']);
    expect(await read('\uFEFF: hello\nid: 4\nevent: x\ndata: a\ndata: b\nretry: 3\n\n')).toEqual(['a\nb']);
    expect(await read('id: 4\n\ndata\n\n')).toEqual(['']);
  });

  it('leaves out an event that was cut on the way', async () => {
    expect(await read('data: whole\n\ndata: cut\n')).toEqual(['whole']);
    expect(await read('data: cut')).toEqual([]);
  });

  it('reads the same however the bytes are cut', async () => {
    const texts = fc.array(fc.stringMatching(/^[^\r\n]*$/u, { maxLength: 12 }), { maxLength: 6 });
    const ends = fc.constantFrom('\n', '\r\n', '\r');
    const cuts = fc.array(fc.nat(400), { maxLength: 12 });
    await fc.assert(
      fc.asyncProperty(texts, ends, cuts, async (lines, end, offsets) => {
        const wire = lines.map((line) => `data: ${line}é€😀${end}${end}`).join('');
        expect(await eventsOf(chunked(encode(wire), offsets))).toEqual(lines.map((line) => `${line}é€😀`));
      }),
    );
  });

  it('ends in a long silence and when it is stopped', async () => {
    const silent = () =>
      new ReadableStream<Uint8Array>({ start: (controller) => controller.enqueue(encode('data: one\n\n')) });
    expect(await eventsOf(silent(), { ...options, silenceMs: 5 })).toEqual(['one']);
    const stop = new AbortController();
    const reading = eventsOf(silent(), { ...options, signal: stop.signal });
    stop.abort();
    expect((await reading).length).toBeLessThanOrEqual(1);
  });
});
