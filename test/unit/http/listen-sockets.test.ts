import { execFileSync } from 'node:child_process';
import { createServer, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { openListenSockets } from '../../../src/http/listen.ts';
import { freePort } from '../../lib/server.ts';

async function opened(server: Server, port: number): Promise<() => Promise<void>> {
  const close = await openListenSockets(server, '127.0.0.1', port);
  onTestFinished(async () => {
    server.closeAllConnections();
    await close();
  });
  return close;
}

const answering = () => createServer((_, res) => res.end('here'));

it.runIf(process.platform === 'linux')(
  'several connections are taken in a turn of a busy event loop',
  async () => {
    const count = 200;
    const port = await freePort();
    const server = answering();
    await opened(server, port);
    let taken = 0;
    server.on('connection', () => {
      taken += 1;
    });
    // All of them are there when this returns, and no turn has gone by.
    const program = `let left = ${count}; for (let n = 0; n < ${count}; n += 1)
    require('node:net').connect(${port}, '127.0.0.1', () => --left === 0 && process.exit());`;
    execFileSync(process.execPath, ['-e', program]);
    expect(taken).toBe(0);
    let turns = 0;
    for (; taken < count; turns += 1) await new Promise((resolve) => setImmediate(resolve));
    expect(turns).toBeLessThan(count / 4);
  },
);

it("connections are answered whichever socket they come by, and the port is nobody else's until it is closed", async () => {
  const port = await freePort();
  const server = answering();
  const close = await opened(server, port);
  const answers = await Promise.all(
    Array.from({ length: 100 }, async () => (await fetch(`http://127.0.0.1:${port}/`)).text()),
  );
  expect(new Set(answers)).toEqual(new Set(['here']));
  await expect(openListenSockets(answering(), '127.0.0.1', port)).rejects.toMatchObject({
    code: 'EADDRINUSE',
  });
  const closed = close();
  await expect(fetch(`http://127.0.0.1:${port}/`, { headers: { connection: 'close' } })).rejects.toThrow();
  server.closeIdleConnections();
  await closed;
  await opened(answering(), port);
});

it('what is written goes out at once, whichever socket a client has come by', async () => {
  const port = await freePort();
  const server = answering();
  // Only this shows that Nagle's algorithm is off.
  const isSentAtOnce = (socket: Socket) => {
    const [name] = Object.getOwnPropertySymbols(socket).filter(
      ({ description }) => description === 'kSetNoDelay',
    );
    return name && (socket as unknown as Record<symbol, unknown>)[name];
  };
  const sentAtOnce: unknown[] = [];
  server.on('connection', (socket: Socket) => sentAtOnce.push(isSentAtOnce(socket)));
  await opened(server, port);
  await Promise.all(
    Array.from({ length: 100 }, async () => (await fetch(`http://127.0.0.1:${port}/`)).text()),
  );
  expect(new Set(sentAtOnce)).toEqual(new Set([true]));
});

it('a free port is found by a single socket', async () => {
  const server = answering();
  await opened(server, 0);
  const { port } = server.address() as AddressInfo;
  expect(await (await fetch(`http://127.0.0.1:${port}/`)).text()).toBe('here');
});
