/** Listeners by topic. */
export class Listeners {
  readonly #byTopic = new Map<string, Set<() => void>>();

  /** Adds one, until the returned function is called. */
  on(topic: string, listener: () => void): () => void {
    const listeners = this.#byTopic.get(topic) ?? new Set();
    this.#byTopic.set(topic, listeners.add(listener));
    return () => {
      listeners.delete(listener);
      if (listeners.size === 0 && this.#byTopic.get(topic) === listeners) this.#byTopic.delete(topic);
    };
  }

  call(topic: string): void {
    for (const listener of this.#byTopic.get(topic) ?? []) listener();
  }

  callAll(): void {
    for (const topic of this.#byTopic.keys()) this.call(topic);
  }

  has(topic: string): boolean {
    return this.#byTopic.has(topic);
  }

  /** How many topics somebody listens to. */
  get size(): number {
    return this.#byTopic.size;
  }
}
