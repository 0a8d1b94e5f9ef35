import type { IncomingMessage as Incoming, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { Writable } from 'node:stream';
import type { SocketTurn } from '../contract/wire-operations.ts';

// As in `listen.ts`: an import would load an HTTP client for nothing.
const { IncomingMessage } = process.getBuiltinModule('node:http');

/** Takes the reply to a request that came as a message of a socket. */
export interface ReplySink {
  head(status: number, headers: Readonly<Record<string, unknown>>): void;
  /** @param done is to be called when there is room for more */
  chunk(chunk: string | Buffer, done: () => void): void;
  end(): void;
}

/** Headers that belong to the connection, to the handshake alone, or to one request of several. */
const ofTheHandshake =
  /^(?:connection|upgrade|keep-alive|sec-websocket-.*|content-.*|transfer-encoding|te|trailer|expect|accept|accept-encoding|origin|idempotency-key|x-request-id|x-switchyard-dry-run)$/;

/** The head of all requests that come as messages of a socket: that of its handshake, as far as it says who asks for what. */
export class MessageHead {
  readonly #url: string;
  readonly #socket: Socket;
  readonly #headers: Incoming['headers'];
  readonly #rawHeaders: readonly string[];

  constructor({ url = '/', socket, headers, rawHeaders }: Incoming) {
    const { remoteAddress, encrypted } = socket as Socket & { readonly encrypted?: boolean };
    this.#url = url;
    // All that is asked of it. The connection itself is the socket's, and no request may pause or end it.
    this.#socket = { remoteAddress, encrypted, readable: false, destroyed: true } as unknown as Socket;
    const kept = Object.entries(headers).filter(([name]) => !ofTheHandshake.test(name));
    this.#headers = Object.fromEntries(kept.map(([name, value]) => [name, overHttp(name, value)]));
    this.#rawHeaders = rawHeaders.filter((_, index) => {
      const name = rawHeaders[index - (index % 2)] ?? '';
      return !ofTheHandshake.test(name.toLowerCase());
    });
  }

  /**
   * A POST of a JSON body to the path of the handshake.
   * @param more further headers, in lower case
   */
  request(body: Buffer, turn: SocketTurn, more: Readonly<Record<string, string>> = {}): Incoming {
    const req = new IncomingMessage(this.#socket);
    req.httpVersion = '1.1';
    req.method = 'POST';
    req.url = this.#url;
    req.rawHeaders = [...this.#rawHeaders];
    const own = { 'content-type': 'application/json', 'content-length': String(body.length) };
    req.headers = { ...this.#headers, ...own, ...more };
    req.push(body);
    req.push(null);
    req.complete = true;
    turns.set(req, turn);
    return req;
  }
}

const turns = new WeakMap<Incoming, SocketTurn>();

/** Of a request that came as a message of a socket; undefined for any other. */
export function turnOf(req: Incoming): SocketTurn | undefined {
  return turns.get(req);
}

/** Codex names the protocol of sockets among what it tries out, which is nothing for a request over HTTP. */
function overHttp(name: string, value: string | string[] | undefined): string | string[] | undefined {
  if (name !== 'openai-beta' || typeof value !== 'string') return value;
  const others = value.split(/\s*,\s*/).filter((one) => !one.startsWith('responses_websockets'));
  return others.length > 0 ? others.join(', ') : undefined;
}

/** The reply to such a request: the parts of a `ServerResponse` that handling a request needs, without a connection. */
export class MessageReply extends Writable {
  statusCode = 404;
  headersSent = false;
  readonly socket = null;
  readonly #sink: ReplySink;

  constructor(sink: ReplySink) {
    super({ decodeStrings: false });
    this.#sink = sink;
  }

  /** As what the application takes. */
  asResponse(): ServerResponse {
    return this as unknown as ServerResponse;
  }

  writeHead(status: number, headers: Readonly<Record<string, unknown>>): this {
    this.statusCode = status;
    this.headersSent = true;
    this.#sink.head(status, headers);
    return this;
  }

  setHeader(): this {
    return this;
  }

  flushHeaders(): void {
    this.headersSent = true;
  }

  override _write(chunk: string | Buffer, _encoding: BufferEncoding, done: () => void): void {
    this.#sink.chunk(chunk, done);
  }

  override _final(done: () => void): void {
    this.#sink.end();
    done();
  }
}
