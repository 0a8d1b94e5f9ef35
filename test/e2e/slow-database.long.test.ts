/** The server as a process whose PostgreSQL is there and slow, or that is held up itself. */
import { readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { ask } from '../helpers/http.ts';
import { chat, serverOn } from '../helpers/outage.ts';
import { type OwnPostgres, startPostgres } from '../helpers/store-postgres.ts';

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
  // Nothing is left of it: the next one is answered, and the process goes on.
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
  const postmaster = Number(/^PPid:\s*(\d+)/m.exec(readFileSync(`/proc/${rows[0].pid}/status`, 'utf8'))?.[1]);
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
