import { Listeners } from '../../lib/listeners.ts';
import { noSignals, type Signals } from '../../lib/signals.ts';

/**
 * Tells those who wait for a job, in this process and the others, that something has happened. Nothing depends on it but
 * speed.
 */
export class Wakes {
  readonly #listeners = new Listeners();
  readonly #signals: Signals;

  constructor(signals: Signals = noSignals) {
    this.#signals = signals;
  }

  /** Calls `listener` at every change until the returned function is called. */
  on(id: string, listener: () => void): () => void {
    const stops = [this.#listeners.on(id, listener), this.#signals.on(topicOf(id), listener)];
    return () => {
      for (const stop of stops) stop();
    };
  }

  wake(id: string): void {
    this.#listeners.call(id);
    this.#signals.send(topicOf(id));
  }

  /** Those of this process: of others, as many would look at once as there are. */
  wakeAll(): void {
    this.#listeners.callAll();
  }

  /** How many jobs somebody waits for. */
  get size(): number {
    return this.#listeners.size;
  }
}

function topicOf(id: string): string {
  return `job/${id}`;
}
