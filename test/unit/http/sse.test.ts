import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it, onTestFinished } from 'vitest';
import { type StreamOptions, writeEvents } from '../../../src/http/sse.ts';
import { open, readAll } from '../../helpers/http.ts';

const patient: StreamOptions = { heartbeatMs: 10_000, writeTimeoutMs: 10_000 };

/** Connects a bare socket to a server that writes these events to whoever asks. */
async function connectTo(events: AsyncIterable<{ type: string }>, options: StreamOptions) {
  let settle: (outcome: Promise<void>) => void = () => undefined;
  const written = new Promise<void>((fulfil) => {
    settle = fulfil;
  });
  const server = createServer((_req, res: ServerResponse) => settle(writeEvents(res, events, options)));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const socket = await open((server.address() as AddressInfo).port);
  onTestFinished(() => void socket.destroy());
  socket.write('GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
  return { socket, written };
}

it('writes the type and the data of each event on a line of its own, whatever the text', async () => {
  async function* events() {
    yield { type: 'delta', content: 'two\nlines\r\n\r\ndata: none' };
  }
  const { socket } = await connectTo(events(), patient);
  const text = await readAll(socket);
  expect(text).toContain(
    'event: delta\ndata: {"type":"delta","content":"two\\nlines\\r\\n\\r\\ndata: none"}\n\n',
  );
});

it('sends a comment when there is nothing to say', async () => {
  const said = Promise.withResolvers<void>();
  async function* events() {
    await said.promise;
    yield { type: 'end' };
  }
  const { socket } = await connectTo(events(), { ...patient, heartbeatMs: 30 });
  let text = '';
  const pings = () => text.match(/: ping\n\n/g)?.length ?? 0;
  socket.on('data', (chunk) => {
    text += chunk;
  });
  await expect.poll(pings).toBeGreaterThanOrEqual(2);
  said.resolve();
  await once(socket, 'close');
  expect(text).toContain('event: end\n');
});

it('takes no more events than a reader who does not read has room for, and gives him up in the end', async () => {
  let taken = 0;
  let closed = false;
  const payload = 'x'.repeat(64 * 1024);
  async function* endless() {
    try {
      for (;;) {
        taken += 1;
        yield { type: 'delta', payload };
      }
    } finally {
      closed = true;
    }
  }
  const { socket, written } = await connectTo(endless(), { ...patient, writeTimeoutMs: 150 });
  socket.pause();
  await written;
  expect(closed).toBe(true);
  // What the two sides' socket buffers hold, and not the 50 MB and more that fit into the time.
  expect(taken * payload.length).toBeLessThan(20 * 1024 * 1024);
});

it('stops taking events when the reader goes away', async () => {
  let closed = false;
  async function* slow() {
    try {
      for (;;) {
        await sleep(5);
        yield { type: 'delta' };
      }
    } finally {
      closed = true;
    }
  }
  const { socket, written } = await connectTo(slow(), patient);
  await once(socket, 'data');
  socket.destroy();
  await written;
  expect(closed).toBe(true);
});
