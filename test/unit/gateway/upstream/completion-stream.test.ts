import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { StreamDecoder } from '../../../../src/gateway/upstream/completion-stream.ts';
import { cutAt, decodedStream } from '../../../helpers/answer-events.ts';

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
