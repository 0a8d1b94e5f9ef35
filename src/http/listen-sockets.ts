import { once } from 'node:events';
import type { Server } from 'node:http';
import { createServer, type Server as NetServer, type Socket } from 'node:net';

/**
 * Sockets that listen for one server. Of each, one connection is taken in each turn of the event loop (libuv since 1.45), and a
 * busy server turns slowly: with one socket a crowd of 2,000 connections kept everybody out for 20 seconds and more, probes of
 * health included. The system spreads new connections over all of them (SO_REUSEPORT, socket(7)).
 */
const sockets = 32;

/**
 * How Node.js's HTTP server has its connections, which is decided where they come in. With Nagle's algorithm the end of nearly every stream
 * waited 40 ms, until its client had confirmed what came before.
 */
const likeHttp = { noDelay: true, allowHalfOpen: true };

/** Whether other processes listen on this port. */
export interface Sharing {
  /** Whether other processes of this server listen on the port too, now or later. */
  readonly shared: boolean;
  /** Whether one of them does already. */
  readonly taken: boolean;
}

/**
 * Lets a server listen. Rejects with the error of the system.
 * @param port 0: a free one, on a single socket, as no other could find it safely
 * @returns closes it to new connections; resolves when the last of them is closed
 */
export async function openListenSockets(
  server: Server,
  host: string,
  port: number,
  { shared, taken }: Sharing = { shared: false, taken: false },
): Promise<() => Promise<void>> {
  const many = port !== 0 && process.platform === 'linux';
  // Others could share the port otherwise, if they only asked for it in the same way.
  if (many && !taken) await requireFree(host, port);
  const reusePort = many || (shared && process.platform === 'linux');
  await listening(server.listen({ host, port, reusePort }));
  const further = many
    ? Array.from({ length: sockets - 1 }, () =>
        createServer(likeHttp, (socket: Socket) => server.emit('connection', socket)),
      )
    : [];
  const all = [server, ...further];
  const close = async () => {
    await Promise.all(all.map((each) => new Promise((resolve) => each.close(resolve))));
  };
  try {
    for (const each of further) await listening(each.listen({ host, port, reusePort: true }));
  } catch (error) {
    await close();
    throw error;
  }
  return close;
}

async function requireFree(host: string, port: number): Promise<void> {
  const probe = createServer();
  await listening(probe.listen({ host, port, exclusive: true }));
  probe.close();
  await once(probe, 'close');
}

async function listening(server: NetServer): Promise<void> {
  await once(server, 'listening');
}
