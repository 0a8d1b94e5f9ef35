import { StoreError } from '../errors.ts';
import type { Admitted, Batch, BatchResult, Counters, Ledger, TenantState } from '../ledger.ts';
import type { TimeLine } from '../time-line.ts';
import type { Pool } from './pool.ts';
import * as statements from './statements.ts';

/** How many settlements go into one statement: however many wait after an outage, each is done in time. */
const settleMost = 500;

type DecidingTime = Pick<TimeLine, 'text' | 'believed' | 'synchronise'>;

const defaultLateMs = 1_000;
const maxLateMs = 60_000;

/** A tenant whose counters have moved, null when none has; and how the server's clock stood to the decision's. */
interface Moved {
  readonly tenant_id: string | null;
  readonly in_time: boolean;
  /** In milliseconds; null when nothing was compared. */
  readonly late: number | null;
}

/** The hot path on PostgreSQL: one round trip for the admissions of a batch, and one beside it for its settlements. */
export class PostgresLedger implements Ledger {
  readonly #pool: Pool;
  readonly #time: DecidingTime | null;
  /** How long an admission may take to the database before its time is doubted, in milliseconds. */
  #lateMs = defaultLateMs;
  /** Counters by tenant from which an admission may still move them, its answer having been lost. */
  readonly #inDoubt = new Map<string, number>();

  /** @param time what admissions are decided by; null: a test's clock, which nothing is held against. */
  constructor(pool: Pool, time: DecidingTime | null) {
    this.#pool = pool;
    this.#time = time;
  }

  async state(tenantId: string, since: number | null): Promise<TenantState | null> {
    // One after the other: admissions that come between are found twice, as counter and as row, never not at all;
    // and the counter, being older, makes a decision that rests on them fail rather than go through.
    const [counters] = await this.#query<Counters>(statements.counters, [tenantId]);
    if (counters === undefined) return null;
    const admitted =
      since === null ? [] : await this.#query<Admitted>(statements.admitted, [tenantId, since]);
    return { counters, admitted };
  }

  async running(tenantId: string, now: number): Promise<number> {
    const [row] = await this.#query<{ count: number }>(statements.running, [tenantId, now]);
    return row?.count ?? 0;
  }

  async tokens(tenantId: string, since: number): Promise<{ second: number; tokens: number }[]> {
    return this.#query(statements.tokens, [tenantId, since]);
  }

  async commit(batch: Batch): Promise<BatchResult> {
    const [conflicts, settled] = await Promise.allSettled([this.#admit(batch), this.#settle(batch)]);
    if (conflicts.status === 'rejected') throw conflicts.reason;
    return { conflicts: conflicts.value, settled: settled.status === 'fulfilled' };
  }

  async #admit({ moves, rows, instanceId }: Batch): Promise<ReadonlySet<string>> {
    if (moves.length === 0) return new Set();
    const asked = moves.map(({ tenantId, from, to, tokens }) => ({
      tenant_id: tenantId,
      from,
      ...to,
      tokens,
    }));
    const moved = await this.#query<Moved>(statements.admit, [
      JSON.stringify(asked),
      JSON.stringify(rows),
      instanceId,
      this.#time?.believed() ?? null,
      this.#lateMs,
      this.#time?.text ?? null,
    ]).catch((error: unknown) => {
      if (error instanceof StoreError && error.mayBeDone) {
        for (const { tenantId, from } of moves) this.#inDoubt.set(tenantId, from);
      }
      throw error;
    });
    const conflicts = new Set(moves.map(({ tenantId }) => tenantId));
    for (const { tenant_id } of moved) if (tenant_id !== null) conflicts.delete(tenant_id);
    await this.#heed(moved[0]);
    return conflicts;
  }

  /** What was refused for its time is decided again by the right one, and given more time if that was right already. */
  async #heed(moved: Moved | undefined): Promise<void> {
    if (moved === undefined || moved.late === null) return;
    if (moved.in_time) {
      this.#lateMs = Math.max(defaultLateMs, Math.ceil(2 * moved.late));
      return;
    }
    await this.#time?.synchronise();
    if (moved.late > this.#lateMs) this.#lateMs = Math.min(2 * this.#lateMs, maxLateMs);
  }

  async #settle({ settlements }: Batch): Promise<void> {
    if (settlements.length === 0) return;
    if (this.#inDoubt.size > 0) await this.#fence();
    for (let at = 0; at < settlements.length; at += settleMost) {
      await this.#query(statements.settle, [JSON.stringify(settlements.slice(at, at + settleMost))]);
    }
  }

  /**
   * Makes sure that an admission without an answer either has happened or never will: a statement that is still under
   * way, in the network or in the server, could otherwise write its rows after they were closed, and they would stay
   * open. It holds the counters until it is done; afterwards, with the counters moved on, it can no longer do anything.
   */
  async #fence(): Promise<void> {
    const doubts = [...this.#inDoubt];
    const asked = doubts.map(([tenant_id, from]) => ({ tenant_id, from }));
    await this.#query(statements.fence, [JSON.stringify(asked)]);
    for (const [tenantId, from] of doubts) {
      if (this.#inDoubt.get(tenantId) === from) this.#inDoubt.delete(tenantId);
    }
  }

  async #query<Row extends object>(
    statement: statements.Statement,
    values: readonly unknown[],
  ): Promise<Row[]> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await this.#pool.query<Row>({ ...statement, values: [...values] });
      } catch (error) {
        // The server has undone what it chose to end a deadlock by.
        if (!isDeadlock(error) || attempt === 3) throw error;
      }
    }
  }
}

function isDeadlock(error: unknown): boolean {
  const { cause } = error as StoreError;
  return cause instanceof Error && 'code' in cause && cause.code === '40P01';
}
