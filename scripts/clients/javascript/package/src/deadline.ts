import { TimeoutError } from './errors.js';

/** Aborts a call when its time is over, or when the caller aborts it. */
export class Deadline {
  readonly #controller = new AbortController();
  readonly #ms: number;
  readonly #outer: AbortSignal | null;
  readonly #abort = () => this.#controller.abort(this.#outer?.reason);
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** @param ms Milliseconds; 0 for no end. */
  constructor(ms: number, outer: AbortSignal | null = null) {
    this.#ms = ms;
    this.#outer = outer;
    if (outer?.aborted) this.#abort();
    outer?.addEventListener('abort', this.#abort, { once: true });
    this.restart();
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Gives the call the whole time again, from now. */
  restart(): void {
    this.pause();
    if (this.#ms > 0) {
      this.#timer = setTimeout(() => this.#controller.abort(new TimeoutError(this.#ms)), this.#ms);
    }
  }

  /** Stops the clock; the call can still be aborted. */
  pause(): void {
    clearTimeout(this.#timer);
  }

  /** Lets go of timer and signal; the call is over. */
  end(): void {
    this.pause();
    this.#outer?.removeEventListener('abort', this.#abort);
  }
}
