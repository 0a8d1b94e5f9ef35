import { isObject } from '../../lib/is-object.ts';

/** Maximum wait that a vendor is believed, in milliseconds. */
const maxMs = 3_600_000;

/**
 * How long Google asks to be left alone, in milliseconds from 0 to an hour; null where it does not say. It says so in the
 * error's details and not in a header (`google.rpc.RetryInfo`,
 * https://github.com/googleapis/googleapis/blob/master/google/rpc/error_details.proto).
 */
export function retryDelayIn(details: unknown): number | null {
  const delay = detailsOf(details, 'RetryInfo').map(({ retryDelay }) => retryDelay)[0];
  const [, seconds] = typeof delay === 'string' ? (/^(\d+(?:\.\d+)?)s$/.exec(delay) ?? []) : [];
  return seconds === undefined ? null : Math.min(maxMs, Math.round(Number(seconds) * 1000));
}

/** Whether it is the quota of the day that is spent, for which no delay that is named helps. */
export function isDayQuota(details: unknown): boolean {
  return detailsOf(details, 'QuotaFailure').some(
    ({ violations }) =>
      Array.isArray(violations) &&
      violations.some((violation) => isObject(violation) && /PerDay/.test(String(violation['quotaId']))),
  );
}

function detailsOf(details: unknown, type: string): readonly Readonly<Record<string, unknown>>[] {
  if (!Array.isArray(details)) return [];
  return details
    .filter(isObject)
    .filter((detail) => detail['@type'] === `type.googleapis.com/google.rpc.${type}`);
}
