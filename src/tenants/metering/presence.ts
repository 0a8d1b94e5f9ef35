/**
 * Which processes use the database. Each has a row in `instances` that it renews. A process whose row has expired, or that
 * has certainly ended, is dead: any other one deletes its row, closes its requests in the ledger, and adds its settlements
 * to the sums. That is the one judgement that all recovery rests on: builds and runs of agents are taken from those that
 * have no row. A process that was only slow finds out by what it writes: a build or a run takes nothing from who has lost
 * it, and a request is settled once. A slow process registers again and serves new requests.
 */

import { sql } from 'kysely';
import type { StoreClock } from '../../lib/clock.ts';
import { bootId, processNamespace, processStatus } from '../../lib/machine.ts';
import type { About } from '../../lib/server-about.ts';
import { despiteLocks, StoreError, toStoreError } from '../../store/errors.ts';
import type { HotLedger } from '../../store/ledger.ts';
import { deleteRows, findRows, putRows } from '../../store/rows.ts';
import type { InstanceRow } from '../../store/schema.ts';
import type { Store } from '../../store/store.ts';
import { aliveMs, present } from '../../store/store.ts';
import { leftByVersionBefore, settleAbandoned } from './settle-abandoned.ts';

const leaseMs = aliveMs;

const here = `boot:${bootId} ${processNamespace} started:`;

export class Presence {
  readonly #store: Store;
  readonly #id: string;
  readonly #about: () => About | null;
  readonly #host = hostOfProcess(process.pid);
  readonly #startedAt: number;
  /** When this process last showed itself, and until when it leaves others alone, by its monotonic clock. */
  #shownAt = performance.now();
  #leavesOthersUntil = 0;

  /** @param about what it reports of itself with each heartbeat */
  constructor(store: Store, id: string, about: () => About | null = () => null) {
    this.#store = store;
    this.#id = id;
    this.#about = about;
    this.#startedAt = store.clock.now();
  }

  /** Whether others may consider this process dead by now, so that it has to renew its row before it writes anything. */
  get overdue(): boolean {
    return performance.now() - this.#shownAt > leaseMs;
  }

  /** Shows that this process lives. */
  async renew(): Promise<void> {
    await this.#renew(this.#store.db);
    // Who could not show itself for so long was held up, or the database was: others may have been as well, and have
    // not had their turn yet.
    const shownAt = performance.now();
    if (shownAt - this.#shownAt > leaseMs) this.#leavesOthersUntil = shownAt + leaseMs;
    this.#shownAt = shownAt;
  }

  /** The same for what every request waits for. */
  async showQuickly(): Promise<void> {
    await this.#renew(this.#store.quick);
    this.#shownAt = performance.now();
  }

  async #renew(on: Store['db']): Promise<void> {
    const now = this.#store.clock.now();
    const shown = { ...this.#about(), expires_at: now + leaseMs };
    await on.transaction().execute(async (db) => {
      // First, as a process that has a row is buried by its mark.
      await sql`insert into sum_marks (instance_id, sequence, open_since, buried_at)
        values (${this.#id}, 0, ${now}, null) on conflict (instance_id) do update set buried_at = null`.execute(
        db,
      );
      const itself = { id: this.#id, host: this.#host, pid: process.pid, started_at: this.#startedAt };
      await putRows(db, 'instances', ['id'], [{ ...itself, ...shown }]);
    });
  }

  /**
   * Closes the requests of dead processes as interrupted. A process that was only slow still settles its own afterwards,
   * with their real outcome. Returns how many rows were closed.
   */
  async sweep(): Promise<number> {
    const { db, clock } = this.#store;
    const others = await findRows(db, 'instances', {}, sql`and id <> ${this.#id}`);
    const until = livingUntil(clock);
    const byLease = performance.now() >= this.#leavesOthersUntil;
    const gone = others
      .filter((other) => (byLease && other.expires_at <= until) || hasEnded(other))
      .map(({ id }) => id);
    return this.#bury([...gone, ...(await this.#forgotten())]);
  }

  /** Ends the presence of this process; its unsettled requests are closed. */
  async leave(): Promise<void> {
    await this.#bury([this.#id]);
  }

  /** Processes without a row whose requests are still open: a version before has buried them, or they were of one. */
  async #forgotten(): Promise<string[]> {
    const isForgotten = sql`and instance_id <> ${this.#id} and instance_id not in ${present(this.#store)}`;
    const unburied = await findRows(this.#store.db, 'sum_marks', { buried_at: null }, isForgotten);
    const older = await leftByVersionBefore(this.#store, this.#id);
    return [...unburied.map(({ instance_id }) => instance_id), ...older];
  }

  async #bury(ids: readonly string[]): Promise<number> {
    if (ids.length === 0) return 0;
    const { db: all, dialect, clock } = this.#store;
    // The sums of several processes are written one after the other, while others write theirs.
    return despiteLocks(() =>
      all.transaction().execute(async (db) => {
        const closed = await settleAbandoned(db, dialect, [...new Set(ids)].sort(), clock.now());
        await deleteRows(db, 'instances', { id: ids });
        return closed;
      }),
    );
  }
}

/** Leases that end later than this are good. A lease lasts so long, however far the time has stepped meanwhile. */
function livingUntil(clock: StoreClock): number {
  return clock.ago(leaseMs) + leaseMs;
}

/**
 * Where a process runs, so that another one there can tell for certain that it has ended, before its lease does: the
 * start of the machine, what its number means there, and when it was started. A host's name says nothing of the kind:
 * machines share it. If this is unknown, or belongs to another machine or container, the lease alone decides.
 * It is no host's name either, so version 1.0, which goes by that, leaves the row to its lease as well.
 */
export function hostOfProcess(pid: number): string {
  const startedAt = processStatus(pid)?.startedAt;
  if (bootId === null || processNamespace === null || startedAt === undefined) return 'unknown:';
  return `${here}${startedAt}`;
}

/** Whether a process that ran here has certainly ended. */
function hasEnded({ host, pid }: Pick<InstanceRow, 'host' | 'pid'>): boolean {
  if (bootId === null || processNamespace === null || !host.startsWith(here)) return false;
  try {
    process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return true;
  }
  const found = processStatus(pid);
  // Unreadable (a system may hide the processes of others), it may well live.
  return found !== null && (found.ended || found.startedAt !== host.slice(here.length));
}

/**
 * A ledger that renews the heartbeat before it writes, if that may have expired because the process was held
 * up: its requests are then among those that others settle when it ends.
 */
export function showing(ledger: HotLedger, presence: Presence): HotLedger {
  return {
    admitted: (...asked) => ledger.admitted(...asked),
    countSince: (...asked) => ledger.countSince(...asked),
    async commit(batch) {
      if (presence.overdue)
        await presence.showQuickly().catch((thrown: unknown) => {
          const { failure, message, cause } = toStoreError(thrown);
          throw new StoreError(failure, message, { cause, mayBeDone: false });
        });
      return ledger.commit(batch);
    },
  };
}
