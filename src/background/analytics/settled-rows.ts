import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { Tables } from '../../store/schema.ts';
import type { Store } from '../../store/store.ts';
import { tokenColumns } from '../../store/token-columns.ts';
import type { SettledRow } from './row.ts';

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
