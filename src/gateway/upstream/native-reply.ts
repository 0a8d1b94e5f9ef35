import { buffersFull } from '../../contract/errors.ts';
import { redact } from '../../lib/redact.ts';
import type { SendOptions } from '../../model/port.ts';
import { EndlessEvent, EventFrames } from './event-frames.ts';
import type { NativeReader } from './native.ts';
import { ProviderError } from './provider-error.ts';
import { interrupted, invalidReply, type Vendor } from './vendor.ts';
import { bodyOf, type Connection, maxErrorLength, succeeded, type VendorCall } from './vendor-client.ts';
import { errorOfReply } from './vendor-errors.ts';
import type { VendorRequest } from './vendor-request.ts';
import { isWhole } from './whole-stream.ts';

/** Of events that are there already so many bytes at most go on in one piece, but for the last of them. */
const passedAtOnce = 16 * 1024;

/** A vendor's whole reply as it came. */
export interface NativeWhole {
  readonly status: number;
  readonly mediaType: string;
  readonly body: Buffer;
}

/** Events of a vendor's stream as they came. */
export interface NativePiece {
  readonly bytes: Buffer;
  /** Whether the answer is complete with it: nothing of it follows. */
  readonly last: boolean;
}

/** Pieces of a reply as they come. To be given up by `return`, which closes the connection. */
export interface Pieces<Piece = NativePiece> extends AsyncIterable<Piece> {
  next(): Promise<IteratorResult<Piece, undefined>>;
  return(value?: undefined): Promise<IteratorResult<Piece, undefined>>;
}

/** A request on the native lane: in the vendor's own wire, with the model that it is for, for messages. */
export interface NativeCall {
  readonly call: VendorCall;
  readonly model: string;
  readonly reader: NativeReader;
}

/**
 * Sends a request and gives the reply as it came. Throws `ProviderError`, and `buffers_full`. The vendor's objections to
 * the request are passed on in its own words, see `vendorSaid`.
 */
export async function wholeReply(
  connection: Connection,
  native: NativeCall,
  options: SendOptions,
): Promise<NativeWhole> {
  const sent = connection.send(native.call, options);
  try {
    const body = await bodyOf(sent);
    if (!succeeded(sent)) throw refused(connection.vendor, native.model, sent, body);
    native.reader.whole(body);
    return { status: sent.status, mediaType: mediaTypeOf(sent), body };
  } catch (error) {
    sent.giveBack();
    throw error;
  } finally {
    if (options.memory === null) sent.giveBack();
  }
}

/** A vendor's reply to a request for a stream: events, or a whole reply all the same. */
export type StreamedReply = { readonly pieces: Pieces } | { readonly body: Buffer };

/**
 * Sends a request and gives the events of the reply as they come, the first of them at hand: earlier failures are thrown
 * here, so that another attempt can take over. A stream that breaks off throws.
 */
export async function streamedReply(
  connection: Connection,
  native: NativeCall,
  options: SendOptions,
): Promise<StreamedReply> {
  const { vendor } = connection;
  const sent = await answered(connection, native, options);
  if (!(await isWhole(sent))) return { pieces: await eventsOf(sent, native.reader, vendor) };
  const body = await sent.body().finally(() => sent.giveBack());
  native.reader.whole(body);
  return { body };
}

/** Sends a request and waits for the head of a reply whose status is no error. Throws as `wholeReply` does. */
export async function answered(
  connection: Connection,
  native: NativeCall,
  options: SendOptions,
): Promise<VendorRequest> {
  const sent = connection.send(native.call, options);
  await sent.head();
  if (succeeded(sent)) return sent;
  throw refused(connection.vendor, native.model, sent, await bodyAsFarAsItComes(sent));
}

/** The body that explains an error; empty if the connection is lost. */
export function bodyAsFarAsItComes(sent: VendorRequest): Promise<Buffer> {
  return sent
    .body()
    .catch(() => Buffer.alloc(0))
    .finally(() => sent.giveBack());
}

/** The events of a reply that has begun, the first of them at hand. Throws the failure with which the vendor begins. */
export async function eventsOf(sent: VendorRequest, reader: NativeReader, vendor: Vendor): Promise<Pieces> {
  const pieces = piecesOf(sent, reader, vendor);
  const first = await pieces.next();
  const { failure } = reader.summary;
  // The vendor failed before it said anything: another attempt may do better.
  if (failure && !first.done && failure.worthRetrying) {
    await pieces.return(undefined);
    throw failure;
  }
  return new StartedPieces(first, pieces);
}

async function* piecesOf(
  sent: VendorRequest,
  reader: NativeReader,
  vendor: Vendor,
): AsyncGenerator<NativePiece, undefined> {
  const frames = new EventFrames();
  let begun = false;
  let over = false;
  const take = (chunk: Buffer | null): Buffer[] => {
    const events = chunk ? cut(frames, chunk, vendor) : [frames.rest()].filter(({ length }) => length > 0);
    if (!sent.hold(frames.bytes)) throw buffersFull();
    let passed = events;
    for (const [index, event] of events.entries()) {
      const passes = reader.event(event);
      if (!passes && passed === events) passed = events.slice(0, index);
      else if (passes && passed !== events) passed.push(event);
    }
    if (events.length > 0) sent.answering();
    over ||= reader.over;
    return passed;
  };
  try {
    for (;;) {
      let chunk = await sent.read();
      let passed = take(chunk);
      // Chunks that are there already go out in one piece. The first goes alone: until then another attempt may take over.
      for (let bytes = chunk?.length ?? 0; begun && !over && bytes < passedAtOnce; bytes += chunk.length) {
        const next = sent.waiting();
        if (next === null) break;
        chunk = next;
        const waiting = passed;
        try {
          passed = take(chunk);
        } catch (error) {
          if (waiting.length > 0) yield piece(waiting, false);
          throw error;
        }
        // The last piece is separate: those before it do not wait for the work before the end.
        if (!over) passed = waiting.concat(passed);
        else if (waiting.length > 0) yield piece(waiting, false);
      }
      begun ||= passed.length > 0;
      if (passed.length > 0) yield piece(passed, over);
      if (over) {
        if (reader.summary.complete) sent.release();
        return undefined;
      }
      if (chunk !== null) continue;
      // Some vendors leave the end mark out.
      if (reader.summary.endReason === null) throw interrupted(vendor);
      over = true;
      return undefined;
    }
  } catch (error) {
    // That the connection was lost after the end does no harm.
    if (
      reader.summary.endReason !== null &&
      error instanceof ProviderError &&
      error.code === 'provider_stream_interrupted'
    )
      return undefined;
    throw error;
  } finally {
    if (!reader.summary.complete) sent.close();
  }
}

function piece(events: readonly Buffer[], last: boolean): NativePiece {
  return { bytes: events.length === 1 ? (events[0] as Buffer) : Buffer.concat(events), last };
}

function cut(frames: EventFrames, chunk: Buffer, vendor: Vendor): Buffer[] {
  try {
    return frames.push(chunk);
  } catch (error) {
    if (error instanceof EndlessEvent) throw invalidReply(vendor, error.message, '');
    throw error;
  }
}

/** Pieces of which the first has been read: a generator around another would cost half as much again for each of them. */
export class StartedPieces<Piece = NativePiece> implements Pieces<Piece> {
  #first: IteratorResult<Piece, undefined> | null;
  readonly #rest: Pieces<Piece>;

  constructor(first: IteratorResult<Piece, undefined>, rest: Pieces<Piece>) {
    this.#first = first;
    this.#rest = rest;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  next(): Promise<IteratorResult<Piece, undefined>> {
    const first = this.#first;
    this.#first = null;
    return first ? Promise.resolve(first) : this.#rest.next();
  }

  return(): Promise<IteratorResult<Piece, undefined>> {
    this.#first = null;
    return this.#rest.return(undefined);
  }
}

export function mediaTypeOf({ headers }: VendorRequest): string {
  return String(headers['content-type'] ?? 'application/octet-stream');
}

/** A vendor's objection to a request, which its client understands better than any words of ours. */
export interface VendorSaid {
  readonly status: number;
  readonly mediaType: string;
  readonly body: string;
}

const saidBy = new WeakMap<ProviderError, VendorSaid>();

/** The vendor's own words for a request that it refused, on the native lane; null for any other failure. */
export function vendorSaid(error: unknown): VendorSaid | null {
  return error instanceof ProviderError ? (saidBy.get(error) ?? null) : null;
}

/** The error of a reply whose status says that it is none. */
function refused(vendor: Vendor, model: string, sent: VendorRequest, body: Buffer): ProviderError {
  const text = body.toString('utf8', 0, maxErrorLength);
  const error = errorOfReply(vendor, model, sent.status, sent.headers, text);
  // Under the status of a failure clients would send again what is refused.
  const asItIs = sent.status < 500 && /^application\/json\b/i.test(mediaTypeOf(sent));
  if (error.code === 'provider_rejected' && asItIs)
    saidBy.set(error, {
      status: sent.status,
      mediaType: mediaTypeOf(sent),
      body: redact(text, vendor.apiKey),
    });
  return error;
}
