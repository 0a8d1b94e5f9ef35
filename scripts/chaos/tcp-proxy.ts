import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

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
   */
  abandon(): void;
  /** Cuts each connection after so many more bytes from the target; null: no more. */
  cutAfter(bytes: number | null): void;
  close(): Promise<void>;
}

interface Pair {
  readonly sockets: readonly [Socket, Socket];
  abandoned: boolean;
}

/** A TCP proxy on loopback that can break what goes through it, between a server and its database or a vendor. */
export async function startTcpProxy(target: {
  readonly host: string;
  readonly port: number;
}): Promise<TcpProxy> {
  const pairs = new Set<Pair>();
  let weather: Weather = 'fair';
  let delayMs = 0;
  let budget: number | null = null;

  const server = createServer((client) => {
    if (weather === 'reset') {
      client.resetAndDestroy();
      return;
    }
    const upstream = connect(target);
    const pair: Pair = { sockets: [client, upstream], abandoned: false };
    pairs.add(pair);
    forward(client, upstream, pair, false);
    forward(upstream, client, pair, true);
  });

  function forward(from: Socket, to: Socket, pair: Pair, fromTarget: boolean): void {
    from.setNoDelay(true);
    const still = () => weather === 'fair' && !pair.abandoned;
    let last = Promise.resolve();
    /** How many chunks and ends are on their way; what comes after them must not overtake them. */
    let underWay = 0;
    const later = (action: () => void) => {
      const due = Date.now() + delayMs;
      underWay += 1;
      last = last.then(async () => {
        const left = due - Date.now();
        if (left > 0) await new Promise((resolve) => setTimeout(resolve, left));
        underWay -= 1;
        if (still()) action();
      });
    };
    const delayed = () => delayMs > 0 || underWay > 0;
    from.on('data', (chunk: Buffer) => {
      if (fromTarget && budget !== null) {
        budget -= chunk.length;
        if (budget < 0) {
          budget = null;
          reset(pair);
          return;
        }
      }
      if (delayed()) later(() => to.write(chunk));
      else if (still() && !to.write(chunk)) {
        from.pause();
        to.once('drain', () => from.resume());
      }
    });
    from.on('end', () => later(() => to.end()));
    from.on('error', () => {
      if (still()) to.resetAndDestroy();
    });
    // Behind what is still on its way, as on a network.
    from.on('close', () => {
      if (delayed()) later(() => to.destroy());
      else if (still()) to.destroy();
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
    abandon() {
      for (const pair of pairs) pair.abandoned = true;
    },
    cutAfter(bytes) {
      budget = bytes;
    },
    async close() {
      for (const pair of pairs) reset(pair);
      server.close();
      await once(server, 'close');
    },
  };
}
