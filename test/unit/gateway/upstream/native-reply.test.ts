import { expect, test } from 'vitest';
import { eventsOf } from '../../../../src/gateway/upstream/native-reply.ts';
import type { VendorRequest } from '../../../../src/gateway/upstream/vendor-request.ts';
import { OpenAiNativeReader } from '../../../../src/gateway/wires/openai-chat/vendor/native.ts';

const vendor = { id: 'one', apiKey: 'sk-test-0123456789' };

const textEvent = (content: string) =>
  Buffer.from(`data: ${JSON.stringify({ choices: [{ delta: { content } }] })}\n\n`);
const last = Buffer.from('data: [DONE]\n\n');

/** The pieces that go on of a stream whose chunks are all there already, and what it fails with. */
async function piecesOf(chunks: readonly Buffer[], hold = (_bytes: number) => true, lost?: Error) {
  const left = [...chunks];
  const sent = {
    read: async () => {
      if (left.length === 0 && lost) throw lost;
      return left.shift() ?? null;
    },
    waiting: () => left.shift() ?? null,
    hold,
    answering: () => undefined,
    release: () => undefined,
    close: () => undefined,
  } as unknown as VendorRequest;
  const pieces: { readonly text: string; readonly last: boolean }[] = [];
  try {
    const reader = new OpenAiNativeReader(vendor, 'gpt', { usageWanted: true });
    for await (const { bytes, last } of await eventsOf(sent, reader, vendor))
      pieces.push({ text: bytes.toString(), last });
    return { pieces, failure: null };
  } catch (failure) {
    return { pieces, failure };
  }
}

test('what came before there was no memory for the next event goes on, before that is thrown', async () => {
  const unfinished = Buffer.from(`data: ${'x'.repeat(1000)}`);
  const chunks = ['a', 'b', 'c'].map(textEvent);
  const { pieces, failure } = await piecesOf([...chunks, unfinished], (bytes) => bytes < 1000);
  expect(pieces.map(({ text }) => text).join('')).toBe(chunks.join(''));
  expect(pieces.some((piece) => piece.last)).toBe(false);
  expect(failure).toMatchObject({ code: 'buffers_full' });
});

test('what came before the connection was lost goes on, before that is thrown', async () => {
  const chunks = ['a', 'b', 'c'].map(textEvent);
  const lost = new Error('lost');
  const { pieces, failure } = await piecesOf(chunks, () => true, lost);
  expect(pieces.map(({ text }) => text).join('')).toBe(chunks.join(''));
  expect(failure).toBe(lost);
});

test('the first event goes on alone, the last apart, and those between that are there already together', async () => {
  const [a, b, c, d] = ['a', 'b', 'c', 'd'].map(textEvent) as [Buffer, Buffer, Buffer, Buffer];
  const { pieces, failure } = await piecesOf([
    a,
    b,
    Buffer.concat([c, d.subarray(0, 9)]),
    d.subarray(9),
    last,
  ]);
  expect(failure).toBeNull();
  expect(pieces).toEqual([
    { text: String(a), last: false },
    { text: `${b}${c}${d}`, last: false },
    { text: String(last), last: true },
  ]);
});

test('of an error in the stream its client gets what came before, and it as the last', async () => {
  const error = Buffer.from('data: {"error":{"message":"Overloaded","type":"server_error"}}\n\n');
  const [a, b] = ['a', 'b'].map(textEvent) as [Buffer, Buffer];
  const { pieces } = await piecesOf([a, b, error, textEvent('never')]);
  expect(pieces.map((piece) => piece.text)).toEqual([String(a), String(b), String(error)]);
  expect(pieces.map((piece) => piece.last)).toEqual([false, false, true]);
});

test('no piece grows with what is there already', async () => {
  const chunks = Array.from({ length: 64 }, (_, number) => textEvent(String(number).padEnd(4000, '.')));
  const { pieces } = await piecesOf([...chunks, last]);
  expect(pieces.map(({ text }) => text).join('')).toBe([...chunks, last].join(''));
  for (const { text } of pieces) expect(text.length).toBeLessThanOrEqual(16 * 1024 + 5000);
});
