import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { dayOf } from '../../lib/utc.ts';
import { toStoreError } from '../errors.ts';
import type {
  AdmissionRow,
  Batch,
  BatchResult,
  CounterMove,
  Ledger,
  Settlement,
  TenantState,
} from '../ledger.ts';
import type { UsageDayRow } from '../schema.ts';
import { sumColumns, tokenColumns } from '../token-columns.ts';
import { emptyDay } from '../usage-day.ts';
import { untilUnlocked } from './dialect.ts';
import { prepareStatements } from './statements.ts';

type Statements = ReturnType<typeof prepareStatements>;

const noConflicts: ReadonlySet<string> = new Set();

/** The hot path on SQLite. It has a connection of its own, so that no other transaction is ever open on it. */
export class SqliteLedger implements Ledger {
  readonly #database: DatabaseSync;
  readonly #statements: Statements;

  constructor(database: DatabaseSync) {
    this.#database = database;
    this.#statements = prepareStatements(database);
  }

  async state(tenantId: string, since: number | null): Promise<TenantState | null> {
    return guarded(() => {
      const counters = this.#statements.counters.get(tenantId);
      if (counters === undefined) return null;
      const admitted = since === null ? [] : this.#statements.admitted.all(tenantId, since);
      return { counters, admitted } as unknown as TenantState;
    });
  }

  async running(tenantId: string, now: number): Promise<number> {
    return guarded(() => Number(this.#statements.running.get(tenantId, now)?.['count']));
  }

  async tokens(tenantId: string, since: number): Promise<{ second: number; tokens: number }[]> {
    return guarded(
      () => this.#statements.tokens.all(tenantId, since) as unknown as { second: number; tokens: number }[],
    );
  }

  async commit(batch: Batch): Promise<BatchResult> {
    const { begin, commit } = this.#statements;
    try {
      begin.run();
    } catch {
      await untilUnlocked(() => begin.run());
    }
    try {
      this.#settle(batch);
      const conflicts = this.#admit(batch);
      commit.run();
      return { conflicts, settled: true };
    } catch (thrown) {
      // SQLite has rolled back by itself after some errors.
      if (this.#database.isTransaction) this.#statements.rollback.run();
      throw toStoreError(thrown);
    }
  }

  #admit({ moves, rows, instanceId }: Batch): ReadonlySet<string> {
    let conflicts: Set<string> | null = null;
    for (const move of moves) {
      if (this.#move(move)) continue;
      conflicts ??= new Set();
      conflicts.add(move.tenantId);
    }
    for (const row of rows) {
      if (!conflicts?.has(row.tenant_id)) insert(this.#statements.insert, row, instanceId);
    }
    return conflicts ?? noConflicts;
  }

  #move({ tenantId, from, to, tokens }: CounterMove): boolean {
    const { move, hold, forget } = this.#statements;
    const { changes } = move.run(
      to.seq,
      to.last_at,
      to.day,
      to.day_used,
      to.month,
      to.month_used,
      tenantId,
      from,
    );
    if (changes === 0) return false;
    if (tokens !== 0) {
      const second = Math.floor(to.last_at / 1000);
      forget.run(tenantId, second - 120);
      hold.run(tenantId, second, tokens);
    }
    return true;
  }

  #settle({ settlements }: Batch): void {
    if (settlements.length === 0) return;
    const days = new Map<string, UsageDayRow>();
    for (const settlement of settlements) {
      let presumed = false;
      if (!update(this.#statements.settle, settlement)) {
        // Others took this process for gone and closed the row; what really happened counts.
        if (!update(this.#statements.correct, settlement)) continue;
        presumed = true;
      }
      add(days, settlement, presumed);
      if (settlement.tokens !== 0) {
        const second = Math.floor(settlement.created_at / 1000);
        this.#statements.hold.run(settlement.tenant_id, second, settlement.tokens);
      }
    }
    for (const day of days.values()) addDay(this.#statements.addDay, day);
  }
}

function insert(statement: StatementSync, row: AdmissionRow, instanceId: string): void {
  statement.run(
    row.tenant_id,
    row.created_at,
    row.seq,
    row.id,
    row.request_id,
    row.key_id,
    row.operation,
    row.model_asked,
    instanceId,
    row.queue_ms,
  );
}

function update(statement: StatementSync, row: Settlement): boolean {
  const { changes } = statement.run(
    row.status,
    row.http_status,
    row.model,
    row.provider,
    row.usage_source,
    row.cost_micro_usd,
    row.error_code,
    row.finish_reason,
    row.first_byte_ms,
    row.total_ms,
    row.attempts,
    row.warnings,
    row.settled_at,
    ...tokenColumns.map((name) => row[name]),
    row.tenant_id,
    row.created_at,
    row.seq,
    row.id,
  );
  return changes !== 0;
}

/** Adds a settled request to the sums of its day. `presumed`: whether it was counted as interrupted before. */
function add(days: Map<string, UsageDayRow>, row: Settlement, presumed: boolean): void {
  const day = dayOf(row.created_at);
  const key = `${row.tenant_id}\n${day}\n${row.operation}\n${row.model ?? ''}`;
  let sums = days.get(key);
  if (sums === undefined) {
    sums = emptyDay(row.tenant_id, day, row.operation, row.model ?? '');
    days.set(key, sums);
  }
  sums.requests += 1;
  sums[row.status] += 1;
  for (const name of tokenColumns) sums[name] += row[name] ?? 0;
  sums.cost_micro_usd += row.cost_micro_usd ?? 0;
  if (row.usage_source !== null && row.cost_micro_usd === null) sums.unpriced += 1;
  if (!presumed) return;
  // It was counted without a model, as no model was known.
  const before = `${row.tenant_id}\n${day}\n${row.operation}\n`;
  const other = days.get(before) ?? emptyDay(row.tenant_id, day, row.operation, '');
  days.set(before, other);
  other.requests -= 1;
  other.interrupted -= 1;
}

function addDay(statement: StatementSync, row: UsageDayRow): void {
  statement.run(row.tenant_id, row.day, row.operation, row.model, ...sumColumns.map((name) => row[name]));
}

function guarded<T>(action: () => T): T {
  try {
    return action();
  } catch (thrown) {
    throw toStoreError(thrown);
  }
}
