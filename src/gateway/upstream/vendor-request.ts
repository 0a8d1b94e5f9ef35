// Over 300 lines: one state machine, from the first byte of a request to the last of its answer.
import type { IncomingHttpHeaders } from 'node:http';
import type { Dispatcher } from 'undici';
import { buffersFull } from '../../contract/errors.ts';
import { type ByteBudget, Holding } from '../../lib/byte-budget.ts';
import type { TimeLimits } from '../../model/port.ts';
import { invalidReply, type Vendor } from './vendor.ts';
import { type Phase, timeoutError, transportError } from './vendor-errors.ts';

/** Bytes that may lie unread before the vendor's socket is paused. */
const highWater = 64 * 1024;
/** Maximum size of a body that is read as a whole, in bytes. */
const maxBodyBytes = 16 * 1024 * 1024;
/** After the answer's end mark, how long and how much more is read to get the connection back for the next request. */
const lingerMs = 1000;
const lingerBytes = 64 * 1024;

/** Memory that any answer is likely to take while it is read, in bytes. */
const typicalMemory = 32 * 1024;
/**
 * Memory for each byte of a body that is read as a whole: its bytes, its text, what is parsed of it and what is written
 * of that live at the same time for a moment, and one of them for as long as the client takes to read. With 2 in its
 * place, 60 answers of 15 MB to readers that do not read took 311 MB where 128 were allowed.
 */
const memoryPerByte = 4;

type Goal = 'head' | 'chunk' | 'end';

export interface VendorRequestOptions {
  readonly vendor: Vendor;
  readonly limits: TimeLimits;
  /** Not yet aborted. */
  readonly signal: AbortSignal;
  /** Whether all connections to the vendor are in use. */
  readonly isFull: () => boolean;
  /** Takes the memory of the answer over; null: it is given back when the request is over. */
  readonly memory: Holding | null;
  readonly budget: ByteBudget;
}

/**
 * One request and its reply, as a handler of undici's `dispatch`. That is the level at which a request can be given up
 * at once in every phase: `pool.request` lets an aborted request sit in the pool's queue until a connection is free. It
 * also needs no `Readable`, and a whole body costs one promise.
 *
 * A time limit counts only while a reader waits: a slow reader is not the vendor's silence.
 */
export class VendorRequest implements Dispatcher.DispatchHandler {
  /** 0 until the head of the reply is there. */
  status = 0;
  headers: IncomingHttpHeaders = {};

  readonly #options: VendorRequestOptions;
  #controller: Dispatcher.DispatchController | null = null;
  #chunks: Buffer[] = [];
  #bytes = 0;
  /** How many chunks have been looked at that are still to be read. */
  #peeked = 0;
  #ended = false;
  #closed = false;
  #failure: { readonly error: unknown } | null = null;
  #goal: Goal | null = null;
  #resolve: ((whole?: Buffer) => void) | null = null;
  #reject: ((error: unknown) => void) | null = null;
  #phase: Phase = 'connect';
  /** Until when what is waited for has to come, by the monotonic clock, and when the timer looks at that: never later. */
  #deadline = 0;
  #looksAt = 0;
  #timer: NodeJS.Timeout | undefined;
  readonly #memory: Holding;
  /** Bytes of `#memory` that are this request's. */
  #held = 0;
  readonly #onAbort = () => this.#fail(this.#options.signal.reason);

  /** Throws `buffers_full`. */
  constructor(options: VendorRequestOptions) {
    this.#options = options;
    this.#memory = options.memory ?? new Holding(options.budget);
    if (!this.#memory.begin(typicalMemory)) throw buffersFull();
    this.#held = typicalMemory;
    options.signal.addEventListener('abort', this.#onAbort, { once: true });
  }

  /** To be called once it has been handed to undici, which begins at once where a connection is free. */
  handedOver(): void {
    if (this.#controller === null) this.#enter('connect');
  }

  /** Whether it was stopped by its signal. */
  get aborted(): boolean {
    return this.#options.signal.aborted;
  }

  /** Resolves when `status` and `headers` are there. */
  head(): Promise<unknown> {
    return this.#wait('head');
  }

  /** The next piece of the body; null at its end. */
  async read(): Promise<Buffer | null> {
    if (this.#chunks.length === 0) await this.#wait('chunk');
    return this.waiting();
  }

  /** The first byte of the body but for those that are passed over; null: there is none. All of it is still to be read. */
  async peek(passedOver: ReadonlySet<number>): Promise<number | null> {
    try {
      for (;;) {
        if (this.#chunks.length <= this.#peeked) await this.#wait('chunk');
        const chunk = this.#chunks[this.#peeked];
        if (chunk === undefined) return null;
        const byte = chunk.find((byte) => !passedOver.has(byte));
        if (byte !== undefined) return byte;
        this.#peeked += 1;
      }
    } finally {
      this.#peeked = 0;
    }
  }

  /** The next piece of the body if it is there already, so that what came together costs one promise; else null. */
  waiting(): Buffer | null {
    const chunk = this.#chunks.shift() ?? null;
    if (chunk) this.#bytes -= chunk.length;
    if (this.#chunks.length === 0) this.#controller?.resume();
    return chunk;
  }

  /** The whole body, or what is left of it. Includes waiting for the head. */
  body(): Promise<Buffer> {
    this.#goal = 'end';
    if (this.status !== 0) this.#enter('idle');
    this.#controller?.resume();
    return this.#wait('end') as Promise<Buffer>;
  }

  #whole(): Buffer {
    const [first, second] = this.#chunks;
    const body = first && !second ? first : Buffer.concat(this.#chunks);
    this.#chunks = [];
    return body;
  }

  /** Makes sure that there is memory for so many bytes of the answer at a time. False: there is none. */
  hold(bytes: number): boolean {
    const missing = bytes * memoryPerByte - this.#held;
    if (missing <= 0) return true;
    if (!this.#memory.take(missing)) return false;
    this.#held += missing;
    return true;
  }

  /** Nothing of the answer is kept. */
  giveBack(): void {
    this.#memory.give(this.#held);
    this.#held = 0;
  }

  /** The answer proper has begun: from here on the limit on silence holds, not the one on the first byte. */
  answering(): void {
    if (this.#phase === 'firstByte') this.#enter('idle');
  }

  /** Gives up what is left of the request and closes the connection. Who waits for a piece gets the end. */
  close(): void {
    if (this.#ended || this.#failure) return;
    this.#closed = true;
    this.#end();
    this.#controller?.abort(abandoned);
  }

  /** The answer is complete. Further data of the vendor is dropped, so that the connection can be used again. */
  release(): void {
    if (this.#ended || this.#failure) return;
    this.#closed = true;
    this.#settle();
    this.#chunks = [];
    this.#bytes = 0;
    this.#timer = setTimeout(() => this.#controller?.abort(abandoned), lingerMs).unref();
    this.#controller?.resume();
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    // Given up while it was waiting for a connection. Throwing leaves the connection alone; `abort` would destroy it.
    if (this.#failure || this.#closed) throw abandoned;
    this.#controller = controller;
    this.#enter('firstByte');
  }

  onResponseStart(
    _controller: Dispatcher.DispatchController,
    status: number,
    headers: IncomingHttpHeaders,
  ): void {
    if (status < 200) return;
    this.status = status;
    this.headers = headers;
    if (this.#goal === 'end') {
      // There is no use in reading the beginning of what does not fit.
      const length = Number(headers['content-length'] ?? 0);
      if (length <= maxBodyBytes && !this.hold(length)) {
        this.#fail(buffersFull());
        return;
      }
      this.#enter('idle');
    }
    this.#progress();
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#bytes += chunk.length;
    if (this.#closed) {
      if (this.#bytes > lingerBytes) controller.abort(abandoned);
      return;
    }
    this.#chunks.push(chunk);
    // Comments before the answer are signs of life: https://openrouter.ai/docs/api/reference/streaming#additional-information
    this.#prolong();
    if (this.#goal === 'end') {
      if (this.#bytes > maxBodyBytes)
        this.#fail(
          invalidReply(this.#options.vendor, 'a reply of more than 16 MiB', `${this.#bytes} bytes or more`),
        );
      else if (!this.hold(this.#bytes)) this.#fail(buffersFull());
      return;
    }
    this.#progress();
    if (this.#bytes >= highWater) controller.pause();
  }

  onResponseEnd(): void {
    clearTimeout(this.#timer);
    if (!this.#closed) this.#end();
  }

  onResponseError(_controller: unknown, error: Error): void {
    const { vendor, limits } = this.#options;
    clearTimeout(this.#timer);
    if (this.#ended || this.#closed || this.#failure) return;
    // Earlier data is still delivered: it may hold the end of the answer.
    const received = this.#chunks;
    this.#fail(transportError(vendor, error, limits, this.status !== 0));
    this.#chunks = received;
  }

  /** Resolves with the whole body where the goal is its end. */
  #wait(goal: Goal): Promise<Buffer | undefined> {
    if (this.#reached(goal)) return Promise.resolve(goal === 'end' ? this.#whole() : undefined);
    if (this.#failure) return Promise.reject(this.#failure.error);
    this.#goal = goal;
    if (this.#phase === 'idle') this.#prolong();
    return new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
  }

  #reached(goal: Goal): boolean {
    if (this.#ended) return true;
    if (goal === 'head') return this.status !== 0;
    return goal === 'chunk' && this.#chunks.length > this.#peeked;
  }

  #progress(): void {
    if (this.#resolve === null || this.#goal === null || !this.#reached(this.#goal)) return;
    const resolve = this.#resolve;
    this.#resolve = this.#reject = null;
    resolve(this.#goal === 'end' ? this.#whole() : undefined);
  }

  #enter(phase: Phase): void {
    this.#phase = phase;
    this.#prolong();
  }

  /** From now on the time of the phase counts again. One timer does for all of them: most requests are over before it looks. */
  #prolong(): void {
    // The rest of a reply may be read when the request itself is over.
    if (this.#ended || this.#closed || this.#failure) return;
    const now = performance.now();
    this.#deadline = now + this.#options.limits[this.#phase];
    if (this.#timer === undefined || this.#deadline < this.#looksAt) this.#lookLater(now);
  }

  #lookLater(now: number): void {
    clearTimeout(this.#timer);
    this.#looksAt = this.#deadline;
    this.#timer = setTimeout(lookAt, Math.ceil(this.#deadline - now), this);
  }

  /** For its timer. Timers come before what has arrived: after a moment in which this process was busy that is read first. */
  look(): void {
    if (performance.now() < this.#deadline) this.lookAfterReading();
    else setImmediate(lookAfterReading, this);
  }

  /** Whether the time is over even so. */
  lookAfterReading(): void {
    // It may have been given up meanwhile, with another timer.
    if (this.#ended || this.#closed || this.#failure) return;
    this.#timer = undefined;
    // The next wait starts the timer again.
    if (this.#resolve === null) return;
    const now = performance.now();
    if (now < this.#deadline) {
      this.#lookLater(now);
      return;
    }
    const { vendor, limits, isFull } = this.#options;
    const phase = this.#phase === 'connect' && isFull() ? 'busy' : this.#phase;
    this.#fail(timeoutError(vendor, phase, limits));
  }

  /** Lets go of everything that the request holds. */
  #settle(): void {
    clearTimeout(this.#timer);
    this.#options.signal.removeEventListener('abort', this.#onAbort);
    // A body that is read as a whole is kept beyond the end, by whoever reads it.
    if (this.#options.memory === null && this.#goal !== 'end') this.giveBack();
  }

  #end(): void {
    this.#ended = true;
    this.#settle();
    this.#progress();
  }

  #fail(error: unknown): void {
    if (this.#ended || this.#failure) return;
    this.#failure = { error };
    this.#settle();
    this.#chunks = [];
    this.giveBack();
    const reject = this.#reject;
    this.#resolve = this.#reject = null;
    reject?.(error);
    this.#controller?.abort(abandoned);
  }
}

function lookAt(request: VendorRequest): void {
  request.look();
}

function lookAfterReading(request: VendorRequest): void {
  request.lookAfterReading();
}

/** The reason that undici gets for an abandoned request. */
const abandoned = new Error('The request was given up.');
