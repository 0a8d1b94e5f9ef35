import type { PlanChanges, PlanId } from '../accounts/plans.ts';
import type { Price } from '../metering/prices.ts';
import type { ConfigFile } from './file.ts';
import type { PlanEntry } from './file-content.ts';

/** Prices by `provider/model`. */
export type Prices = Readonly<Record<string, Price>>;

/** What the file says about plans and prices, in the words of the accounts. */
export function accountsOf({ content }: ConfigFile): { plans: PlanChanges; prices: Prices } {
  const plans = Object.entries(content.plans ?? {}).map(([id, entry]) => [id as PlanId, planOf(entry)]);
  const prices = Object.entries(content.prices ?? {}).map(([name, { prompt, completion, cached_prompt }]) => [
    name,
    { prompt, completion, ...(cached_prompt !== undefined && { cachedPrompt: cached_prompt }) },
  ]);
  return {
    plans: Object.fromEntries(plans),
    prices: Object.assign(Object.create(null), Object.fromEntries(prices)),
  };
}

function planOf(entry: PlanEntry): PlanChanges[PlanId] {
  const given = Object.entries(fields).flatMap(([name, field]) => {
    const value = entry[name as keyof PlanEntry];
    return value === undefined ? [] : [[field, value]];
  });
  return Object.fromEntries(given);
}

/** The file's names of the fields, which are those of the wire, and the domain's. */
const fields: Readonly<Record<keyof PlanEntry, string>> = {
  keys: 'keys',
  build_weight: 'buildWeight',
  requests_per_minute: 'requestsPerMinute',
  requests_per_day: 'requestsPerDay',
  requests_per_month: 'requestsPerMonth',
  tokens_per_minute: 'tokensPerMinute',
  concurrent_requests: 'concurrentRequests',
};
