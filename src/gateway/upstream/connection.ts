import type { Readable } from 'node:stream';
import type { ByteBudget } from '../../lib/byte-budget.ts';
import { currentSpan } from '../../lib/trace.ts';
import { undici } from '../../lib/undici.ts';
import type { SendOptions, TimeLimits } from '../../model/port.ts';
import { skippingInterim } from './interim.ts';
import type { ProviderSettings } from './settings.ts';
import type { Vendor } from './vendor.ts';
import { VendorRequest } from './vendor-request.ts';

/** A request to a vendor, whole. */
export interface VendorCall {
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** From the root of the vendor's host. */
  readonly path: string;
  /** With the credentials. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Buffer | Readable | null;
}

/** The connections to one vendor, whichever of its wires is spoken on them. */
export interface Connection {
  readonly vendor: Vendor;
  /** Throws the signal's reason, and `buffers_full`. */
  send(call: VendorCall, options: SendOptions): VendorRequest;
  /** Takes no new requests, and resolves when the running ones are done. */
  close(): Promise<void>;
}

/** The headers of a request with a JSON body, in lower case, with those of a wire or a client in place of our own. */
export function vendorHeaders(more: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    'user-agent': 'switchyard',
    ...more,
  };
}

/** @param limits of requests that bring none of their own */
export function createConnection(
  provider: ProviderSettings,
  limits: TimeLimits,
  budget: ByteBudget,
): Connection {
  const vendor: Vendor = { id: provider.id, apiKey: provider.apiKey };
  const { buildConnector, Pool } = undici();
  const pool = new Pool(new URL(provider.baseUrl).origin, {
    connections: provider.connections,
    // Over HTTP/2 the first connection has to be there before the others are made, and one loss hits every request.
    connect: skippingInterim(buildConnector({ timeout: limits.connect, allowH2: false })),
    allowH2: false,
    keepAliveTimeout: 30_000,
    // The request has its own, which are exact and do not run while the reader is slow.
    headersTimeout: 0,
    bodyTimeout: 0,
  });
  // When all connections are taken, waiting for one is our own limit.
  const connectBlame = () => pool.stats.running < provider.connections;

  return {
    vendor,
    send({ method, path, headers, body }, { signal, memory, limits: own }) {
      signal.throwIfAborted();
      const sent = new VendorRequest({ vendor, limits: own ?? limits, signal, connectBlame, memory, budget });
      const trace = currentSpan()?.headers;
      const all = trace ? Object.entries({ ...headers, ...trace }).flat() : listOf(headers);
      pool.dispatch({ method, path, headers: all, body }, sent);
      sent.handedOver();
      return sent;
    },
    close: () => pool.close(),
  };
}

/** Names and values in turn, as undici takes them, of headers that are the same for many requests. */
const lists = new WeakMap<VendorCall['headers'], string[]>();

function listOf(headers: VendorCall['headers']): string[] {
  const known = lists.get(headers);
  if (known) return known;
  const made = Object.entries(headers).flat();
  lists.set(headers, made);
  return made;
}
