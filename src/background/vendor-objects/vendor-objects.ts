import { sql } from 'kysely';
import type { KeptKind, KeptObjectRow } from '../../store/background-schema.ts';
import { addRows, changeRows, type Db, deleteRows, findRow, findRows, putRows } from '../../store/rows.ts';
import type { Store } from '../../store/store.ts';

export type { KeptKind } from '../../store/background-schema.ts';

/** Which object is meant: one of another tenant is not found. */
export interface KeptKey {
  readonly tenantId: string;
  readonly kind: KeptKind;
  readonly id: string;
}

export interface KeptObject extends KeptKey {
  /** The provider whose vendor keeps it. */
  readonly provider: string;
  /** The vendor's own name of the model that made it; null for what no model made. */
  readonly model: string | null;
  readonly vendorId: string;
  /** Our data about it; null for none. */
  readonly data: unknown;
  /** Whether its usage is in the ledger. */
  readonly counted: boolean;
  /** Milliseconds since the epoch. */
  readonly createdAt: number;
}

export type NewKeptObject = Omit<KeptObject, 'createdAt'> & {
  /** Milliseconds; null: until it is deleted. */
  readonly keepMs: number | null;
};

/** Maximum length of an id, in characters. */
export const maxIdLength = 200;
/** Rows that are deleted at once. */
const batchSize = 200;

/** The objects that vendors keep for tenants. Every method rejects with `StoreError` while the database cannot be used. */
export class VendorObjects {
  readonly #store: Store;

  constructor(store: Store) {
    this.#store = store;
  }

  /** Milliseconds since the epoch, by the clock of the database. */
  get now(): number {
    return this.#store.clock.now();
  }

  /** Writes down whose an object is. A second one of the same name takes the place of the first. */
  async record(
    { tenantId, kind, id, keepMs, ...object }: NewKeptObject,
    db: Db = this.#store.db,
  ): Promise<void> {
    const { now } = this;
    const values = {
      provider: object.provider,
      model: object.model,
      vendor_id: object.vendorId,
      data: object.data === null ? null : JSON.stringify(object.data),
      counted_at: object.counted ? now : null,
      created_at: now,
      expires_at: keepMs === null ? null : now + keepMs,
    };
    const row = { tenant_id: tenantId, kind, id, ...values };
    await putRows(db, 'kept_objects', ['tenant_id', 'kind', 'id'], [row]);
  }

  /** Null for one that is not the tenant's, is not there, or is past its time. */
  async find(key: KeptKey, db: Db = this.#store.quick): Promise<KeptObject | null> {
    if (key.id.length > maxIdLength) return null;
    const row = await findRow(db, 'kept_objects', columnsOf(key), this.#notOver);
    return row ? objectOf(row) : null;
  }

  /** A tenant's objects, those with the highest ids first. @param after the id that the page before ended with */
  async list(
    tenantId: string,
    kind: KeptKind,
    { after, limit, order }: { after: string | null; limit: number; order: 'asc' | 'desc' },
  ): Promise<KeptObject[]> {
    const beyond = after === null ? sql`` : sql`and id ${order === 'asc' ? sql`>` : sql`<`} ${after}`;
    const rest = sql`${this.#notOver} ${beyond} order by id ${sql.raw(order)} limit ${limit}`;
    return (await findRows(this.#store.db, 'kept_objects', { tenant_id: tenantId, kind }, rest)).map(
      objectOf,
    );
  }

  get #notOver() {
    return sql`and (expires_at is null or expires_at > ${this.now})`;
  }

  /** Notes what has become of an object. */
  async update(key: KeptKey, data: unknown): Promise<void> {
    await changeRows(this.#store.db, 'kept_objects', columnsOf(key), { data: JSON.stringify(data) });
  }

  /**
   * Stores the state of an object, unless it has changed since it was read: then it resolves with false.
   * @param kept as it was read; its `data` must have been written as JSON by this class
   */
  async replace(kept: KeptObject, data: unknown, db: Db = this.#store.db): Promise<boolean> {
    const where = { ...columnsOf(kept), data: JSON.stringify(kept.data) };
    return (await changeRows(db, 'kept_objects', where, { data: JSON.stringify(data) })) > 0;
  }

  /** Whether the usage of an object is to be counted now: true exactly once. */
  async count(key: KeptKey): Promise<boolean> {
    const where = { ...columnsOf(key), counted_at: null };
    return (await changeRows(this.#store.db, 'kept_objects', where, { counted_at: this.now })) > 0;
  }

  /** Writes an object down unless it is there already. */
  async recordOnce(object: NewKeptObject): Promise<void> {
    if ((await this.find(object)) === null) await this.record(object);
  }

  /**
   * Keeps the bytes of a file of the sandbox. False, and nothing is kept, when the tenant has no room for it.
   * @param maxBytes of all files of the tenant together
   */
  async keepContent(tenantId: string, id: string, bytes: Uint8Array, maxBytes: number): Promise<boolean> {
    return this.#store.db.transaction().execute(async (db) => {
      await this.putContent(tenantId, id, bytes, db);
      if ((await this.held(tenantId, db)) <= maxBytes) return true;
      await deleteRows(db, 'kept_contents', { tenant_id: tenantId, id });
      return false;
    });
  }

  /** Keeps the bytes of a file of the sandbox, whether there is room for them or not. */
  async putContent(tenantId: string, id: string, bytes: Uint8Array, db: Db): Promise<void> {
    await addRows(db, 'kept_contents', [{ tenant_id: tenantId, id, length: bytes.length, bytes }]);
  }

  /** How much the files of a tenant are that the sandbox keeps, in bytes. */
  async held(tenantId: string, db: Db = this.#store.db): Promise<number> {
    const { rows } = await sql<{ total: number | null }>`select cast(sum(length) as bigint) as total
      from kept_contents where tenant_id = ${tenantId}`.execute(db);
    return rows[0]?.total ?? 0;
  }

  /** The bytes of a file that the sandbox keeps; null: there are none. */
  async content(tenantId: string, id: string): Promise<Uint8Array | null> {
    const row = await findRow(this.#store.db, 'kept_contents', { tenant_id: tenantId, id });
    return row?.bytes ?? null;
  }

  /** The object is no longer there. */
  async remove(key: KeptKey): Promise<void> {
    const { tenantId, kind, id } = key;
    if (kind === 'file') await deleteRows(this.#store.db, 'kept_contents', { tenant_id: tenantId, id });
    await deleteRows(this.#store.db, 'kept_objects', columnsOf(key));
  }

  /** Deletes what is past its time, in small batches. */
  async forgetOld(signal?: AbortSignal): Promise<void> {
    const { now } = this;
    for (let more = true; more && !signal?.aborted; ) {
      const old = sql`and expires_at <= ${now} limit ${batchSize}`;
      const rows = await findRows(this.#store.db, 'kept_objects', {}, old);
      more = rows.length === batchSize;
      for (const { tenant_id: tenantId, kind, id } of rows) await this.remove({ tenantId, kind, id });
    }
  }
}

function columnsOf({ tenantId, kind, id }: KeptKey) {
  return { tenant_id: tenantId, kind, id };
}

function objectOf(row: KeptObjectRow): KeptObject {
  return {
    tenantId: row.tenant_id,
    kind: row.kind,
    id: row.id,
    provider: row.provider,
    model: row.model,
    vendorId: row.vendor_id,
    data: row.data === null ? null : JSON.parse(row.data),
    counted: row.counted_at !== null,
    createdAt: row.created_at,
  };
}
