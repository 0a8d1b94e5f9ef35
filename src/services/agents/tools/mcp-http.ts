import { isUtf8 } from 'node:buffer';
import type { IncomingHttpHeaders } from 'node:http';
import { createGunzip, createInflate } from 'node:zlib';
import { createParser, type EventSourceParser } from 'eventsource-parser';
import type { Dispatcher } from 'undici';
import { objectIn } from '../../../lib/json.ts';
import { undiciForChats } from '../../../lib/undici.ts';

/** Maximum size of a reply, in bytes. */
export const maxReplyBytes = 4 * 1024 * 1024;

/** After the answer, how long and how much more is read to get the connection back for the next request. */
const lingerMs = 1000;
const lingerBytes = 64 * 1024;

/** A reply whose body ends with an error when it grows too large. */
export function bounded(response: Response): Response {
  if (!response.body) return response;
  let size = 0;
  const bound = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      size += chunk.length;
      if (size > maxReplyBytes) controller.error(tooLarge());
      else controller.enqueue(chunk);
    },
  });
  const { status, statusText, headers } = response;
  return new Response(response.body.pipeThrough(bound), {
    status,
    statusText,
    headers: Object.fromEntries(headers),
  });
}

function tooLarge(): Error {
  return new Error('The reply is larger than 4 MiB.');
}

/** A message of JSON-RPC that came: nothing of it is known but that it is an object. */
export type RpcMessage = Readonly<Record<string, unknown>>;

export interface RpcAnswer {
  readonly message: RpcMessage;
  /** As it came. */
  readonly bytes: Buffer;
}

export interface RpcRequest {
  readonly url: URL;
  /** Names and values in turn. */
  readonly headers: string[];
  readonly id: number;
  /** Null: continues the stream of an earlier reply, by GET. */
  readonly body: Buffer | null;
  /** Where that reply ended. */
  readonly resume?: RpcReply['resume'];
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  /** Is given the requests and notifications of a stream. */
  readonly onOther: (message: RpcMessage) => void;
}

export interface RpcReply {
  /** 0: there was none, and a stream was to be continued. */
  readonly status: number;
  /** Null: none came that is one to this request. */
  readonly answer: RpcAnswer | null;
  /** The beginning of what came where it is no answer. */
  readonly said: string;
  /** Where a stream that ended too early can be continued, and after how many milliseconds; null: nowhere. */
  readonly resume: { readonly lastEventId: string; readonly afterMs: number } | null;
}

/**
 * Sends one request, and gives its reply when the answer is there. The SDK's way costs twice as much: it goes through `fetch`, web
 * streams, and a schema for each message. Rejects with `RpcTimeout`, the signal's reason, and what failed at the network.
 */
export function postRpc(request: RpcRequest): Promise<RpcReply> {
  return new Promise((resolve, reject) => {
    request.signal.throwIfAborted();
    const { url, headers, body } = request;
    // The one that `fetch` uses, with the operator's proxy if Node.js is configured with one.
    undiciForChats()
      .getGlobalDispatcher()
      .dispatch(
        {
          origin: url.origin,
          path: url.pathname + url.search,
          method: body ? 'POST' : 'GET',
          headers,
          body,
          // The request has its own.
          headersTimeout: 0,
          bodyTimeout: 0,
        },
        new Posted(request, resolve, reject),
      );
  });
}

type Decoding = ReturnType<typeof createGunzip>;

/** The encodings that can be decoded within bounds. None is requested, as it would delay streams, but some servers compress unasked. */
const decoders: Readonly<Record<string, () => Decoding>> = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  deflate: createInflate,
};

/** No answer came in time. */
export class RpcTimeout extends Error {
  constructor(timeoutMs: number) {
    super(`There was no answer within ${timeoutMs / 1000} seconds.`);
  }
}

class Posted implements Dispatcher.DispatchHandler {
  readonly #request: RpcRequest;
  readonly #resolve: (reply: RpcReply) => void;
  readonly #reject: (error: unknown) => void;
  #controller: Dispatcher.DispatchController | null = null;
  #status = 0;
  #parser: EventSourceParser | null = null;
  readonly #decoder = new TextDecoder();
  #decoding: (typeof decoders)[string] | undefined;
  /** Null: nothing has come that is compressed. */
  #unzip: Decoding | null = null;
  #chunks: Buffer[] = [];
  #bytes = 0;
  #lastEventId: string;
  #afterMs: number;
  #over = false;
  #timer: NodeJS.Timeout;
  readonly #onAbort = () => this.#fail(this.#request.signal.reason);

  constructor(request: RpcRequest, resolve: (reply: RpcReply) => void, reject: (error: unknown) => void) {
    this.#request = request;
    this.#resolve = resolve;
    this.#reject = reject;
    const { timeoutMs, signal, resume } = request;
    this.#lastEventId = resume?.lastEventId ?? '';
    this.#afterMs = resume?.afterMs ?? 1000;
    this.#timer = setTimeout(() => this.#fail(new RpcTimeout(timeoutMs)), timeoutMs);
    signal.addEventListener('abort', this.#onAbort, { once: true });
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    // Given up while it was waiting for a connection, which this leaves alone.
    if (this.#over) throw abandoned;
    this.#controller = controller;
  }

  onResponseStart(_controller: unknown, status: number, headers: IncomingHttpHeaders): void {
    if (status < 200) return;
    this.#status = status;
    const coding = String(headers['content-encoding'] ?? 'identity').toLowerCase();
    this.#decoding = decoders[coding];
    if (coding !== 'identity' && !this.#decoding) {
      const named = JSON.stringify(coding.slice(0, 50));
      this.#fail(new Error(`It answered in the coding ${named}, which it was not asked for.`));
      return;
    }
    if (!/^text\/event-stream\b/i.test(headers['content-type'] ?? '')) return;
    this.#parser = createParser({
      onEvent: ({ id, event, data }) => {
        if (id) this.#lastEventId = id;
        if (data === '' || this.#over || (event && event !== 'message')) return;
        const message = objectIn(data);
        if (message === null) return;
        if (this.#answers(message)) this.#reply({ message, bytes: Buffer.from(data) });
        else if ('method' in message) this.#pass(message);
      },
      onRetry: (ms) => {
        this.#afterMs = ms;
      },
    });
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#over) {
      this.#bytes += chunk.length;
      if (this.#bytes > lingerBytes) controller.abort(abandoned);
    } else if (this.#decoding) {
      this.#unzip ??= this.#unzipping(this.#decoding());
      if (this.#unzip.write(chunk)) return;
      controller.pause();
      this.#unzip.once('drain', () => controller.resume());
    } else this.#take(chunk);
  }

  #take(chunk: Buffer): void {
    this.#bytes += chunk.length;
    if (this.#bytes > maxReplyBytes) this.#fail(tooLarge());
    else if (this.#parser) this.#parser.feed(this.#decoder.decode(chunk, { stream: true }));
    else this.#chunks.push(chunk);
  }

  onResponseEnd(): void {
    if (this.#unzip) this.#unzip.end();
    else this.#finish();
  }

  #finish(): void {
    clearTimeout(this.#timer);
    if (this.#over) return;
    if (this.#parser) {
      this.#reply(null, '', true);
      return;
    }
    const [first, second] = this.#chunks;
    const bytes = first && !second ? first : Buffer.concat(this.#chunks);
    const message = isUtf8(bytes) ? objectIn(bytes.toString()) : null;
    if (message && this.#answers(message)) this.#reply({ message, bytes }, '', true);
    else this.#reply(null, bytes.toString('utf8', 0, 2000), true);
  }

  onResponseError(_controller: unknown, error: Error): void {
    clearTimeout(this.#timer);
    if (this.#over) return;
    // https://modelcontextprotocol.io/specification/2025-11-25/basic/transports#resumability-and-redelivery
    if (this.#lastEventId === '') this.#fail(error);
    else this.#reply(null, '', true);
  }

  #unzipping(unzip: Decoding): Decoding {
    unzip.on('data', (chunk: Buffer) => !this.#over && this.#take(chunk));
    unzip.on('end', () => this.#finish());
    unzip.on('error', () => this.onResponseError(null, new Error('It sent what cannot be decompressed.')));
    return unzip;
  }

  #answers(message: RpcMessage): boolean {
    return message['id'] === this.#request.id && !('method' in message);
  }

  #pass(message: RpcMessage): void {
    try {
      this.#request.onOther(message);
    } catch {
      // It is none that the SDK could read.
    }
  }

  #reply(answer: RpcAnswer | null, said = '', ended = false): void {
    this.#end();
    const lastEventId = this.#lastEventId;
    const resume = lastEventId === '' ? null : { lastEventId, afterMs: this.#afterMs };
    this.#resolve({ status: this.#status, answer, said, resume });
    if (ended) return;
    // Further data is dropped.
    this.#bytes = 0;
    this.#timer = setTimeout(() => this.#controller?.abort(abandoned), lingerMs).unref();
  }

  #fail(error: unknown): void {
    if (this.#over) return;
    this.#end();
    this.#reject(error);
    this.#controller?.abort(abandoned);
  }

  #end(): void {
    this.#over = true;
    this.#chunks = [];
    this.#unzip?.destroy();
    this.#unzip = null;
    clearTimeout(this.#timer);
    this.#request.signal.removeEventListener('abort', this.#onAbort);
  }
}

/** The reason that undici gets for an abandoned request. */
const abandoned = new Error('The request was given up.');
