import { sql } from 'kysely';
import type { Store } from './store.ts';

/** Writes when keys were last used, all in one statement. A later time that is there already stays. */
export async function writeLastUsed(
  { dialect, db }: Store,
  times: ReadonlyMap<string, number>,
): Promise<void> {
  if (times.size === 0) return;
  const json = JSON.stringify(Object.fromEntries(times));
  const entries =
    dialect === 'sqlite'
      ? sql`json_each(${json})`
      : sql`(select key, value::bigint from json_each_text(${json}::json))`;
  await sql`update keys set last_used_at = e.value from ${entries} as e
    where keys.id = e.key and (keys.last_used_at is null or keys.last_used_at < e.value)`.execute(db);
}
