/**
 * Which processes use the database. Each has a row in `instances` that it renews. A process whose row has run out, or
 * that has certainly ended, is gone: any other one deletes its row and closes its requests in the ledger. That is the
 * one judgement that all recovery rests on: builds and runs of agents are taken from those that have no row. A process
 * that was only slow finds out by what it writes: a build or a run takes nothing from who has lost it, and a request
 * is settled once. It goes on with new ones, and has a row again.
 */
import { dayOf } from '../lib/utc.ts';
import { present } from '../store/present.ts';
import type { UsageDayRow } from '../store/schema.ts';
import type { Store } from '../store/store.ts';
import { emptyDay } from '../store/usage-day.ts';
import { hasEnded, hostOfProcess, leaseMs, livingUntil } from './life.ts';

export class Presence {
  readonly #store: Store;
  readonly #id: string;
  readonly #host = hostOfProcess(process.pid);
  /** When this process last showed itself, and until when it leaves others alone, by its monotonic clock. */
  #shownAt = performance.now();
  #leavesOthersUntil = 0;

  constructor(store: Store, id: string) {
    this.#store = store;
    this.#id = id;
  }

  /** Shows that this process lives. */
  async renew(): Promise<void> {
    await this.#renew();
    // Who could not show itself for so long was held up, or the database was: others may have been as well, and have
    // not had their turn yet.
    const shownAt = performance.now();
    if (shownAt - this.#shownAt > leaseMs) this.#leavesOthersUntil = shownAt + leaseMs;
    this.#shownAt = shownAt;
  }

  async #renew(): Promise<void> {
    const now = this.#store.clock.now();
    await this.#store.db
      .insertInto('instances')
      .values({
        id: this.#id,
        host: this.#host,
        pid: process.pid,
        started_at: now,
        expires_at: now + leaseMs,
      })
      .onConflict((conflict) => conflict.column('id').doUpdateSet({ expires_at: now + leaseMs }))
      .execute();
  }

  /**
   * Closes the rows of processes that are gone, as interrupted. A process that was only slow still settles its own
   * afterwards, as what they really became. Returns how many rows were closed.
   */
  async sweep(): Promise<number> {
    const { db, clock } = this.#store;
    const others = await db.selectFrom('instances').selectAll().where('id', '!=', this.#id).execute();
    const until = livingUntil(clock);
    const byLease = performance.now() >= this.#leavesOthersUntil;
    const gone = others
      .filter((other) => (byLease && other.expires_at <= until) || hasEnded(other))
      .map(({ id }) => id);
    // A process that was buried, as it was only slow, and has ended before it could show itself again.
    const forgotten = await db
      .selectFrom('ledger')
      .select('instance_id')
      .distinct()
      .where('settled_at', 'is', null)
      .where('instance_id', '!=', this.#id)
      .where('instance_id', 'not in', present(this.#store))
      .execute();
    return this.#bury([...gone, ...forgotten.map(({ instance_id }) => instance_id)]);
  }

  /** Ends the presence of this process; what it has not settled is closed. */
  async leave(): Promise<void> {
    await this.#bury([this.#id]);
  }

  async #bury(ids: readonly string[]): Promise<number> {
    if (ids.length === 0) return 0;
    return this.#store.db.transaction().execute(async (db) => {
      const closed = await db
        .updateTable('ledger')
        .set({ status: 'interrupted', settled_at: this.#store.clock.now() })
        .where('settled_at', 'is', null)
        .where('instance_id', 'in', ids)
        .returning(['tenant_id', 'created_at', 'operation'])
        .execute();
      const sums = new Map<string, UsageDayRow>();
      for (const { tenant_id, created_at, operation } of closed) {
        const day = dayOf(created_at);
        const key = `${tenant_id}\n${String(day).padStart(8)}\n${operation}`;
        const sum = sums.get(key) ?? emptyDay(tenant_id, day, operation, '');
        sum.requests += 1;
        sum.interrupted += 1;
        sums.set(key, sum);
      }
      // In one order everywhere, so that two processes cannot wait for each other.
      for (const key of [...sums.keys()].sort()) {
        const { requests, ...row } = sums.get(key) as UsageDayRow;
        await db
          .insertInto('usage_days')
          .values({ ...row, requests })
          .onConflict((conflict) =>
            conflict.columns(['tenant_id', 'day', 'operation', 'model']).doUpdateSet((eb) => ({
              requests: eb('usage_days.requests', '+', requests),
              interrupted: eb('usage_days.interrupted', '+', requests),
            })),
          )
          .execute();
      }
      await db.deleteFrom('instances').where('id', 'in', ids).execute();
      return closed.length;
    });
  }
}
