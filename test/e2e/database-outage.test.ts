/** The server as a process whose PostgreSQL loses connections, restarts, goes silent or is not there. */
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { startTcpProxy, type TcpProxy } from '../../scripts/chaos/tcp-proxy.ts';
import { chat, mixedLoad, serverOn, works } from '../helpers/outage.ts';
import { type OwnPostgres, startPostgres } from '../helpers/store-postgres.ts';

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

const unlimited = { LIMITS_VARIANT: 'A', LOG_LEVEL: 'warn' };
/** More in CI: each round takes a third of a second. */
const rounds = process.env['CI'] ? 40 : 20;

it(`${rounds} rounds of lost connections under mixed load cost requests, not the server`, {
  timeout: 120_000,
}, async () => {
  const url = await database.database();
  const server = await serverOn(url, unlimited);
  const { query } = await operator(url).then((client) => ({ query: client.query.bind(client) }));
  const load = mixedLoad(server.url);
  const states = new Set<string>();
  for (let round = 0; round < rounds; round += 1) {
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
  expect(load.count(-1)).toBe(0);
  expect(load.count(500)).toBe(0);
  expect(load.count(200)).toBeGreaterThan(rounds);
  expect(await server.end('SIGTERM')).toBe(0);
});

it('a database that crashes and comes back under load is used again', { timeout: 120_000 }, async () => {
  const server = await serverOn(await database.database(), unlimited);
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
  it('are given up together while new ones work', { timeout: 120_000 }, async () => {
    const { url, proxy } = await behindProxy();
    const server = await serverOn(url, unlimited);
    const load = mixedLoad(server.url);
    await expect.poll(() => load.count(200)).toBeGreaterThan(100);
    for (let round = 0; round < 3; round += 1) {
      proxy.abandon();
      await sleep(200);
      await expect.poll(() => works(server.url), { timeout: 15_000 }).toBe(true);
      // None of the silent ones is tried again: from here on nothing has to be refused.
      await sleep(3_000);
      const refused = load.count(503);
      await sleep(1_000);
      expect(load.count(503)).toBe(refused);
    }
    await load.stop();
    expect(load.count(-1)).toBe(0);
    expect(await server.end('SIGTERM')).toBe(0);
  });

  it('and stay so: requests are refused, and served again once there is an answer', {
    timeout: 120_000,
  }, async () => {
    const { url, proxy } = await behindProxy();
    const server = await serverOn(url, unlimited);
    const load = mixedLoad(server.url);
    await expect.poll(() => load.count(200)).toBeGreaterThan(100);
    proxy.set('silent');
    await expect.poll(() => load.count(503), { timeout: 20_000 }).toBeGreaterThan(200);
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
