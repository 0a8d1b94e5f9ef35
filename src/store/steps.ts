import { readdirSync } from 'node:fs';
import { join, parse } from 'node:path';
import type { Kysely } from 'kysely';

/** The names of all steps from an empty database to this version's schema, in their order: what `migrate.ts` has, and each a file. */
export const steps: readonly string[] = readdirSync(join(import.meta.dirname, 'migrations'))
  .map((file) => parse(file).name)
  .sort();

/** Whether a database has this version's schema. What cannot be read is left to who brings it up to date. */
export async function isUpToDate(db: Kysely<unknown>): Promise<boolean> {
  const done = await (db as Kysely<{ kysely_migration: { name: string } }>)
    .selectFrom('kysely_migration')
    .select('name')
    .orderBy('name')
    .execute()
    .catch(() => []);
  return done.length === steps.length && done.every(({ name }, index) => name === steps[index]);
}
