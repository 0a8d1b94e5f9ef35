/** Tells those who wait for a job of this process that something has happened. Nothing depends on it but speed. */
export class Wakes {
  readonly #listeners = new Map<string, Set<() => void>>();

  /** Calls `listener` at every change until the returned function is called. */
  on(id: string, listener: () => void): () => void {
    const listeners = this.#listeners.get(id) ?? new Set();
    this.#listeners.set(id, listeners.add(listener));
    return () => {
      listeners.delete(listener);
      if (listeners.size === 0 && this.#listeners.get(id) === listeners) this.#listeners.delete(id);
    };
  }

  wake(id: string): void {
    for (const listener of this.#listeners.get(id) ?? []) listener();
  }

  wakeAll(): void {
    for (const id of this.#listeners.keys()) this.wake(id);
  }

  /** How many jobs somebody waits for. */
  get size(): number {
    return this.#listeners.size;
  }
}
