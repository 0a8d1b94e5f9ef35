import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { ErrorObject } from '../../../generated/types.gen.ts';
import { type WriteOptions, writeEvents } from '../../../src/http/sse.ts';
import { eventsOf, open, readAll } from '../../helpers/http.ts';

const patient: WriteOptions = { heartbeatMs: 10_000, pingMs: 10_000, writeTimeoutMs: 10_000, describe: null };

/** Connects a bare socket to a server that writes these events. */
async function connectTo(events: AsyncIterable<{ type: string }>, options: WriteOptions) {
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

it('sends a comment again and again while there is nothing to say', async () => {
  const seen = Promise.withResolvers<void>();
  async function* events() {
    await seen.promise;
    yield { type: 'end' };
  }
  const { socket, written } = await connectTo(events(), { ...patient, heartbeatMs: 30 });
  let text = '';
  for await (const chunk of socket) {
    text += String(chunk);
    if (text.split(': ping\n\n').length > 2) seen.resolve();
  }
  await written;
  expect(text).toMatch(/: ping\n\n[\s\S]*: ping\n\n[\s\S]*event: end\n/);
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

describe('a stream that breaks off', () => {
  const cause = new Error('broken');
  async function* broken() {
    yield { type: 'delta', content: 'first' };
    throw cause;
  }
  /** As far as the writer looks into it. */
  const described = { code: 'internal_error', message: 'told' } as ErrorObject;

  it('ends with one error event, which is held against the contract as every other is', async () => {
    const thrown: unknown[] = [];
    const checked: string[] = [];
    const { socket, written } = await connectTo(broken(), {
      ...patient,
      describe: (failure) => {
        thrown.push(failure);
        return described;
      },
      check: ({ type }) => checked.push(type),
    });
    const text = await readAll(socket);
    await written;
    expect(eventsOf(text.slice(text.indexOf('\r\n\r\n') + 4)).map(({ data }) => data)).toEqual([
      { type: 'delta', content: 'first' },
      { type: 'error', error: described },
    ]);
    expect([thrown, checked]).toEqual([[cause], ['delta', 'error']]);
  });

  it('so ends too when one of its events is not what the contract says, and its source is told to stop', async () => {
    let stopped = false;
    async function* wrong() {
      try {
        yield { type: 'wrong' };
      } finally {
        stopped = true;
      }
    }
    const check = ({ type }: { type: string }) => {
      if (type === 'wrong') throw cause;
    };
    const { socket } = await connectTo(wrong(), { ...patient, describe: () => described, check });
    const text = await readAll(socket);
    expect([...text.matchAll(/^event: (.*)$/gm)].map(([, type]) => type)).toEqual(['error']);
    expect(stopped).toBe(true);
  });
});
