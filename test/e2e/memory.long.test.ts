import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import { appForThisTest, type TestApp, testKey } from '../helpers/app.ts';
import { ask, open } from '../helpers/http.ts';
import { startServer } from '../helpers/server-process.ts';
import { openAiFixture } from '../helpers/vendor-fixtures.ts';
import { longLimits, providerOf, until, vendorFor } from '../helpers/vendor-gateway.ts';

/** The memory of everything in flight has one limit. */

const mebibyte = 1024 * 1024;
const large = 15 * 1000 * 1000;

/** Resident memory of a process, and the most that it has had, in bytes. */
function memoryOf(pid: number) {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const read = (name: string) => Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)?.[1]) * 1024;
  return { now: read('VmRSS'), most: read('VmHWM') };
}

/** A reply of the vendor's whose text has that many characters. */
function replyOf(length: number): Buffer {
  const reply = structuredClone(openAiFixture.reply) as { choices: { message: { content: string } }[] };
  for (const choice of reply.choices) choice.message.content = 'x'.repeat(length);
  return Buffer.from(JSON.stringify(reply));
}

/** A request on a connection whose other side reads only on command. */
async function slowReader(port: number, request: string) {
  const socket = await open(port);
  onTestFinished(() => void socket.destroy());
  socket.on('error', () => undefined);
  socket.pause();
  socket.write(request);
  return socket;
}

function chat(body: object, key = testKey): string {
  const text = JSON.stringify({ model: 'gpt-4o', message: 'x', ...body });
  const lines = [
    'POST /v1/chat HTTP/1.1',
    'Host: x',
    `Authorization: Bearer ${key}`,
    'Content-Type: application/json',
    `Content-Length: ${Buffer.byteLength(text)}`,
    'Connection: close',
  ];
  return `${lines.join('\r\n')}\r\n\r\n${text}`;
}

/** Everything that arrives from now on. */
async function whole(socket: Socket) {
  const chunks: Buffer[] = [];
  for await (const chunk of socket) chunks.push(chunk as Buffer);
  const text = Buffer.concat(chunks).toString();
  const headEnd = text.indexOf('\r\n\r\n');
  return {
    status: Number(/^HTTP\/1\.1 (\d+)/.exec(text)?.[1]),
    head: text.slice(0, headEnd).toLowerCase(),
    body: text.slice(headEnd + 4),
  };
}

it('120 answers of 15 MB for readers that take nothing leave the server within its memory', async () => {
  const DATA_DIR = await mkdtemp(path.join(tmpdir(), 'switchyard-memory-'));
  onTestFinished(() => rm(DATA_DIR, { recursive: true }));
  const bytes = replyOf(large);
  const vendor = await vendorFor((reply) => reply.reply(200, bytes, { 'content-type': 'application/json' }));
  const key = 'memory-test-key-0123456789';
  const server = await startServer({
    DATA_DIR,
    API_KEYS: key,
    OPENAI_API_KEY: 'sk-test',
    OPENAI_BASE_URL: vendor.baseUrl,
    NODE_ENV: 'production',
    NODE_OPTIONS: '--max-old-space-size=512',
    BUFFER_MEMORY: '128MiB',
    LOG_LEVEL: 'error',
  });
  onTestFinished(async () => void (await server.end('SIGKILL')));
  const held = async () => {
    const { text } = await ask(`${server.url}/metrics`, { key: null });
    return Number(/^switchyard_buffer_bytes (\d+)/m.exec(text)?.[1]);
  };
  const before = memoryOf(server.pid).now / mebibyte;
  const port = Number(new URL(server.url).port);
  const readers = await Promise.all(Array.from({ length: 120 }, () => slowReader(port, chat({}, key))));
  // Each has its answer, or waits for its reader to take more.
  await until(() => vendor.requests.length >= 4);
  await sleep(3_000);
  expect(await held()).toBeGreaterThan(0);
  expect(await held()).toBeLessThanOrEqual(128 * mebibyte);
  const answers = await Promise.all(readers.map(whole));
  const peak = memoryOf(server.pid).most / mebibyte;
  const served = answers.filter(({ status }) => status === 200);
  const refused = answers.filter(({ status }) => status === 503);
  console.log(
    `${served.length} of 120 served, ${refused.length} refused; from ${before.toFixed()} MiB to ${peak.toFixed()} MiB at most`,
  );
  expect(served.length + refused.length).toBe(120);
  expect(served.length).toBeGreaterThan(1);
  for (const { body } of served) expect(JSON.parse(body).content).toHaveLength(large);
  for (const { head, body } of refused) {
    expect(head).toMatch(/^retry-after: [1-9]/m);
    expect(JSON.parse(body).error).toMatchObject({ code: 'buffers_full', retryable: true });
  }
  // Held without a limit they were 2,800 MiB. Garbage of V8's heap, which is limited to 512, comes on top of the budget.
  expect(peak).toBeLessThan(before + 128 + 512);
  while ((await held()) > 0) await sleep(20);
  const small = await ask(`${server.url}/readyz`, { key: null });
  expect(small.status).toBe(200);
});

/** An application with a vendor whose answers have that many characters. */
async function withVendor(length: number, more: Parameters<typeof appForThisTest>[0] = {}) {
  const bytes = replyOf(length);
  const vendor = await vendorFor((reply) => reply.reply(200, bytes, { 'content-type': 'application/json' }));
  const models = { providers: [providerOf('openai', vendor.baseUrl)], timeLimits: longLimits };
  return { vendor, app: await appForThisTest({ models, ...more }) };
}

const given = async ({ budget, running }: TestApp) => {
  await until(() => running.size === 0);
  expect(budget.held).toBe(0);
};

describe('while the memory is full', () => {
  const bufferMemory = 80 * mebibyte;

  it('a request is refused before its vendor is called, probes and metrics are answered, and all goes on after', async () => {
    const { app, vendor } = await withVendor(large, { bufferMemory });
    const reader = await slowReader(app.port, chat({}));
    await until(() => app.budget.held > 14 * mebibyte && app.budget.held < 16 * mebibyte);
    const others = bufferMemory - app.budget.held;
    expect(app.budget.take(others)).toBe(true);
    const { status, headers, error } = await ask(`${app.url}/v1/chat`, {
      body: { message: 'x', model: 'gpt-4o' },
    });
    expect([status, error.code]).toEqual([503, 'buffers_full']);
    expect(Number(headers['retry-after'])).toBeGreaterThan(0);
    expect(vendor.requests).toHaveLength(1);
    for (const name of ['livez', 'healthz', 'readyz', 'metrics', 'openapi.json', 'docs'])
      expect((await ask(`${app.url}/${name}`, { key: null })).status).toBe(200);
    expect((await whole(reader)).status).toBe(200);
    await until(() => app.budget.held === others);
    app.budget.give(others);
    expect((await ask(`${app.url}/v1/chat`, { body: { message: 'x', model: 'gpt-4o' } })).status).toBe(200);
    await given(app);
  });

  it('an answer that does not fit is cut off at its vendor, and room is made for the next', async () => {
    const { app, vendor } = await withVendor(large, { bufferMemory: 20 * mebibyte });
    const { status, error } = await ask(`${app.url}/v1/chat`, { body: { message: 'x', model: 'gpt-4o' } });
    expect([status, error.code]).toEqual([503, 'buffers_full']);
    expect(vendor.requests).toHaveLength(1);
    await given(app);
  });
});

describe('an upload', () => {
  const text = JSON.stringify({ message: 'x'.repeat(1_000_000), model: 'sandbox/echo', maxTokens: 1 });
  const head = (framing: string) =>
    `POST /v1/chat HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${testKey}\r\nContent-Type: application/json\r\n${framing}\r\nConnection: close\r\n\r\n`;
  const most = text.length - 10_000;

  it.each([
    { name: 'of a declared length', framing: `Content-Length: ${text.length}`, start: '', end: '' },
    {
      name: 'in chunks',
      framing: 'Transfer-Encoding: chunked',
      start: `${text.length.toString(16)}\r\n`,
      end: '\r\n0\r\n\r\n',
    },
  ])('$name is refused when the memory is full of others, which go on', async ({ framing, start, end }) => {
    const app = await appForThisTest({ bufferMemory: 10 * mebibyte });
    const begin = async () => {
      const socket = await open(app.port);
      socket.on('error', () => undefined);
      socket.write(head(framing) + start + text.slice(0, most));
      return socket;
    };
    const first = [await begin(), await begin()];
    await until(() => app.budget.held >= 2 * 4 * most);
    const others = await Promise.all(Array.from({ length: 50 }, begin));
    // They get the refusal before they have sent everything.
    for (const socket of others) {
      const { status, body } = await whole(socket);
      expect([status, JSON.parse(body).error.code]).toEqual([503, 'buffers_full']);
    }
    expect(app.budget.held).toBeLessThanOrEqual(10 * mebibyte);
    for (const socket of first) {
      socket.write(text.slice(most) + end);
      expect((await whole(socket)).status).toBe(200);
    }
    await given(app);
  });

  it('that stops in the middle gives its memory back when its client leaves', async () => {
    const app = await appForThisTest({ bufferMemory: 10 * mebibyte });
    const socket = await open(app.port);
    socket.write(head(`Content-Length: ${text.length}`) + text.slice(0, most));
    await until(() => app.budget.held >= 4 * most);
    socket.destroy();
    await expect.poll(() => app.budget.held).toBe(0);
  });
});

describe('a reader that takes nothing', () => {
  it('of a large answer is cut off after the time limit, and its memory is free', async () => {
    const { app } = await withVendor(large, { writeTimeoutMs: 200 });
    const socket = await slowReader(app.port, chat({}));
    await until(() => app.budget.held > large);
    await given(app);
    socket.resume();
    await once(socket, 'close');
    expect(app.log.some((line) => line['status'] === 499)).toBe(true);
  });

  it('but reads on in time gets all of it', async () => {
    const { app } = await withVendor(large, { writeTimeoutMs: 60_000 });
    const socket = await slowReader(app.port, chat({}));
    await until(() => app.budget.held > large);
    await sleep(300);
    const { status, body } = await whole(socket);
    expect(status).toBe(200);
    expect(JSON.parse(body).content).toHaveLength(large);
    await given(app);
  });
});

/** Files of forms never lie in memory. */
describe('media', () => {
  const boundary = 'b';

  /** A form whose file comes before the name of the model. */
  async function* form(fileBytes: number): AsyncGenerator<Buffer> {
    const piece = Buffer.alloc(64 * 1024, 'x');
    yield Buffer.from(
      `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="a.wav"\r\n\r\nRIFF0000WAVE`,
    );
    for (let sent = 0; sent < fileBytes; sent += piece.length) yield piece;
    yield Buffer.from(
      `\r\n--${boundary}\r\nContent-Disposition: form-data; name="model"\r\n\r\nopenai/whisper-1\r\n--${boundary}--\r\n`,
    );
  }

  it('16 files of 30 MiB at a time go through a server that grows by a fraction of them', async () => {
    const DATA_DIR = await mkdtemp(path.join(tmpdir(), 'switchyard-media-'));
    onTestFinished(() => rm(DATA_DIR, { recursive: true }));
    let received = 0;
    const vendor = createServer(async (req, res) => {
      for await (const chunk of req) received += (chunk as Buffer).length;
      res.writeHead(200, { 'content-type': 'application/json' }).end('{"text":"Hello!"}');
    }).listen(0, '127.0.0.1');
    await once(vendor, 'listening');
    onTestFinished(() => void vendor.close());
    const key = 'memory-test-key-0123456789';
    const server = await startServer({
      DATA_DIR,
      API_KEYS: key,
      OPENAI_API_KEY: 'sk-test',
      OPENAI_BASE_URL: `http://127.0.0.1:${(vendor.address() as AddressInfo).port}/v1`,
      NODE_ENV: 'production',
      NODE_OPTIONS: '--max-old-space-size=128',
      BUFFER_MEMORY: '64MiB',
      LOG_LEVEL: 'error',
    });
    onTestFinished(async () => void (await server.end('SIGKILL')));
    const post = async (bytes: number) => {
      const reply = await fetch(`${server.url}/v1/audio/transcriptions`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${key}`,
          'content-type': `multipart/form-data; boundary=${boundary}`,
        },
        body: Readable.toWeb(Readable.from(form(bytes))) as ReadableStream,
        duplex: 'half',
      } as RequestInit);
      return [reply.status, await reply.text()];
    };
    expect(await post(mebibyte)).toEqual([200, '{"text":"Hello!"}']);
    const before = memoryOf(server.pid).now;
    received = 0;
    const replies = await Promise.all(Array.from({ length: 16 }, () => post(30 * mebibyte)));
    expect(replies).toEqual(Array.from({ length: 16 }, () => [200, '{"text":"Hello!"}']));
    expect(received).toBeGreaterThan(16 * 30 * mebibyte);
    const grown = memoryOf(server.pid).most - before;
    console.log(`16 × 30 MiB: ${Math.round(grown / mebibyte)} MiB more at the most`);
    expect(grown).toBeLessThan(160 * mebibyte);
    expect(await readdir(path.join(DATA_DIR, 'uploads'))).toEqual([]);
  });
});
