import { type Kysely, sql, type Transaction } from 'kysely';
import { ascendingUlid } from '../../lib/ids.ts';
import { noSignals, type Signals } from '../../lib/signals.ts';
import { type ListPage, type ListRequest, rowsFor, toListPage } from '../../store/list-page.ts';
import {
  addRows,
  changeRows,
  deleteRows,
  findRow,
  findRows,
  type RowOf,
  type Where,
} from '../../store/rows.ts';
import type { AuditRow, Tables } from '../../store/schema.ts';
import type { Store } from '../../store/store.ts';
import { AccountError, readCursor } from './account-error.ts';

/** An administrative act, for the audit log. */
interface Act {
  /** Who: `admin`, `cli`, `tenant:<id>` or `system`. */
  readonly actor: string;
  /** The act, for example `key.revoke`. */
  readonly action: string;
  /** To which record, for example `key:<public id>`. */
  readonly target: string;
  readonly tenantId: string | null;
  /** The record before and after, without secrets; null where there was or is none. */
  readonly before: object | null;
  readonly after: object | null;
}

/** The result of a change, and its acts in the audit log: one or several. */
interface Performed<T> {
  readonly result: T;
  readonly act: Act | readonly Act[];
}

const topic = 'accounts';

/**
 * The one way in which administration changes the database: the change, its audit entry and the new version of the
 * accounts happen together or not at all.
 */
export class Changes {
  readonly #store: Store;
  readonly #signals: Signals;
  readonly #listeners: (() => void)[] = [];

  constructor(store: Store, signals: Signals = noSignals) {
    this.#store = store;
    this.#signals = signals;
  }

  /** Calls the listener after every change that this process makes. */
  onChange(listener: () => void): void {
    this.#listeners.push(listener);
  }

  /** Calls the listener when another process says that it has made one, which may be lost. */
  onOthersChange(listener: () => void): void {
    this.#signals.on(topic, listener);
  }

  async perform<T>(change: (db: Transaction<Tables>, now: number) => Promise<Performed<T>>): Promise<T> {
    const now = this.#store.clock.now();
    const result = await this.#store.db.transaction().execute(async (db) => {
      // First, as it also makes the changes of all processes wait for each other: later reads stay true.
      await sql`update changes set version = version + 1`.execute(db);
      const { result, act } = await change(db, now);
      for (const each of [act].flat()) await record(db, each, now);
      return result;
    });
    for (const listener of this.#listeners) listener();
    this.#signals.send(topic);
    return result;
  }

  /**
   * Changes a record, and resolves with how it is shown then. Throws `AccountError`.
   * @param change what its columns become, all of them named
   */
  change<Kind extends RecordKind, Shown extends Audited>(
    { kind, id, where, actor, verb }: ChangeOf<Kind>,
    change: (row: RecordOf<Kind>, now: number) => Partial<RecordOf<Kind>>,
    show: (row: RecordOf<Kind>, now: number) => Shown,
  ): Promise<Shown> {
    return this.perform(async (db, now) => {
      const row = await rowOf(db, kind, id, where);
      const values = change(row, now);
      await changeRows<RecordTable>(db, tables[kind], { id }, values);
      const [before, after] = [show(row, now), show({ ...row, ...values }, now)];
      return { result: after, act: actOn(actor, kind, verb, before, after) };
    });
  }

  /** Deletes a record. Throws `AccountError`. */
  delete<Kind extends RecordKind>(
    { kind, id, actor }: Omit<ChangeOf<Kind>, 'verb'>,
    show: (row: RecordOf<Kind>) => Audited,
  ): Promise<void> {
    return this.perform(async (db) => {
      const before = show(await rowOf(db, kind, id));
      await deleteRows<RecordTable>(db, tables[kind], { id });
      return { result: undefined, act: actOn(actor, kind, 'delete', before, null) };
    });
  }

  /** Counts the changes that all processes have made. */
  async version(): Promise<number> {
    return (await this.#store.quick.selectFrom('changes').select('version').executeTakeFirstOrThrow())
      .version;
  }
}

/** Tables of records that administration finds by their ids, by what messages call them. */
const tables = {
  tenant: 'tenants',
  key: 'keys',
  budget: 'budgets',
  webhook: 'webhooks',
  delivery: 'webhook_deliveries',
  'sign-up': 'signups',
} as const;

type RecordKind = keyof typeof tables;
type RecordTable = (typeof tables)[RecordKind];
type RecordOf<Kind extends RecordKind> = RowOf<(typeof tables)[Kind]>;

interface ChangeOf<Kind extends RecordKind> {
  readonly kind: Kind;
  readonly id: string;
  /** A further condition on the record. */
  readonly where?: Where<(typeof tables)[Kind]>;
  readonly actor: string;
  readonly verb: string;
}

/** A record as the audit log keeps it. */
interface Audited {
  readonly id: string;
  /** Left out: its id is the tenant's. */
  readonly tenantId?: string | null;
}

/** Throws `AccountError('not_found')`. */
export async function rowOf<Kind extends RecordKind>(
  db: Kysely<Tables>,
  kind: Kind,
  id: string,
  where: Where<(typeof tables)[Kind]> = {},
): Promise<RecordOf<Kind>> {
  const row = await findRow<RecordTable>(db, tables[kind], { ...where, id });
  if (row) return row as RecordOf<Kind>;
  throw new AccountError('not_found', `There is no ${kind} ${JSON.stringify(id.slice(0, 64))}.`);
}

/** A list page of records by their ids, the lowest first. Throws `AccountError('invalid')` for a broken cursor. */
export async function listRows<Table extends RecordTable | 'audit', Item>(
  db: Kysely<Tables>,
  table: Table,
  { where, latestFirst = false }: { readonly where?: Where<Table>; readonly latestFirst?: boolean },
  request: ListRequest,
  itemOf: (row: RowOf<Table>) => Item,
): Promise<ListPage<Item>> {
  const [after] = readCursor(request, 'string') ?? [];
  const beyond = after === undefined ? sql`` : sql`and id ${latestFirst ? sql`<` : sql`>`} ${after}`;
  const rest = sql`${beyond} order by id ${latestFirst ? sql`desc` : sql``} limit ${rowsFor(request)}`;
  const rows = await findRows(db, table, where ?? {}, rest);
  return toListPage(rows, request, (row) => [(row as { readonly id: string }).id], itemOf);
}

/** The act in the audit log for a change of a record, such as `key.revoke`; null: the record was or is missing. */
export function actOn(
  actor: string,
  kind: RecordKind | 'session',
  verb: string,
  before: Audited | null,
  after: Audited | null,
): Act {
  const { id, tenantId = id } = (after ?? before) as Audited;
  const name = kind.replace('-', '');
  return { actor, action: `${name}.${verb}`, target: `${name}:${id}`, tenantId, before, after };
}

async function record(
  db: Kysely<Tables>,
  { tenantId, before, after, ...act }: Act,
  now: number,
): Promise<void> {
  const texts = { before: before && JSON.stringify(before), after: after && JSON.stringify(after) };
  await addRows(db, 'audit', [{ id: ascendingUlid(now), at: now, ...act, tenant_id: tenantId, ...texts }]);
}

export interface AuditEntry extends Act {
  readonly id: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

/** The audit log, latest first. Throws `AccountError('invalid')` for a broken cursor. */
export function listAudit(
  { db }: Store,
  { tenantId, ...request }: ListRequest & { readonly tenantId?: string } = {},
): Promise<ListPage<AuditEntry>> {
  const where = tenantId === undefined ? {} : { tenant_id: tenantId };
  return listRows(db, 'audit', { where, latestFirst: true }, request, entryOf);
}

function entryOf({ tenant_id, before, after, ...row }: AuditRow): AuditEntry {
  return {
    ...row,
    tenantId: tenant_id,
    before: before === null ? null : JSON.parse(before),
    after: after === null ? null : JSON.parse(after),
  };
}
