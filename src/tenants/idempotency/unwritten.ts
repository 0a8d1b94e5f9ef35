import { repeat } from '../../lib/repeat.ts';

/** A change of a row that could not be written. */
export interface Unwritten {
  /** What it holds in memory, in bytes. */
  readonly bytes: number;
  write(): Promise<void>;
}

const pauseMs = 1_000;
const limits = { changes: 10_000, bytes: 16 * 1024 * 1024 } as const;

/**
 * Ends of claims that the database did not take. They are tried again while this process lives: a key whose end is lost would
 * stay in use until its time is over.
 */
export class UnwrittenEnds {
  readonly #waiting = new Set<Unwritten>();
  readonly #trying;
  #bytes = 0;

  constructor(onError: (error: unknown) => void) {
    this.#trying = repeat(pauseMs, () => this.#writeAll(), onError);
  }

  /** False, and it is not taken, when there is no room. */
  take(unwritten: Unwritten): boolean {
    if (this.#waiting.size >= limits.changes || this.#bytes + unwritten.bytes > limits.bytes) return false;
    this.#waiting.add(unwritten);
    this.#bytes += unwritten.bytes;
    return true;
  }

  async stop(): Promise<void> {
    await this.#trying.stop();
    await this.#writeAll();
  }

  /** In their order, up to the first that fails. */
  async #writeAll(): Promise<void> {
    for (const unwritten of this.#waiting) {
      try {
        await unwritten.write();
      } catch {
        return;
      }
      this.#waiting.delete(unwritten);
      this.#bytes -= unwritten.bytes;
    }
  }
}
