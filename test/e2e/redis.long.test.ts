import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import { startTcpProxy, type TcpProxy } from '../chaos/tcp-proxy.ts';
import { requireSteppingClock, steppingClock } from '../helpers/clocks.ts';
import { ask } from '../helpers/http.ts';
import {
  chat,
  chatsAtOnce,
  counted,
  countOf,
  expectTheLimit,
  limited,
  mostInAMinute,
} from '../helpers/limited-servers.ts';
import { redisForThisTest } from '../helpers/redis.ts';
import { type ServerProcess, startServer } from '../helpers/server-process.ts';
import { onPostgres, type StoreTests } from '../helpers/store.ts';
import { testAccounts } from '../helpers/store-accounts.ts';
import type { Database } from '../helpers/test-database.ts';

/** Servers as processes on one PostgreSQL database and one Redis server, which is slow, away, killed or emptied. */

type More = Record<string, string>;

async function serversOn(
  { dataDir, databaseUrl }: Database,
  redisUrls: readonly string[],
  more: More = {},
): Promise<ServerProcess[]> {
  const servers = await Promise.all(
    redisUrls.map((REDIS_URL) =>
      startServer({
        DATA_DIR: dataDir,
        DATABASE_URL: databaseUrl ?? '',
        REDIS_URL,
        API_KEYS: 'a-key-of-tests-0123456789',
        ...more,
      }),
    ),
  );
  for (const server of servers) onTestFinished(() => server.end('SIGKILL').then(() => undefined));
  await Promise.all(servers.map((server) => becomes(server, 'ok')));
  return servers;
}

/** What `/readyz` says of Redis. */
async function redisOf({ url }: ServerProcess): Promise<string> {
  const { json } = await ask(`${url}/readyz`, { key: null, direct: true });
  return json.checks.redis.status;
}

async function becomes(server: ServerProcess, status: string): Promise<void> {
  await expect.poll(() => redisOf(server), { interval: 100 }).toBe(status);
}

/** In place of a status: the connection broke. */
const gone = -1;

/** Asks without end, of all servers in turn, and keeps the statuses. */
function load(servers: readonly ServerProcess[], key: string, pauseMs: number) {
  const statuses: number[] = [];
  let going = true;
  const work = async (server: ServerProcess) => {
    while (going) {
      const status = await chat(server, key).catch(() => gone);
      // Killed by the test.
      if (status === gone) return;
      statuses.push(status);
      await sleep(pauseMs);
    }
  };
  const workers = [...servers, ...servers].map(work);
  return {
    statuses,
    async stop() {
      going = false;
      await Promise.all(workers);
    },
    /** Waits for so many more answers of a status. */
    async more(status: number, count: number) {
      const before = countOf(statuses, status);
      await expect
        .poll(() => countOf(statuses, status) - before, { interval: 20 })
        .toBeGreaterThanOrEqual(count);
    },
  };
}

onPostgres('servers with Redis', (on: StoreTests) => {
  it.for([3, 10])('admit of 2,000 at once what the limit is, %i of them', async (count, { skip }) => {
    const redis = await redisForThisTest(skip);
    const database = await on.database();
    const accounts = await testAccounts(on, {}, database);
    const servers = await serversOn(database, Array<string>(count).fill(redis.url), { LOG_LEVEL: 'warn' });
    // Each of them listens for changes of keys and tenants.
    expect(await redis.command('PUBSUB NUMSUB switchyard/accounts')).toMatch(new RegExp(`:${count}$`));
    for (const limit of [1, 10, 1_000]) await expectTheLimit(servers, accounts, limit);
  });

  it('admit no more than the limit while Redis is killed, emptied and silent under load', async ({
    skip,
  }) => {
    const redis = await redisForThisTest(skip);
    const database = await on.database();
    const accounts = await testAccounts(on, {}, database);
    const servers = await serversOn(database, [redis.url, redis.url, redis.url]);
    const [first] = servers as [ServerProcess];
    const limit = 400;
    const key = await limited(accounts, 'acme', limit);
    const { statuses, stop, more } = load(servers, key, 60);
    await more(200, 40);
    await redis.crash();
    await more(503, 1);
    await redis.start();
    await more(200, 40);
    await redis.command('FLUSHALL');
    await more(200, 40);
    redis.freeze();
    await more(503, 3);
    redis.thaw();
    await more(200, 20);
    await more(429, 40);
    await stop();
    expect(await mostInAMinute(accounts, 'acme')).toBeLessThanOrEqual(limit);
    expect(await counted(accounts, 'acme')).toBeGreaterThanOrEqual(countOf(statuses, 200));
    expect(new Set(statuses)).toEqual(new Set([200, 429, 503]));
    expect(first.output()).toContain('Redis can be used again.');
  });

  it('admit no more than the limit while both Redis and servers are killed at full speed', async ({
    skip,
  }) => {
    const redis = await redisForThisTest(skip);
    const database = await on.database();
    const accounts = await testAccounts(on, {}, database);
    const servers = await serversOn(database, Array<string>(4).fill(redis.url), { LOG_LEVEL: 'warn' });
    const limit = 4_000;
    const key = await limited(accounts, 'acme', limit);
    const { statuses, stop, more } = load(servers, key, 3);
    for (const server of servers.slice(0, 2)) {
      await more(200, 300);
      await redis.crash();
      await redis.start();
      await more(200, 100);
      await server.end('SIGKILL');
    }
    await more(200, 300);
    await redis.command('FLUSHALL');
    await more(429, 500);
    await stop();
    const most = await mostInAMinute(accounts, 'acme');
    expect(most).toBeLessThanOrEqual(limit);
    // What was leased to the dead counts until the minute is over, as they may have used it.
    expect(most).toBeGreaterThan(limit / 2);
    expect(await counted(accounts, 'acme')).toBeGreaterThanOrEqual(countOf(statuses, 200));
  });

  it('are as exact where Redis is slow, and refuse where it is cut off while others go on', async ({
    skip,
  }) => {
    const redis = await redisForThisTest(skip);
    const proxy = await startTcpProxy({ host: '127.0.0.1', port: redis.port });
    onTestFinished(() => proxy.close());
    const database = await on.database();
    const accounts = await testAccounts(on, {}, database);
    const far = redis.url.replace(`:${redis.port}`, `:${proxy.port}`);
    const servers = await serversOn(database, [far, redis.url]);
    const [cut, near] = servers as [ServerProcess, ServerProcess];
    proxy.delay(250);
    const slowKey = await limited(accounts, 'slow', 10);
    const statuses = await chatsAtOnce(servers, slowKey, 200);
    expect([countOf(statuses, 200), countOf(statuses, 429)]).toEqual([10, 190]);
    proxy.delay(0);
    const key = await limited(accounts, 'cut', 20);
    expect(await chat(cut, key)).toBe(200);
    proxy.set('silent');
    await becomes(cut, 'failed');
    const refused = await Promise.all(Array.from({ length: 20 }, () => chat(cut, key)));
    expect(countOf(refused, 503)).toBe(20);
    const served = await Promise.all(Array.from({ length: 30 }, () => chat(near, key)));
    expect([countOf(served, 200), countOf(served, 429)]).toEqual([19, 11]);
    proxy.set('fair');
    await becomes(cut, 'ok');
    expect(await chat(cut, key)).toBe(429);
  });

  it('count in the end what they have admitted uncounted', async ({ skip }) => {
    const redis = await redisForThisTest(skip);
    const proxy = await startTcpProxy({ host: '127.0.0.1', port: redis.port });
    onTestFinished(() => proxy.close());
    const database = await on.database();
    const accounts = await testAccounts(on, {}, database);
    const key = await limited(accounts, 'acme', 5);
    const far = redis.url.replace(`:${redis.port}`, `:${proxy.port}`);
    const [server] = (await serversOn(database, [far], { LIMITS_WHEN_AWAY: 'open' })) as [ServerProcess];
    expect(await chat(server, key)).toBe(200);
    proxy.set('silent');
    await becomes(server, 'failed');
    for (let count = 0; count < 3; count += 1) expect(await chat(server, key)).toBe(200);
    proxy.set('fair');
    await becomes(server, 'ok');
    expect([await chat(server, key), await chat(server, key)]).toEqual([200, 429]);
  });

  it('start without it, say so, and admit uncounted where they are told to', async ({ skip }) => {
    const redis = await redisForThisTest(skip);
    const database = await on.database();
    const accounts = await testAccounts(on, {}, database);
    const key = await limited(accounts, 'acme', 2);
    await redis.crash();
    const REDIS_URL = redis.url.replace('//', '//user:pass-word@');
    const given = { DATA_DIR: database.dataDir, DATABASE_URL: database.databaseUrl ?? '', REDIS_URL };
    const [closed, open] = await Promise.all(
      ['closed', 'open'].map((LIMITS_WHEN_AWAY) =>
        startServer({ ...given, LIMITS_WHEN_AWAY, API_KEYS: 'a-key-of-tests-0123456789' }),
      ),
    );
    if (!closed || !open) throw new Error('there are two');
    for (const server of [closed, open]) onTestFinished(() => server.end('SIGKILL').then(() => undefined));
    expect([await chat(closed, key), await chat(closed, key)]).toEqual([503, 503]);
    const { error } = await ask(`${closed.url}/v1/chat`, { body: { message: 'Hello' }, key, direct: true });
    expect(error.message).toBe('The server cannot decide on limits at the moment. Try again later.');
    expect([await chat(open, key), await chat(open, key), await chat(open, key)]).toEqual([200, 200, 200]);
    const states = [closed, open].map(async ({ url }) => {
      const { status, json } = await ask(`${url}/readyz`, { key: null, direct: true });
      return [status, json.status, json.checks.redis.status];
    });
    expect(await Promise.all(states)).toEqual([
      [503, 'unavailable', 'failed'],
      [200, 'degraded', 'failed'],
    ]);
    for (const server of [closed, open]) {
      expect(server.output()).toContain('Redis cannot be reached');
      expect(server.output()).not.toContain('pass-word');
      expect(await server.end('SIGTERM')).toBe(0);
    }
  });
});

/** Servers as processes on one PostgreSQL database, which decides on limits: many, slow, cut off, and with clocks that are wrong. */
describe('PostgreSQL decides on limits', () => {
  type Settings = Readonly<Record<string, string>>;

  /** A server for each of the settings, which come to those of all. */
  async function serversOn(
    { dataDir, databaseUrl }: Database,
    settings: readonly Settings[],
  ): Promise<ServerProcess[]> {
    const servers = await Promise.all(
      settings.map((own) =>
        startServer({
          DATA_DIR: dataDir,
          DATABASE_URL: databaseUrl ?? '',
          API_KEYS: 'a-key-of-tests-0123456789',
          LOG_LEVEL: 'warn',
          ...own,
        }),
      ),
    );
    for (const server of servers) onTestFinished(() => server.end('SIGKILL').then(() => undefined));
    await Promise.all(servers.map((server) => becomes(server, 200)));
    return servers;
  }

  async function becomes({ url }: ServerProcess, status: number): Promise<void> {
    const now = async () => (await ask(`${url}/readyz`, { key: null, direct: true })).status;
    await expect.poll(now, { interval: 100 }).toBe(status);
  }

  /** A line to the database of a server's own, and the setting that has the server take it. */
  async function lineTo({ databaseUrl }: Database): Promise<{ line: TcpProxy; own: Settings }> {
    const url = new URL(databaseUrl ?? '');
    const line = await startTcpProxy({ host: '127.0.0.1', port: Number(url.port) });
    onTestFinished(() => line.close());
    url.port = String(line.port);
    return { line, own: { DATABASE_URL: url.href } };
  }

  onPostgres('servers', (on: StoreTests) => {
    it.for([3, 10])('admit of 2,000 at once what the limit is, %i of them', async (count) => {
      const database = await on.database();
      const accounts = await testAccounts(on, {}, database);
      const servers = await serversOn(database, Array<Settings>(count).fill({}));
      for (const limit of [1, 10, 1_000]) await expectTheLimit(servers, accounts, limit);
    });

    it('are as exact where the database takes 500 ms for an answer', async () => {
      const database = await on.database();
      const accounts = await testAccounts(on, {}, database);
      const lines = await Promise.all([0, 1, 2].map(() => lineTo(database)));
      const servers = await serversOn(
        database,
        lines.map(({ own }) => own),
      );
      const key = await limited(accounts, 'slow', 10);
      // There and back.
      for (const { line } of lines) line.delay(250);
      const statuses = await chatsAtOnce(servers, key, 200);
      expect([countOf(statuses, 200), countOf(statuses, 429)]).toEqual([10, 190]);
      for (const { line } of lines) line.delay(0);
      expect(await counted(accounts, 'slow')).toBe(10);
    });

    it('refuse where the database is cut off, while others go on up to the limit', async () => {
      const database = await on.database();
      const accounts = await testAccounts(on, {}, database);
      const { line, own } = await lineTo(database);
      const [cut, near] = (await serversOn(database, [own, {}])) as [ServerProcess, ServerProcess];
      const key = await limited(accounts, 'cut', 20);
      expect([await chat(cut, key), await chat(near, key)]).toEqual([200, 200]);
      line.set('silent');
      await becomes(cut, 503);
      const refused = await chatsAtOnce([cut], key, 20);
      expect(countOf(refused, 503)).toBe(20);
      const served = await chatsAtOnce([near], key, 30);
      expect([countOf(served, 200), countOf(served, 429)]).toEqual([18, 12]);
      line.abandon(0);
      line.set('fair');
      await becomes(cut, 200);
      expect(countOf(await chatsAtOnce([cut, near], key, 10), 429)).toBe(10);
      expect(await mostInAMinute(accounts, 'cut')).toBe(20);
      expect(await counted(accounts, 'cut')).toBe(20);
    });

    it.for(['PostgreSQL', 'Redis'])(
      'whose clocks are minutes apart hold a limit together, decided by %s',
      async (authority, { skip }) => {
        requireSteppingClock(skip);
        const shared: Settings =
          authority === 'Redis' ? { REDIS_URL: (await redisForThisTest(skip)).url } : {};
        const database = await on.database();
        const accounts = await testAccounts(on, {}, database);
        const skews = [-420, 0, 300];
        const settings = await Promise.all(
          skews.map(async (seconds): Promise<Settings> => {
            const clock = await steppingClock(on);
            await clock.set(seconds);
            return { ...shared, ...clock.environment };
          }),
        );
        const servers = await serversOn(database, settings);
        for (const limit of [10, 100]) {
          const key = await limited(accounts, `t${limit}`, limit);
          const statuses = [
            ...(await chatsAtOnce(servers, key, 150)),
            // One after the other: each has heard of the others' by then.
            ...(await chatsAtOnce(servers.toReversed(), key, 150)),
          ];
          const admitted = countOf(statuses, 200);
          expect(admitted + countOf(statuses, 429)).toBe(300);
          expect(admitted).toBeGreaterThanOrEqual(limit <= 10 ? limit : 0.9 * limit);
          expect(admitted).toBeLessThanOrEqual(limit);
          expect(await mostInAMinute(accounts, `t${limit}`)).toBe(admitted);
        }
      },
    );
  });
});
