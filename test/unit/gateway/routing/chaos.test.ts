import { afterAll, beforeAll, expect, test } from 'vitest';
import { ServiceError } from '../../../../src/contract/errors.ts';
import { vendorFixtures } from '../../../helpers/vendor-fixtures.ts';
import { callOf, gatewayTo, until } from '../../../helpers/vendor-gateway.ts';
import { head } from '../../../lib/vendor.ts';

const rejections: unknown[] = [];
const onRejection = (reason: unknown) => void rejections.push(reason);
beforeAll(() => void process.on('unhandledRejection', onRejection));
afterAll(() => void process.off('unhandledRejection', onRejection));

/** A sequence of numbers from 0 to 1 that is the same in every run (mulberry32). */
function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

test.each(vendorFixtures)('a $wire vendor that dies at every byte leaves no loose end', async (fixture) => {
  const next = random(42);
  const wholeReply = JSON.stringify(fixture.reply);
  const gateway = await gatewayTo(fixture, async ({ request, socket, write, end, reset }) => {
    const stream = request.json['stream'] === true;
    const bytes = Buffer.from(
      stream
        ? head(200, { 'content-type': 'text/event-stream', connection: 'close' }) + fixture.stream
        : head(200, {
            'content-type': 'application/json',
            'content-length': String(Buffer.byteLength(wholeReply)),
          }) + wholeReply,
    );
    const at = Math.floor(next() * bytes.length);
    const pause = Math.floor(next() * 4);
    if (next() < 0.9) write(bytes.subarray(0, at));
    if (pause > 0) await new Promise((resolve) => setTimeout(resolve, pause));
    const how = next();
    if (how < 0.4) reset();
    else if (how < 0.8) end();
    else socket.destroy();
  });

  let failed = 0;
  const one = async () => {
    const controller = new AbortController();
    const gone = next() < 0.2;
    if (gone) setTimeout(() => controller.abort(new Error('gone')), Math.floor(next() * 5));
    const stream = next() < 0.6;
    const closesEarly = next() < 0.2;
    try {
      if (!stream) await gateway.ask(callOf(), controller.signal);
      else {
        const { events } = await gateway.stream(fixture.model, callOf(), { signal: controller.signal });
        for await (const event of events) if (closesEarly || event.type === 'end') break;
      }
    } catch (error) {
      failed += 1;
      if (!(gone && error instanceof Error && error.message === 'gone'))
        expect(error).toBeInstanceOf(ServiceError);
    }
  };
  for (let round = 0; round < 60; round += 1) await Promise.all(Array.from({ length: 8 }, one));

  expect(failed).toBeGreaterThan(200);
  // A connection whose request was given up before it was sent waits for the next one; closing waits for all that runs.
  await gateway.close();
  await until(() => gateway.vendor.openSockets === 0);
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(rejections).toEqual([]);
});

test('a gateway that is closed under load leaves no loose end', async () => {
  const [fixture] = vendorFixtures;
  const gateway = await gatewayTo(fixture, async (reply) => {
    await new Promise((resolve) => setTimeout(resolve, 5));
    reply.json(fixture.reply);
  });
  const asked = Array.from({ length: 50 }, () =>
    gateway.ask().then(
      () => 'answered',
      (error: unknown) => error,
    ),
  );
  await until(() => gateway.vendor.requests.length > 0);
  const closing = gateway.close();
  expect(await gateway.ask().catch((error: unknown) => error)).toMatchObject({ code: 'shutting_down' });
  expect(await Promise.all(asked)).toEqual(asked.map(() => 'answered'));
  await closing;
  expect(rejections).toEqual([]);
});

test('a stream that nobody reads on leaves no loose end', async () => {
  const [fixture] = vendorFixtures;
  const gateway = await gatewayTo(fixture, async (reply) => {
    reply.eventStream();
    reply.chunk(fixture.firstHalf);
    await new Promise((resolve) => setTimeout(resolve, 20));
    reply.reset();
  });
  const gone = new AbortController();
  for (let i = 0; i < 20; i += 1) await gateway.stream(fixture.model, callOf(), { signal: gone.signal });
  gone.abort(new Error('gone'));
  await until(() => gateway.vendor.openSockets === 0);
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(rejections).toEqual([]);
});
