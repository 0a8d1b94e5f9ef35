/**
 * The port of the hot path: the database calls of admission and settlement. The statements behind it are written by
 * hand and prepared once; everything else goes through Kysely.
 */

import type { AdmittedRow, LedgerRow, SettledRow } from './schema.ts';

/** Admissions of one millisecond. */
export interface Admitted {
  readonly at: number;
  readonly count: number;
  /** The tokens that they have used, as far as they are settled. */
  readonly tokens: number;
}

/** The key of a row. */
export type LedgerKey = Pick<AdmittedRow, 'tenant_id' | 'created_at' | 'id'>;

export type AdmissionRow = Omit<AdmittedRow, 'instance_id'>;

export interface Settlement
  extends LedgerKey,
    Omit<SettledRow, keyof LedgerKey | 'instance_id' | 'sequence' | 'interrupted_at' | 'status'>,
    Pick<AdmittedRow, 'operation' | 'key_id' | 'tags'> {
  readonly status: Exclude<LedgerRow['status'], 'running' | 'interrupted'>;
  /** Of the process: see `SettledRow`. It has it before it is written, and keeps it when it is written again. */
  sequence: number;
  /** Its beginning, which may not be on disk yet: it is written with it. */
  readonly begins?: AdmissionRow;
  /** Whether its beginning is a row of the version before, where it may have been taken for interrupted. */
  readonly older?: boolean;
}

export interface Batch {
  readonly instanceId: string;
  readonly rows: readonly AdmissionRow[];
  /** One may be replaced while this is under way (`Settlements.amend`), so a ledger counts a copy of what it wrote. */
  readonly settlements: readonly Settlement[];
}

export interface BatchResult {
  /** Why no admission was written, where the settlements are. */
  readonly refused?: unknown;
}

/** All methods reject with `StoreError`. */
export interface Ledger {
  /** Admissions of a tenant since a time, oldest first. */
  admitted(tenantId: string, since: number): Promise<readonly Admitted[]>;
  /** How many requests of a tenant were admitted since the beginning of a day; those of dead processes may be missing. */
  countSince(tenantId: string, since: number): Promise<number>;
  /**
   * Writes a batch: all beginnings in one transaction; a request that is there already is left alone. A request is settled
   * once, or once more where it was taken for interrupted; any other settlement changes nothing, so giving it again does no
   * harm. When the promise resolves, all is on disk.
   */
  commit(batch: Batch): Promise<BatchResult>;
  /**
   * Brings the sums of days up to what was settled here, and publishes since when requests of this process are open.
   * @param now in milliseconds since the epoch
   */
  sum(now: number): Promise<void>;
  /** Makes ready for what will be written in the days to come. */
  prepareDays(now: number): Promise<void>;
  /**
   * Deletes whole days where that costs nothing. Returns how many requests that were.
   * @param before the start of a day
   */
  dropDays(before: number, now: number): Promise<number>;
}

/** The methods that requests wait for. */
export type HotLedger = Pick<Ledger, 'admitted' | 'countSince' | 'commit'>;

/**
 * The name under which `settings` hold what was deleted of the ledger: the events of requests that were admitted before
 * that time, in milliseconds since the epoch. Some of them may still be there.
 */
export const deletedBefore = 'ledger_deleted_before';

/**
 * The seeds of limits that have no count yet.
 * @param greatest what the dialect calls the greatest of several values
 */
export function countingStatements(greatest: 'greatest' | 'max') {
  return {
    /** Admissions of a tenant ($1) since a time ($2), as `Admitted`. */
    admitted: `select at, count(*) as count, cast(sum(tokens) as bigint) as tokens from (
        select a.created_at as at, coalesce(s.prompt_tokens, 0) + coalesce(s.completion_tokens, 0) as tokens
        from admitted a left join settled s on s.created_at = a.created_at and s.id = a.id
        where a.tenant_id = $1 and a.created_at >= $2
        union all select created_at, coalesce(prompt_tokens, 0) + coalesce(completion_tokens, 0) from ledger
        where tenant_id = $1 and created_at >= $2
      ) both_versions group by at order by at`,
    /**
     * How many requests of a tenant ($1) were admitted since a day ($2), which begins at a time ($3). Events not in the
     * sums yet are among the latest: those of the last seconds, and of requests that still run.
     */
    countSince: `select (
        select cast(coalesce(sum(requests), 0) as bigint) from usage_rows where tenant_id = $1 and day >= $2
      ) + (
        select count(*) from admitted a where a.tenant_id = $1
          and a.created_at >= ${greatest}($3, (select coalesce(min(open_since), 0) from sum_marks))
          and not exists (select 1 from settled s left join sum_marks m on m.instance_id = s.instance_id
            where s.created_at = a.created_at and s.id = a.id and (m.instance_id is null or s.sequence <= m.sequence))
      ) as count`,
  };
}
