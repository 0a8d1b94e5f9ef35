import type { IncomingHttpHeaders } from 'node:http';
import type { Dispatcher } from 'undici';
import type { WebSocket } from 'ws';
import type { SocketTurn } from '../../contract/wire-operations.ts';
import { isObject } from '../../lib/json.ts';
import { membersOf } from '../../lib/json-splice.ts';

/**
 * Responses over a WebSocket to a vendor (https://developers.openai.com/api/docs/guides/websocket-mode). Each lane of a client's socket
 * has one to the vendor, where the vendor keeps what was said: the next request of the lane needs to say only what is new.
 */

/** How long a vendor that refused a socket gets its requests over HTTP without being asked again, in milliseconds. */
const refusedMs = 600_000;
/** Maximum size of an event, in bytes: of a whole answer over HTTP. */
const maxPayload = 16 * 1024 * 1024;
/** How long a vendor has to close its side, in milliseconds. */
const closeTimeout = 2_000;

/** Statuses of a vendor that has no sockets here; one that is busy, or takes another key, may open one the next time. */
const lastingRefusals: ReadonlySet<number> = new Set([200, 400, 404, 405, 426, 501]);

/** Headers of a request over HTTP alone. */
const ofHttp = /^(?:content-type|content-length|accept)$/;
/** Within a text the quotes would have backslashes before them. */
const ending = /"type"\s*:\s*"response\.(?:completed|incomplete|failed)"/;
const failing = /"type"\s*:\s*"error"/;
const comma = Buffer.from(',');

/** A request as it would be over HTTP. */
interface SocketCall {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

/** A request that is to go out on a socket. */
interface Job {
  readonly call: SocketCall;
  readonly turn: SocketTurn;
  readonly handler: Dispatcher.DispatchHandler;
  readonly overHttp: () => void;
}

/** The sockets to one vendor. */
export class VendorSockets {
  readonly #origin: string;
  readonly #connectMs: number;
  readonly #open = new Set<VendorSocket>();
  #refusedUntil = 0;
  #closed = false;
  #onEmpty: () => void = () => undefined;

  /** @param connectMs until when a socket has to be open, in milliseconds */
  constructor(origin: string, connectMs: number) {
    this.#origin = origin.replace(/^http/, 'ws');
    this.#connectMs = connectMs;
  }

  /**
   * Sends a request on the vendor's socket of its lane, which it opens where there is none.
   * @param overHttp sends it over HTTP; called where the vendor opens no socket
   */
  send(call: SocketCall, turn: SocketTurn, handler: Dispatcher.DispatchHandler, overHttp: () => void): void {
    const job = { call, turn, handler, overHttp };
    const known = turn.opened()?.get(turn.lane);
    if (known instanceof VendorSocket && known.isFreeFor(this)) known.run(job);
    else {
      known?.close();
      if (this.#closed || performance.now() < this.#refusedUntil) overHttp();
      else void this.begin(job);
    }
  }

  /** Opens no more, and resolves when what runs is over. */
  close(): Promise<void> {
    this.#closed = true;
    for (const socket of this.#open) socket.closeWhenFree();
    return new Promise((resolve) => {
      this.#onEmpty = resolve;
      if (this.#open.size === 0) resolve();
    });
  }

  /** Sends a request on a new socket. Never rejects. */
  async begin(job: Job): Promise<void> {
    const { lane, opened } = job.turn;
    const ws = await this.#connected(job.call);
    if (ws === null) return job.overHttp();
    const socket = new VendorSocket(ws, this);
    this.#open.add(socket);
    opened()?.set(lane, socket);
    ws.once('close', () => {
      this.#open.delete(socket);
      if (opened()?.get(lane) === socket) opened()?.delete(lane);
      if (this.#open.size === 0) this.#onEmpty();
    });
    socket.run(job);
    if (opened() === null) socket.close();
    else if (this.#closed) socket.closeWhenFree();
  }

  /** Null: the vendor opens none. */
  async #connected({ path, headers }: SocketCall): Promise<WebSocket | null> {
    const { WebSocket } = await import('ws');
    const own = Object.entries(headers).filter(([name]) => !ofHttp.test(name));
    // Where none opens, the other half of the time is left for a connection over HTTP.
    const options = {
      maxPayload,
      perMessageDeflate: false,
      closeTimeout,
      handshakeTimeout: this.#connectMs / 2,
    };
    const ws = new WebSocket(this.#origin + path, { ...options, headers: Object.fromEntries(own) });
    return new Promise((resolve) => {
      ws.once('open', () => resolve(ws));
      ws.once('unexpected-response', (request, { statusCode = 0 }) => {
        request.destroy();
        if (lastingRefusals.has(statusCode)) this.#refusedUntil = performance.now() + refusedMs;
        resolve(null);
      });
      // Of an open one `close` follows.
      ws.on('error', () => resolve(null));
    });
  }
}

/** One socket to a vendor, with one request at a time. To who asks, its events are those of a stream over HTTP. */
class VendorSocket implements Dispatcher.DispatchController {
  readonly #ws: WebSocket;
  readonly #vendor: VendorSockets;
  #job: Job | null = null;
  /** Whether events of its answer have come, and whether it said no more than what is new. */
  #answering = false;
  #short = false;
  /** The response that the vendor keeps for this socket. */
  #latest: string | null = null;
  #closing = false;
  aborted = false;
  reason: Error | null = null;

  constructor(ws: WebSocket, vendor: VendorSockets) {
    this.#ws = ws;
    this.#vendor = vendor;
    ws.on('message', (data) => this.#receive(data as Buffer));
    ws.once('close', () => {
      const cut = Object.assign(new Error('The vendor closed the socket.'), { code: 'UND_ERR_SOCKET' });
      this.#take()?.handler.onResponseError?.(this, cut);
    });
  }

  isFreeFor(vendor: VendorSockets): boolean {
    return this.#vendor === vendor && this.#job === null && this.#ws.readyState === this.#ws.OPEN;
  }

  run(job: Job): void {
    try {
      job.handler.onRequestStart?.(this, null);
    } catch {
      // It was given up meanwhile.
      return;
    }
    this.#job = job;
    this.#answering = false;
    const short = shortened(job, this.#latest);
    this.#short = short !== null;
    this.#ws.send(short ?? message(job.call.body), { binary: false });
  }

  /** For a client whose socket has closed. */
  close(): void {
    if (this.#job === null) this.#ws.close(1000);
    else this.#ws.terminate();
  }

  closeWhenFree(): void {
    this.#closing = true;
    if (this.#job === null) this.close();
  }

  get paused(): boolean {
    return this.#ws.isPaused;
  }

  pause(): void {
    this.#ws.pause();
  }

  resume(): void {
    this.#ws.resume();
  }

  /** The vendor has no message that cancels. */
  abort(reason: Error): void {
    this.aborted = true;
    this.reason = reason;
    this.#job = null;
    this.#ws.terminate();
  }

  #receive(data: Buffer): void {
    if (this.#job === null) return;
    const event = data.toString();
    if (failing.test(event) && this.#fails(event)) return;
    this.#pass(event);
    const ended = ending.exec(event) && parsed(event);
    if (!ended || !String(ended['type']).startsWith('response.')) return;
    const { response } = ended;
    const kept = ended['type'] !== 'response.failed' && isObject(response) ? response['id'] : null;
    this.#latest = typeof kept === 'string' ? kept : null;
    this.#end();
  }

  /** Whether the event is an error, which ends the answer. */
  #fails(event: string): boolean {
    const { type, status, headers, error: nested, ...flat } = parsed(event) ?? {};
    const job = this.#job;
    if (type !== 'error' || job === null) return false;
    const error = isObject(nested) ? nested : flat;
    this.#latest = null;
    if (this.#answering) {
      this.#pass(JSON.stringify({ ...error, type, error }));
      this.#end();
      return true;
    }
    if (this.#short && error['code'] === 'previous_response_not_found') {
      this.#short = false;
      this.#ws.send(message(job.call.body), { binary: false });
      return true;
    }
    if (error['code'] === 'websocket_connection_limit_reached') {
      this.#take();
      this.#ws.close(1000);
      void this.#vendor.begin(job);
      return true;
    }
    const code = typeof status === 'number' && status >= 400 && status < 600 ? status : 500;
    const { handler } = job;
    const replyHeaders = { ...(isObject(headers) && headers), 'content-type': 'application/json' };
    handler.onResponseStart?.(this, code, replyHeaders as IncomingHttpHeaders);
    handler.onResponseData?.(this, Buffer.from(JSON.stringify({ error })));
    this.#end();
    return true;
  }

  #pass(event: string): void {
    const job = this.#job;
    if (job === null) return;
    if (!this.#answering) job.handler.onResponseStart?.(this, 200, { 'content-type': 'text/event-stream' });
    this.#answering = true;
    job.handler.onResponseData?.(this, Buffer.from(`data: ${oneLine(event)}\n\n`));
  }

  #end(): void {
    this.#ws.resume();
    this.#take()?.handler.onResponseEnd?.(this, {});
    if (this.#closing) this.#ws.close(1000);
  }

  #take(): Job | null {
    const job = this.#job;
    this.#job = null;
    return job;
  }
}

/** A request as a message. */
function message(body: Buffer, changes: Readonly<Record<string, string>> = {}): Buffer {
  const pieces = membersOf(body).flatMap(({ name, whole }) =>
    name === 'stream' || name in changes ? [] : [comma, whole],
  );
  const changed = Object.entries(changes).map(([name, value]) => Buffer.from(`,"${name}":${value}`));
  return Buffer.concat([Buffer.from('{"type":"response.create"'), ...pieces, ...changed, Buffer.from('}')]);
}

/**
 * A request that continues the response which the vendor keeps for the socket, with only what is new; null: it does not, or what is
 * new was changed on its way.
 */
function shortened({ call, turn: { continues } }: Job, latest: string | null): Buffer | null {
  if (continues === null || continues.id !== latest) return null;
  const { items } = continues;
  const input = membersOf(call.body).findLast(({ name }) => name === 'input')?.value;
  if (!input?.subarray(input.length - items.length - 1, -1).equals(items)) return null;
  return message(call.body, { input: `[${items}]`, previous_response_id: JSON.stringify(latest) });
}

function parsed(event: string): Readonly<Record<string, unknown>> | null {
  try {
    const value: unknown = JSON.parse(event);
    return isObject(value) ? value : null;
  } catch {
    return null;
  }
}

/** JSON may have line breaks between its tokens, which would end an event of a stream. */
function oneLine(event: string): string {
  return /[\r\n]/.test(event) ? event.replaceAll(/[\r\n]+/g, ' ') : event;
}
