/** However a vendor's bytes are cut on their way, a client gets the same bytes, in an order that its vendor's SDK takes. */
import { array, assert, asyncProperty, integer } from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { VendorWire } from '../../../src/model/parts.ts';
import { beforeFourVendors, modelOn, wireOf } from '../../helpers/four-vendors.ts';
import { sendTo, wireClients, wireNames } from '../../helpers/wire-clients.ts';
import { wireText } from '../../helpers/wire-fixtures.ts';
import { readBySdk } from '../../helpers/wire-sides.ts';

/** Thinking, texts and parallel calls, as far as each wire has them. */
const streams: Readonly<Record<VendorWire, Buffer>> = {
  'openai-chat': Buffer.from(wireText('openai-chat/parallel-tools.sse')),
  'openai-responses': Buffer.from(wireText('openai-responses/reasoning-and-calls.sse')),
  anthropic: Buffer.from(wireText('anthropic/thinking-tools.stream.sse')),
  gemini: Buffer.from(wireText('gemini/stream-calls.sse')),
};

/** Without what differs from answer to answer: ids and times. */
function steady(text: string): string {
  return text
    .replaceAll(/[0-9A-HJKMNP-TV-Z]{26}/g, 'ID')
    .replaceAll(/"(created|created_at|completed_at)":\d+/g, '"$1":0');
}

function cutAt(bytes: Buffer, places: readonly number[]): Buffer[] {
  const sorted = [...new Set(places.map((place) => place % bytes.length))].sort((a, b) => a - b);
  return [0, ...sorted].map((start, index) => bytes.subarray(start, sorted[index] ?? bytes.length));
}

const pairs = wireNames.flatMap((client) => wireNames.map((vendor) => [client, vendor] as const));

describe.each(pairs)('a client on %s before a vendor on %s', (client, vendor) => {
  it('gets the same bytes for any cut of them, and its SDK takes them', async () => {
    let places: readonly number[] = [];
    const { app } = await beforeFourVendors(({ request, events }) =>
      events(...cutAt(streams[wireOf(request)], places)),
    );
    const model = modelOn[vendor];
    const { body } = wireClients[client];
    const more = client === 'openai-chat' ? { stream_options: { include_usage: true } } : {};
    const read = async (): Promise<string> => {
      const answer = await sendTo(app, wireClients[client], model, body(model, { text: 'Hi' }, more), {
        streaming: true,
      });
      expect(answer.status).toBe(200);
      return steady(answer.text);
    };
    const whole = await read();
    await expect(readBySdk[client](whole)).resolves.toBeTypeOf('object');
    if (client === vendor) expect(whole).toBe(steady(streams[vendor].toString()));
    await assert(
      asyncProperty(
        array(integer({ min: 1, max: 1_000_000 }), { minLength: 1, maxLength: 12 }),
        async (cuts) => {
          places = cuts;
          expect(await read()).toBe(whole);
        },
      ),
      { numRuns: 10 },
    );
    // Byte by byte.
    places = Array.from({ length: streams[vendor].length - 1 }, (_, index) => index + 1);
    expect(await read()).toBe(whole);
  });
});
