import type { PlanChanges, PlanId } from '../tenants/accounts/plans.ts';
import type { ConfigFile } from './file.ts';
import type { PlanEntry } from './file-content.ts';

/** What the file says about plans, in the words of the accounts. */
export function plansOf({ content }: ConfigFile): PlanChanges {
  const plans = Object.entries(content.plans ?? {}).map(([id, entry]) => [id as PlanId, planOf(entry)]);
  return Object.fromEntries(plans);
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
  request_weight: 'requestWeight',
  requests_per_minute: 'requestsPerMinute',
  requests_per_day: 'requestsPerDay',
  requests_per_month: 'requestsPerMonth',
  tokens_per_minute: 'tokensPerMinute',
  concurrent_requests: 'concurrentRequests',
};
