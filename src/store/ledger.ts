/**
 * The port of the hot path: what admission and settlement ask of a database. The statements behind it are written by
 * hand and prepared once; everything else goes through Kysely.
 */
import type { CounterRow, LedgerRow } from './schema.ts';

export type Counters = Omit<CounterRow, 'tenant_id'>;

/** Admissions of one millisecond. */
export interface Admitted {
  readonly at: number;
  readonly count: number;
}

export interface TenantState {
  readonly counters: Counters;
  /** Admissions since the time that was asked for, oldest first. */
  readonly admitted: readonly Admitted[];
}

/** A tenant's counters before and after the admissions of a batch. */
export interface CounterMove {
  readonly tenantId: string;
  /** `seq` on which the decision rests. The move happens only if it still holds. */
  readonly from: number;
  readonly to: Counters;
  /** Tokens reserved in the second of `to.last_at`; 0 for a tenant without a token limit. */
  readonly tokens: number;
}

/** What a row is found by. */
export type LedgerKey = Pick<LedgerRow, 'tenant_id' | 'created_at' | 'seq' | 'id'>;

export type AdmissionRow = LedgerKey &
  Pick<LedgerRow, 'request_id' | 'key_id' | 'operation' | 'model_asked' | 'queue_ms'>;

export type Settlement = LedgerKey &
  Pick<LedgerRow, 'operation'> &
  Omit<
    LedgerRow,
    | keyof LedgerKey
    | 'operation'
    | 'request_id'
    | 'key_id'
    | 'model_asked'
    | 'instance_id'
    | 'queue_ms'
    | 'status'
  > & {
    readonly status: Exclude<LedgerRow['status'], 'running' | 'interrupted'>;
    readonly settled_at: number;
    /** What the tokens of the second of `created_at` change by, now that they are known. */
    readonly tokens: number;
  };

export interface Batch {
  readonly instanceId: string;
  readonly moves: readonly CounterMove[];
  readonly rows: readonly AdmissionRow[];
  readonly settlements: readonly Settlement[];
}

export interface BatchResult {
  /** Tenants whose move did not happen, nor any of their rows: others have admitted in between. */
  readonly conflicts: ReadonlySet<string>;
  /** False when the settlements failed and must be given again. */
  readonly settled: boolean;
}

/** All methods reject with `StoreError`. */
export interface Ledger {
  /** Null for an unknown tenant. `since` is inclusive; null leaves out the admissions. */
  state(tenantId: string, since: number | null): Promise<TenantState | null>;
  /** Requests of a tenant that run in processes that are alive. */
  running(tenantId: string, now: number): Promise<number>;
  /** Tokens by second, for seconds from this one on, oldest first. */
  tokens(tenantId: string, since: number): Promise<readonly { second: number; tokens: number }[]>;
  /**
   * Writes a batch: the moves with their rows in one transaction, each tenant's whole or not at all. A settlement
   * changes only a row that runs, or one that was taken for interrupted; anything else it leaves alone, so giving it
   * again does no harm. When the promise resolves, all is on disk.
   */
  commit(batch: Batch): Promise<BatchResult>;
}
