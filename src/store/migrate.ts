import type { Kysely } from 'kysely';
import { type Migration, Migrator } from 'kysely/migration';
import { ConfigError } from '../lib/config-error.ts';
import { firstSteps } from './migrations/0001-0010.ts';
import { laterSteps } from './migrations/0011-0030.ts';

/**
 * Every step from an empty database to the schema of this version, in order of their names. Forward only, and they only
 * add, as processes of the version before go on meanwhile: a new column may be null or has a default, nothing is
 * renamed, narrowed or dropped, and no new constraint forbids what that version writes.
 */
export const migrations: Readonly<Record<string, Migration>> = { ...firstSteps, ...laterSteps };

/** The names of all steps from an empty database to this version's schema, in their order. */
export const steps: readonly string[] = Object.keys(migrations).sort();

/**
 * Brings the database to this version's schema. Several processes may do so at once: the steps run in one
 * transaction under a lock (an advisory one in PostgreSQL, the file's write lock in SQLite), so either all of them
 * happen or none.
 * Throws a `ConfigError` for a database of a newer version, without touching it.
 * @param where what the database is called in messages.
 */
export async function migrate(db: Kysely<unknown>, where: string): Promise<void> {
  const migrator = new Migrator({ db, provider: { getMigrations: async () => ({ ...migrations }) } });
  const { error } = await migrator.migrateToLatest();
  if (error === undefined) return;
  // The migrator has refused to go on from steps that it does not know, before taking any.
  await refuseNewer(db, where);
  throw error;
}

async function refuseNewer(db: Kysely<unknown>, where: string): Promise<void> {
  const tables = await db.introspection.getTables({ withInternalKyselyTables: true });
  if (!tables.some(({ name }) => name === 'kysely_migration')) return;
  const done = await (db as Kysely<{ kysely_migration: { name: string } }>)
    .selectFrom('kysely_migration')
    .select('name')
    .execute();
  const unknown = done.map(({ name }) => name).filter((name) => !Object.hasOwn(migrations, name));
  if (unknown.length === 0) return;
  const last = unknown.sort().at(-1);
  throw new ConfigError([
    `${where} was written by a newer version of Switchyard (step ${last}); start that version, or restore a backup made before it. Nothing was changed.`,
  ]);
}

/** Whether a database has this version's schema. An unreadable schema is left to the migration. */
export async function isUpToDate(db: Kysely<unknown>): Promise<boolean> {
  const done = await (db as Kysely<{ kysely_migration: { name: string } }>)
    .selectFrom('kysely_migration')
    .select('name')
    .orderBy('name')
    .execute()
    .catch(() => []);
  return done.length === steps.length && done.every(({ name }, index) => name === steps[index]);
}
