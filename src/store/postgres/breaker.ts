/**
 * The breaker to the database, one for all pools. While it is open nothing is asked of the database: requests are
 * refused at once instead of each waiting for a connection that does not come about.
 *
 * It is not the breaker of the models. That one judges a rate of failures and lets a request be the probe; here a
 * single failure is looked into at once by a probe on a connection of its own, which costs no request its time, and a
 * database that answers is never left alone for a minute.
 *
 * A database that refuses the probe is away. One that only does not answer in time may have too much to do: it is taken for away after
 * several failures in a row, of connections and of probes, with no answer to anybody between.
 */

import pg from 'pg';
import { StoreError, storeError } from '../errors.ts';

/** Codes with which the server ends a connection, or does not let one begin. */
const farewells = /^(57P0|08|25P0[34])/;

const silent = 'Query read timeout';

/** Codes of the ends of statements that took too long, waited too long for a lock, or were chosen to end a deadlock by. */
const byTime: ReadonlySet<unknown> = new Set(['57014', '55P03', '40P01']);

/** So many failures in a row open it, even if a probe is answered. */
const maxFailures = 3;
/** Pause between probes, and how long it stays open at least, in milliseconds. */
const probeEveryMs = 500;
/** A database that can only be read makes connections suspect at most this often, in milliseconds. */
const suspectEveryMs = 1_000;

interface BreakerParts {
  /**
   * Asks the database over a new connection. Resolves when it answers, rejects with `StoreError`, of which `slow` is that it did not in
   * time; never hangs.
   */
  readonly probe: () => Promise<void>;
  /** Takes all connections that there are now for dead. */
  readonly suspectAll: () => void;
}

export class Breaker {
  readonly #parts: BreakerParts;
  #failures = 0;
  #failedAt = Number.NEGATIVE_INFINITY;
  /** Why it is open; null: it is closed. */
  #reason: StoreError | null = null;
  #openedAt = 0;
  #succeededAt = Number.NEGATIVE_INFINITY;
  #demotedAt = Number.NEGATIVE_INFINITY;
  #watching = false;
  #ended = false;

  constructor(parts: BreakerParts) {
    this.#parts = parts;
  }

  /** Throws a `StoreError` while it is open. */
  check(): void {
    if (this.#reason === null) return;
    const { failure, message } = this.#reason;
    throw new StoreError(failure, message, { mayBeDone: false });
  }

  /** The database has answered a request. */
  succeeded(): void {
    this.#succeededAt = performance.now();
    if (this.#reason === null) this.#failures = 0;
  }

  /** A connection went silent that should have worked. Those beside it are as dead after a failover. */
  silent(reason: StoreError): void {
    this.#parts.suspectAll();
    this.failed(reason);
  }

  /** A connection leads to a database that can only be read: a primary no longer, and maybe not the one to ask. */
  demoted(): void {
    const now = performance.now();
    if (now - this.#demotedAt < suspectEveryMs) return;
    this.#demotedAt = now;
    this.#parts.suspectAll();
  }

  /**
   * A connection could not be made, or went silent.
   * @param began when that was begun, by `performance.now()`: simultaneous failures count as one
   */
  failed(reason: StoreError, began = performance.now()): void {
    this.#count(reason, began);
    if (!this.#watching && !this.#ended) void this.#watch();
  }

  /** Ends the probes. */
  end(): void {
    this.#ended = true;
  }

  #count(reason: StoreError, began: number): void {
    if (began < this.#failedAt) return;
    this.#failedAt = performance.now();
    this.#failures += 1;
    if (this.#failures >= maxFailures) this.#open(reason);
  }

  #open(reason: StoreError): void {
    if (this.#reason !== null || this.#ended) return;
    // From now on it counts as away, and no query waits for it.
    this.#reason = reason.failure === 'slow' ? storeError('unreachable', { cause: reason }) : reason;
    this.#openedAt = performance.now();
    this.#parts.suspectAll();
  }

  /** Probes until the database answers and the breaker has been open for long enough, or was not needed. */
  async #watch(): Promise<void> {
    this.#watching = true;
    while (!this.#ended) {
      const began = performance.now();
      try {
        await this.#parts.probe();
        if (this.#reason === null || performance.now() - this.#openedAt >= probeEveryMs) break;
      } catch (thrown) {
        // A database that has no place for new connections may still serve those there are.
        const error = thrown as StoreError;
        if (this.#succeededAt < began) {
          if (error.failure === 'slow') this.#count(error, began);
          else this.#open(error);
        }
      }
      // Nothing else may keep the process alive.
      await new Promise((resolve) => setTimeout(resolve, probeEveryMs).unref());
    }
    this.#watching = false;
    if (this.#reason === null) return;
    this.#reason = null;
    // One more failure opens it again: that the database answers a probe does not say that it can do its work.
    this.#failures = maxFailures - 1;
  }
}

/**
 * Whether the server has answered, if only to refuse: the statement was then not carried out, and the connection
 * works on.
 */
export function isAnswer(thrown: unknown): boolean {
  return thrown instanceof pg.DatabaseError && !farewells.test(thrown.code ?? '');
}

/** That no answer came although the server would have given one by then. */
export function silence(): Error {
  return new Error(silent);
}

export function isSilence(thrown: unknown): boolean {
  return thrown instanceof Error && thrown.message === silent;
}

/** Whether a connection did not come about in time: the database is away, or has too much to do. */
export function isLate(thrown: unknown): boolean {
  return thrown instanceof Error && thrown.message === 'timeout expired';
}

/** Whether the server has ended a statement that it had no time for. */
export function endedByItsTime(thrown: unknown): boolean {
  return thrown instanceof pg.DatabaseError && byTime.has(thrown.code);
}

/** Whether the server has undone the statement to end a deadlock. */
export function isDeadlock(error: unknown): boolean {
  const { cause } = error as StoreError;
  return cause instanceof Error && 'code' in cause && cause.code === '40P01';
}
