import { expect, test } from 'vitest';
import { vendorFixtures } from '../../../helpers/vendor-fixtures.ts';
import { callOf, gatewayTo } from '../../../helpers/vendor-gateway.ts';

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
  const { events } = await gateway.stream(fixture.model, callOf(), { signal: new AbortController().signal });

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
