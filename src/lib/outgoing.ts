import { type LookupAddress, type LookupAllOptions, lookup } from 'node:dns';
import { isIP, type LookupFunction, type Socket } from 'node:net';
import type { buildConnector } from 'undici';
import { undiciForChats } from './undici.ts';

/** The proxies through which the servers of others are reached. */
export interface OutgoingProxy {
  /** For addresses of `http:` and of `https:`, with credentials where it needs any; null: directly. */
  readonly http: string | null;
  readonly https: string | null;
  /** Hosts that are reached directly, separated by commas, as `NO_PROXY` has them. */
  readonly except: string;
}

/** Has `fetch`, `node:http` and undici's own dispatcher use proxies, in this process. */
export function useProxy({ http, https, except }: OutgoingProxy): void {
  const { setGlobalProxyFromEnv } = process.getBuiltinModule('node:http');
  setGlobalProxyFromEnv({ http_proxy: http ?? '', https_proxy: https ?? '', no_proxy: except });
}

const connectTimeoutMs = 5_000;

/** Maximum number of topics that wait to be sent; further ones are lost. */
const maxWaiting = 5_000;

/**
 * Gathers the topics of signals, each once, and sends them together: the first at once, and then at most once in so many
 * milliseconds. One message is on its way at a time.
 */
export class Outgoing {
  readonly #everyMs: number;
  readonly #send: (topics: readonly string[]) => Promise<unknown>;
  #waiting = new Set<string>();
  #sentAt = Number.NEGATIVE_INFINITY;
  #timer: NodeJS.Timeout | null = null;
  #sending = false;
  #ended = false;

  /** @param send what it rejects with is dropped, with the topics */
  constructor(everyMs: number, send: (topics: readonly string[]) => Promise<unknown>) {
    this.#everyMs = everyMs;
    this.#send = send;
  }

  add(topic: string): void {
    if (this.#ended || this.#waiting.size >= maxWaiting) return;
    this.#waiting.add(topic);
    this.#plan();
  }

  /** Sends nothing any more. */
  end(): void {
    this.#ended = true;
    this.#waiting.clear();
    if (this.#timer) clearTimeout(this.#timer);
  }

  #plan(): void {
    if (this.#timer || this.#sending || this.#waiting.size === 0) return;
    const waitMs = Math.max(0, this.#sentAt + this.#everyMs - performance.now());
    this.#timer = setTimeout(() => void this.#flush(), waitMs);
    this.#timer.unref();
  }

  async #flush(): Promise<void> {
    this.#timer = null;
    const topics = [...this.#waiting];
    this.#waiting = new Set();
    this.#sentAt = performance.now();
    this.#sending = true;
    // The waiting code checks the signal itself.
    await this.#send(topics).catch(() => undefined);
    this.#sending = false;
    this.#plan();
  }
}

/** Finds all addresses of a name, as `dns.lookup` does. */
export type LookupAll = (
  hostname: string,
  options: LookupAllOptions,
  callback: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void;

interface ConnectRules {
  /** Whether an address, in its textual form, may be reached. */
  readonly allowed: (address: string) => boolean;
  /** The error of a connection to a host that leads elsewhere. */
  readonly refused: (host: string) => Error;
  /** Asked once for each connection. */
  readonly resolve?: LookupAll;
}

/**
 * Makes connections for undici only to addresses that are allowed, wherever names lead. The address is checked before the
 * connection and again on the socket that came about, so a name that changes what it resolves to gains nothing.
 */
export function guardedConnect({
  allowed,
  refused,
  resolve = lookup,
}: ConnectRules): buildConnector.connector {
  const guardedLookup: LookupFunction = (hostname, options, callback) => {
    resolve(hostname, { ...options, all: true }, (error, addresses) => {
      if (error) return callback(error, '', 0);
      const good = addresses.filter(({ address }) => allowed(address));
      const [first] = good;
      if (!first || good.length < addresses.length) return callback(refused(hostname), '', 0);
      if (options.all) callback(null, good);
      else callback(null, first.address, first.family);
    });
  };
  let connector: buildConnector.connector | null = null;
  return (options, callback) => {
    const host = options.hostname.replace(/^\[|\]$/g, '');
    if (isIP(host) !== 0 && !allowed(host)) return callback(refused(host), null);
    connector ??= undiciForChats().buildConnector({ timeout: connectTimeoutMs, lookup: guardedLookup });
    return connector(options, (...[error, socket]: [Error, null] | [null, Socket]) => {
      if (error) return callback(error, null);
      if (socket && !allowed(socket.remoteAddress ?? '')) {
        socket.destroy();
        return callback(refused(host), null);
      }
      return callback(null, socket);
    });
  };
}
