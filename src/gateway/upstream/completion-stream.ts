import { isAscii } from 'node:buffer';
import { createParser, type EventSourceMessage } from 'eventsource-parser';
import { buffersFull } from '../../contract/errors.ts';
import type { CompletionEvent, CompletionStream } from '../../model/port.ts';
import { ProviderError } from './provider-error.ts';
import { interrupted, invalidReply, type Vendor } from './vendor.ts';
import type { VendorRequest } from './vendor-request.ts';

/** Maximum that is read without a message coming of it, in characters: an endless line, page or comment. */
const maxMessageLength = 4 * 1024 * 1024;

/** So many bytes at most are decoded at a time of what is there already, but for the last piece. */
const decodedAtOnce = 16 * 1024;

/** Decodes the messages in a wire's streams. */
export interface StreamDecoder {
  /** Passes on what the message means. After `end` nothing more is taken. Throws `ProviderError`. */
  take(message: EventSourceMessage, emit: (event: CompletionEvent) => void): void;
  /** Passes on `end`, with what is to come before it, for an answer that is complete although its end mark has not come. */
  completed(emit: (event: CompletionEvent) => void): void;
}

/**
 * The events of a reply. Resolves when the first is at hand, so earlier failures are thrown here.
 *
 * The SDKs' `Stream.fromSSEResponse` is not used: it takes a stream that stops for a complete one, ends silently when
 * aborted, buffers a line without bound, logs to the console, and needs a web stream: 8.9 µs a chunk against 2.3 µs
 * with `eventsource-parser` on the same source (Node 24, chunks of 250 bytes). This adds what the parser leaves to its
 * user: strict UTF-8 across chunks, the bound, and the meaning of the end of the connection.
 */
export async function openCompletionStream(
  request: VendorRequest,
  decoder: StreamDecoder,
  vendor: Vendor,
): Promise<CompletionStream> {
  const stream = new DecodedStream(request, decoder, vendor);
  await stream.fill();
  return stream;
}

const streaming = { stream: true };

/** Whether nothing is left over at the end that belongs to a character whose rest is still to come. */
const endsWhole = (chunk: Buffer) => (chunk.at(-1) ?? 0) < 0x80;

class DecodedStream implements CompletionStream {
  readonly #request: VendorRequest;
  readonly #decoder: StreamDecoder;
  readonly #vendor: Vendor;
  readonly #text = new TextDecoder('utf-8', { fatal: true });
  /** Whether the decoder holds no part of a character, and has passed over the mark that may stand at the very beginning. */
  #wholeCharacters = false;
  readonly #parser;
  #events: CompletionEvent[] = [];
  #next = 0;
  #messages = 0;
  #unused = 0;
  /** No more messages are taken: the answer is complete, has failed or was given up. */
  #done = false;
  /** Thrown once everything before it is delivered. */
  #failure: { readonly error: unknown } | null = null;

  readonly #emit = (event: CompletionEvent) => {
    this.#events.push(event);
    if (event.type === 'end') this.#done = true;
  };

  constructor(request: VendorRequest, decoder: StreamDecoder, vendor: Vendor) {
    this.#request = request;
    this.#decoder = decoder;
    this.#vendor = vendor;
    this.#parser = createParser({ onEvent: (message) => this.#take(message) });
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  async next(): Promise<IteratorResult<CompletionEvent, undefined>> {
    if (this.#next === this.#events.length && !this.#done) await this.fill();
    const event = this.take();
    if (event) return { value: event, done: false };
    this.#throwFailure();
    return { value: undefined, done: true };
  }

  take(): CompletionEvent | null {
    const event = this.#events[this.#next];
    if (event === undefined) return null;
    this.#next += 1;
    return event;
  }

  async return(): Promise<IteratorResult<CompletionEvent, undefined>> {
    this.#done = true;
    this.#events = [];
    this.#next = 0;
    this.#failure = null;
    this.#request.close();
    return { value: undefined, done: true };
  }

  /** Reads until there is an event. Throws the failure when there will be none. */
  async fill(): Promise<void> {
    this.#events = [];
    this.#next = 0;
    while (this.#events.length === 0 && !this.#done) {
      let chunk: Buffer | null;
      try {
        chunk = await this.#request.read();
      } catch (error) {
        this.#broken(error);
        break;
      }
      if (chunk) this.#feedAll(chunk);
      else if (!this.#done) this.#atEnd();
    }
    if (this.#events.length === 0) this.#throwFailure();
  }

  /** Takes with a piece what has come after it meanwhile; but the first event is given alone, and at once. */
  #feedAll(first: Buffer): void {
    const alone = this.#messages === 0;
    let bytes = 0;
    for (let chunk: Buffer | null = first; chunk; chunk = this.#request.waiting()) {
      this.#feed(chunk);
      bytes += chunk.length;
      if (alone || this.#done || bytes >= decodedAtOnce) return;
    }
  }

  #feed(chunk: Buffer): void {
    let text: string;
    try {
      text = this.#decoded(chunk);
    } catch (error) {
      this.#fail(invalidReply(this.#vendor, 'text that is not UTF-8', error));
      return;
    }
    this.#unused += text.length;
    this.#parser.feed(text);
    if (this.#unused > maxMessageLength)
      this.#fail(
        invalidReply(this.#vendor, 'more than 4 MiB without an event', `${this.#unused} characters`),
      );
    else if (!this.#request.hold(this.#unused)) this.#fail(buffersFull());
  }

  /** ASCII after a whole character needs no decoder: that saves half of the allocations of decoding, and most of its time. */
  #decoded(chunk: Buffer): string {
    if (this.#wholeCharacters && isAscii(chunk)) return chunk.toString('latin1');
    const text = this.#text.decode(chunk, streaming);
    if (chunk.length > 0) this.#wholeCharacters = endsWhole(chunk);
    return text;
  }

  #take(message: EventSourceMessage): void {
    if (this.#done) return;
    this.#messages += 1;
    this.#unused = 0;
    this.#request.answering();
    try {
      this.#decoder.take(message, this.#emit);
    } catch (error) {
      this.#fail(error);
      return;
    }
    if (this.#done) this.#request.release();
  }

  /** The connection was closed in good order: complete if the wire says so, also without the last blank line. */
  #atEnd(): void {
    this.#parser.feed('\n\n');
    const error = this.#failure?.error;
    if (error instanceof ProviderError && error.code === 'provider_invalid_response')
      this.#failure = { error: interrupted(this.#vendor, error) };
    if (this.#done) return;
    if (this.#messages === 0)
      this.#fail(invalidReply(this.#vendor, 'no event at all', this.#request.headers['content-type'] ?? ''));
    else this.#broken(interrupted(this.#vendor));
  }

  /** The connection failed. That does not harm an answer whose end has already come. */
  #broken(error: unknown): void {
    try {
      if (!this.#request.aborted) this.#decoder.completed(this.#emit);
    } catch (broken) {
      this.#fail(broken);
    }
    this.#fail(error);
    this.#request.close();
  }

  #fail(error: unknown): void {
    if (this.#done) return;
    this.#done = true;
    this.#failure = { error };
    this.#request.close();
  }

  #throwFailure(): void {
    const failure = this.#failure;
    this.#failure = null;
    if (failure) throw failure.error;
  }
}

/** More names than that are asked for by chance only, and say so again. */
const maxWithoutUsage = 1000;

/**
 * Sends a request for a stream that asks for its usage, and once more without where the server refuses that it does not know
 * `stream_options`, which it is not asked for again.
 */
export async function askingForUsage<T>(
  { withoutStreamUsage }: { readonly withoutStreamUsage: Set<string> },
  model: string,
  send: (asking: boolean) => Promise<T>,
): Promise<T> {
  if (withoutStreamUsage.has(model)) return send(false);
  try {
    return await send(true);
  } catch (error) {
    const refused = error instanceof ProviderError && error.code === 'provider_rejected';
    if (!refused || !/stream_options|include_usage/.test(error.message)) throw error;
    if (withoutStreamUsage.size >= maxWithoutUsage) withoutStreamUsage.clear();
    withoutStreamUsage.add(model);
    return send(false);
  }
}
