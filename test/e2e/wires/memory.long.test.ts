/** Streams of any length pass through in the same memory, on both lanes, however slowly they are read. */
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { startServer } from '../../helpers/server-process.ts';
import { anthropicFixture } from '../../helpers/vendor-fixtures.ts';
import { until, vendorFor } from '../../helpers/vendor-gateway.ts';
import type { VendorReply } from '../../lib/vendor.ts';

const mebibyte = 1024 * 1024;
const key = 'memory-test-key-0123456789';
const streamed = 100 * mebibyte;
const delta = anthropicFixture.delta('x'.repeat(16 * 1024));
const perBatch = 16;
const batches = Math.ceil(streamed / (delta.length * perBatch));

/** 100 MB of text in events, no faster than they are taken. Returns how many bytes went out. */
async function pour({ socket, eventStream, chunk, lastChunk }: VendorReply): Promise<void> {
  const { beforeText, stream, delta: deltaOf } = anthropicFixture;
  eventStream();
  chunk(beforeText);
  const batch = delta.repeat(perBatch);
  for (let n = 0; n < batches && !socket.destroyed; n += 1) {
    chunk(batch);
    if (socket.writableNeedDrain)
      await new Promise<void>((resolve) => {
        socket.once('drain', resolve);
        socket.once('close', resolve);
      });
  }
  const end = stream.slice(stream.lastIndexOf(deltaOf('').slice(0, 20)));
  chunk(end.slice(end.indexOf('event: content_block_stop')));
  lastChunk();
}

const lanes = {
  native: ['/v1/messages', { max_tokens: 100 }],
  translated: ['/v1/chat/completions', {}],
} as const;

async function serverBefore(vendorUrl: string) {
  const DATA_DIR = await mkdtemp(path.join(tmpdir(), 'switchyard-memory-'));
  onTestFinished(() => rm(DATA_DIR, { recursive: true }));
  const server = await startServer({
    DATA_DIR,
    API_KEYS: key,
    ANTHROPIC_API_KEY: 'sk-test',
    ANTHROPIC_BASE_URL: vendorUrl,
    NODE_ENV: 'production',
    NODE_OPTIONS: '--max-old-space-size=96',
    LOG_LEVEL: 'error',
  });
  onTestFinished(async () => void (await server.end('SIGKILL')));
  const memory = (field: string) =>
    Number(new RegExp(`${field}:\\s+(\\d+)`).exec(readFileSync(`/proc/${server.pid}/status`, 'utf8'))?.[1]) /
    1024;
  const ask = (lane: keyof typeof lanes, signal?: AbortSignal) =>
    fetch(server.url + lanes[lane][0], {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({
        model: 'claude-sonnet-4-6',
        stream: true,
        messages: [{ role: 'user', content: 'Hi' }],
        ...lanes[lane][1],
      }),
      ...(signal && { signal }),
    });
  return { ask, memory };
}

describe.each(['native', 'translated'] as const)('on the %s lane', (lane) => {
  it('100 MB take no more memory than a small answer does', async () => {
    const vendor = await vendorFor(pour);
    const { ask, memory } = await serverBefore(vendor.baseUrl);
    const before = memory('VmRSS');
    let bytes = 0;
    let last = '';
    for await (const chunk of (await ask(lane)).body ?? []) {
      bytes += chunk.length;
      last = Buffer.from(chunk.slice(-200)).toString();
    }
    const peak = memory('VmHWM');
    console.log(
      `${lane}: ${(bytes / mebibyte).toFixed()} MiB through, ${before.toFixed()} to ${peak.toFixed()} MiB`,
    );
    expect(bytes).toBeGreaterThan(streamed);
    expect(last).toMatch(/message_stop|\[DONE\]/);
    // What is kept of the stream would fill the heap, at 96 MiB, and end the server; young garbage and buffers come on top.
    expect(peak).toBeLessThan(before + 192);
  });

  it('a reader that takes nothing holds the vendor up, and takes it along when it leaves', async () => {
    let written = 0;
    const vendor = await vendorFor((reply) =>
      pour({
        ...reply,
        chunk: (piece) => {
          written += piece.length;
          reply.chunk(piece);
        },
      }),
    );
    const { ask, memory } = await serverBefore(vendor.baseUrl);
    const before = memory('VmRSS');
    const leaving = new AbortController();
    const reply = await ask(lane, leaving.signal);
    const reader = reply.body?.getReader();
    await reader?.read();
    // It goes on until the buffers on the way are full.
    let seen = -1;
    while (seen !== written) {
      seen = written;
      await new Promise((resolve) => setTimeout(resolve, 500));
    }
    expect(written).toBeLessThan(streamed / 2);
    expect(memory('VmHWM')).toBeLessThan(before + 192);
    leaving.abort();
    await until(() => vendor.openSockets === 0);
  });
});
