import type { DatabaseSync } from 'node:sqlite';

/** More would say the same again. */
const maxProblems = 20;

/**
 * The damage that SQLite finds in a database, in its words (https://sqlite.org/pragma.html#pragma_integrity_check). Its
 * `quick_check` takes a fifth of the time and misses one zeroed page in eighty, as it does not compare indexes with their
 * tables.
 */
export function problemsOf(database: DatabaseSync): string[] {
  const rows = database.prepare(`pragma integrity_check(${maxProblems})`).all();
  return rows
    .flatMap((row) => String(row['integrity_check']).split('\n'))
    .filter((problem) => problem !== 'ok' && !/^\*\*\* in database \w+ \*\*\*$/.test(problem));
}

/**
 * Why a database is not one of ours, or is of a newer version, with what to do: completes a sentence that begins with
 * its name. Null for one that this version can use.
 */
export function foreignness(database: DatabaseSync, known: readonly string[]): string | null {
  const names = database.prepare("select name from sqlite_schema where type = 'table'").all();
  const tables = names.map(({ name }) => String(name)).filter((name) => !name.startsWith('sqlite_'));
  const own = tables.filter((name) => !name.startsWith('kysely_'));
  if (own.length === 0) return null;
  const steps = tables.includes('kysely_migration')
    ? database.prepare('select name from kysely_migration order by name').all()
    : [];
  const done = steps.map(({ name }) => String(name));
  const [first] = known;
  if (first === undefined || !done.includes(first))
    return 'is a database of another program; set DATA_DIR to another directory.';
  const newer = done.filter((name) => !known.includes(name)).at(-1);
  if (newer === undefined) return null;
  return `was written by a newer version of Switchyard (step ${newer}); start that version, or restore a backup made before it.`;
}
