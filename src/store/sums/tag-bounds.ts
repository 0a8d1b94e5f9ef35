import type { Kysely } from 'kysely';
import type { Tables } from '../schema.ts';
import type { DaySums } from './day-sums.ts';
import {
  budgetTags,
  countNames,
  countValues,
  knownNames,
  knownValues,
  maxNames,
  maxValues,
  others,
  type Tag,
} from './known-tags.ts';

/** How many tags are remembered that need not be asked for again. */
const maxRemembered = 20_000;

type Place = Pick<Tag, 'tag' | 'value'>;

/**
 * Keeps the sums of tags from growing with whatever clients send: beyond `maxNames` and `maxValues` the tags of a tenant and a
 * day are counted together. What a budget names is always told apart. Processes that write at the same time may go a little
 * beyond.
 */
export class TagBounds {
  /** Tags that are told apart. */
  readonly #kept = new Set<string>();
  /** Names that have all the values that they may have. */
  readonly #full = new Set<string>();

  /** Has sums that are about to be written count as others where they must. Rejects with `StoreError`. */
  async apply(db: Kysely<Tables>, sums: DaySums): Promise<void> {
    const unknown = sums.tags().filter((row) => !this.#kept.has(keyOf(row)));
    if (unknown.length === 0) return;
    const kept = new Set((await knownValues(db, unknown)).map(keyOf));
    const fresh = new Map(unknown.map((row) => [keyOf(row), row]));
    for (const key of kept) fresh.delete(key);
    const places = new Map<string, Place>();
    const room = new Room(db, this.#full);
    await room.look([...fresh.values()]);
    for (const [key, row] of fresh) {
      const place = await room.placeOf(row);
      if (place === null) kept.add(key);
      else places.set(key, place);
    }
    for (const key of kept) remember(this.#kept, key);
    if (places.size > 0) sums.placeTags((row) => places.get(keyOf(row)) ?? row);
  }
}

/** What room there is for tags that are new. */
class Room {
  readonly #db: Kysely<Tables>;
  readonly #full: Set<string>;
  #known: ReadonlySet<string> = new Set();
  /** How many names a day has room for, and values a name. */
  readonly #names = new Map<string, number>();
  readonly #values = new Map<string, number>();
  readonly #budgets = new Map<string, ReadonlySet<string>>();

  constructor(db: Kysely<Tables>, full: Set<string>) {
    this.#db = db;
    this.#full = full;
  }

  async look(tags: readonly Tag[]): Promise<void> {
    this.#known = new Set((await knownNames(this.#db, tags)).map(nameOf));
  }

  /** Where a tag counts; null: by itself. */
  async placeOf(tag: Tag & { readonly requests: number }): Promise<Place | null> {
    const left = await this.#leftFor(tag);
    if (left !== null && left > 0) {
      this.#values.set(nameOf(tag), left - 1);
      return null;
    }
    // What is only taken back was counted before, and not by itself.
    if (tag.requests > 0 && (await this.#isOfBudget(tag))) return null;
    return { tag: left === null ? others : tag.tag, value: others };
  }

  /** How many values more a name may have; null: there are too many names. */
  async #leftFor(tag: Tag): Promise<number | null> {
    const name = nameOf(tag);
    const known = this.#values.get(name);
    if (known !== undefined) return known;
    if (this.#full.has(name)) return 0;
    let left = maxValues;
    if (this.#known.has(name)) {
      left -= await countValues(this.#db, tag);
      if (left <= 0) remember(this.#full, name);
    } else {
      const day = `${tag.tenant_id}\n${tag.day}`;
      const names = this.#names.get(day) ?? maxNames - (await countNames(this.#db, tag));
      this.#names.set(day, names - 1);
      if (names <= 0) return null;
    }
    this.#values.set(name, left);
    return left;
  }

  async #isOfBudget({ tenant_id, tag, value }: Tag): Promise<boolean> {
    const known = this.#budgets.get(tenant_id);
    const tags = known ?? new Set(await budgetTags(this.#db, tenant_id));
    this.#budgets.set(tenant_id, tags);
    return tags.has(JSON.stringify([tag, value]));
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
