import { costOf, type Price } from '../../model/prices.ts';
import type { Finding } from '../../store/check/check-store.ts';
import type { Store } from '../../store/store.ts';
import { sumsIn, tokensOf } from './settlements.ts';

/** How many of the latest requests are reckoned again. */
const checked = 10_000;
const maxExamples = 10;

/**
 * Reckons the latest requests again, each by the price that its row names. One that called several models is only held to naming
 * prices that are known, as its row has the sum of their tokens. Changes nothing. Rejects with what the database throws.
 */
export async function checkPrices({ db }: Store): Promise<readonly Finding[]> {
  const prices = new Map(
    (await db.selectFrom('prices').select(['id', 'rates']).execute()).map(({ id, rates }) => [
      id,
      JSON.parse(rates) as Price,
    ]),
  );
  const rows = await db
    .selectFrom('settled')
    .selectAll()
    .where('price_versions', 'is not', null)
    .orderBy('created_at', 'desc')
    .limit(checked)
    .execute();
  const unknown: string[] = [];
  const wrong: string[] = [];
  for (const row of rows) {
    const where = `tenant_id=${row.tenant_id} id=${row.id}`;
    const [first = '', ...others] = (row.price_versions ?? '').split(' ');
    const price = prices.get(first);
    if (price === undefined || others.some((id) => !prices.has(id))) unknown.push(where);
    else if (others.length === 0 && costOf(price, tokensOf(sumsIn(row))) !== row.cost_micro_usd)
      wrong.push(where);
  }
  return [
    ...finding('ledger_names_known_prices', 'The prices that a request was reckoned by are kept.', unknown),
    ...finding(
      'ledger_costs_are_price_times_tokens',
      'A request costs what its tokens cost at the price that it names.',
      wrong,
    ),
  ];
}

function finding(rule: string, message: string, places: readonly string[]): readonly Finding[] {
  if (places.length === 0) return [];
  return [{ rule, message, count: places.length, examples: places.slice(0, maxExamples) }];
}
