import { StoreError, toStoreError } from '../../store/errors.ts';
import type { Batch, BatchResult, Ledger } from '../../store/ledger.ts';
import type { Presence } from './presence.ts';

/**
 * The ledger to a process that others may have taken for gone, as it was held up: it shows itself before it writes, so that
 * its requests are among those that are looked through when it really goes.
 */
export class Showing implements Ledger {
  readonly #ledger: Ledger;
  readonly #presence: Presence;

  constructor(ledger: Ledger, presence: Presence) {
    this.#ledger = ledger;
    this.#presence = presence;
  }

  async commit(batch: Batch): Promise<BatchResult> {
    if (this.#presence.overdue) await this.#show();
    return this.#ledger.commit(batch);
  }

  admitted(...asked: Parameters<Ledger['admitted']>): ReturnType<Ledger['admitted']> {
    return this.#ledger.admitted(...asked);
  }

  countSince(...asked: Parameters<Ledger['countSince']>): Promise<number> {
    return this.#ledger.countSince(...asked);
  }

  sum(now: number): Promise<void> {
    return this.#ledger.sum(now);
  }

  prepareDays(now: number): Promise<void> {
    return this.#ledger.prepareDays(now);
  }

  dropDays(...asked: Parameters<Ledger['dropDays']>): Promise<number> {
    return this.#ledger.dropDays(...asked);
  }

  async #show(): Promise<void> {
    try {
      await this.#presence.showQuickly();
    } catch (thrown) {
      const { failure, message, cause } = toStoreError(thrown);
      throw new StoreError(failure, message, { cause, mayBeDone: false });
    }
  }
}
