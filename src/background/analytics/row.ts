import type { LedgerRow } from '../../store/schema.ts';
import { byName, type TokenColumn, tokenColumns } from '../../store/token-columns.ts';

/** A settled request as sinks take it. Members may be added; none changes its meaning. */
export interface AnalyticsRow extends Readonly<Record<TokenColumn, number | null>> {
  /** Of the request in the ledger: the same in all that is sent of it. */
  readonly id: string;
  readonly tenant_id: string;
  readonly request_id: string;
  readonly key_id: string;
  readonly operation: string;
  readonly status: string;
  readonly http_status: number | null;
  readonly model_asked: string | null;
  readonly model: string | null;
  readonly provider: string | null;
  readonly usage_source: string | null;
  /** Millionths of a US dollar. */
  readonly cost_micro_usd: number | null;
  readonly error_code: string | null;
  readonly finish_reason: string | null;
  readonly queue_ms: number;
  readonly first_byte_ms: number | null;
  readonly total_ms: number | null;
  /** RFC 3339 in UTC, with milliseconds. */
  readonly created_at: string;
  /** The same; the later of two rows of one id is the one that holds. */
  readonly settled_at: string;
  readonly tags: Readonly<Record<string, string>>;
}

/** What of the ledger a row is made of. `tags` is JSON, where there are any. */
export type SettledRow = Pick<
  LedgerRow,
  | 'id'
  | 'tenant_id'
  | 'created_at'
  | 'request_id'
  | 'key_id'
  | 'operation'
  | 'model_asked'
  | 'queue_ms'
  | 'status'
  | 'http_status'
  | 'model'
  | 'provider'
  | TokenColumn
  | 'usage_source'
  | 'cost_micro_usd'
  | 'error_code'
  | 'finish_reason'
  | 'first_byte_ms'
  | 'total_ms'
  | 'settled_at'
> & { readonly tags?: string | null };

export function analyticsRow(row: SettledRow): AnalyticsRow {
  return {
    id: row.id,
    tenant_id: row.tenant_id,
    request_id: row.request_id,
    key_id: row.key_id,
    operation: row.operation,
    status: row.status,
    http_status: row.http_status,
    model_asked: row.model_asked,
    model: row.model,
    provider: row.provider,
    ...byName(tokenColumns, (name) => row[name]),
    usage_source: row.usage_source,
    cost_micro_usd: row.cost_micro_usd,
    error_code: row.error_code,
    finish_reason: row.finish_reason,
    queue_ms: row.queue_ms,
    first_byte_ms: row.first_byte_ms,
    total_ms: row.total_ms,
    created_at: new Date(row.created_at).toISOString(),
    settled_at: new Date(row.settled_at ?? row.created_at).toISOString(),
    tags: row.tags ? (JSON.parse(row.tags) as Record<string, string>) : {},
  };
}

/** Rows as lines of JSON, each with its end. */
export function linesOf(rows: readonly AnalyticsRow[]): string {
  return rows.map((row) => `${JSON.stringify(row)}\n`).join('');
}
