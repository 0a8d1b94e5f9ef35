import { sql } from 'kysely';
import { type Db, findRows } from '../rows.ts';
import type { UsageTagDayRow } from '../schema.ts';
import type { DaySums } from './day-sums.ts';

/** How many tags are remembered that need not be asked for again. */
const maxRemembered = 20_000;

/**
 * Keeps the sums of tags from growing with whatever clients send: beyond `maxNames` and `maxValues` the tags of a tenant and a
 * day are counted together. Tags that a budget names always stay apart. Processes that write at the same time may go a little
 * beyond.
 */
export class TagBounds {
  /** Tags that are counted apart. */
  readonly #kept = new Set<string>();
  /** Names that have all the values that they may have. */
  readonly #full = new Set<string>();

  /** Has sums that are about to be written count as others where they must. Rejects with `StoreError`. */
  async apply(db: Db, sums: DaySums): Promise<void> {
    const unknown = sums.tags().filter((row) => !this.#kept.has(keyOf(row)));
    if (unknown.length === 0) return;
    const kept = new Set((await knownValues(db, unknown)).map(keyOf));
    const fresh = new Map(unknown.map((row) => [keyOf(row), row]));
    for (const key of kept) fresh.delete(key);
    const names = new Set((await knownNames(db, [...fresh.values()])).map(nameOf));
    /** How many names a day has room for, and values a name; and the tags of the tenants' budgets. */
    const namesLeft = new Map<string, number>();
    const valuesLeft = new Map<string, number>();
    const ofBudgets = new Map<string, ReadonlySet<string>>();

    /** How many values more a name may have; null: there are too many names. */
    const leftFor = async (tag: Tag): Promise<number | null> => {
      const name = nameOf(tag);
      const known = valuesLeft.get(name);
      if (known !== undefined) return known;
      if (this.#full.has(name)) return 0;
      let left = maxValues;
      if (names.has(name)) {
        left -= await countValues(db, tag);
        if (left <= 0) remember(this.#full, name);
      } else {
        const day = `${tag.tenant_id}\n${tag.day}`;
        const room = namesLeft.get(day) ?? maxNames - (await countNames(db, tag));
        namesLeft.set(day, room - 1);
        if (room <= 0) return null;
      }
      valuesLeft.set(name, left);
      return left;
    };
    const isOfBudget = async ({ tenant_id, tag, value }: Tag): Promise<boolean> => {
      const tags = ofBudgets.get(tenant_id) ?? new Set(await budgetTags(db, tenant_id));
      ofBudgets.set(tenant_id, tags);
      return tags.has(JSON.stringify([tag, value]));
    };

    const places = new Map<string, Pick<Tag, 'tag' | 'value'>>();
    for (const [key, row] of fresh) {
      const left = await leftFor(row);
      if (left !== null && left > 0) {
        valuesLeft.set(nameOf(row), left - 1);
        kept.add(key);
        // A row that is only taken back was counted before, and not by itself.
      } else if (row.requests > 0 && (await isOfBudget(row))) kept.add(key);
      else places.set(key, { tag: left === null ? others : row.tag, value: others });
    }
    for (const key of kept) remember(this.#kept, key);
    if (places.size > 0) sums.placeTags((row) => places.get(keyOf(row)) ?? row);
  }
}

function keyOf(tag: Tag): string {
  return `${nameOf(tag)}\n${tag.value}`;
}

function nameOf({ tenant_id, day, tag }: Omit<Tag, 'value'>): string {
  return `${tenant_id}\n${day}\n${tag}`;
}

function remember(all: Set<string>, key: string): void {
  if (all.size >= maxRemembered) all.clear();
  all.add(key);
}

/** How many names of tags the sums tell apart, of a tenant and a day, and how many values of a name: clients choose both. */
export const maxNames = 100;

export const maxValues = 1_000;

/** The name, or the value, of all others. No tag can have it, as it begins with a control character. */
export const others = '\tothers';

type Tag = Pick<UsageTagDayRow, 'tenant_id' | 'day' | 'tag' | 'value'>;
type Name = Omit<Tag, 'value'>;

/** How many are asked for by one statement. */
const chunk = 500;

/** Those of the tags that have sums already. */
function knownValues(db: Db, tags: readonly Tag[]): Promise<Tag[]> {
  return inChunks(tags, async (some) => {
    const list = some.map((tag) => sql`(${tag.tenant_id}, ${day(tag)}, ${tag.tag}, ${tag.value})`);
    const { rows } = await sql<Tag>`select distinct tenant_id, day, tag, value from usage_tag_days
      where (tenant_id, day, tag, value) in (values ${sql.join(list)})`.execute(db);
    return rows;
  });
}

/** Those of their names that have sums already. */
function knownNames(db: Db, tags: readonly Tag[]): Promise<Name[]> {
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

/** How many names a tenant's tags of a day have, if not more than are counted apart. */
function countNames(db: Db, { tenant_id, day: of }: Name): Promise<number> {
  return countOf(db, 'tag', sql`tenant_id = ${tenant_id} and day = ${of}`, maxNames);
}

/** How many values a name has, if not more than are counted apart. */
function countValues(db: Db, { tenant_id, day: of, tag }: Name): Promise<number> {
  return countOf(db, 'value', sql`tenant_id = ${tenant_id} and day = ${of} and tag = ${tag}`, maxValues);
}

/** Each is found by one look into the index, however many rows have it. */
async function countOf(
  db: Db,
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
async function budgetTags(db: Db, tenantId: string): Promise<string[]> {
  const rows = await findRows(db, 'budgets', { tenant_id: tenantId }, sql`and tag_name is not null`);
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
