import type { DayRange } from '../../tenants/metering/usage.ts';
import type { UsageReports } from '../../tenants/metering/usage-reports.ts';
import { type Html, html } from '../html.ts';

const choices = [7, 30, 90];
const defaultDays = 30;

/** The range of days that a page shows usage of, as its query says; today is its last. */
export interface UsageRange extends DayRange {
  readonly days: number;
  /** Of what is shown. */
  readonly maxDays: number;
}

/** @param maxDays as many are shown at most */
export function usageRange(
  reports: Pick<UsageReports, 'daysUpToNow'>,
  query: URLSearchParams,
  maxDays = Number.POSITIVE_INFINITY,
): UsageRange {
  const asked = Number(query.get('days'));
  const days = Math.min(choices.includes(asked) ? asked : defaultDays, maxDays);
  return { days, maxDays, ...reports.daysUpToNow(days) };
}

/** What keeps a range in an address. */
export function rangeQuery({ days }: UsageRange): Record<string, string> {
  return days === defaultDays ? {} : { days: String(days) };
}

/** The ranges to choose from. */
export function rangeLinks(range: UsageRange, addressOf: (query: Record<string, string>) => string): Html {
  const links = choices
    .filter((days) => days <= range.maxDays)
    .map((days) => {
      const address = `${addressOf({ days: String(days) })}#usage`;
      return html`<a href="${address}" ${days === range.days && html`aria-current="true"`}>${days} days</a>`;
    });
  return html`<nav class="choices" aria-label="Range of usage">${links}</nav>`;
}
