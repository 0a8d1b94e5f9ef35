import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect, it } from 'vitest';
import { arrivedBody } from '../../../src/http/body.ts';

const head = (length: number) => `POST / HTTP/1.1\r\nhost: here\r\ncontent-length: ${length}\r\n\r\n`;

/** A request of which the first piece has come, and what sends the next. */
async function arriving<Result>(
  first: string,
  look: (req: IncomingMessage, send: (more: string) => void) => Result | Promise<Result>,
): Promise<Result> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1', () => socket.write(first));
  const [req] = (await once(server, 'request')) as [IncomingMessage];
  try {
    return await look(req, (more) => socket.write(more));
  } finally {
    socket.destroy();
    server.close();
  }
}

it('gives a body that has come with its head, once', async () => {
  await arriving(`${head(5)}hello`, (req) => {
    expect(String(arrivedBody(req))).toBe('hello');
    expect(arrivedBody(req)).toBeNull();
  });
});

it('gives all of a body that has come in several pieces', async () => {
  await arriving(`${head(11)}hello`, async (req, send) => {
    send(' world');
    await expect.poll(() => req.readableLength).toBe(11);
    expect(String(arrivedBody(req))).toBe('hello world');
  });
});

it('leaves alone a body of which the rest is still to come', async () => {
  await arriving(`${head(11)}hello`, async (req, send) => {
    expect(arrivedBody(req)).toBeNull();
    send(' world');
    expect(await text(req)).toBe('hello world');
  });
});

it('leaves alone a body that there is not, and one that somebody reads', async () => {
  await arriving(head(0), (req) => expect(arrivedBody(req)).toBeNull());
  await arriving(`${head(5)}hello`, (req) => {
    req.resume();
    expect(arrivedBody(req)).toBeNull();
  });
});
