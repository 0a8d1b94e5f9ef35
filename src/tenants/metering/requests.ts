import { sql } from 'kysely';
import { type Camel, camelCased, pick } from '../../lib/names.ts';
import { type Tags, tagsIn } from '../../lib/tags.ts';
import { dayMs } from '../../lib/utc.ts';
import type { Attempt } from '../../model/port.ts';
import { encode, type ListPage, type ListRequest, rowsFor, toListPage } from '../../store/list-page.ts';
import { findRows } from '../../store/rows.ts';
import type { AdmittedRow, LedgerRow, SettledRow } from '../../store/schema.ts';
import type { Store } from '../../store/store.ts';
import { byName, endColumns } from '../../store/token-columns.ts';
import { readCursor } from '../accounts/account-error.ts';
import { type KeptWarning, sumsIn, type TokenSums, warningsIn } from './settlements.ts';

/** How far back it is looked, one after the other, in milliseconds: a short span leaves the partitions of other days alone. */
const spans = [3 * dayMs, 30 * dayMs, null] as const;

/** The columns of a row that has no end. */
const open = {
  status: 'running',
  ...byName(endColumns, () => null),
  ...byName(['seq', 'price_versions', 'settled_by', 'sequence', 'interrupted_at'] as const, () => null),
} as const;

/** The columns that are shown as they are. */
const shown = [
  ...(['request_id', 'key_id', 'operation', 'status', 'http_status', 'error_code', 'model_asked'] as const),
  ...(['model', 'provider', 'finish_reason', 'cost_micro_usd', 'created_at', 'settled_at'] as const),
] as const;

/** The record of one request. Times are milliseconds since the epoch. */
export interface RequestRecord extends Camel<Pick<LedgerRow, (typeof shown)[number]>> {
  readonly tags: Tags;
  readonly usage: (TokenSums & { readonly source: 'provider' | 'estimated' }) | null;
  /** Ids of the prices by which its cost was reckoned, one for each call of a model. */
  readonly priceVersions: readonly string[];
  readonly timings: {
    /** From arrival to admission. */
    readonly queueMs: number;
    readonly firstByteMs: number | null;
    /** Null while it runs, and where it is unknown. */
    readonly totalMs: number | null;
  };
  readonly attempts: readonly Attempt[];
  /** Everything that was dropped, adapted or estimated. */
  readonly warnings: readonly KeptWarning[];
}

/** A tenant's request; null when the tenant has none of this id. Of several with an id of the client's own, the latest. */
export async function findRequest(
  store: Store,
  tenantId: string,
  requestId: string,
): Promise<RequestRecord | null> {
  const wanted = { tenantId, requestId, before: null, most: 1 };
  const [row] = await latestRows(store, wanted);
  return row ? recordOf(row) : null;
}

export interface RequestsRequest extends ListRequest {
  /** Only those with this tag, as `name=value`; `name` alone for any value. */
  readonly tag?: string | null | undefined;
}

/** Rows that are looked through at a time for those with a tag, and in all for one list page. */
const sliceRows = 200;
const maxLookedThrough = 20_000;

/**
 * A tenant's requests, latest first. Those with a tag are looked for among all, a bounded number at a time: such a list page
 * may be short, or empty, and still have a next one. Throws `AccountError('invalid')` for a broken cursor.
 */
export async function listRequests(
  store: Store,
  tenantId: string,
  request: RequestsRequest = {},
): Promise<ListPage<RequestRecord>> {
  const from = (readCursor(request, 'number', 'string') ?? null) as Place | null;
  if (!request.tag) {
    const rows = await rowsBefore(store, tenantId, from, rowsFor(request));
    return toListPage(rows, request, placeOf, recordOf);
  }
  const has = tagTest(request.tag);
  const found: LedgerRow[] = [];
  let place = from;
  for (let seen = 0; seen < maxLookedThrough; seen += sliceRows) {
    const rows = await rowsBefore(store, tenantId, place, sliceRows);
    found.push(...rows.filter(({ tags }) => has(tagsIn(tags))));
    const last = rows.at(-1);
    if (found.length >= rowsFor(request) || last === undefined || rows.length < sliceRows)
      return toListPage(found, request, placeOf, recordOf);
    place = placeOf(last);
    await new Promise((resolve) => setImmediate(resolve));
  }
  return { items: found.map(recordOf), nextCursor: place && encode(place) };
}

type Place = readonly [createdAt: number, id: string];

function placeOf(row: LedgerRow): Place {
  return [row.created_at, row.id];
}

function rowsBefore(store: Store, tenantId: string, place: Place | null, most: number): Promise<LedgerRow[]> {
  const before = place && { createdAt: place[0], id: place[1] };
  return latestRows(store, { tenantId, requestId: null, before, most });
}

/** Whether tags hold `name=value`, or the name alone with any value. */
function tagTest(text: string): (tags: Tags) => boolean {
  const at = text.indexOf('=');
  if (at < 0) return (tags) => Object.hasOwn(tags, text);
  const [name, value] = [text.slice(0, at), text.slice(at + 1)];
  return (tags) => Object.hasOwn(tags, name) && tags[name] === value;
}

function recordOf(row: LedgerRow): RequestRecord {
  return {
    ...camelCased(pick(row, shown)),
    tags: tagsIn(row.tags),
    usage: row.usage_source === null ? null : { ...sumsIn(row), source: row.usage_source },
    priceVersions: row.price_versions?.split(' ') ?? [],
    timings: { queueMs: row.queue_ms, firstByteMs: row.first_byte_ms, totalMs: row.total_ms },
    attempts: row.attempts === null ? [] : (JSON.parse(row.attempts) as Attempt[]),
    warnings: warningsIn(row.warnings),
  };
}

interface Wanted {
  readonly tenantId: string;
  /** Null: all of its requests. */
  readonly requestId: string | null;
  /** Where the rows before ended; null: at the latest. */
  readonly before: { readonly createdAt: number; readonly id: string } | null;
  readonly most: number;
}

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
  const latest = sql`and ${meant(wanted)} order by created_at desc, id desc limit ${wanted.most}`;
  return findRows(db, 'older_rows', {}, latest);
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
  const found = await findRows(db, 'settled', { created_at: times, id: begun.map(({ id }) => id) });
  const ends = new Map(found.map((end) => [end.id, end]));
  return begun.map((row) => rowOf(row, ends.get(row.id)));
}

function rowOf(begun: AdmittedRow, end: SettledRow | undefined): LedgerRow {
  if (end === undefined) return { ...open, ...begun };
  const { instance_id: settled_by, ...ended } = end;
  return { ...ended, ...begun, seq: null, settled_by };
}
