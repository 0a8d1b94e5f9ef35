import type { PlanChanges, PlanId } from '../accounts/plans.ts';
import type { Price } from '../metering/prices.ts';
import type { ConfigFile } from './file.ts';
import type { PlanEntry, PriceEntry } from './file-content.ts';

/** Prices by `provider/model`. */
export type Prices = Readonly<Record<string, Price>>;

/** What the file says about plans and prices, in the words of the accounts. */
export function accountsOf({ content }: ConfigFile): { plans: PlanChanges; prices: Prices } {
  const plans = Object.entries(content.plans ?? {}).map(([id, entry]) => [id as PlanId, planOf(entry)]);
  const prices = Object.entries(content.prices ?? {}).map(([name, entry]) => [
    name,
    named(entry, priceFields),
  ]);
  return {
    plans: Object.fromEntries(plans),
    prices: Object.assign(Object.create(null), Object.fromEntries(prices)),
  };
}

function planOf(entry: PlanEntry): PlanChanges[PlanId] {
  return named(entry, planFields);
}

/** What is given of an entry, under the domain's names. */
function named<Entry extends object>(
  entry: Entry,
  fields: Readonly<Record<keyof Entry, string>>,
): Record<string, unknown> {
  const given = Object.entries<string>(fields).flatMap(([name, field]) => {
    const value = entry[name as keyof Entry];
    return value === undefined ? [] : [[field, value]];
  });
  return Object.fromEntries(given);
}

/** The file's names of the fields, which are those of the wire, and the domain's. */
const planFields: Readonly<Record<keyof PlanEntry, string>> = {
  keys: 'keys',
  build_weight: 'buildWeight',
  requests_per_minute: 'requestsPerMinute',
  requests_per_day: 'requestsPerDay',
  requests_per_month: 'requestsPerMonth',
  tokens_per_minute: 'tokensPerMinute',
  concurrent_requests: 'concurrentRequests',
};

const priceFields: Readonly<Record<keyof PriceEntry, keyof Price>> = {
  prompt: 'prompt',
  completion: 'completion',
  cached_prompt: 'cachedPrompt',
  cache_write_5m: 'cacheWrite5m',
  cache_write_1h: 'cacheWrite1h',
  audio_prompt: 'audioPrompt',
  image_prompt: 'imagePrompt',
  reasoning: 'reasoning',
  audio_completion: 'audioCompletion',
  image_completion: 'imageCompletion',
};
