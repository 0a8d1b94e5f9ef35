import type { Store } from './store.ts';

/** How long a process is believed to live without a sign of it, in milliseconds. */
export const aliveMs = 15_000;

/** The processes that are not gone, as a subquery. */
export function present({ db }: Pick<Store, 'db'>) {
  return db.selectFrom('instances').select('instances.id');
}
