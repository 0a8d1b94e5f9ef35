import { sql } from 'kysely';
import { keyPrefix } from '../../store/redis/address.ts';
import type { RedisLink } from '../../store/redis/link.ts';
import { deleteRows, findRows, putRows } from '../../store/rows.ts';
import type { Store } from '../../store/store.ts';

/** A model's thinking before a call of a tool: encrypted, by a name that says nothing of it. */
interface SealedThought {
  readonly name: string;
  readonly sealed: Buffer;
  /** How long it is still kept, in milliseconds. */
  readonly leftMs: number;
}

/** The thoughts that all processes of a deployment share. Every method rejects with `StoreError`. */
export interface SharedThoughts {
  put(thoughts: readonly SealedThought[]): Promise<void>;
  find(names: readonly string[]): Promise<readonly SealedThought[]>;
  drop(names: readonly string[]): Promise<void>;
}

/** Rows of a statement. */
const batchSize = 50;

/** In the database. */
export class StoredThoughts implements SharedThoughts {
  readonly #store: Store;

  constructor(store: Store) {
    this.#store = store;
  }

  async put(thoughts: readonly SealedThought[]): Promise<void> {
    const now = this.#store.clock.now();
    for (let at = 0; at < thoughts.length; at += batchSize) {
      const rows = thoughts
        .slice(at, at + batchSize)
        .map(({ name, sealed, leftMs }) => ({ name, sealed, expires_at: Math.ceil(now + leftMs) }));
      await putRows(this.#store.db, 'thoughts', ['name'], rows);
    }
  }

  async find(names: readonly string[]): Promise<readonly SealedThought[]> {
    const now = this.#store.clock.now();
    const rows = await findRows(this.#store.quick, 'thoughts', { name: names }, sql`and expires_at > ${now}`);
    return rows.map(({ name, sealed, expires_at }) => ({
      name,
      sealed: Buffer.from(sealed),
      leftMs: expires_at - now,
    }));
  }

  async drop(names: readonly string[]): Promise<void> {
    for (let at = 0; at < names.length; at += batchSize)
      await deleteRows(this.#store.db, 'thoughts', { name: names.slice(at, at + batchSize) });
  }

  async forgetOld(): Promise<void> {
    await deleteRows(this.#store.db, 'thoughts', {}, sql`and expires_at <= ${this.#store.clock.now()}`);
  }
}

/** In Redis, which forgets by itself. */
export class RedisThoughts implements SharedThoughts {
  readonly #link: RedisLink;

  constructor(link: RedisLink) {
    this.#link = link;
  }

  async put(thoughts: readonly SealedThought[]): Promise<void> {
    await this.#link.run((client) =>
      Promise.all(
        thoughts.map(({ name, sealed, leftMs }) =>
          client.set(keyOf(name), sealed.toString('base64'), {
            expiration: { type: 'PX', value: Math.ceil(leftMs) },
          }),
        ),
      ),
    );
  }

  async find(names: readonly string[]): Promise<readonly SealedThought[]> {
    const found = await this.#link.run((client) =>
      Promise.all(
        names.map(async (name) => {
          const key = keyOf(name);
          const [sealed, leftMs] = await Promise.all([client.get(key), client.pTTL(key)]);
          return { name, sealed: Buffer.from(sealed ?? '', 'base64'), leftMs };
        }),
      ),
    );
    return found.filter(({ leftMs }) => leftMs > 0);
  }

  async drop(names: readonly string[]): Promise<void> {
    await this.#link.run((client) => client.del(names.map(keyOf)));
  }
}

const keyOf = (name: string) => `${keyPrefix}thought/${name}`;
