/**
 * `node scripts/container/main.ts <root> <inspected>`: runs the image as docs/containers.md says, once with SQLite on a volume and
 * once with PostgreSQL and nothing that it can write, in 256 MB and under load, and ends with 1 where something is not as it should be.
 */

import assert from 'node:assert/strict';
import { chownSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { freePort } from '../bench/processes.ts';
import { runFolder } from '../chaos/cleanup.ts';
import { startPostgres } from '../chaos/postgres.ts';
import { type Container, type Given, type Image, imageAt, memoryOf, start, statusOf } from './container.ts';

const KEY = 'container-key-0123456789abcdef';
const MEMORY_MB = 256;
const MIB = 1024 * 1024;
const LOAD_MS = 15_000;
const AT_ONCE = 16;
const READY_TRIES = 300;

const [root, inspected] = process.argv.slice(2);
if (!root || !inspected) throw new Error('Usage: node scripts/container/main.ts <root> <inspected>');
const image = imageAt(root, readFileSync(inspected, 'utf8'));

const data = mkdtempSync(path.join(tmpdir(), 'switchyard-data-'));
chownSync(data, image.user.uid, image.user.gid);
await check('SQLite on a volume', image, { env: {}, data, memoryMb: MEMORY_MB });
rmSync(data, { recursive: true });

const postgres = await startPostgres(runFolder(false));
const DATABASE_URL = `postgres://postgres@127.0.0.1:${postgres.port}/${await postgres.database()}`;
const env = { DATABASE_URL, KEY_SECRET: 'a-secret-of-this-check-0123456789abcdef' };
await check('PostgreSQL and nothing to write', image, { env, memoryMb: MEMORY_MB });
await postgres.stop();

async function check(name: string, image: Image, given: Given): Promise<void> {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const own = { PORT: String(port), ADMIN_PASSWORD: 'container-0123456789-abcdef', API_KEYS: KEY };
  const container = start(image, { ...given, env: { ...own, DRAIN_DELAY_MS: '0', ...given.env } });
  try {
    await ready(container, url);
    assert.equal(container.run(image.healthcheck), 0, 'the health check fails');
    const status = statusOf(container.pid);
    assert.equal(status['Uid']?.split('\t')[0], String(image.user.uid), 'it does not run as its user');
    assert.equal(Number.parseInt(status['CapEff'] ?? '', 16), 0, 'it has capabilities');
    assert.notEqual(container.run(['node', '-e', `require('fs').writeFileSync('${image.cwd}/x', '')`]), 0);
    assert.equal(await build(url), 'succeeded');
    // Forms of this size are spooled to the disk.
    assert.equal(await upload(url, 2 * MIB), given.data ? 200 : 503);
    const answered = await load(url);
    assert.ok(answered > 1_000, `it answered only ${answered}`);
    const memory = memoryOf(container.pid);
    assert.equal(memory.limit, MEMORY_MB * MIB, 'its memory is not bounded');
    const peakMb = Math.round(memory.peak / MIB);
    const code = await container.stop();
    assert.equal(code, 0, `it ended with ${code}`);
    console.log(
      `${name}: ${answered} answers and a build in ${MEMORY_MB} MB, of which it had at most ${peakMb}, with what is cached of files.`,
    );
  } catch (error) {
    console.error(container.output().split('\n').slice(-40).join('\n'));
    await container.stop();
    throw error;
  }
}

async function ready(container: Container, url: string): Promise<void> {
  for (let tries = 1; tries < READY_TRIES; tries += 1) {
    const response = await fetch(`${url}/readyz`).catch(() => null);
    if (response?.status === 200) return;
    await pause(100);
  }
  throw new Error(`It does not become ready:\n${container.output()}`);
}

/**
 * Chats for a while, as JSON and as streams, and returns how many were answered. Throws for one that was not, unless the server says
 * that it has too much to do.
 */
async function load(url: string): Promise<number> {
  const until = performance.now() + LOAD_MS;
  let answered = 0;
  const client = async (index: number) => {
    const name = index % 2 === 0 ? '/v1/chat' : '/v1/chat/stream';
    while (performance.now() < until) {
      const response = await post(
        url + name,
        { authorization: `Bearer ${KEY}` },
        {
          model: 'sandbox/echo',
          message: 'Hello from a container. '.repeat(50),
        },
      );
      const text = await response.text();
      const isShed = response.status === 503 && text.includes('"overloaded"');
      assert.ok(response.status === 200 || isShed, text);
      if (isShed) await pause(100);
      else answered += 1;
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, (_, index) => client(index)));
  return answered;
}

/** Has an app built and returns what became of it. */
async function build(url: string): Promise<string> {
  const headers = { 'x-api-key': KEY };
  const jobs = `${url}/api/v1/factory/jobs`;
  const begun = await post(jobs, headers, { prompt: 'a list of books with author and rating' });
  assert.equal(begun.status, 202);
  const { id } = (await begun.json()) as { id: string };
  for (let tries = 1; tries < READY_TRIES; tries += 1) {
    const { status } = (await (await fetch(`${jobs}/${id}`, { headers })).json()) as { status: string };
    if (status !== 'queued' && status !== 'running') return status;
    await pause(100);
  }
  throw new Error('The build does not end.');
}

/** Sends a file of so many bytes and returns the status. */
async function upload(url: string, bytes: number): Promise<number> {
  const form = new FormData();
  form.set('purpose', 'batch');
  form.set('file', new Blob(['x'.repeat(bytes)]), 'batch.jsonl');
  const headers = { authorization: `Bearer ${KEY}` };
  const response = await fetch(`${url}/v1/files`, { method: 'POST', headers, body: form });
  return response.status;
}

function post(url: string, headers: Record<string, string>, body: object): Promise<Response> {
  return fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
}
