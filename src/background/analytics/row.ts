import { type RawBuilder, sql } from 'kysely';
import { tagsIn } from '../../lib/tags.ts';
import { isoTime } from '../../lib/utc.ts';
import type { Db } from '../../store/rows.ts';
import type { LedgerRow } from '../../store/schema.ts';
import type { Store } from '../../store/store.ts';
import { tokenColumns } from '../../store/token-columns.ts';

const begin = [
  ...(['id', 'tenant_id', 'created_at', 'request_id'] as const),
  ...(['key_id', 'operation', 'model_asked', 'queue_ms'] as const),
] as const;
const end = [
  ...(['status', 'http_status', 'model', 'provider'] as const),
  ...tokenColumns,
  ...(['usage_source', 'cost_micro_usd', 'error_code', 'finish_reason'] as const),
  ...(['first_byte_ms', 'total_ms', 'settled_at'] as const),
] as const;

/** The columns of the ledger that a row is made of. `tags` is JSON, where there are any. */
type SettledRow = Pick<LedgerRow, (typeof begin | typeof end)[number]> & { readonly tags?: string | null };

/**
 * A settled request as sinks take it. Members may be added; none changes its meaning. Times are RFC 3339 in UTC, with milliseconds; of
 * two rows of one id the one that was settled later holds.
 */
export type AnalyticsRow = Omit<SettledRow, 'status' | 'created_at' | 'settled_at' | 'tags'> & {
  readonly status: string;
  readonly created_at: string;
  readonly settled_at: string;
  readonly tags: Readonly<Record<string, string>>;
};

export function analyticsRow({ created_at, settled_at, tags, ...row }: SettledRow): AnalyticsRow {
  return {
    ...row,
    created_at: isoTime(created_at),
    settled_at: isoTime(settled_at ?? created_at),
    tags: tagsIn(tags ?? null),
  };
}

/** Rows as lines of JSON, each with its end. */
export function linesOf(rows: readonly AnalyticsRow[]): string {
  return rows.map((row) => `${JSON.stringify(row)}\n`).join('');
}

/**
 * The settled requests of a batch in the outbox, each found by the key of its table: either database would scan the views
 * of the whole ledger from end to end.
 */
export async function settledRows(
  { db, dialect }: Pick<Store, 'db' | 'dialect'>,
  sink: string,
  batch: string,
): Promise<readonly SettledRow[]> {
  if (dialect === 'sqlite') return find(db, sink, batch);
  return db.transaction().execute(async (trx) => {
    // With statistics that make a thousand rows look like a large part of the ledger, it would be read from end to end.
    await sql`select set_config('enable_seqscan', 'off', true), set_config('enable_hashjoin', 'off', true),
      set_config('enable_mergejoin', 'off', true)`.execute(trx);
    return find(trx, sink, batch);
  });
}

async function find(db: Db, sink: string, batch: string): Promise<SettledRow[]> {
  const ofBatch = sql`o.sink = ${sink} and o.batch = ${batch}`;
  const older = await sql<SettledRow>`
    select ${columns('l', [...begin, ...end])} from analytics_outbox o
    join older_rows l on ${isOf('l')}
    where ${ofBatch} and l.settled_at is not null`.execute(db);
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
