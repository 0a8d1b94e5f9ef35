/** Files of forms never lie in memory. */
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import { expect, it, onTestFinished } from 'vitest';
import { startServer } from '../helpers/server-process.ts';

const mebibyte = 1024 * 1024;
const boundary = 'b';

/** Resident memory of a process, and the most that it has had, in bytes. */
function memoryOf(pid: number) {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const read = (name: string) => Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)?.[1]) * 1024;
  return { now: read('VmRSS'), most: read('VmHWM') };
}

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
