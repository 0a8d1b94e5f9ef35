import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { expect, it, onTestFinished, vi } from 'vitest';
import { startTcpProxy } from '../tcp-proxy.ts';

/** A target that sends back what it gets. */
async function echoed() {
  const taken: Socket[] = [];
  const target = createServer((socket) => {
    taken.push(socket);
    socket.on('error', () => undefined);
    socket.pipe(socket);
  }).listen(0, '127.0.0.1');
  await once(target, 'listening');
  const proxy = await startTcpProxy({ host: '127.0.0.1', port: (target.address() as AddressInfo).port });
  onTestFinished(async () => {
    await proxy.close();
    for (const socket of taken) socket.destroy();
    target.close();
  });
  const client = () => {
    const socket = connect({ host: '127.0.0.1', port: proxy.port });
    const got = { text: '', error: null as string | null, closed: false };
    socket.on('data', (chunk) => {
      got.text += chunk;
    });
    socket.on('error', (error: NodeJS.ErrnoException) => {
      got.error = error.code ?? null;
    });
    socket.on('close', () => {
      got.closed = true;
    });
    onTestFinished(() => void socket.destroy());
    return { socket, got };
  };
  return { proxy, client, taken };
}

const reached = (got: { text: string }, text: string) => expect.poll(() => got.text).toBe(text);

it('passes bytes on, in both directions', async () => {
  const { proxy, client } = await echoed();
  const { socket, got } = client();
  socket.write('hello');
  await reached(got, 'hello');
  expect(proxy.connections).toBe(1);
});

it('passes on all of a large piece, although the reader is slow', async () => {
  const { client } = await echoed();
  const { socket, got } = client();
  socket.pause();
  socket.write('x'.repeat(20_000_000));
  await new Promise((resolve) => setTimeout(resolve, 100));
  socket.resume();
  await expect.poll(() => got.text.length).toBe(20_000_000);
});

it('is silent without closing: nothing comes on any connection, and none ends', async () => {
  const { proxy, client } = await echoed();
  const old = client();
  old.socket.write('before ');
  await reached(old.got, 'before ');
  proxy.set('silent');
  const fresh = client();
  old.socket.write('lost');
  fresh.socket.write('lost');
  await new Promise((resolve) => setTimeout(resolve, 300));
  expect([old.got, fresh.got]).toEqual([
    { text: 'before ', error: null, closed: false },
    { text: '', error: null, closed: false },
  ]);
});

it('leaves abandoned connections silent for good, while new ones work', async () => {
  const { proxy, client, taken } = await echoed();
  const old = client();
  old.socket.write('before');
  await reached(old.got, 'before');
  proxy.abandon(0);
  const fresh = client();
  fresh.socket.write('new');
  await reached(fresh.got, 'new');
  old.socket.write('lost');
  await vi.waitFor(() => expect(taken[0]?.destroyed).toBe(true));
  expect(old.got).toEqual({ text: 'before', error: null, closed: false });
});

it('resets what there is and refuses what is new', async () => {
  const { proxy, client } = await echoed();
  const old = client();
  old.socket.write('before');
  await reached(old.got, 'before');
  proxy.set('reset');
  await vi.waitFor(() => expect(old.got).toMatchObject({ error: 'ECONNRESET', closed: true }));
  const fresh = client();
  await vi.waitFor(() => expect(fresh.got.closed).toBe(true));
  proxy.set('fair');
  const later = client();
  later.socket.write('again');
  await reached(later.got, 'again');
});

it('keeps back what it delays, and the order when the delay ends', async () => {
  const { proxy, client } = await echoed();
  const { socket, got } = client();
  socket.write('a');
  await reached(got, 'a');
  proxy.delay(300);
  const asked = performance.now();
  socket.write('b');
  await new Promise((resolve) => setTimeout(resolve, 20));
  proxy.delay(0);
  socket.write('c');
  await reached(got, 'abc');
  expect(performance.now() - asked).toBeGreaterThanOrEqual(295);
});

it('cuts each connection after so many bytes from the target', async () => {
  const { proxy, client } = await echoed();
  proxy.cutAfter(3);
  const two = [client(), client()];
  for (const { socket } of two) socket.write('hello');
  for (const { got } of two) await vi.waitFor(() => expect(got).toMatchObject({ text: 'hel', closed: true }));
  proxy.cutAfter(null);
  const later = client();
  later.socket.write('hello');
  await reached(later.got, 'hello');
});
