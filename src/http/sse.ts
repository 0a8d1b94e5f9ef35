import type { ServerResponse } from 'node:http';
import type { ErrorObject } from '../../generated/types.gen.ts';
import { toServiceError } from '../contract/errors.ts';
import type { Framing } from '../contract/registry.ts';
import type { Recording } from './recording.ts';

/** So much is handed to a connection at a time. A reader that does not take that in time is given up. */
export const pieceBytes = 64 * 1024;

export const eventStreamHeaders: Readonly<Record<string, string>> = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-cache, no-transform',
  // nginx would otherwise collect the events before it passes them on.
  'x-accel-buffering': 'no',
};

export interface StreamOptions {
  /** Milliseconds of silence after which a comment line keeps the connection open. */
  readonly heartbeatMs: number;
  /** The same on foreign interfaces, whose clients complain sooner: also before the first byte of an answer. */
  readonly pingMs: number;
  /** Milliseconds that a reader may take nothing at all before it is given up. */
  readonly writeTimeoutMs: number;
  /** Milliseconds for which a connection stays open after the error of a stream, before it breaks off; 250 if left out. */
  readonly breakOffMs?: number;
}

type StreamEvent = { readonly type: string; readonly seq?: unknown; readonly error?: ErrorObject };

/** How one stream is written, beyond what holds for all. */
export interface WriteOptions extends StreamOptions {
  readonly framing?: Framing | undefined;
  /** Also gets everything written except heartbeats, to the end even without a reader. */
  readonly recording?: Recording | null;
  /** The last event for a reader that is too slow; it still gets it if it resumes in time. */
  readonly tooSlow?: (() => StreamEvent) | undefined;
  /** The error event's content for a failure; null: the contract of the stream has no error event. */
  readonly describe: ((thrown: unknown) => ErrorObject) | null;
  /** Holds an event against the contract. Throws for one that does not fit. */
  readonly check?: ((event: StreamEvent) => void) | undefined;
}

/**
 * Writes events as Server-Sent Events (https://html.spec.whatwg.org/multipage/server-sent-events.html): the event's
 * type, then one line of JSON. Takes the next event only when the connection has room for it. A stream that breaks off
 * gets its terminal event here: one `error`, after which nothing comes. Returns when the events are written or the reader
 * has disconnected. Rethrows errors of the events where there is no error event, for the connection to be cut.
 */
export async function writeEvents(
  res: ServerResponse,
  events: AsyncIterable<StreamEvent | readonly StreamEvent[]>,
  {
    heartbeatMs,
    writeTimeoutMs,
    framing = 'named',
    recording = null,
    tooSlow,
    describe,
    check,
  }: WriteOptions,
): Promise<void> {
  const lines = new Lines(res);
  lines.begin();
  const write = (event: StreamEvent) => {
    check?.(event);
    const text = onWire(event, framing);
    recording?.chunk(text);
    return lines.write(text);
  };
  const writeAll = (next: StreamEvent | readonly StreamEvent[]) => {
    if ('type' in next) return write(next);
    let room = true;
    for (const event of next) room = write(event);
    return room;
  };
  try {
    await pipe(res, events, {
      write: writeAll,
      ping: framing.startsWith('named') ? () => lines.write(': ping\n\n') : null,
      pingMs: heartbeatMs,
      writeTimeoutMs,
      recording,
      tooSlow: tooSlow && (() => write(tooSlow())),
    });
  } catch (thrown) {
    if (describe === null) throw thrown;
    recording?.fail(toServiceError(thrown).info.status);
    const error = describe(thrown);
    if (!res.destroyed || recording) write({ type: 'error', error });
  }
  await recording?.end();
  if (res.destroyed) return;
  lines.end();
  if (res.writableLength > 0) endInTime(res, writeTimeoutMs);
}

/** How the pieces of a stream reach its reader. */
export interface Piping<Piece> {
  /** Writes a piece. Returns whether the connection has room for more, or is closed. */
  readonly write: (piece: Piece) => boolean;
  /** Writes a sign of life; null: the stream has none. */
  readonly ping?: (() => void) | null;
  /** Milliseconds of silence before each sign of life. */
  readonly pingMs: number;
  /** Milliseconds that the reader may take nothing at all before it is cut off. */
  readonly writeTimeoutMs: number;
  /** Takes all pieces, with or without a reader. */
  readonly recording?: Recording | null;
  /** Writes the last words to a reader that is too slow, in place of cutting it off. */
  readonly tooSlow?: (() => void) | undefined;
}

/**
 * Writes the pieces of a stream as fast as their reader takes them, and signs of life in silence. Resolves when all are written or
 * the reader has disconnected or is too slow. Throws what the pieces throw.
 */
export async function pipe<Piece extends object | string>(
  res: ServerResponse,
  pieces: AsyncIterable<Piece>,
  { write, ping, pingMs, writeTimeoutMs, recording, tooSlow }: Piping<Piece>,
): Promise<void> {
  const heartbeat = ping
    ? setInterval(() => {
        if (!res.destroyed && !res.writableNeedDrain) ping();
      }, pingMs)
    : null;
  try {
    for await (const piece of pieces) {
      if (res.destroyed && !recording) return;
      if ((piece as { readonly length?: number }).length === 0) continue;
      heartbeat?.refresh();
      if (write(piece) || (await drained(res, writeTimeoutMs))) continue;
      if (tooSlow && !recording) tooSlow();
      else res.destroy();
      if (!recording) return;
    }
  } finally {
    if (heartbeat) clearInterval(heartbeat);
  }
}

/**
 * Hands the head of a reply to its connection, which keeps it until the function is called that is returned: written
 * alone, it would cost as much as several events.
 */
export function headFlushed(res: ServerResponse): () => void {
  const { socket } = res;
  socket?.cork();
  res.flushHeaders();
  return () => socket?.uncork();
}

/** So many characters are not kept for a write with more of them. */
const enoughForWrite = 16_384;

/** Puts what comes without a pause into one write: each costs as much as several events. */
class Lines {
  readonly #res: ServerResponse;
  #waiting = '';
  #scheduled = false;
  readonly #flush = () => {
    this.#scheduled = false;
    this.flush();
    this.#uncork?.();
    this.#uncork = null;
  };
  #uncork: (() => void) | null = null;

  constructor(res: ServerResponse) {
    this.#res = res;
  }

  /** Sends the head with the events that are there already, and without them if there are none. */
  begin(): void {
    this.#uncork = headFlushed(this.#res);
    this.#scheduled = true;
    process.nextTick(this.#flush);
  }

  /** Whether the connection has room for more, or is closed. */
  write(text: string): boolean {
    this.#waiting += text;
    if (this.#waiting.length >= enoughForWrite) this.flush();
    else if (!this.#scheduled) {
      this.#scheduled = true;
      // After all events that are there already, as these come by promises, and before anything else happens.
      process.nextTick(this.#flush);
    }
    return this.#res.destroyed || !this.#res.writableNeedDrain;
  }

  flush(): void {
    const text = this.#waiting;
    this.#waiting = '';
    if (text !== '' && !this.#res.destroyed) this.#res.write(text);
  }

  /** Writes the last with the end. */
  end(): void {
    const text = this.#waiting;
    this.#waiting = '';
    this.#res.end(text);
  }
}

/** The text before the data of an event without a number, by its type. Types come from the contract, so they are few. */
const starts = new Map<string, string>();

function startOf(type: string): string {
  const known = starts.get(type);
  if (known !== undefined) return known;
  const start = `event: ${type}\ndata: `;
  starts.set(type, start);
  return start;
}

function onWire(event: StreamEvent, framing: Framing): string {
  const id = framing.endsWith('numbered') && typeof event.seq === 'number' ? `id: ${event.seq}\n` : '';
  const start = framing.startsWith('named') ? startOf(event.type) : 'data: ';
  return `${id}${start}${JSON.stringify(event)}\n\n`;
}

/** Resolves with true when the reader has caught up or disconnected, with false when it takes nothing for too long. */
export function drained(res: ServerResponse, timeoutMs: number): Promise<boolean> {
  return new Promise((fulfil) => {
    const done = (caughtUp: boolean) => {
      clearTimeout(deadline);
      res.off('drain', ready);
      res.off('close', ready);
      fulfil(caughtUp);
    };
    const ready = () => done(true);
    const deadline = setTimeout(() => done(false), timeoutMs);
    res.on('drain', ready);
    res.on('close', ready);
    if (res.destroyed) ready();
  });
}

/** Cuts the connection of a reader that does not take the end either. */
export function endInTime(res: ServerResponse, timeoutMs: number): void {
  const deadline = setTimeout(() => res.destroy(), timeoutMs);
  res.once('close', () => clearTimeout(deadline));
}

/**
 * Writes a large body piece by piece, as fast as the reader takes it, and ends the reply. Handed over as a whole, it would
 * hide whether the client reads.
 */
export async function pour(res: ServerResponse, body: Buffer, timeoutMs: number): Promise<void> {
  for (let at = 0; at < body.length; at += pieceBytes) {
    if (res.destroyed) return;
    if (res.write(body.subarray(at, at + pieceBytes)) || (await drained(res, timeoutMs))) continue;
    res.destroy();
    return;
  }
  res.end();
  if (!res.writableFinished) endInTime(res, timeoutMs);
}
