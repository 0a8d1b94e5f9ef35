import pg from 'pg';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Signals } from '../../../src/lib/signals.ts';
import { PostgresSignals } from '../../../src/store/postgres/signals.ts';
import { RedisLink } from '../../../src/store/redis/link.ts';
import { RedisSignals } from '../../../src/store/redis/signals.ts';
import { heard, hearing } from '../../helpers/queues.ts';
import { onRedis } from '../../helpers/redis.ts';
import { onPostgres, type StoreTests } from '../../helpers/store.ts';

onPostgres('signals', (on) => {
  it('are heard by all other processes, each topic by who listens to it, and not by their sender', async () => {
    const url = await databaseOn(on);
    const [here, there, beyond] = [signalsAt(on, url), signalsAt(on, url), signalsAt(on, url)];
    await heard(here, there);
    await heard(here, beyond);
    await heardByOthers(here, there, beyond);
  });

  it('go out however many there are at once', async () => {
    const url = await databaseOn(on);
    const [here, there] = [signalsAt(on, url), signalsAt(on, url)];
    await heard(here, there);
    const topics = Array.from({ length: 1_000 }, (_, index) => `job/${`${index}`.padStart(30, '0')}`);
    const said = hearing(there, topics);
    for (const topic of topics) here.send(topic);
    await expect.poll(() => said.length).toBe(topics.length);
    expect(new Set(said)).toEqual(new Set(topics));
  });

  it('come again after a connection was lost, and whoever listens is called then', async () => {
    const url = await databaseOn(on);
    const [here, there] = [signalsAt(on, url), signalsAt(on, url)];
    await heard(here, there);
    const said = hearing(there, ['nobody sends it']);
    expect(await cutListeners(url)).toBe(2);
    await expect.poll(() => said).toEqual(['nobody sends it']);
    await heard(here, there);
    await here.close();
    await there.close();
    await expect.poll(() => listeners(url)).toBe(0);
  });
});

/** Others hear each topic that they listen to, and the sender nothing. @param ready resolves when all are listened to */
async function heardByOthers(
  here: Signals,
  there: Signals,
  beyond: Signals,
  ready: () => Promise<unknown> = async () => undefined,
): Promise<void> {
  const own = hearing(here, ['a', 'b']);
  const others = [hearing(there, ['a', 'b']), hearing(beyond, ['b'])];
  await ready();
  for (const said of [own, ...others]) said.length = 0;
  here.send('a');
  here.send('a');
  here.send('c');
  here.send('b');
  await expect.poll(() => others.flat().sort()).toEqual(['a', 'b', 'b']);
  here.send('a');
  await expect.poll(() => others[0]).toEqual(['a', 'b', 'a']);
  expect(own).toEqual([]);
}

async function databaseOn(on: StoreTests): Promise<string> {
  return (await on.database()).databaseUrl ?? '';
}

/** Closed after the test. */
function signalsAt(on: StoreTests, url: string): PostgresSignals {
  const signals = new PostgresSignals(url);
  on.cleanUp(() => signals.close());
  return signals;
}

const ofListeners = `from pg_stat_activity
  where datname = current_database() and application_name = 'switchyard' and pid <> pg_backend_pid()`;

async function cutListeners(url: string): Promise<number> {
  return (await ask(url, `select pg_terminate_backend(pid) ${ofListeners}`)).rows.length;
}

async function listeners(url: string): Promise<number> {
  return (await ask(url, `select pid ${ofListeners}`)).rows.length;
}

async function ask(url: string, text: string) {
  const client = new pg.Client(url);
  await client.connect();
  try {
    return await client.query(text);
  } finally {
    await client.end();
  }
}

describe('by Redis', () => {
  const ignore = () => undefined;

  function signalsAt(url: string): RedisSignals {
    const link = new RedisLink({ url, onProblem: ignore, onBack: ignore });
    const signals = new RedisSignals(link);
    onTestFinished(async () => {
      await signals.close();
      await link.close();
    });
    return signals;
  }

  onRedis('signals', (server) => {
    it('are heard by all other processes, each topic by who listens to it, and not by their sender', async () => {
      const { url } = server();
      const [here, there, beyond] = [signalsAt(url), signalsAt(url), signalsAt(url)];
      const ready = () => Promise.all([heard(there, here), heard(here, there), heard(here, beyond)]);
      await heardByOthers(here, there, beyond, ready);
    });

    it('reach who has come to listen, and cost Redis nothing any more when nobody does', async () => {
      const redis = server();
      const [here, there] = [signalsAt(redis.url), signalsAt(redis.url)];
      const channels = () => redis.command('PUBSUB CHANNELS switchyard/job/*');
      const stops = [0, 1, 2].map((index) => there.on(`job/${index}`, ignore));
      await heard(here, there, 'job/2');
      expect(await channels()).toMatch(/^\*3/);
      for (const stop of stops) stop();
      await expect.poll(channels).toBe('*0');
      await heard(here, there, 'job/0');
    });

    it('reach who comes to listen while Redis is told that nobody does', async () => {
      const { url } = server();
      const [here, there] = [signalsAt(url), signalsAt(url)];
      for (let turn = 0; turn < 3; turn += 1) await heard(here, there);
    });

    it('come again after Redis has died, and whoever listens is called then', async () => {
      const redis = server();
      const [here, there] = [signalsAt(redis.url), signalsAt(redis.url)];
      await heard(here, there);
      const said = hearing(there, ['nobody sends it']);
      await redis.crash();
      await redis.start();
      await expect.poll(() => said).toEqual(['nobody sends it']);
      await heard(here, there);
    });
  });
});
