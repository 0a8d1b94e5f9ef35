import type { Kysely } from 'kysely';
import { dayOf } from '../../lib/utc.ts';
import { type StoreError, storeError, toStoreError } from '../errors.ts';
import type { Admitted, Batch, BatchResult, Ledger } from '../ledger.ts';
import type { Tables } from '../schema.ts';
import { type Flush, Summing } from '../sums/summing.ts';
import { dropDays, prepareDays } from './days.ts';
import type { Pool } from './pool.ts';
import * as statements from './statements.ts';

/** How many settlements go into one statement: however many wait after an outage, each is done in time. */
const settleMost = 500;
/**
 * How long a batch waits for a slow database, in milliseconds. Requests that have ended meanwhile wait behind it to send
 * their answers; clients not admitted by then ask again.
 */
const batchPatienceMs = 3_000;

/** How many settlements were written, and how many of those corrected what was taken for interrupted. */
interface Ended {
  readonly written: number;
  readonly corrected: number;
}

/** The hot path on PostgreSQL: one round trip for a batch. */
export class PostgresLedger implements Ledger {
  readonly #pool: Pool;
  readonly #db: Kysely<Tables>;
  readonly #summing: Summing;

  /** @param db for what is rare */
  constructor(pool: Pool, db: Kysely<Tables>) {
    this.#pool = pool;
    this.#db = db;
    this.#summing = new Summing(db, { write: (...flush) => this.#writeSums(...flush) });
  }

  async admitted(tenantId: string, since: number): Promise<readonly Admitted[]> {
    return this.#read<Admitted>(statements.admitted, [tenantId, since]);
  }

  async countSince(tenantId: string, since: number): Promise<number> {
    const values = [tenantId, dayOf(since), since];
    const [row] = await this.#read<{ count: number }>(statements.countSince, values);
    return row?.count ?? 0;
  }

  async commit(given: Batch): Promise<BatchResult> {
    const unsummed = this.#summing.of(given.instanceId);
    if (unsummed.begin(given)) await this.#summing.publish(given);
    const batch = { ...given, settlements: [...given.settlements] };
    let clean: boolean;
    try {
      clean = await this.#write(batch);
    } catch (error) {
      const { mayBeDone } = error as StoreError;
      unsummed.failed(batch, mayBeDone);
      if (mayBeDone || batch.rows.length === 0 || batch.settlements.length === 0) throw error;
      // A failure of admissions must not keep others from their answers.
      const settlements = [...given.settlements];
      const begins = settlements.flatMap((settlement) => settlement.begins ?? []);
      const alone = { ...given, rows: begins, settlements };
      unsummed.done(alone, await this.#write(alone));
      return { refused: error };
    }
    unsummed.done(batch, clean);
    this.#summing.relieve(batch.instanceId);
    return {};
  }

  sum(now: number): Promise<void> {
    return this.#summing.sum(now);
  }

  prepareDays(now: number): Promise<void> {
    return prepareDays(this.#db, now);
  }

  dropDays(before: number, now: number): Promise<number> {
    return dropDays(this.#db, before, now);
  }

  /**
   * Settlements that fit into no statement go first, in order: a later one must not be seen earlier.
   * @returns whether all settlements were new
   */
  async #write({ instanceId, rows, settlements }: Batch): Promise<boolean> {
    const { begins, ends, both } = statements.commits;
    let clean = true;
    let from = 0;
    const chunk = () => settlements.slice(from, from + settleMost);
    const begun = JSON.stringify(rows);
    // No end is there before its beginning.
    const doubted = settlements.length > settleMost && settlements.some((settlement) => settlement.begins);
    if (doubted) await this.#query(begins, [begun, instanceId], batchPatienceMs);
    while (settlements.length - from > (rows.length > 0 ? settleMost : 0)) {
      const some = chunk();
      const [ended] = await this.#query<Ended>(ends, [JSON.stringify(some), instanceId], batchPatienceMs);
      clean &&= isClean(ended, some.length);
      from += settleMost;
    }
    if (rows.length === 0) return clean;
    const rest = chunk();
    if (rest.length === 0) {
      if (!doubted) await this.#query(begins, [begun, instanceId], batchPatienceMs);
      return clean;
    }
    // Never: settlements do not wait for admissions.
    const [ended] = await this.#query<Ended>(both, [begun, instanceId, JSON.stringify(rest)], 0);
    return isClean(ended, rest.length) && clean;
  }

  async #writeSums(instanceId: string, { sums, from, to }: Flush, openSince: number): Promise<boolean> {
    const [usage, tags] = [JSON.stringify(sums.usage()), JSON.stringify(sums.tags())];
    const values = [instanceId, from, to, openSince, usage, tags];
    const [row] = await this.#query<{ marks: number }>(statements.sum, values);
    return row?.marks === 1;
  }

  /** A read changes nothing, even if its answer was lost, so it may be repeated. */
  async #read<Row extends object>(
    statement: statements.Statement,
    values: readonly unknown[],
  ): Promise<Row[]> {
    try {
      return await this.#query<Row>(statement, values);
    } catch (thrown) {
      const { failure, cause } = toStoreError(thrown);
      throw storeError(failure, { cause, mayBeDone: false });
    }
  }

  #query<Row extends object>(
    statement: statements.Statement,
    values: readonly unknown[],
    patienceMs?: number,
  ): Promise<Row[]> {
    return this.#pool.query<Row>({ ...statement, values: [...values] }, patienceMs);
  }
}

function isClean(ended: Ended | undefined, given: number): boolean {
  return ended?.written === given && ended.corrected === 0;
}
