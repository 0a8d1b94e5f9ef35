import type { Usage } from '../../../generated/types.gen.ts';
import { costOf, type PriceOf } from '../../model/prices.ts';
import type { Settlement } from '../../store/ledger.ts';
import { versionOf } from './price-book.ts';
import { type ModelUse, tokensIn } from './spent.ts';

type Priced = Pick<Settlement, 'cost_micro_usd' | 'price_versions'>;

/** Who answered a request, as far as it is known. */
interface Answered {
  readonly provider?: string | null;
  readonly model?: string | null;
  readonly uses?: readonly ModelUse[];
  readonly costMicroUsd?: number | null;
}

export const unpriced: Priced = { cost_micro_usd: null, price_versions: null };

/**
 * What a request cost by the prices that held when it was admitted, and which these were: the version of each call of a model, in
 * their order.
 */
export function pricedOutcome(
  { provider, model, uses, costMicroUsd }: Answered,
  usage: Usage,
  priceOf: PriceOf,
  admittedAt: number,
): Priced {
  if (costMicroUsd !== undefined) return { cost_micro_usd: costMicroUsd, price_versions: null };
  const all = uses ?? (provider && model ? [{ provider, model, usage }] : []);
  if (all.length === 0) return unpriced;
  let sum = 0;
  let versions = '';
  for (const use of all) {
    const price = priceOf(use.provider, use.model, admittedAt);
    const cost = costOf(price, tokensIn(use.usage));
    if (price === null || cost === null) return unpriced;
    sum += cost;
    versions += `${versions === '' ? '' : ' '}${versionOf(price, use.provider, use.model)}`;
  }
  return { cost_micro_usd: sum, price_versions: versions };
}
