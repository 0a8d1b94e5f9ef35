import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/** What a proxy does with the bytes of its connections. */
export type Weather =
  | 'fair'
  /** Takes everything and passes nothing on, in neither direction, without closing: the host behind it has died. */
  | 'silent'
  /** Refuses new connections and resets those there are, at once. */
  | 'reset';

export interface TcpProxy {
  readonly port: number;
  /** How many connections are open. */
  readonly connections: number;
  /** Changes what happens from now on, for the connections there are and for new ones. */
  set(weather: Weather): void;
  /** Keeps each chunk back for so many milliseconds, in each direction; 0 for none. */
  delay(milliseconds: number): void;
  /**
   * Makes the connections there are silent for good, while new ones fare as `set` says: what a failover of an
   * address or a lost NAT entry leaves behind.
   * @param targetMs after so many milliseconds the target's end is closed, as its own keep-alive would do; 0 at once, as
   *   the target itself has died. Left out: when the proxy closes.
   */
  abandon(targetMs?: number): void;
  /** Cuts each connection, those there are and new ones, after so many more bytes from the target; null: no more. */
  cutAfter(bytes: number | null): void;
  close(): Promise<void>;
}

interface Pair {
  /** The client's and the target's. */
  readonly sockets: readonly [Socket, Socket];
  abandoned: boolean;
  /** How many more bytes from the target go through before it is cut; null: all. */
  left: number | null;
}

/** A TCP proxy on loopback that can break what goes through it, between a server and its database or a vendor. */
export async function startTcpProxy(target: {
  readonly host: string;
  readonly port: number;
}): Promise<TcpProxy> {
  const pairs = new Set<Pair>();
  let weather: Weather = 'fair';
  let delayMs = 0;
  /** What new connections begin with. */
  let budget: number | null = null;

  const server = createServer((client) => {
    if (weather === 'reset') {
      client.resetAndDestroy();
      return;
    }
    const upstream = connect(target);
    const pair: Pair = { sockets: [client, upstream], abandoned: false, left: budget };
    pairs.add(pair);
    forward(client, upstream, pair, false);
    forward(upstream, client, pair, true);
  });

  function forward(from: Socket, to: Socket, pair: Pair, fromTarget: boolean): void {
    from.setNoDelay(true);
    const still = () => weather === 'fair' && !pair.abandoned;
    let last = Promise.resolve();
    let waiting = 0;
    /** In the order in which it came, whatever the delay was and is. */
    const later = (action: () => void) => {
      const due = performance.now() + delayMs;
      waiting += 1;
      last = last.then(async () => {
        const left = due - performance.now();
        if (left > 0) await new Promise((resolve) => setTimeout(resolve, left));
        waiting -= 1;
        if (still()) action();
      });
    };
    const pass = (chunk: Buffer) => {
      if (to.destroyed || to.write(chunk)) return;
      from.pause();
      to.once('drain', () => from.resume());
      to.once('close', () => from.resume());
    };
    from.on('data', (chunk: Buffer) => {
      if (fromTarget && pair.left !== null && still()) {
        if (chunk.length > pair.left) {
          if (delayMs === 0 && waiting === 0) to.write(chunk.subarray(0, pair.left));
          reset(pair);
          return;
        }
        pair.left -= chunk.length;
      }
      if (delayMs > 0 || waiting > 0) later(() => pass(chunk));
      else if (still()) pass(chunk);
    });
    from.on('end', () => later(() => to.end()));
    from.on('error', () => {
      if (still()) to.resetAndDestroy();
    });
    from.on('close', () => {
      later(() => to.destroy());
      if (pair.sockets.every((socket) => socket.destroyed)) pairs.delete(pair);
    });
  }

  function reset(pair: Pair): void {
    for (const socket of pair.sockets) socket.resetAndDestroy();
    pairs.delete(pair);
  }

  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    get connections() {
      return pairs.size;
    },
    set(next) {
      weather = next;
      if (next === 'reset') for (const pair of pairs) reset(pair);
    },
    delay(milliseconds) {
      delayMs = milliseconds;
    },
    abandon(targetMs) {
      for (const pair of pairs) {
        if (pair.abandoned) continue;
        pair.abandoned = true;
        if (targetMs === undefined) continue;
        const [, target] = pair.sockets;
        setTimeout(() => target.resetAndDestroy(), targetMs).unref();
      }
    },
    cutAfter(bytes) {
      budget = bytes;
      for (const pair of pairs) pair.left = bytes;
    },
    async close() {
      for (const pair of pairs) reset(pair);
      server.close();
      await once(server, 'close');
    },
  };
}

export interface RawAnswer {
  /** Statuses of the answers that came, in their order. */
  readonly statuses: readonly number[];
  readonly text: string;
  /** Whether the server closed the connection within the time. */
  readonly closed: boolean;
}

/**
 * Sends bytes as they are and gathers what comes back, until the server closes, `enough` answers have come, or the time
 * is over. Resolves also where the connection is refused.
 */
export async function sendRaw(
  port: number,
  bytes: string | Uint8Array,
  { waitMs = 8_000, enough = 1 } = {},
): Promise<RawAnswer> {
  const socket = connect({ host: '127.0.0.1', port });
  let text = '';
  let closed = false;
  const done = Promise.withResolvers<void>();
  socket.setEncoding('latin1');
  socket.on('error', () => undefined);
  socket.on('close', () => {
    closed = true;
    done.resolve();
  });
  socket.on('data', (chunk) => {
    text += chunk;
    if (statusesIn(text).filter((status) => status >= 200).length >= enough) done.resolve();
  });
  socket.write(bytes);
  await Promise.race([done.promise, sleep(waitMs, undefined, { ref: false })]);
  socket.destroy();
  return { statuses: statusesIn(text), text, closed };
}

/** A connection that is held and does nothing more. */
export function holdRaw(port: number, bytes: string): Socket {
  const socket = connect({ host: '127.0.0.1', port });
  socket.on('error', () => undefined);
  if (bytes !== '') socket.write(bytes);
  return socket;
}

export function statusesIn(text: string): number[] {
  // Not at the start of a line: an answer's body does not end with one.
  return [...text.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status));
}
