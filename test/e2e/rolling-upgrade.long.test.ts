import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import pg from 'pg';
import { expect, it } from 'vitest';
import { root } from '../helpers/contract.ts';
import { onPostgres, type StoreTests } from '../helpers/store.ts';
import { freePort } from '../lib/server.ts';

/** Three servers of version 1.0 behind nginx, each replaced by one of this version under load. */

const password = 'password-of-tests-0123456789';
const atOnce = 6;

interface Tally {
  chats: number;
  streams: number;
  refused: number;
  readonly builds: string[];
  readonly errors: string[];
}

onPostgres('an upgrade of one server after the other', (on) => {
  it('from version 1.0 is seen by no client, and counts each request once', {
    timeout: 600_000,
  }, async ({ skip }) => {
    const first = await firstRelease();
    if (first === null) return skip('this checkout has no history');
    const folder = mkdtempSync(path.join(tmpdir(), 'switchyard-upgrade-'));
    on.cleanUp(() => rm(folder, { recursive: true, force: true }));
    const { databaseUrl } = await on.emptyDatabase();
    const ports = [await freePort(), await freePort(), await freePort()];
    const front = await proxy(on, folder, ports);
    const start = (checkout: string, port: number) =>
      server(on, checkout, {
        PORT: String(port),
        DATABASE_URL: databaseUrl ?? '',
        DATA_DIR: path.join(folder, String(port)),
        KEY_SECRET: 'a-secret-of-this-test-0123456789abcdef',
        ADMIN_PASSWORD: password,
        PUBLIC_URL: front,
        TRUST_PROXY: '1',
        DRAIN_DELAY_MS: '3000',
      });
    const servers: ChildProcess[] = [];
    for (const port of ports) servers.push(await start(first, port));
    const key = await keyOf(front);

    const tally: Tally = { chats: 0, streams: 0, refused: 0, builds: [], errors: [] };
    const stopping = new AbortController();
    const clients = Array.from({ length: atOnce }, (_, index) =>
      keepAsking(front, key, index, tally, stopping.signal),
    );
    await sleep(3_000);
    for (const [index, port] of ports.entries()) {
      const old = servers[index] as ChildProcess;
      const exited = once(old, 'exit');
      old.kill('SIGTERM');
      expect(await exited).toEqual([0, null]);
      await start(root, port);
      await sleep(3_000);
    }
    stopping.abort();
    await Promise.all(clients);

    expect(tally.errors).toEqual([]);
    expect([tally.chats > 100, tally.streams > 100, tally.builds.length > 2]).toEqual([true, true, true]);
    for (const id of tally.builds)
      await expect
        .poll(async () => (await get(`${front}/api/v1/factory/jobs/${id}`, { 'x-api-key': key }))['status'], {
          timeout: 60_000,
        })
        .toBe('succeeded');
    const client = new pg.Client(databaseUrl ?? '');
    await client.connect();
    const { rows } = await client.query<{ operation: string; status: string; requests: number }>(
      `select operation, status, count(*)::int as requests
       from ledger_rows group by operation, status order by operation, status`,
    );
    await client.end();
    const counted = (operation: string) =>
      Object.fromEntries(
        rows.filter((row) => row.operation === operation).map((row) => [row.status, row.requests]),
      );
    expect(counted('createChat')).toEqual({ succeeded: tally.chats + tally.streams });
    // A build that a new server takes in and an old one carries out is not settled: docs/guides/upgrading.md.
    // One that finds no room when it is to be stored has failed.
    const { succeeded = 0, running = 0, failed = 0, ...others } = counted('createFactoryJob');
    expect([succeeded + running, failed <= tally.refused, others]).toEqual([tally.builds.length, true, {}]);
  });
});

/** nginx as the repository has it, in front of these ports; gives its address. */
async function proxy(on: StoreTests, folder: string, ports: readonly number[]): Promise<string> {
  const port = await freePort();
  let conf = readFileSync(path.join(root, 'deploy/proxy/nginx.conf'), 'utf8')
    .replace('listen 8080', `listen 127.0.0.1:${port}`)
    .replaceAll('/tmp/nginx', `${folder}/nginx`);
  for (const [index, one] of ports.entries())
    conf = conf.replace(`server-${index + 1}:8080`, `127.0.0.1:${one}`);
  const file = path.join(folder, 'nginx.conf');
  writeFileSync(file, conf);
  const nginx = spawn('/usr/sbin/nginx', ['-c', file, '-g', 'daemon off;'], { stdio: 'ignore' });
  on.cleanUp(async () => {
    const exited = once(nginx, 'exit');
    nginx.kill('SIGTERM');
    await exited;
  });
  return `http://127.0.0.1:${port}`;
}

/** A server of a checkout, as its `npm start` runs it, that is ready. */
async function server(on: StoreTests, checkout: string, env: Record<string, string>): Promise<ChildProcess> {
  const { scripts } = JSON.parse(readFileSync(path.join(checkout, 'package.json'), 'utf8'));
  const args = (scripts.start as string).split(' ').slice(1);
  const child = spawn(process.execPath, args, {
    cwd: checkout,
    env: { PATH: process.env['PATH'], NODE_ENV: 'production', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (piece) => (output += piece));
  on.cleanUp(() => child.exitCode === null && child.kill('SIGKILL'));
  const url = `http://127.0.0.1:${env['PORT']}/readyz`;
  for (let tries = 0; tries < 600; tries += 1) {
    if (child.exitCode !== null) break;
    if ((await fetch(url).catch(() => null))?.status === 200) return child;
    await sleep(100);
  }
  throw new Error(`The server of ${checkout} does not become ready:\n${output.slice(-3_000)}`);
}

async function keyOf(front: string): Promise<string> {
  const administer = async (name: string, body: object) =>
    (await (
      await post(`${front}/api/admin/${name}`, { authorization: `Bearer ${password}` }, body)
    ).json()) as {
      secret: string;
    };
  await administer('tenants', { id: 'acme', name: 'Acme', plan: 'enterprise' });
  return (await administer('keys', { tenant_id: 'acme', scopes: ['chat', 'factory'] })).secret;
}

/** Asks for one thing after the other, as JSON, as a stream, and now and then for an app. */
async function keepAsking(
  front: string,
  key: string,
  index: number,
  tally: Tally,
  signal: AbortSignal,
): Promise<void> {
  const bearer = { authorization: `Bearer ${key}` };
  const body = { model: 'sandbox/echo', message: 'Hello from a client that goes on.' };
  for (let turn = index; !signal.aborted; turn += 1) {
    try {
      if (turn % 15 === 0) {
        const answer = await post(
          `${front}/api/v1/factory/jobs`,
          { 'x-api-key': key },
          { prompt: `a list of books ${turn}` },
        );
        const { id, error } = (await answer.json()) as { id: string; error?: { code: string } };
        // More than 20 may not wait. What is refused for it must not have a server left alone.
        if (error?.code === 'queue_full') tally.refused += 1;
        else if (answer.status === 202) tally.builds.push(id);
        else throw new Error(`build: ${answer.status} ${error?.code}`);
      } else if (turn % 2 === 0) {
        const answer = await post(`${front}/v1/chat`, bearer, body);
        const text = await answer.text();
        if (answer.status !== 200) throw new Error(`chat: ${answer.status} ${text}`);
        tally.chats += 1;
      } else {
        const answer = await post(`${front}/v1/chat`, bearer, { ...body, stream: true });
        const text = await answer.text();
        if (answer.status !== 200 || !text.includes('"type":"end"'))
          throw new Error(`stream: ${answer.status} ${text.slice(-300)}`);
        tally.streams += 1;
      }
    } catch (error) {
      tally.errors.push(String((error as Error).cause ?? error));
      await sleep(50);
    }
    await sleep(5);
  }
}

function post(url: string, headers: Record<string, string>, body: object): Promise<Response> {
  return fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
}

async function get(url: string, headers: Record<string, string>): Promise<Record<string, unknown>> {
  return (await (await fetch(url, { headers })).json()) as Record<string, unknown>;
}

const run = promisify(execFile);

/** The commit of version 1.0.0, which has no tag. */
const commit = 'b7a7c4f399d3dfafdb643b23947b6e6fff835d91';

/** Version 1.0.0, with its packages, in a folder that is made once; null where the history of this checkout does not reach back to it. */
export async function firstRelease(): Promise<string | null> {
  const known = await run('git', ['cat-file', '-e', `${commit}^{commit}`], { cwd: root }).catch(() => null);
  if (!known) return null;
  const folder = path.join(tmpdir(), 'switchyard-first-release');
  if (existsSync(folder)) return folder;

  const made = mkdtempSync(`${folder}-`);
  try {
    await run('sh', ['-c', `git archive ${commit} | tar -x -C "${made}"`], { cwd: root });
    // None of the variables of this checkout's `npm`.
    const env = Object.fromEntries(
      Object.entries(process.env).filter(([name]) => !/^(npm_|NODE_ENV)/.test(name)),
    );
    await run('npm', ['ci', '--no-audit', '--no-fund'], { cwd: made, env });
    renameSync(made, folder);
  } catch (error) {
    rmSync(made, { recursive: true, force: true });
    throw error;
  }
  return folder;
}
