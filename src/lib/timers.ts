/** Resolves after that many milliseconds; rejects with the signal's reason, at once, when it is aborted. */
export function sleep(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason);
    const stop = () => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', stop);
      resolve();
    }, ms);
    signal.addEventListener('abort', stop, { once: true });
  });
}

/** The promise's result, or the signal's reason as soon as that is aborted; a later result is dropped. */
export function untilAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = () => reject(signal.reason);
    if (signal.aborted) stop();
    else signal.addEventListener('abort', stop, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop));
  });
}

export interface Repeated {
  /** Ends the repetition; waits for the action that runs, whose signal is aborted. */
  stop(): Promise<void>;
}

/**
 * Runs an action every so many milliseconds, one at a time, until it is stopped. It keeps no process alive.
 * @param onError called with what the action rejects with
 */
export function repeat(
  everyMs: number,
  action: (signal: AbortSignal) => Promise<unknown>,
  onError: (error: unknown) => void,
): Repeated {
  const abort = new AbortController();
  let running: Promise<unknown> | null = null;
  const timer = setInterval(() => {
    running ??= action(abort.signal)
      .catch(onError)
      .finally(() => {
        running = null;
      });
  }, everyMs);
  timer.unref();
  return {
    async stop() {
      clearInterval(timer);
      abort.abort();
      await running;
    },
  };
}

/** Into how many parts a time is divided. */
const parts = 4;
/** The count of a part, and that of one that has ended late. */
const whole = 2;
const half = 1;

interface Waiting {
  /** The remaining count. */
  left: number;
  readonly action: () => void;
}

/**
 * Acts after a time in which this process was awake. One that is held up, as on a busy machine, finds its timers due before it has
 * read what came meanwhile, and would take an answer for missing that lies there. So the time passes in parts: one that ended late
 * counts half, and what can be read is read before the action. All that wait for as long share their parts, as every statement waits
 * for its answer so: it takes up to a part longer. It keeps no process alive. Returns what cancels it.
 * @param action is called once, unless it was cancelled
 */
export function afterAwake(milliseconds: number, action: () => void): () => void {
  let passing = all.get(milliseconds);
  if (passing === undefined) {
    passing = new Passing(milliseconds);
    all.set(milliseconds, passing);
  }
  return passing.add(action);
}

const all = new Map<number, Passing>();

/** The passing of time for those that wait for as long. */
class Passing {
  readonly #milliseconds: number;
  readonly #waiting = new Set<Waiting>();
  #since = performance.now();

  constructor(milliseconds: number) {
    this.#milliseconds = milliseconds;
    this.#next();
  }

  add(action: () => void): () => void {
    // The first part has begun before.
    const one = { left: whole * (parts + 1), action };
    this.#waiting.add(one);
    return () => this.#waiting.delete(one);
  }

  #next(): void {
    setTimeout(() => this.#pass(), this.#milliseconds / parts).unref();
  }

  #pass(): void {
    if (this.#waiting.size === 0) {
      all.delete(this.#milliseconds);
      return;
    }
    const now = performance.now();
    const counts = now - this.#since > (2 * this.#milliseconds) / parts ? half : whole;
    this.#since = now;
    for (const one of this.#waiting) {
      one.left -= counts;
      // Pending reads come before that.
      if (one.left <= 0) setImmediate(() => this.#waiting.delete(one) && one.action());
    }
    this.#next();
  }
}
