import { type Kysely, sql, type Transaction } from 'kysely';
import { ascendingUlid } from '../../lib/ids.ts';
import { noSignals, type Signals } from '../../lib/signals.ts';
import { type ListPage, type ListRequest, rowsFor, toListPage } from '../../store/list-page.ts';
import type { AuditRow, BudgetRow, SignupRow, Tables, TenantRow, WebhookRow } from '../../store/schema.ts';
import type { Store } from '../../store/store.ts';
import { AccountError, readCursor } from './account-error.ts';

/** An administrative act, for the audit log. */
interface Act {
  /** Who: `admin`, `cli`, `tenant:<id>` or `system`. */
  readonly actor: string;
  /** What, for example `key.revoke`. */
  readonly action: string;
  /** To which record, for example `key:<public id>`. */
  readonly target: string;
  readonly tenantId: string | null;
  /** The record before and after, without secrets; null where there was or is none. */
  readonly before: object | null;
  readonly after: object | null;
}

/** What a change gives back, and what the audit log says of it: one act or several. */
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
      // First, as it also makes the changes of all processes wait for each other: what is read after it stays true.
      await db
        .updateTable('changes')
        .set((eb) => ({ version: eb('version', '+', 1) }))
        .execute();
      const { result, act } = await change(db, now);
      for (const each of [act].flat()) await record(db, each, now);
      return result;
    });
    for (const listener of this.#listeners) listener();
    this.#signals.send(topic);
    return result;
  }

  /** Counts the changes that all processes have made. */
  async version(): Promise<number> {
    const row = await this.#store.quick.selectFrom('changes').select('version').executeTakeFirstOrThrow();
    return row.version;
  }
}

/** Rows that administration finds by their ids. */
interface Rows {
  readonly tenant: TenantRow;
  readonly budget: BudgetRow;
  readonly webhook: WebhookRow;
  readonly 'sign-up': SignupRow;
}
const tables = { tenant: 'tenants', budget: 'budgets', webhook: 'webhooks', 'sign-up': 'signups' } as const;

/** Throws `AccountError('not_found')`. */
export async function rowOf<Kind extends keyof Rows>(
  db: Kysely<Tables>,
  kind: Kind,
  id: string,
): Promise<Rows[Kind]> {
  const found = sql<Rows[Kind]>`select * from ${sql.table(tables[kind])} where id = ${id}`;
  const [row] = (await found.execute(db)).rows;
  if (row) return row;
  throw new AccountError('not_found', `There is no ${kind} ${JSON.stringify(id.slice(0, 64))}.`);
}

/** What the audit log says of a change of a record, such as `key.revoke`; null: there was or is none. */
export function actOn<Changed extends { readonly id: string; readonly tenantId: string | null }>(
  actor: string,
  kind: string,
  verb: string,
  before: Changed | null,
  after: Changed | null,
): Act {
  const { id, tenantId } = (after ?? before) as Changed;
  return { actor, action: `${kind}.${verb}`, target: `${kind}:${id}`, tenantId, before, after };
}

async function record(db: Kysely<Tables>, act: Act, now: number): Promise<void> {
  await db
    .insertInto('audit')
    .values({
      id: ascendingUlid(now),
      at: now,
      actor: act.actor,
      action: act.action,
      target: act.target,
      tenant_id: act.tenantId,
      before: act.before && JSON.stringify(act.before),
      after: act.after && JSON.stringify(act.after),
    })
    .execute();
}

export interface AuditEntry extends Act {
  readonly id: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

/** The audit log, latest first. Throws `AccountError('invalid')` for a broken cursor. */
export async function listAudit(
  { db }: Store,
  request: ListRequest & { readonly tenantId?: string } = {},
): Promise<ListPage<AuditEntry>> {
  const cursor = readCursor(request, 'string');
  let query = db.selectFrom('audit').selectAll().orderBy('id', 'desc').limit(rowsFor(request));
  if (request.tenantId !== undefined) query = query.where('tenant_id', '=', request.tenantId);
  if (cursor) query = query.where('id', '<', cursor[0] as string);
  return toListPage(await query.execute(), request, ({ id }) => [id], entryOf);
}

function entryOf({ tenant_id, before, after, ...row }: AuditRow): AuditEntry {
  return {
    ...row,
    tenantId: tenant_id,
    before: before === null ? null : JSON.parse(before),
    after: after === null ? null : JSON.parse(after),
  };
}
