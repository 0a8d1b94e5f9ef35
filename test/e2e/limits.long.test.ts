/** Servers as processes on one PostgreSQL database, which decides on limits: many, slow, cut off, and with clocks that are wrong. */
import { expect, it, onTestFinished } from 'vitest';
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
      const shared: Settings = authority === 'Redis' ? { REDIS_URL: (await redisForThisTest(skip)).url } : {};
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
