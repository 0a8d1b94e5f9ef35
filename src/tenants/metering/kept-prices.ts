import type { PriceBook } from '../../model/prices.ts';
import type { Store } from '../../store/store.ts';
import { versionsIn } from './price-book.ts';

/** Rows of one statement. */
const batch = 500;

/**
 * Writes down the prices of a book that the database does not have yet, so that what is reckoned by them can be reckoned again.
 * Done before the first request is: from then on nothing of it is written. Rejects with what the database throws.
 */
export async function keepPrices({ db, clock }: Store, book: PriceBook): Promise<void> {
  const created_at = clock.now();
  const rows = versionsIn(book).map(({ id, provider, model, price }) => ({
    id,
    provider,
    model,
    rates: JSON.stringify(price),
    created_at,
  }));
  for (let at = 0; at < rows.length; at += batch)
    await db
      .insertInto('prices')
      .values(rows.slice(at, at + batch))
      .onConflict((conflict) => conflict.doNothing())
      .execute();
}
