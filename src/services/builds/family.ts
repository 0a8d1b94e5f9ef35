import type { Selectable } from 'kysely';
import type { FactoryJobRow } from '../../store/factory-schema.ts';
import { rowsFor } from '../../store/list-page.ts';
import { type Build, buildOf } from './build.ts';
import type { Db } from './build-reader.ts';

/**
 * The builds of one app: the first one, which from before there were revisions knows nothing of it, and all that go back to
 * it. All functions reject with `StoreError`.
 */
function ofFamily(db: Db, rootId: string) {
  return db
    .selectFrom('factory_jobs')
    .selectAll()
    .where((eb) => eb.or([eb('id', '=', rootId), eb('root_id', '=', rootId)]))
    .orderBy((eb) => eb.fn.coalesce('revision', eb.lit(1)), 'desc');
}

const orNull = (row: Selectable<FactoryJobRow> | undefined): Build | null => (row ? buildOf(row) : null);

/** The newest that succeeded or goes on: the one that can be revised, or will be. */
export async function newestStanding(db: Db, rootId: string): Promise<Build | null> {
  const standing = ['queued', 'running', 'succeeded'] as const;
  return orNull(await ofFamily(db, rootId).where('status', 'in', standing).limit(1).executeTakeFirst());
}

/** The newest that succeeded; before there is one, the newest of all. */
export async function newestShown(db: Db, rootId: string): Promise<Build | null> {
  const succeeded = await ofFamily(db, rootId).where('status', '=', 'succeeded').limit(1).executeTakeFirst();
  return orNull(succeeded ?? (await ofFamily(db, rootId).limit(1).executeTakeFirst()));
}

export async function nextNumber(db: Db, rootId: string): Promise<number> {
  const row = await ofFamily(db, rootId).limit(1).executeTakeFirst();
  return (row?.revision ?? 1) + 1;
}

export async function revisionNumbered(db: Db, rootId: string, number: number): Promise<Build | null> {
  const numbered = ofFamily(db, rootId).where((eb) => eb(eb.fn.coalesce('revision', eb.lit(1)), '=', number));
  return orNull(await numbered.limit(1).executeTakeFirst());
}

/**
 * Rows for a list page, newest first.
 * @param before the number that the page before has ended with; null for the first page
 */
export async function revisionsOf(
  db: Db,
  rootId: string,
  before: number | null,
  limit: number | undefined,
): Promise<readonly Build[]> {
  let query = ofFamily(db, rootId).limit(rowsFor(limit === undefined ? {} : { limit }));
  if (before !== null) query = query.where((eb) => eb(eb.fn.coalesce('revision', eb.lit(1)), '<', before));
  return (await query.execute()).map(buildOf);
}

/** A build of the app with this id among its builds, even if that build's record is deleted. */
export async function anyOf(db: Db, id: string): Promise<Build | null> {
  return orNull(await ofFamily(db, id).limit(1).executeTakeFirst());
}
