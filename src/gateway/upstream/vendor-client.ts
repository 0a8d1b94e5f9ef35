import { isUtf8 } from 'node:buffer';
import type { Socket } from 'node:net';
import type { Readable } from 'node:stream';
import type { buildConnector } from 'undici';
import type { SocketTurn } from '../../contract/wire-operations.ts';
import type { ByteBudget } from '../../lib/byte-budget.ts';
import { isTooDeep, parseAnswer, withWholeCharacters } from '../../lib/json.ts';
import type { OutgoingProxy } from '../../lib/outgoing.ts';
import { currentSpan } from '../../lib/trace.ts';
import { undiciForChats } from '../../lib/undici.ts';
import type { Completion, CompletionStream, SendOptions, TimeLimits } from '../../model/port.ts';
import { openCompletionStream, type StreamDecoder } from './completion-stream.ts';
import { errorIn } from './endings.ts';
import type { Endpoint, ProviderSettings } from './settings.ts';
import { invalidReply, type Vendor } from './vendor.ts';
import { errorOfObject, errorOfReply } from './vendor-errors.ts';
import { VendorRequest } from './vendor-request.ts';
import { VendorSockets } from './vendor-sockets.ts';
import { isWhole, wholeStream } from './whole-stream.ts';

/** Maximum number of bytes of interim responses before a reply: beyond it undici gets what there is, and refuses it. */
const maxBytes = 64 * 1024;

/** Names and values in turn, as undici takes them, of headers that are the same for many requests. */
const lists = new WeakMap<VendorCall['headers'], string[]>();

/** Maximum of an error reply that is looked at, in bytes. */
export const maxErrorLength = 1024 * 1024;

/** How a wire's answers are read. */
export interface Reading {
  readonly decoder: StreamDecoder;
  /** Reads a whole reply. Throws `ProviderError` when it holds no answer. */
  whole(reply: unknown): Completion;
}

/** One vendor's address for completions. Every method throws `ProviderError`, `buffers_full`, or the signal's reason. */
export interface VendorClient {
  readonly vendor: Vendor;
  /** Posts the body and returns the parsed reply, which has a 2xx status and is no error object. */
  json(model: string, body: string, options: SendOptions): Promise<unknown>;
  /** Posts the body and gives the answer as it comes, also where the vendor sends it as a whole. */
  stream(model: string, body: string, options: SendOptions, reading: Reading): Promise<CompletionStream>;
}

/**
 * Posts on a vendor's connections to one endpoint of one of its wires.
 * @param suffix of its path, such as `/chat/completions`, for a model, and whether its answer is to be streamed
 */
export function createVendorClient(
  connection: Connection,
  endpoint: Endpoint,
  suffix: (model: string, streamed: boolean) => string,
): VendorClient {
  const { vendor } = connection;
  const headers = vendorHeaders(endpoint.headers);
  const send = (model: string, streamed: boolean, body: string, options: SendOptions) => {
    const path = endpoint.path(suffix(model, streamed), model);
    return connection.send({ method: 'POST', path, headers, body: withWholeCharacters(body) }, options);
  };

  const failure = (model: string, { status, headers }: VendorRequest, body: Buffer) =>
    errorOfReply(vendor, model, status, headers, body.toString('utf8', 0, maxErrorLength));

  const reply = (model: string, sent: VendorRequest, body: Buffer): unknown => {
    const parsed = parse(vendor, sent, body);
    const error = errorIn(parsed);
    if (error !== undefined) throw errorOfObject(vendor, model, error);
    return parsed;
  };

  return {
    vendor,
    async json(model, body, options) {
      const sent = send(model, false, body, options);
      try {
        const received = await bodyOf(sent);
        if (!succeeded(sent)) throw failure(model, sent, received);
        return reply(model, sent, received);
      } catch (error) {
        sent.giveBack();
        throw error;
      } finally {
        if (options.memory === null) sent.giveBack();
      }
    },
    async stream(model, body, options, reading) {
      const sent = send(model, true, body, options);
      await sent.head();
      const whole = () => bodyOf(sent).finally(() => sent.giveBack());
      if (!succeeded(sent)) throw failure(model, sent, await whole());
      if (!(await isWhole(sent))) return openCompletionStream(sent, reading.decoder, vendor);
      return wholeStream(reading.whole(reply(model, sent, await whole())));
    },
  };
}

/** The body, or nothing when it breaks off in a reply whose status says enough. */
export function bodyOf(sent: VendorRequest): Promise<Buffer> {
  return sent.body().catch((error: unknown) => {
    if (sent.aborted || sent.status === 0 || succeeded(sent)) throw error;
    return Buffer.alloc(0);
  });
}

export function succeeded({ status }: VendorRequest): boolean {
  return status >= 200 && status < 300;
}

function parse(vendor: Vendor, sent: VendorRequest, body: Buffer): unknown {
  const text = body.toString();
  const tooDeep = isTooDeep(text);
  try {
    if (isUtf8(body) && !tooDeep) return parseAnswer(text);
  } catch {
    // Reported below, like text that is not UTF-8.
  }
  const type = sent.headers['content-type'] ?? 'no content type';
  const what = tooDeep ? 'a reply that is nested too deeply' : 'a reply that is not valid JSON';
  throw invalidReply(vendor, what, `${type}: ${text.slice(0, 20_000)}`);
}

/** A request to a vendor, whole. */
export interface VendorCall {
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** From the root of the vendor's host. */
  readonly path: string;
  /** With the credentials. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Buffer | Readable | null;
  /** Where it came on a client's socket, and may go out on one of the vendor's. */
  readonly turn?: SocketTurn;
}

/** The connections to one vendor, whichever of its wires is spoken on them. */
export interface Connection {
  readonly vendor: Vendor;
  /** Throws the signal's reason, and `buffers_full`. */
  send(call: VendorCall, options: SendOptions): VendorRequest;
  /** The models whose server does not know `stream_options`, as it has said. */
  readonly withoutStreamUsage: Set<string>;
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

/**
 * @param limits of requests that bring none of their own
 * @param proxy through which the vendor is reached; null: directly
 */
export function createConnection(
  provider: ProviderSettings,
  limits: TimeLimits,
  budget: ByteBudget,
  proxy: OutgoingProxy | null = null,
): Connection {
  const vendor: Vendor = { id: provider.id, apiKey: provider.apiKey };
  const { origin, protocol } = new URL(provider.baseUrl);
  const through = (protocol === 'https:' ? proxy?.https : proxy?.http) ?? null;
  const { buildConnector, EnvHttpProxyAgent, Pool } = undiciForChats();
  const direct = buildConnector({ timeout: limits.connect, allowH2: false });
  /** Also of the connections through a proxy, which brings its own way to make them. */
  const poolTo = (to: URL | string, connect: buildConnector.connector) =>
    new Pool(to, {
      connections: provider.connections,
      // Over HTTP/2 the first connection has to be there before the others are made, and one loss hits every request.
      connect: skippingInterim(connect),
      allowH2: false,
      keepAliveTimeout: 30_000,
      // The request has its own, which are exact and do not run while the reader is slow.
      headersTimeout: 0,
      bodyTimeout: 0,
    });
  const pool =
    proxy === null || through === null
      ? poolTo(origin, direct)
      : new EnvHttpProxyAgent({
          httpProxy: through,
          httpsProxy: through,
          noProxy: proxy.except,
          requestTls: { timeout: limits.connect, allowH2: false },
          connect: { timeout: limits.connect },
          factory: (to, { connect }: { readonly connect?: unknown }) =>
            poolTo(to, typeof connect === 'function' ? (connect as buildConnector.connector) : direct),
        });
  const sockets =
    provider.responsesSocket && through === null ? new VendorSockets(origin, limits.connect) : null;
  const isFull = () => pool instanceof Pool && pool.stats.running >= provider.connections;

  return {
    vendor,
    withoutStreamUsage: new Set(),
    send({ method, path, headers, body, turn }, { signal, memory, limits: own }) {
      signal.throwIfAborted();
      const sent = new VendorRequest({ vendor, limits: own ?? limits, signal, isFull, memory, budget });
      const trace = currentSpan()?.headers;
      const all = trace ? Object.entries({ ...headers, ...trace }).flat() : listOf(headers);
      const overHttp = () => void pool.dispatch({ origin, method, path, headers: all, body }, sent);
      if (sockets && turn && Buffer.isBuffer(body))
        sockets.send({ path, headers, body }, turn, sent, overHttp);
      else overHttp();
      sent.handedOver();
      return sent;
    },
    async close() {
      await Promise.all([pool.close(), sockets?.close()]);
    },
  };
}

function listOf(headers: VendorCall['headers']): string[] {
  const known = lists.get(headers);
  if (known) return known;
  const made = Object.entries(headers).flat();
  lists.set(headers, made);
  return made;
}

/**
 * The connections of `connect`, without the interim responses (1xx) that vendors and their proxies send, which a client
 * has to be able to skip also when it has not asked for them (RFC 9110 section 15.2). undici closes the connection at
 * `100 Continue`. `101 Switching Protocols` is no interim response to us: nothing of HTTP follows it.
 */
function skippingInterim(connect: buildConnector.connector): buildConnector.connector {
  return (options, callback) =>
    connect(options, (error, socket) => {
      if (error) callback(error, null);
      else callback(null, withoutInterim(socket as Socket));
    });
}

/**
 * undici takes what arrives by `read`. Only between a request and the first bytes of its reply can there be an interim
 * response; later the same bytes are part of a body.
 */
function withoutInterim(socket: Socket): Socket {
  const read = socket.read.bind(socket);
  const write = socket.write.bind(socket) as (...args: unknown[]) => boolean;
  let beforeReply = false;
  let held: Buffer | null = null;
  let skipped = 0;
  socket.write = (...args: unknown[]) => {
    beforeReply = true;
    skipped = 0;
    return write(...args);
  };
  socket.read = (size?: number): unknown => {
    const chunk = read(size) as Buffer | null;
    if (!beforeReply || chunk === null) return chunk;
    const received = held ? Buffer.concat([held, chunk]) : chunk;
    const rest = afterInterim(received);
    skipped += received.length - rest.length;
    beforeReply = mayBeInterim(rest) && skipped + rest.length <= maxBytes;
    held = beforeReply && rest.length > 0 ? rest : null;
    return beforeReply ? null : rest;
  };
  return socket;
}

/** The bytes after the complete interim responses. */
function afterInterim(received: Buffer): Buffer {
  let rest = received;
  while (mayBeInterim(rest) && rest.length > 0) {
    const end = rest.indexOf('\r\n\r\n');
    if (end < 0) break;
    rest = rest.subarray(end + 4);
  }
  return rest;
}

/** Whether it is the start of an interim response, or may still become one. */
function mayBeInterim(received: Buffer): boolean {
  const start = received.toString('latin1', 0, 12);
  const pattern = 'HTTP/1.x 1xx';
  for (let at = 0; at < start.length; at += 1) {
    const [given = '', expected] = [start[at], pattern[at]];
    if (expected === 'x' ? !/\d/.test(given) : given !== expected) return false;
  }
  return start.slice(9) !== '101';
}
