import type { Server } from 'node:http';
import type { Socket } from 'node:net';

/**
 * Has a server that stops leave open a connection on which nothing has been asked yet: since Node.js 26 `closeIdleConnections`, which
 * `close` calls first, takes that for idle as well, and a request that is on its way would get no answer. Whoever has not asked
 * after `graceMs`, in milliseconds from the first call on, is idle.
 */
export function spareUnasked(server: Server, graceMs: number): void {
  const open = new Set<Socket>();
  server.on('connection', (socket) => {
    open.add(socket);
    socket.once('close', () => open.delete(socket));
  });
  const closeIdle = server.closeIdleConnections.bind(server);
  let until: number | null = null;
  server.closeIdleConnections = () => {
    until ??= performance.now() + graceMs;
    const mayAsk = performance.now() < until && [...open].some(({ bytesRead }) => bytesRead === 0);
    if (!mayAsk) closeIdle();
  };
}
