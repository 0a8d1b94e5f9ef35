import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { LedgerRow, Tables } from '../../store/schema.ts';
import type { Store } from '../../store/store.ts';
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
type SettledRow = Pick<
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

type Db = Kysely<Tables>;

const begin = [
  'id',
  'tenant_id',
  'created_at',
  'request_id',
  'key_id',
  'operation',
  'model_asked',
  'queue_ms',
];
const end = [
  'status',
  'http_status',
  'model',
  'provider',
  ...tokenColumns,
  'usage_source',
  'cost_micro_usd',
  'error_code',
  'finish_reason',
  'first_byte_ms',
  'total_ms',
  'settled_at',
];

/**
 * The settled requests of a batch in the outbox, each found by the key of its table: the views that show all of the ledger
 * would be gone through from end to end by either database.
 * @param hasEvents whether the ledger is kept as events; rows of the version before are found beside them
 */
export async function settledRows(
  { db, dialect }: Pick<Store, 'db' | 'dialect'>,
  hasEvents: boolean,
  sink: string,
  batch: string,
): Promise<readonly SettledRow[]> {
  if (dialect === 'sqlite') return find(db, hasEvents, sink, batch);
  return db.transaction().execute(async (trx) => {
    // With statistics that make a thousand rows look like a large part of the ledger, it would be read from end to end.
    await sql`select set_config('enable_seqscan', 'off', true), set_config('enable_hashjoin', 'off', true),
      set_config('enable_mergejoin', 'off', true)`.execute(trx);
    return find(trx, hasEvents, sink, batch);
  });
}

async function find(db: Db, hasEvents: boolean, sink: string, batch: string): Promise<SettledRow[]> {
  const ofBatch = sql`o.sink = ${sink} and o.batch = ${batch}`;
  const older = await sql<SettledRow>`
    select ${columns('l', [...begin, ...end])} from analytics_outbox o
    join ${sql.table(hasEvents ? 'older_rows' : 'ledger')} l on ${isOf('l')}
    where ${ofBatch} and l.settled_at is not null`.execute(db);
  if (!hasEvents) return inOrder(older.rows);
  const events = await sql<SettledRow>`
    select ${columns('b', begin)}, b.tags, ${columns('s', end)} from analytics_outbox o
    join settled s on ${isOf('s')} join admitted b on ${isOf('b')}
    where ${ofBatch}`.execute(db);
  return inOrder([...older.rows, ...events.rows]);
}

/** The same rows have one order, however the database has found them. */
function inOrder(rows: SettledRow[]): SettledRow[] {
  return rows.sort((one, other) => one.created_at - other.created_at || (one.id < other.id ? -1 : 1));
}

function isOf(table: string): RawBuilder<unknown> {
  const of = (name: string) => sql.ref(`${table}.${name}`);
  return sql`${of('tenant_id')} = o.tenant_id and ${of('created_at')} = o.created_at and ${of('id')} = o.ledger_id`;
}

function columns(table: string, names: readonly string[]): RawBuilder<unknown> {
  return sql.join(names.map((name) => sql.ref(`${table}.${name}`)));
}
