import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay, setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { startTcpProxy, type TcpProxy } from '../chaos/tcp-proxy.ts';
import { ask } from '../helpers/http.ts';
import { build, chat, key, mixedLoad, serverOn, works } from '../helpers/outage.ts';
import { launchServer } from '../helpers/server-process.ts';
import { type OwnPostgres, startPostgres } from '../helpers/store-postgres.ts';

/** The server as a process whose PostgreSQL loses connections, restarts, goes silent or is not there. */

let database: OwnPostgres;
beforeAll(async () => {
  database = await startPostgres();
});
afterAll(() => database.stop());

/** A database of its own behind a proxy: its address, and a connection for the test past the proxy. */
async function behindProxy(): Promise<{ url: string; proxy: TcpProxy; direct: string }> {
  const proxy = await startTcpProxy({ host: '127.0.0.1', port: database.port });
  onTestFinished(() => proxy.close());
  const direct = await database.database();
  return { url: direct.replace(`:${database.port}/`, `:${proxy.port}/`), proxy, direct };
}

async function operator(url: string): Promise<pg.Client> {
  const client = new pg.Client(url);
  client.on('error', () => undefined);
  await client.connect();
  onTestFinished(() => client.end());
  return client;
}

const quiet = { LOG_LEVEL: 'warn' };
/** More in CI: each round takes a third of a second. */
const rounds = process.env['CI'] ? 40 : 20;

it(`${rounds} rounds of lost connections under mixed load cost requests, not the server`, async () => {
  const url = await database.database();
  const server = await serverOn(url, quiet);
  const { query } = await operator(url).then((client) => ({ query: client.query.bind(client) }));
  const load = mixedLoad(server.url);
  const states = new Set<string>();
  // And for as long as it takes to meet connections of both kinds: where all is busy, hardly one is in the middle of something.
  const met = () => states.has('active') && states.has('idle');
  for (let round = 0; round < rounds || !met(); round += 1) {
    await sleep(100 + Math.random() * 200);
    // All of them in the even rounds; in the odd ones those in the middle of something.
    const busy = round % 2 === 0 ? '' : "and state <> 'idle'";
    const { rows } = await query(
      `select state, pg_terminate_backend(pid) from pg_stat_activity
       where datname = current_database() and pid <> pg_backend_pid() ${busy}`,
    );
    for (const { state } of rows) states.add(state);
  }
  await expect.poll(() => works(server.url)).toBe(true);
  await load.stop();
  expect([...states]).toEqual(expect.arrayContaining(['active', 'idle']));
  expect([load.count(-1), load.count(500), load.count(401)]).toEqual([0, 0, 0]);
  expect(load.count(200)).toBeGreaterThan(rounds);
  expect(load.count(202)).toBeGreaterThan(0);
  expect(await server.end('SIGTERM')).toBe(0);
});

it('a database that crashes and comes back under load is used again', async () => {
  const server = await serverOn(await database.database(), quiet);
  const load = mixedLoad(server.url);
  for (let round = 0; round < 3; round += 1) {
    await sleep(300);
    await database.crash();
    const refused = load.count(503);
    await expect.poll(() => load.count(503)).toBeGreaterThan(refused + 10);
    const refusal = await chat(server.url);
    expect(refusal.error).toMatchObject({ code: 'storage_unavailable', retryable: true });
    expect(Number(refusal.headers['retry-after'])).toBeGreaterThan(0);
    await database.start();
    await expect.poll(() => works(server.url)).toBe(true);
  }
  await load.stop();
  expect([load.count(-1), load.count(500)]).toEqual([0, 0]);
  expect(await server.end('SIGTERM')).toBe(0);
});

describe('connections that go silent', () => {
  it('are given up together while new ones work', async () => {
    const { url, proxy } = await behindProxy();
    const server = await serverOn(url, quiet);
    const load = mixedLoad(server.url);
    await expect.poll(() => load.count(200)).toBeGreaterThan(100);
    for (let round = 0; round < 2; round += 1) {
      proxy.abandon();
      await sleep(200);
      await expect.poll(() => works(server.url)).toBe(true);
      // What was asked on the silent ones has had its ten seconds, and none of them is tried again: from here on nothing has to
      // be refused.
      await sleep(11_000);
      const refused = load.count(503);
      await sleep(1_000);
      expect(load.count(503)).toBe(refused);
    }
    await load.stop();
    expect(load.count(-1)).toBe(0);
    expect(await server.end('SIGTERM')).toBe(0);
  });

  it('and stay so: requests are refused, and served again once there is an answer', async () => {
    const { url, proxy } = await behindProxy();
    const server = await serverOn(url, quiet);
    const load = mixedLoad(server.url);
    await expect.poll(() => load.count(200)).toBeGreaterThan(100);
    proxy.set('silent');
    await expect.poll(() => load.count(503)).toBeGreaterThan(200);
    const refusal = await chat(server.url);
    expect(refusal.error).toMatchObject({ code: 'storage_unavailable' });
    // Nothing asks the silent database for each request: only the probe connects, once at a time.
    const { refusedBefore, connectionsBefore } = {
      refusedBefore: load.count(503),
      connectionsBefore: proxy.connections,
    };
    await expect.poll(() => load.count(503)).toBeGreaterThan(refusedBefore + 200);
    expect(proxy.connections).toBeLessThan(connectionsBefore + 10);
    // What was silent stays so.
    proxy.abandon();
    proxy.set('fair');
    await expect.poll(() => works(server.url)).toBe(true);
    const served = load.count(200);
    await expect.poll(() => load.count(200)).toBeGreaterThan(served + 50);
    await load.stop();
    expect([load.count(-1), load.count(500)]).toEqual([0, 0]);
    expect(await server.end('SIGTERM')).toBe(0);
  });
});

describe('a start without the database', () => {
  /** A server that is started on a port that is known before it listens. */
  async function launch(env: Record<string, string>) {
    const DATA_DIR = await mkdtemp(path.join(tmpdir(), 'switchyard-outage-'));
    onTestFinished(() => rm(DATA_DIR, { recursive: true, force: true }));
    const free = createServer();
    await new Promise<void>((resolve) => free.listen(0, '127.0.0.1', resolve));
    const { port } = free.address() as AddressInfo;
    await new Promise((resolve) => free.close(resolve));
    const server = launchServer({ DATA_DIR, API_KEYS: key, PORT: String(port), ...env });
    server.ready.catch(() => undefined);
    onTestFinished(() => server.end('SIGKILL').then(() => undefined));
    return { server, url: `http://127.0.0.1:${port}` };
  }

  const secret = 'canary-password';
  const withPassword = (url: string) => url.replace('postgres@', `postgres:${secret}@`);

  it('waits for it, says so once, and goes on when it comes', async () => {
    const { url: databaseUrl, proxy } = await behindProxy();
    proxy.set('reset');
    const { server, url } = await launch({ DATABASE_URL: withPassword(databaseUrl) });
    await expect.poll(() => server.output()).toContain('The server waits for it.');
    expect((await ask(`${url}/healthz`, { key: null, direct: true })).json).toEqual({ status: 'ok' });
    const refusal = await chat(url);
    expect([refusal.status, refusal.error.code]).toEqual([503, 'storage_unavailable']);
    expect(Number(refusal.headers['retry-after'])).toBeGreaterThan(0);
    await sleep(1_500);
    expect(server.output().match(/waits for it/g)).toHaveLength(1);
    // What takes connections and says nothing is no database either.
    proxy.set('silent');
    await sleep(1_500);
    proxy.abandon();
    proxy.set('fair');
    await server.ready;
    expect(await works(url)).toBe(true);
    expect(server.output()).not.toContain(secret);
    expect(server.output()).not.toContain('    at ');
    expect(await server.end('SIGTERM')).toBe(0);
  });

  it('ends by SIGTERM while it waits', async () => {
    const { server } = await launch({ DATABASE_URL: 'postgres://app@127.0.0.1:1/db' });
    await expect.poll(() => server.output()).toContain('The server waits for it.');
    expect(await server.end('SIGTERM')).toBe(0);
    expect(server.output()).toContain('"msg":"stopped"');
  });

  it('waits for a standby to become the primary', async () => {
    const databaseUrl = await database.database();
    const name = new URL(databaseUrl).pathname.slice(1);
    const { query } = await operator(database.address).then((client) => ({
      query: client.query.bind(client),
    }));
    await query(`alter database ${name} set default_transaction_read_only = on`);
    const { server } = await launch({ DATABASE_URL: databaseUrl });
    await expect.poll(() => server.output()).toMatch(/cannot be written.* The server waits for it/);
    await query(`alter database ${name} reset default_transaction_read_only`);
    expect(await works(await server.ready)).toBe(true);
  });

  it('stops at once where waiting does not help', async () => {
    const databaseUrl = await database.database();
    for (const [DATABASE_URL, problem] of [
      [withPassword(databaseUrl).replace(/\w+$/, 'nowhere'), 'cannot be reached'],
      [databaseUrl.replace('postgres@', `nobody:${secret}@`), 'refuses the user'],
    ] as const) {
      const { server } = await launch({ DATABASE_URL });
      const error = await server.ready.catch((thrown: Error) => thrown.message);
      expect(error).toContain(problem);
      expect(error).not.toContain('waits for it');
      expect(error).not.toContain(secret);
    }
  });
});

it('a primary that becomes read-only refuses what writes, and is left when another takes its place', async () => {
  const url = await database.database();
  const name = new URL(url).pathname.slice(1);
  const server = await serverOn(url, quiet);
  const { query } = await operator(database.address).then((client) => ({ query: client.query.bind(client) }));
  expect(await works(server.url)).toBe(true);
  await query(`alter database ${name} set default_transaction_read_only = on`);
  await query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [name]);
  await expect.poll(async () => (await chat(server.url)).status).toBe(503);
  await expect.poll(async () => (await build(server.url)).status).toBe(503);
  // The sessions there are stay read-only, as those to an old primary do; only new ones find the new one.
  await query(`alter database ${name} reset default_transaction_read_only`);
  await expect.poll(() => works(server.url)).toBe(true);
  await expect.poll(async () => (await build(server.url)).status).toBe(202);
  expect(await server.end('SIGTERM')).toBe(0);
});

it('an outage is told in a line a second of each kind, without a stack, and does not stop the end', async () => {
  const { url, proxy } = await behindProxy();
  const server = await serverOn(url, quiet);
  const load = mixedLoad(server.url);
  await expect.poll(() => load.count(200)).toBeGreaterThan(20);
  proxy.set('reset');
  // Those that were admitted before wait for seconds until their end can be written.
  await expect.poll(() => load.chats(503)).toBeGreaterThan(500);
  await load.stop();
  expect(await server.end('SIGTERM')).toBe(0);
  const lines = server
    .output()
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line));
  // Where connections could not be made in time, a slow one may be what the rest is refused for.
  const failures = lines.filter((line) => ['unreachable', 'slow'].includes(line.failure));
  const told = (where: string) => failures.filter((line) => line.where === where);
  // Each refused chat has its place in a count.
  expect(told('createChat').reduce((sum, { count }) => sum + count, 0)).toBeGreaterThan(500);
  const perSecond = new Map<string, number>();
  for (const { time, where, failure } of failures) {
    // The first of a kind and the first count may fall into one second of the clock.
    const second = `${where} ${failure} ${String(time).slice(0, 19)}`;
    perSecond.set(second, (perSecond.get(second) ?? 0) + 1);
  }
  expect(Math.max(...perSecond.values())).toBeLessThanOrEqual(2);
  expect(server.output()).not.toContain('"stack"');
});

/** The server as a process whose PostgreSQL is there and slow, or that is held up itself. */
describe('a slow PostgreSQL', () => {
  let database: OwnPostgres;
  beforeAll(async () => {
    database = await startPostgres();
  });
  afterAll(() => database.stop());

  /** A new server, and two connections to its database past it: what one sees in a transaction stays as it was. */
  async function newServer() {
    const url = await database.database();
    const server = await serverOn(url);
    const [client, observer] = [new pg.Client(url), new pg.Client(url)];
    for (const each of [client, observer]) {
      each.on('error', () => undefined);
      await each.connect();
      onTestFinished(() => each.end());
    }
    return { server, client, observer };
  }

  /** How many statements wait for a lock. */
  async function waiting(client: pg.Client): Promise<number> {
    const { rows } = await client.query(
      `select count(*)::int as count from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
    );
    return rows[0].count;
  }

  const many = (url: string) => Promise.all(Array.from({ length: 40 }, () => chat(url)));
  const statuses = async (answers: ReturnType<typeof many>) =>
    new Set((await answers).map(({ status }) => status));

  it('answers its first chats when a lock that they wait for is gone, and refuses others only in the end', async () => {
    const { server, client, observer } = await newServer();
    const lock = async () => {
      await client.query('begin');
      await client.query('lock table admitted in access exclusive mode');
    };
    await lock();
    const first = many(server.url);
    await expect.poll(() => waiting(observer)).toBeGreaterThan(0);
    await delay(2_500);
    await client.query('rollback');
    expect(await statuses(first)).toEqual(new Set([200]));

    await lock();
    const refused = await chat(server.url);
    expect([refused.status, refused.error.code]).toEqual([503, 'storage_unavailable']);
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    await client.query('rollback');
    // Nothing is left of it: the next one is answered, and the process runs on.
    expect((await chat(server.url)).status).toBe(200);
    expect(await server.end('SIGTERM')).toBe(0);
  });

  it('finds the answers that came while the process was held up', async () => {
    const { server, client, observer } = await newServer();
    await client.query('begin');
    await client.query('lock table admitted in access exclusive mode');
    const first = many(server.url);
    await expect.poll(() => waiting(observer), { interval: 10 }).toBeGreaterThan(0);
    process.kill(server.pid, 'SIGSTOP');
    await client.query('rollback');
    await delay(4_000);
    process.kill(server.pid, 'SIGCONT');
    expect(await statuses(first)).toEqual(new Set([200]));
    expect(server.output()).not.toContain('cannot be reached');
    expect(await server.end('SIGTERM')).toBe(0);
  });

  it('waits for connections that the database is slow to make', async () => {
    const { server, client, observer } = await newServer();
    const { rows } = await client.query('select pg_backend_pid() as pid');
    const postmaster = Number(
      /^PPid:\s*(\d+)/m.exec(readFileSync(`/proc/${rows[0].pid}/status`, 'utf8'))?.[1],
    );
    // All that there are: each is made again.
    const there = `from pg_stat_activity where datname = current_database() and application_name = 'switchyard'`;
    const { rows: ended } = await client.query(`select pid, pg_terminate_backend(pid) ${there}`);
    const left = async () => {
      const pids = ended.map(({ pid }) => pid);
      return (await observer.query(`select pid ${there} and pid = any($1)`, [pids])).rows;
    };
    await expect.poll(left).toEqual([]);
    // By its answer to this it has heard of their end.
    await ask(`${server.url}/healthz`, { key: null, direct: true });
    process.kill(postmaster, 'SIGSTOP');
    const first = many(server.url);
    await delay(3_000).finally(() => process.kill(postmaster, 'SIGCONT'));
    expect(await statuses(first)).toEqual(new Set([200]));
    expect(await server.end('SIGTERM')).toBe(0);
  });
});
