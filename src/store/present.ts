import type { Store } from './store.ts';

/** The processes that are not gone, as a subquery. */
export function present({ db }: Pick<Store, 'db'>) {
  return db.selectFrom('instances').select('instances.id');
}
