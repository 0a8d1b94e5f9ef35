/**
 * Which processes use the database. Each has a row that it renews; a process whose row has run out is gone, and so
 * are the requests it was answering: they no longer count as running, and their rows in the ledger are closed.
 */
import { hostname } from 'node:os';
import { dayOf } from '../lib/utc.ts';
import type { UsageDayRow } from '../store/schema.ts';
import type { Store } from '../store/store.ts';
import { emptyDay } from '../store/usage-day.ts';

/** How long a process is believed to live without a sign of it, in milliseconds. */
const leaseMs = 15_000;

/** Instances of this very process, of which tests have several. */
const here = new Set<string>();

export class Presence {
  readonly #store: Store;
  readonly #id: string;

  constructor(store: Store, id: string) {
    this.#store = store;
    this.#id = id;
  }

  /** Shows that this process lives. */
  async renew(): Promise<void> {
    const now = this.#store.clock.now();
    here.add(this.#id);
    await this.#store.db
      .insertInto('instances')
      .values({
        id: this.#id,
        host: hostname(),
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
    const now = this.#store.clock.now();
    const others = await this.#store.db
      .selectFrom('instances')
      .selectAll()
      .where('id', '!=', this.#id)
      .execute();
    const gone = others.filter((other) => other.expires_at <= now || hasEnded(other));
    return this.#bury(gone.map(({ id }) => id));
  }

  /** Ends the presence of this process; what it has not settled is closed. */
  async leave(): Promise<void> {
    await this.#bury([this.#id]);
    here.delete(this.#id);
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

/** Whether a process of this machine is gone, which shows before its row runs out. */
function hasEnded({ id, host, pid }: { id: string; host: string; pid: number }): boolean {
  if (host !== hostname() || here.has(id)) return false;
  // Its number is ours now: it was the process before us.
  if (pid === process.pid) return true;
  try {
    process.kill(pid, 0);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH';
  }
}
