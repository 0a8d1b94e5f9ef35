/**
 * The signals between the processes of a deployment: that something has changed, never what. A signal may be lost, so its
 * receiver also looks by itself from time to time; it only makes that sooner.
 */
export interface Signals {
  /** Signals the other processes; never throws and waits for nothing. */
  send(topic: string): void;
  /**
   * Calls the listener when another process sends the topic, and when signals may have been missed, until the returned
   * function is called.
   */
  on(topic: string, listener: () => void): () => void;
  /** Ends it; unsent signals are lost. */
  close(): Promise<void>;
}

/** Of a process that is alone, or whose processes only look by themselves. */
export const noSignals: Signals = {
  send: () => undefined,
  on: () => () => undefined,
  close: async () => undefined,
};

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

  /** Number of topics with listeners. */
  get size(): number {
    return this.#byTopic.size;
  }
}
