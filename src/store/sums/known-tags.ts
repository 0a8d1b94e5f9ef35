import { type Kysely, sql } from 'kysely';
import type { Tables, UsageTagDayRow } from '../schema.ts';

/** How many names of tags the sums tell apart, of a tenant and a day, and how many values of a name: clients choose both. */
export const maxNames = 100;

export const maxValues = 1_000;

/** The name, or the value, of all others. No tag can have it, as it begins with a control character. */
export const others = '\tothers';

export type Tag = Pick<UsageTagDayRow, 'tenant_id' | 'day' | 'tag' | 'value'>;
type Name = Omit<Tag, 'value'>;

/** How many are asked for by one statement. */
const chunk = 500;

/** Those of the tags that have sums already. */
export function knownValues(db: Kysely<Tables>, tags: readonly Tag[]): Promise<Tag[]> {
  return inChunks(tags, async (some) => {
    const list = some.map((tag) => sql`(${tag.tenant_id}, ${day(tag)}, ${tag.tag}, ${tag.value})`);
    const { rows } = await sql<Tag>`select distinct tenant_id, day, tag, value from usage_tag_days
      where (tenant_id, day, tag, value) in (values ${sql.join(list)})`.execute(db);
    return rows;
  });
}

/** Those of their names that have sums already. */
export function knownNames(db: Kysely<Tables>, tags: readonly Tag[]): Promise<Name[]> {
  const names = [...new Map(tags.map((tag) => [`${tag.tenant_id}\n${tag.day}\n${tag.tag}`, tag])).values()];
  return inChunks(names, async (some) => {
    const list = some.map((tag) => sql`(${tag.tenant_id}, ${day(tag)}, ${tag.tag})`);
    const { rows } = await sql<Name>`select name.* from (
        select cast(null as text) as tenant_id, cast(null as bigint) as day, cast(null as text) as tag where 1 = 0
        union all values ${sql.join(list)}
      ) as name
      where exists (select 1 from usage_tag_days t
        where t.tenant_id = name.tenant_id and t.day = name.day and t.tag = name.tag)`.execute(db);
    return rows;
  });
}

/** How many names a tenant's tags of a day have, if not more than are told apart. */
export function countNames(db: Kysely<Tables>, { tenant_id, day: of }: Name): Promise<number> {
  return countOf(db, 'tag', sql`tenant_id = ${tenant_id} and day = ${of}`, maxNames);
}

/** How many values a name has, if not more than are told apart. */
export function countValues(db: Kysely<Tables>, { tenant_id, day: of, tag }: Name): Promise<number> {
  return countOf(db, 'value', sql`tenant_id = ${tenant_id} and day = ${of} and tag = ${tag}`, maxValues);
}

/** Each is found by one look into the index, however many rows have it. */
async function countOf(
  db: Kysely<Tables>,
  column: 'tag' | 'value',
  where: ReturnType<typeof sql>,
  most: number,
): Promise<number> {
  const name = sql.ref(column);
  const { rows } = await sql<{ count: number }>`with recursive found(name, number) as (
      select (select min(${name}) from usage_tag_days where ${where}), 1
      union all
      select (select min(${name}) from usage_tag_days where ${where} and ${name} > found.name), number + 1
      from found where found.name is not null and number <= ${sql.lit(most)}
    ) select count(name) as count from found where name <> ${others}`.execute(db);
  return Number(rows[0]?.count ?? 0);
}

/** The tags that budgets of a tenant name, each as JSON of name and value. */
export async function budgetTags(db: Kysely<Tables>, tenantId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('budgets')
    .select(['tag_name', 'tag_value'])
    .where('tenant_id', '=', tenantId)
    .where('tag_name', 'is not', null)
    .execute();
  return rows.map(({ tag_name, tag_value }) => JSON.stringify([tag_name, tag_value]));
}

function day({ day: of }: Name) {
  return sql`cast(${of} as bigint)`;
}

async function inChunks<Found>(tags: readonly Tag[], find: (some: readonly Tag[]) => Promise<Found[]>) {
  const all: Found[] = [];
  for (let at = 0; at < tags.length; at += chunk) all.push(...(await find(tags.slice(at, at + chunk))));
  return all;
}
