import { sql } from 'kysely';
import { addNewRow, addRows, type Db, deleteRows, findRow, findRows } from '../../store/rows.ts';
import type { Store } from '../../store/store.ts';
import type { KeptKey, NewKeptObject, VendorObjects } from './vendor-objects.ts';

/** Which batch is meant. */
export type BatchKey = Pick<KeptKey, 'tenantId' | 'id'>;

/** For whom a batch is carried out, without any secret: the caller is made again of it. */
export interface BatchOwner {
  readonly keyId: string;
  readonly scopes: ReadonlySet<string>;
  /** The tags of the request that made it; null: it had none. */
  readonly tagsHeader: string | null;
}

/** The answer to one line of a batch. */
interface BatchAnswer {
  /** From 0. */
  readonly line: number;
  readonly ok: boolean;
  /** A line of the results. */
  readonly text: string;
}

interface BatchCounts {
  readonly completed: number;
  readonly failed: number;
}

/**
 * Batches that the sandbox carries out and has not ended. The answers that have come lie here, as the contents of files do, until
 * they are files: they count for nothing of the tenant's room. Every method rejects with `StoreError`.
 */
export class OpenBatches {
  readonly #store: Store;
  readonly #objects: VendorObjects;

  constructor(store: Store, objects: VendorObjects) {
    this.#store = store;
    this.#objects = objects;
  }

  /** Writes a batch down. @param also what belongs into the same transaction */
  async begin(object: NewKeptObject, owner: BatchOwner, also: (db: Db) => Promise<void>): Promise<void> {
    await this.#store.db.transaction().execute(async (db) => {
      await this.#objects.record(object, db);
      const { keyId: key_id, tagsHeader: tags_header } = owner;
      const scopes = [...owner.scopes].join(' ');
      const key = { tenant_id: object.tenantId, id: object.id };
      await addRows(db, 'open_batches', [{ ...key, key_id, scopes, tags_header }]);
      await also(db);
    });
  }

  /** For whom a batch is carried out; null: it has ended. */
  async owner({ tenantId, id }: BatchKey): Promise<BatchOwner | null> {
    const row = await findRow(this.#store.db, 'open_batches', { tenant_id: tenantId, id });
    if (!row) return null;
    const scopes = new Set(row.scopes.split(' ').filter(Boolean));
    return { keyId: row.key_id, scopes, tagsHeader: row.tags_header };
  }

  /** Keeps an answer. A second one to the same line is dropped. */
  async answer({ tenantId, id }: BatchKey, { line, ok, text }: BatchAnswer): Promise<void> {
    const row = { tenant_id: tenantId, batch_id: id, line, ok: ok ? 1 : 0, bytes: Buffer.from(text) };
    await addNewRow(this.#store.db, 'batch_lines', row);
  }

  /** The lines that are answered. */
  async answered({ tenantId, id }: BatchKey): Promise<ReadonlySet<number>> {
    const { rows } = await sql<{ line: number }>`select line from batch_lines
      where tenant_id = ${tenantId} and batch_id = ${id}`.execute(this.#store.db);
    return new Set(rows.map(({ line }) => line));
  }

  /** All answers, in the order of the lines. */
  async answers({ tenantId, id }: BatchKey, db: Db): Promise<readonly BatchAnswer[]> {
    const key = { tenant_id: tenantId, batch_id: id };
    const rows = await findRows(db, 'batch_lines', key, sql`order by line`);
    return rows.map(({ line, ok, bytes }) => ({ line, ok: ok === 1, text: Buffer.from(bytes).toString() }));
  }

  /** How many lines of each of a tenant's batches are answered; those without any are left out. */
  async counts(tenantId: string, ids: readonly string[]): Promise<ReadonlyMap<string, BatchCounts>> {
    if (ids.length === 0) return new Map();
    const { rows } = await sql<BatchCounts & { id: string }>`select batch_id as id,
        cast(sum(ok) as bigint) as completed, cast(sum(1 - ok) as bigint) as failed from batch_lines
      where tenant_id = ${tenantId} and batch_id in (${sql.join(ids)}) group by batch_id`.execute(
      this.#store.db,
    );
    return new Map(rows.map(({ id, completed, failed }) => [id, { completed, failed }]));
  }

  /** Batches that were made before a moment, in milliseconds since the epoch, and have not ended; at most 100. */
  async olderThan(before: number): Promise<readonly BatchKey[]> {
    const { rows } = await sql<BatchKey>`select b.tenant_id as "tenantId", b.id from open_batches b
      join kept_objects k on k.tenant_id = b.tenant_id and k.id = b.id and k.kind = 'batch'
      where k.created_at < ${before} limit 100`.execute(this.#store.db);
    return rows;
  }

  /** Forgets a batch that has ended, and its answers. */
  async end({ tenantId, id }: BatchKey, db: Db): Promise<void> {
    await deleteRows(db, 'batch_lines', { tenant_id: tenantId, batch_id: id });
    await deleteRows(db, 'open_batches', { tenant_id: tenantId, id });
  }
}
