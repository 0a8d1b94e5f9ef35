import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createModelGateway } from '../../../../src/gateway/routing/gateway.ts';
import { createSwappableGateway } from '../../../../src/gateway/routing/swappable-gateway.ts';
import { createConnection } from '../../../../src/gateway/upstream/vendor-client.ts';
import { createOpenAiAdapter } from '../../../../src/gateway/wires/openai-chat/vendor/request.ts';
import { ByteBudget } from '../../../../src/lib/byte-budget.ts';
import type { Attempt } from '../../../../src/model/port.ts';
import { vendorFixtures } from '../../../helpers/vendor-fixtures.ts';
import {
  callOf,
  gatewayTo,
  longLimits,
  providerOf,
  settingsOf,
  until,
  vendorFor,
} from '../../../helpers/vendor-gateway.ts';
import type { VendorReply } from '../../../lib/vendor.ts';

class ClientGone extends Error {}

/** What a promise is rejected with once the client has gone; null if it is not. */
async function afterAbort(controller: AbortController, promise: Promise<unknown>) {
  const settled = promise.then(
    () => null,
    (error: unknown) => error,
  );
  controller.abort(new ClientGone());
  return settled;
}

describe.each(vendorFixtures)('a client that goes away, on the $wire wire,', (fixture) => {
  const phases: [string, (reply: VendorReply) => void][] = [
    ['before the head', () => undefined],
    ['after half a head', ({ write }) => write('HTTP/1.1 200 OK\r\n')],
    ['before the body', ({ eventStream }) => eventStream()],
    [
      'before the text',
      (r) => {
        r.eventStream();
        r.chunk(fixture.beforeText);
      },
    ],
    [
      'after half an event',
      (r) => {
        r.eventStream();
        r.chunk(fixture.beforeText + fixture.delta('x').slice(0, 30));
      },
    ],
  ];

  test.each(phases)('%s of a stream: the connection is closed', async (_, script) => {
    let closed = false;
    const gateway = await gatewayTo(
      fixture,
      async (reply) => {
        script(reply);
        await reply.closed;
        closed = true;
      },
      { maxAttempts: 5 },
    );
    const controller = new AbortController();
    const reading = gateway.stream(fixture.model, callOf(), { signal: controller.signal });
    await until(() => gateway.vendor.requests.length === 1);
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(await afterAbort(controller, reading)).toBeInstanceOf(ClientGone);
    await until(() => closed);
    expect(gateway.vendor.requests.length).toBe(1);
  });

  test.each(phases.slice(0, 3))('%s of a whole answer: the connection is closed', async (_, script) => {
    const gateway = await gatewayTo(fixture, script, { maxAttempts: 5 });
    const controller = new AbortController();
    const asking = gateway.ask(callOf(), controller.signal);
    await until(() => gateway.vendor.requests.length === 1);
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(await afterAbort(controller, asking)).toBeInstanceOf(ClientGone);
    await until(() => gateway.vendor.openSockets === 0);
    expect(gateway.vendor.requests.length).toBe(1);
    expect(gateway.attempts).toMatchObject([{ outcome: 'cancelled', errorCode: null }]);
  });

  test('within a stream, while it waits for the next event', async () => {
    const gateway = await gatewayTo(fixture, (reply) => {
      reply.eventStream();
      reply.chunk(fixture.firstHalf);
    });
    const controller = new AbortController();
    const attempts: Attempt[] = [];
    const { events } = await gateway.stream(fixture.model, callOf(), {
      signal: controller.signal,
      onAttempt: (attempt) => void attempts.push(attempt),
    });
    expect(await events.next()).toMatchObject({ value: { type: 'delta' } });
    expect(await afterAbort(controller, events.next())).toBeInstanceOf(ClientGone);
    expect(await events.next()).toEqual({ value: undefined, done: true });
    await until(() => gateway.vendor.openSockets === 0);
    expect(attempts).toMatchObject([{ outcome: 'cancelled', errorCode: null }]);
  });

  test('within a stream, while nobody reads it', async () => {
    const gateway = await gatewayTo(fixture, (reply) => {
      reply.eventStream();
      reply.chunk(fixture.firstHalf);
    });
    const controller = new AbortController();
    await gateway.stream(fixture.model, callOf(), { signal: controller.signal });
    expect(gateway.vendor.openSockets).toBe(1);
    controller.abort(new ClientGone());
    await expect.poll(() => gateway.vendor.openSockets).toBe(0);
  });

  test('by closing the stream, also while it waits for the next event', async () => {
    const gateway = await gatewayTo(fixture, (reply) => {
      reply.eventStream();
      reply.chunk(fixture.firstHalf);
    });
    const attempts: Attempt[] = [];
    const { events } = await gateway.stream(fixture.model, callOf(), {
      signal: new AbortController().signal,
      onAttempt: (attempt) => void attempts.push(attempt),
    });
    await events.next();
    const waiting = events.next();
    expect(await events.return()).toEqual({ value: undefined, done: true });
    expect(await waiting).toEqual({ value: undefined, done: true });
    await until(() => gateway.vendor.openSockets === 0);
    expect(attempts).toMatchObject([{ outcome: 'cancelled', errorCode: null }]);
  });

  test('by leaving the loop', async () => {
    const gateway = await gatewayTo(fixture, (reply) => {
      reply.eventStream();
      reply.chunk(fixture.firstHalf);
    });
    const { events } = await gateway.stream(fixture.model, callOf(), {
      signal: new AbortController().signal,
    });
    for await (const event of events) {
      expect(event.type).toBe('delta');
      break;
    }
    await until(() => gateway.vendor.openSockets === 0);
  });
});

const [openAi] = vendorFixtures;

describe('a client that goes away', () => {
  test('before it asked', async () => {
    const gateway = await gatewayTo(openAi, ({ json }) => json(openAi.reply));
    const signal = AbortSignal.abort(new ClientGone());
    await expect(gateway.ask(callOf(), signal)).rejects.toBeInstanceOf(ClientGone);
    expect(gateway.vendor.requests).toEqual([]);
  });

  test('while the connection is made', async () => {
    // A vendor that never answers the TLS greeting.
    const silent = await vendorFor(() => undefined);
    const gateway = createModelGateway(
      settingsOf([providerOf('openai', silent.baseUrl.replace('http:', 'https:'))]),
    );
    const controller = new AbortController();
    const asking = gateway.complete('gpt-4o', callOf(), { signal: controller.signal });
    await until(() => silent.openSockets === 1);
    expect(await afterAbort(controller, asking)).toBeInstanceOf(ClientGone);
  });

  test('while it waits for a free connection: it is never sent, and the connection stays', async () => {
    const replies: VendorReply[] = [];
    const gateway = await gatewayTo(openAi, (reply) => void replies.push(reply), {}, { connections: 1 });
    const first = gateway.ask();
    await until(() => replies.length === 1);
    const controller = new AbortController();
    const second = gateway.ask(callOf('second'), controller.signal);
    const third = gateway.ask(callOf('third'));
    expect(await afterAbort(controller, second)).toBeInstanceOf(ClientGone);
    replies[0]?.json(openAi.reply);
    await first;
    await until(() => replies.length === 2);
    expect(replies[1]?.request.body).toContain('third');
    replies[1]?.json(openAi.reply);
    await third;
    expect(gateway.vendor.connections).toBe(1);
  });

  test('during the wait before a retry', async () => {
    const gateway = await gatewayTo(openAi, ({ json }) => json({}, 503, { 'retry-after': '4' }), {
      maxAttempts: 3,
    });
    const controller = new AbortController();
    const asking = gateway.ask(callOf(), controller.signal);
    await until(() => gateway.attempts.length === 1);
    expect(await afterAbort(controller, asking)).toBeInstanceOf(ClientGone);
    expect(gateway.vendor.requests.length).toBe(1);
  });

  test('before the fallback was asked', async () => {
    const broken = await vendorFor(() => undefined);
    const fallback = await vendorFor(({ json }) => json(openAi.reply));
    const gateway = createModelGateway(
      settingsOf(
        [
          providerOf('openai', broken.baseUrl, { id: 'one' }),
          providerOf('openai', fallback.baseUrl, { id: 'two' }),
        ],
        {
          models: [{ id: 'm', provider: 'one', model: 'm', temperature: null, fallbacks: ['two/m'] }],
          maxAttempts: 3,
        },
      ),
    );
    const controller = new AbortController();
    const asking = gateway.complete('m', callOf(), { signal: controller.signal });
    await until(() => broken.requests.length === 1);
    expect(await afterAbort(controller, asking)).toBeInstanceOf(ClientGone);
    await until(() => broken.openSockets === 0);
    expect(fallback.requests).toEqual([]);
  });

  test('leaves nothing on a signal that lives on', async () => {
    const gateway = await gatewayTo(openAi, ({ events, json, request }) =>
      request.json['stream'] ? events(openAi.stream) : json(openAi.reply),
    );
    const { signal, listeners } = countedSignal();
    const useOnce = async () => {
      await gateway.ask(callOf(), signal);
      await gateway.read(callOf(), signal);
      return process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;
    };
    const timers = await useOnce();
    for (let i = 0; i < 20; i += 1) await useOnce();
    expect(await useOnce()).toBeLessThan(timers + 5);
    expect(listeners()).toBe(0);
  });

  test('leaves nothing of an attempt on the signal that all attempts share', async () => {
    const vendor = await vendorFor(({ events, json, request }) =>
      request.json['stream'] ? events(openAi.stream) : json(openAi.reply),
    );
    const budget = new ByteBudget(2 ** 30);
    const settings = providerOf('openai', vendor.baseUrl);
    const connection = createConnection(settings, longLimits, budget);
    const adapter = createOpenAiAdapter(settings, connection);
    const { signal, listeners } = countedSignal();
    const prepared = adapter.prepare({ ...callOf(), model: 'gpt-4o', temperatureRange: null });
    const options = { signal, memory: null, limits: null };
    await prepared.complete(options);
    for await (const _ of await prepared.stream(options));
    await (await prepared.stream(options)).return();
    expect(budget.held).toBe(0);
    expect(listeners()).toBe(0);
    await connection.close();
  });
});

describe('connections of former settings close as soon as', () => {
  const first = (events: AsyncIterator<unknown>) => events.next();
  const rest = async (events: AsyncIterator<unknown>) => {
    while (!(await events.next()).done);
  };

  test.each<[string, 'stream' | 'whole', string, (left: Left) => unknown]>([
    ['the last stream has been read', 'stream', 'answers', async ({ events }) => rest(await events)],
    ['its reader leaves it', 'stream', 'answers', async ({ events }) => (await events).return?.()],
    [
      'its client goes away',
      'stream',
      'hangs',
      async ({ events, abort }) => {
        abort();
        await rest(await events);
      },
    ],
    ['its vendor breaks it off', 'stream', 'breaks', async ({ events }) => rest(await events)],
    ['the last answer is there', 'whole', 'answers', ({ whole }) => whole],
    ['it has failed', 'whole', 'breaks', ({ whole }) => whole],
    ['the client that waits for it goes away', 'whole', 'hangs', ({ abort }) => abort()],
  ])('%s', async (_, kind, does, end) => {
    const go = Promise.withResolvers<void>();
    let running: VendorReply | undefined;
    const keepAlive = { 'keep-alive': 'timeout=590' };
    const vendor = await vendorFor(async (reply) => {
      if (reply.index === 0) {
        // Leaves an idle connection behind, which no call closes.
        await until(() => running !== undefined);
        return reply.json(openAi.reply, 200, keepAlive);
      }
      running = reply;
      if (kind === 'stream') {
        reply.eventStream();
        reply.chunk(openAi.firstHalf);
      }
      await go.promise;
      if (does === 'breaks') return reply.reset();
      if (does === 'hangs') return;
      if (kind === 'whole') return reply.json(openAi.reply, 200, keepAlive);
      reply.chunk(openAi.stream.slice(openAi.firstHalf.length));
      reply.lastChunk();
    });
    const errors: unknown[] = [];
    const settings = settingsOf([providerOf('openai', vendor.baseUrl)]);
    const models = createSwappableGateway(
      settings,
      new ByteBudget(2 ** 30),
      (error) => errors.push(error),
      0,
    );
    onTestFinished(() => models.close());
    const controller = new AbortController();
    const context = { signal: controller.signal, onAttempt: () => undefined };
    const other = models.complete(openAi.model, callOf(), context);
    const ignored = () => undefined;
    await until(() => vendor.requests.length === 1);
    const answer =
      kind === 'stream'
        ? models.stream(openAi.model, callOf(), context)
        : models.complete(openAi.model, callOf(), context);
    const events = answer.then((found) =>
      ('events' in found ? found.events : none())[Symbol.asyncIterator](),
    );
    events.catch(ignored);
    await other;
    if (kind === 'stream') await first(await events);

    models.prepare(settingsOf([providerOf('anthropic', vendor.baseUrl)]))();
    await sleep(20);
    expect(vendor.openSockets).toBe(2);
    go.resolve();
    await Promise.resolve(end({ events, whole: answer, abort: () => controller.abort() })).catch(ignored);
    await expect.poll(() => vendor.openSockets).toBe(0);
    expect(errors).toEqual([]);
  });
});

interface Left {
  readonly events: Promise<AsyncIterator<unknown>>;
  readonly whole: Promise<unknown>;
  readonly abort: () => void;
}

async function* none() {}

/** A signal, and how many listen to it. */
function countedSignal() {
  const { signal } = new AbortController();
  let count = 0;
  const { addEventListener, removeEventListener } = signal;
  signal.addEventListener = (...args: Parameters<typeof addEventListener>) => {
    count += 1;
    addEventListener.apply(signal, args);
  };
  signal.removeEventListener = (...args: Parameters<typeof removeEventListener>) => {
    count -= 1;
    removeEventListener.apply(signal, args);
  };
  return { signal, listeners: () => count };
}
