import { sql } from 'kysely';
import { dayMs } from '../../lib/utc.ts';
import type { AdmittedRow, LedgerRow, SettledRow } from '../../store/schema.ts';
import type { Store } from '../../store/store.ts';
import { byName, tokenColumns } from '../../store/token-columns.ts';

export interface Wanted {
  readonly tenantId: string;
  /** Null: all of its requests. */
  readonly requestId: string | null;
  /** Where the rows before ended; null: at the latest. */
  readonly before: { readonly createdAt: number; readonly id: string } | null;
  readonly most: number;
}

/** How far back it is looked, one after the other, in milliseconds: what is enough leaves the partitions of other days alone. */
const spans = [3 * dayMs, 30 * dayMs, null] as const;

/**
 * Rows of the ledger, latest first. Beginnings are read before their ends: a view of both would be read as a whole, by
 * SQLite, or planned for each day, by PostgreSQL.
 */
export async function latestRows(store: Store, wanted: Wanted): Promise<LedgerRow[]> {
  const [begun, older] = await Promise.all([latestBegun(store, wanted), latestOlder(store, wanted)]);
  const rows = [...(await withEnds(store, begun)), ...older];
  rows.sort((a, b) => b.created_at - a.created_at || (a.id < b.id ? 1 : -1));
  return rows.slice(0, wanted.most);
}

async function latestBegun({ db, clock }: Store, wanted: Wanted): Promise<AdmittedRow[]> {
  const last = wanted.before?.createdAt ?? clock.now();
  const rows: AdmittedRow[] = [];
  let until: number | null = null;
  for (const span of spans) {
    const left = wanted.most - rows.length;
    if (left === 0) break;
    let query = db.selectFrom('admitted').selectAll().where(meant(wanted)).limit(left);
    if (span !== null) query = query.where('created_at', '>', last - span);
    if (until !== null) query = query.where('created_at', '<=', until);
    rows.push(...(await query.orderBy('created_at', 'desc').orderBy('id', 'desc').execute()));
    until = span === null ? null : last - span;
  }
  return rows;
}

async function latestOlder({ db }: Store, wanted: Wanted): Promise<LedgerRow[]> {
  // Mostly there is none, and PostgreSQL plans the view for each day.
  const { rows } = await sql`select 1 from ledger where ${meant(wanted)} limit 1`.execute(db);
  if (rows.length === 0) return [];
  return db
    .selectFrom('older_rows')
    .selectAll()
    .where(meant(wanted))
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(wanted.most)
    .execute();
}

function meant({ tenantId, requestId, before }: Wanted) {
  const conditions = [sql`tenant_id = ${tenantId}`];
  if (requestId !== null) conditions.push(sql`request_id = ${requestId}`);
  if (before !== null) {
    const { createdAt, id } = before;
    conditions.push(sql`created_at <= ${createdAt} and (created_at < ${createdAt} or id < ${id})`);
  }
  return sql<boolean>`${sql.join(conditions, sql` and `)}`;
}

async function withEnds({ db }: Store, begun: readonly AdmittedRow[]): Promise<LedgerRow[]> {
  if (begun.length === 0) return [];
  const times = [...new Set(begun.map(({ created_at }) => created_at))];
  const found = await db
    .selectFrom('settled')
    .selectAll()
    .where('created_at', 'in', times)
    .where(
      'id',
      'in',
      begun.map(({ id }) => id),
    )
    .execute();
  const ends = new Map(found.map((end) => [end.id, end]));
  return begun.map((row) => rowOf(row, ends.get(row.id)));
}

function rowOf(begun: AdmittedRow, end: SettledRow | undefined): LedgerRow {
  if (end === undefined) return { ...open, ...begun };
  const { instance_id: settled_by, ...told } = end;
  return { ...told, ...begun, seq: null, settled_by };
}

/** What a row says that has no end. */
const open = {
  seq: null,
  status: 'running',
  http_status: null,
  model: null,
  provider: null,
  ...byName(tokenColumns, () => null),
  usage_source: null,
  cost_micro_usd: null,
  price_versions: null,
  error_code: null,
  finish_reason: null,
  first_byte_ms: null,
  total_ms: null,
  attempts: null,
  warnings: null,
  settled_at: null,
  settled_by: null,
  sequence: null,
  interrupted_at: null,
} as const;
