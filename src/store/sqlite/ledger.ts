import type { DatabaseSync } from 'node:sqlite';
import type { Kysely } from 'kysely';
import { dayOf } from '../../lib/utc.ts';
import { toStoreError } from '../errors.ts';
import {
  type Admitted,
  type Batch,
  type BatchResult,
  countingStatements,
  type Ledger,
  type Settlement,
} from '../ledger.ts';
import type { Tables } from '../schema.ts';
import { tagKey, usageKey } from '../sums/recount.ts';
import { type Flush, Summing } from '../sums/summing.ts';
import { sumColumns, tokenColumns } from '../token-columns.ts';
import { guarded, untilUnlocked } from './dialect.ts';

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
    if (unsummed.begin(given)) await this.#summing.publish(given);
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

/** The columns of a settlement that describe the end, in the order of its parameters. */
const ends = [
  'instance_id',
  'sequence',
  'status',
  'http_status',
  'model',
  'provider',
  'usage_source',
  'cost_micro_usd',
  'price_versions',
  'error_code',
  'finish_reason',
  'first_byte_ms',
  'total_ms',
  'attempts',
  'warnings',
  'settled_at',
  ...tokenColumns,
] as const;

const key = ['created_at', 'id'] as const;

/** The columns of which `endOf` gives the values. */
export const endNames = [...ends, ...key] as const;

/** How a request ended, and which it is, in the order of `endNames`. Each by its name: V8 is slow at names from a list. */
export function endOf(settlement: Settlement, instanceId: string) {
  return [
    instanceId,
    settlement.sequence,
    settlement.status,
    settlement.http_status,
    settlement.model,
    settlement.provider,
    settlement.usage_source,
    settlement.cost_micro_usd,
    settlement.price_versions,
    settlement.error_code,
    settlement.finish_reason,
    settlement.first_byte_ms,
    settlement.total_ms,
    settlement.attempts,
    settlement.warnings,
    settlement.settled_at,
    settlement.prompt_tokens,
    settlement.completion_tokens,
    settlement.cached_tokens,
    settlement.reasoning_tokens,
    settlement.cache_write_5m_tokens,
    settlement.cache_write_1h_tokens,
    settlement.audio_prompt_tokens,
    settlement.audio_completion_tokens,
    settlement.image_prompt_tokens,
    settlement.image_completion_tokens,
    settlement.created_at,
    settlement.id,
  ] as const;
}

/** The statements of the hot path, compiled once. */
function prepareStatements(database: DatabaseSync) {
  const { admitted, countSince } = countingStatements('max');
  const numbered = (text: string) => text.replaceAll('$', '?');
  return {
    begin: database.prepare('begin immediate'),
    commit: database.prepare('commit'),
    rollback: database.prepare('rollback'),
    admitted: database.prepare(numbered(admitted)),
    countSince: database.prepare(numbered(countSince)),
    admit:
      database.prepare(`insert or ignore into admitted (tenant_id, created_at, id, request_id, key_id, operation,
      model_asked, instance_id, queue_ms, tags) values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`),
    settle: database.prepare(`insert into settled (${[...endNames, 'tenant_id'].join(', ')})
      values (${[...endNames, 'tenant_id'].map(() => '?').join(', ')}) on conflict do nothing`),
    // Others considered its process dead; the real outcome counts.
    correct: database.prepare(`update settled set ${ends.map((name) => `${name} = ?`).join(', ')}
      where ${key.map((name) => `${name} = ?`).join(' and ')} and status = 'interrupted'`),
    mark: database.prepare(
      'update sum_marks set sequence = ?, open_since = ? where instance_id = ? and sequence = ?',
    ),
    addUsage: database.prepare(addTo('usage_sums', usageKey)),
    addTags: database.prepare(addTo('usage_tag_days', tagKey)),
  };
}

function addTo(table: string, names: readonly string[]): string {
  const all = [...names, ...sumColumns];
  return `insert into ${table} (${all.join(', ')}) values (${all.map(() => '?').join(', ')})
    on conflict do update set ${sumColumns.map((name) => `${name} = ${name} + excluded.${name}`).join(', ')}`;
}
