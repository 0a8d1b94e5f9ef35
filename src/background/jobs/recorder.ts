/** The job is not this process's any more: another one has taken it over, or it is over. */
export class LostJobError extends Error {
  override readonly name = 'LostJobError';
}

interface Waiting<Item> {
  readonly items: readonly Item[];
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Writes the events of one job in order, before they are announced. Events that come while it is writing are gathered and
 * written together.
 */
export class Recorder<Item> {
  readonly #write: (items: readonly Item[]) => Promise<void>;
  readonly #onWritten: () => void;
  #waiting: Waiting<Item>[] = [];
  #writing = false;

  /**
   * @param write stores items, all or none; rejects with `LostJobError` where the job takes nothing any more
   * @param onWritten is called when something is stored
   */
  constructor(write: (items: readonly Item[]) => Promise<void>, onWritten: () => void) {
    this.#write = write;
    this.#onWritten = onWritten;
  }

  /** Resolves when the items are stored; rejects with what `write` rejects with. */
  take(...items: readonly Item[]): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ items, resolve, reject });
      if (!this.#writing) void this.#writeAll();
    });
  }

  async #writeAll(): Promise<void> {
    this.#writing = true;
    while (this.#waiting.length > 0) {
      const taken = this.#waiting;
      this.#waiting = [];
      try {
        await this.#write(taken.flatMap(({ items }) => items));
        this.#onWritten();
        for (const { resolve } of taken) resolve();
      } catch (error) {
        for (const { reject } of taken) reject(error);
      }
    }
    this.#writing = false;
  }
}
