import { Worker } from 'node:worker_threads';
import { ServiceError } from '../../../contract/errors.ts';
import { moduleUrl } from '../../../lib/module-url.ts';
import type { LocalOutcome } from './words.ts';

export interface LocalCall {
  readonly id: number;
  readonly feature: string;
  readonly input: unknown;
}

export type LocalAnswer =
  | { readonly id: number; readonly outcome: LocalOutcome }
  | { readonly id: number; readonly error: string };

export interface LocalLimits {
  /** Calls that may wait, the running one included. */
  readonly waiting: number;
  /** Maximum time for one call in milliseconds; the largest input takes about a second. */
  readonly callMs: number;
  /** How long the thread is kept without a call, in milliseconds. */
  readonly idleMs: number;
}

const defaults: LocalLimits = { waiting: 200, callMs: 20_000, idleMs: 15_000 };

/** Maximum memory of the thread in MB: it is ended beyond that; the server keeps running. */
const resourceLimits = { maxOldGenerationSizeMb: 384, maxYoungGenerationSizeMb: 16 };

interface Waiting {
  readonly call: LocalCall;
  readonly resolve: (outcome: LocalOutcome) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Runs the local engines on a thread of their own, so that a long text never holds up other requests. The thread begins
 * with the first call, ends when there was none for a while, and gives its memory back then.
 */
export class LocalThread {
  readonly #limits: LocalLimits;
  readonly #queue: Waiting[] = [];
  #worker: Worker | null = null;
  #timer: NodeJS.Timeout | null = null;
  #running: Waiting | null = null;
  #lastId = 0;

  constructor(limits: Partial<LocalLimits> = {}) {
    this.#limits = { ...defaults, ...limits };
  }

  /** Whether the thread runs, or is kept for the next call. */
  get alive(): boolean {
    return this.#worker !== null;
  }

  /** Throws `ServiceError('local_engine_busy')`, or the signal's reason when it is aborted. */
  run(feature: string, input: unknown, signal: AbortSignal): Promise<LocalOutcome> {
    signal.throwIfAborted();
    if (this.#queue.length + (this.#running ? 1 : 0) >= this.#limits.waiting) {
      throw busy('The local engine has too many calls waiting. Try again in a moment.');
    }
    return new Promise((resolve, reject) => {
      this.#lastId += 1;
      const waiting: Waiting = {
        call: { id: this.#lastId, feature, input },
        resolve: (outcome) => {
          signal.removeEventListener('abort', leave);
          resolve(outcome);
        },
        reject: (error) => {
          signal.removeEventListener('abort', leave);
          reject(error);
        },
      };
      // A running call cannot be stopped; its answer is dropped.
      const leave = () => {
        const index = this.#queue.indexOf(waiting);
        if (index >= 0) this.#queue.splice(index, 1);
        reject(signal.reason);
      };
      signal.addEventListener('abort', leave, { once: true });
      this.#queue.push(waiting);
      this.#next();
    });
  }

  /** Ends the thread. A call that still waits fails. */
  async close(): Promise<void> {
    const left = [...this.#queue.splice(0), ...(this.#running ? [this.#running] : [])];
    this.#running = null;
    for (const { reject } of left) reject(new ServiceError('shutting_down', 'The server is stopping.'));
    await this.#end();
  }

  #next(): void {
    if (this.#running) return;
    const waiting = this.#queue.shift();
    if (!waiting) {
      if (this.#worker) this.#wait(this.#limits.idleMs, () => void this.#end());
      return;
    }
    this.#running = waiting;
    this.#worker ??= this.#start();
    this.#worker.postMessage(waiting.call);
    this.#wait(this.#limits.callMs, () => {
      void this.#end();
      this.#finish((running) =>
        running.reject(busy('The local engine took too long over this text. Send a shorter one.')),
      );
    });
  }

  #start(): Worker {
    const worker = new Worker(moduleUrl('./worker', import.meta.url), { resourceLimits, execArgv: [] });
    // The server may stop while it is idle.
    worker.unref();
    worker.on('message', (answer: LocalAnswer) => {
      if (this.#running?.call.id !== answer.id) return;
      this.#finish((running) =>
        'outcome' in answer ? running.resolve(answer.outcome) : running.reject(new Error(answer.error)),
      );
    });
    const lost = (error: unknown) => {
      if (this.#worker !== worker) return;
      this.#worker = null;
      this.#finish((running) => running.reject(error));
    };
    worker.on('error', lost);
    worker.on('exit', (code) => lost(new Error(`the thread of the local engines ended with ${code}`)));
    return worker;
  }

  #finish(settle: (running: Waiting) => void): void {
    const running = this.#running;
    this.#running = null;
    if (running) settle(running);
    this.#next();
  }

  #wait(milliseconds: number, then: () => void): void {
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = setTimeout(then, milliseconds).unref();
  }

  async #end(): Promise<void> {
    if (this.#timer) clearTimeout(this.#timer);
    const worker = this.#worker;
    this.#worker = null;
    await worker?.terminate();
  }
}

function busy(message: string): ServiceError {
  return new ServiceError('local_engine_busy', message, { retryAfter: 1 });
}
