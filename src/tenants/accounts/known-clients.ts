import type { KeyObject } from 'node:crypto';
import { networkOf } from '../../lib/address.ts';
import type { Store } from '../../store/store.ts';
import { digestOfToken } from './tokens.ts';

/** Under which their rows stand in the table of attempts. */
export const knownClientSubject = 'password_known';
/** How long a client that gave the right password is no stranger, in milliseconds: 30 days. */
const memoryMs = 30 * 86_400_000;

/** Clients that gave the administrator's password. One row each, beside those of their attempts, without an address. */
export class KnownClients {
  readonly #store: Store;
  readonly #secret: KeyObject;

  constructor(store: Store, secret: KeyObject) {
    this.#store = store;
    this.#secret = secret;
  }

  async has(client: string): Promise<boolean> {
    const row = await this.#store.db
      .selectFrom('attempts')
      .select('latest')
      .where('kind', '=', knownClientSubject)
      .where('client', '=', this.#name(client))
      .executeTakeFirst();
    return row !== undefined && row.latest > this.#store.clock.now() - memoryMs;
  }

  async add(client: string): Promise<void> {
    const latest = this.#store.clock.now();
    await this.#store.db
      .insertInto('attempts')
      .values({ kind: knownClientSubject, client: this.#name(client), times: '[]', latest })
      .onConflict((conflict) => conflict.columns(['kind', 'client']).doUpdateSet({ latest }))
      .execute();
  }

  #name(client: string): string {
    return digestOfToken(networkOf(client), 'client', this.#secret);
  }
}

/** Forgets clients whose time is over. */
export async function sweepKnownClients({ db, clock }: Store): Promise<void> {
  await db
    .deleteFrom('attempts')
    .where('kind', '=', knownClientSubject)
    .where('latest', '<=', clock.now() - memoryMs)
    .execute();
}
