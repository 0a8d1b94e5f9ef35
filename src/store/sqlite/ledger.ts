import type { DatabaseSync } from 'node:sqlite';
import type { Kysely } from 'kysely';
import { dayOf } from '../../lib/utc.ts';
import { toStoreError } from '../errors.ts';
import type { Admitted, Batch, BatchResult, Ledger, Settlement } from '../ledger.ts';
import type { Tables } from '../schema.ts';
import { tagKey, usageKey } from '../sums/recount.ts';
import { Summing } from '../sums/summing.ts';
import type { Flush } from '../sums/unsummed.ts';
import { sumColumns } from '../token-columns.ts';
import { untilUnlocked } from './dialect.ts';
import { endOf, prepareStatements } from './statements.ts';

type Statements = ReturnType<typeof prepareStatements>;

const usageNames = [...usageKey, ...sumColumns] as const;
const tagNames = [...tagKey, ...sumColumns] as const;

/** The hot path on SQLite. It has a connection of its own, so that no other transaction is ever open on it. */
export class SqliteLedger implements Ledger {
  readonly #database: DatabaseSync;
  readonly #statements: Statements;
  readonly #summing: Summing;

  /** @param db for what is rare */
  constructor(database: DatabaseSync, db: Kysely<Tables>) {
    this.#database = database;
    this.#statements = prepareStatements(database);
    this.#summing = new Summing(db, { write: (...flush) => this.#writeSums(...flush) });
  }

  async admitted(tenantId: string, since: number): Promise<readonly Admitted[]> {
    return guarded(() => this.#statements.admitted.all(tenantId, since) as unknown as Admitted[]);
  }

  async countSince(tenantId: string, since: number): Promise<number> {
    return guarded(() => {
      const found = this.#statements.countSince.get(tenantId, dayOf(since), since);
      return Number(found?.['count']);
    });
  }

  async commit(given: Batch): Promise<BatchResult> {
    const unsummed = this.#summing.of(given.instanceId);
    if (unsummed.begin(given)) await this.#summing.tell(given);
    try {
      const [written, clean] = await this.#transaction(() => {
        const batch = { ...given, settlements: [...given.settlements] };
        this.#admit(batch);
        return [batch, this.#settle(batch)] as const;
      });
      unsummed.done(written, clean);
      this.#summing.relieve(given.instanceId);
      return {};
    } catch (thrown) {
      const error = toStoreError(thrown);
      unsummed.failed(given, error.mayBeDone);
      throw error;
    }
  }

  sum(now: number): Promise<void> {
    return this.#summing.sum(now);
  }

  async prepareDays(): Promise<void> {
    // A table takes the events of every day.
  }

  async dropDays(): Promise<number> {
    return 0;
  }

  async #transaction<Result>(work: () => Result): Promise<Result> {
    const { begin, commit, rollback } = this.#statements;
    try {
      begin.run();
    } catch {
      await untilUnlocked(() => begin.run());
    }
    try {
      const result = work();
      commit.run();
      return result;
    } catch (thrown) {
      // SQLite has rolled back by itself after some errors.
      if (this.#database.isTransaction) rollback.run();
      throw toStoreError(thrown);
    }
  }

  #admit({ rows, instanceId }: Batch): void {
    for (const row of rows) {
      const { tenant_id, created_at, id, request_id, key_id, operation, model_asked, queue_ms, tags } = row;
      this.#statements.admit.run(
        tenant_id,
        created_at,
        id,
        request_id,
        key_id,
        operation,
        model_asked,
        instanceId,
        queue_ms,
        tags,
      );
    }
  }

  /** Returns whether all of them were new. */
  #settle({ settlements, instanceId }: Batch): boolean {
    let clean = true;
    for (const settlement of settlements) {
      const written = this.#settleOne(settlement, instanceId);
      if (written !== 'new') clean = false;
    }
    return clean;
  }

  #settleOne(settlement: Settlement, instanceId: string): 'new' | 'corrected' | 'not' {
    const { settle, correct } = this.#statements;
    const values = endOf(settlement, instanceId);
    if (settle.run(...values, settlement.tenant_id).changes !== 0) return 'new';
    return correct.run(...values).changes === 0 ? 'not' : 'corrected';
  }

  async #writeSums(instanceId: string, { sums, from, to }: Flush, openSince: number): Promise<boolean> {
    return this.#transaction(() => {
      const { mark, addUsage, addTags } = this.#statements;
      if (mark.run(to, openSince, instanceId, from).changes === 0) return false;
      for (const row of sums.usage()) addUsage.run(...usageNames.map((name) => row[name]));
      for (const row of sums.tags()) addTags.run(...tagNames.map((name) => row[name]));
      return true;
    });
  }
}

function guarded<T>(action: () => T): T {
  try {
    return action();
  } catch (thrown) {
    throw toStoreError(thrown);
  }
}
