import { afterAwake } from '../../lib/awake-timer.ts';
import { storeError } from '../errors.ts';

/** Maximum number of those that wait: as many as requests that a process answers at a time. */
const maxWaiting = 10_000;

/** The connections that a pool may have in use; who finds none free waits for one, first come, first served. */
export class Places {
  #free: number;
  readonly #waiting = new Set<() => void>();

  constructor(count: number) {
    this.#free = count;
  }

  /** Takes a place that is free, to be given back with `leave`. */
  takeFree(): boolean {
    if (this.#free === 0) return false;
    this.#free -= 1;
    return true;
  }

  /** Waits for a place, to be given back with `leave`. Rejects with `StoreError` when there was none in time, or too many wait. */
  async take(maxWaitMs: number): Promise<void> {
    if (this.takeFree()) return;
    if (this.#waiting.size >= maxWaiting) throw storeError('slow', { mayBeDone: false });
    await new Promise<void>((resolve, reject) => {
      const cancel = afterAwake(maxWaitMs, () => {
        this.#waiting.delete(enter);
        reject(storeError('slow', { mayBeDone: false }));
      });
      const enter = () => {
        cancel();
        resolve();
      };
      this.#waiting.add(enter);
    });
  }

  leave(): void {
    const [next] = this.#waiting;
    if (next === undefined) {
      this.#free += 1;
      return;
    }
    this.#waiting.delete(next);
    next();
  }
}
