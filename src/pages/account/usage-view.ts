import { isTagName } from '../../lib/tags.ts';
import { AccountError } from '../../tenants/accounts/account-error.ts';
import { type DayRange, sumsOf } from '../../tenants/metering/usage.ts';
import type { UsageReports } from '../../tenants/metering/usage-reports.ts';
import { type Html, html } from '../layout.ts';
import { count } from './parts.ts';
import { type PlottedUsage, type Series, usagePlot } from './usage-plot.ts';

const choices = [7, 30, 90];

const defaultDays = 30;

/** By what usage is shown, beside a tag; the first is the default. */
type By = 'tenant' | 'model' | 'key' | 'provider' | 'operation';

const series: Readonly<Record<By, Series>> = {
  tenant: { one: 'tenant', many: 'tenants' },
  model: { one: 'model', many: 'models' },
  key: { one: 'key', many: 'keys' },
  provider: { one: 'provider', many: 'providers' },
  operation: { one: 'operation', many: 'operations' },
};

/** Days for which usage is shown by what only the ledger has. */
const ledgerDays = 30;

/** Usage as a page shows it. */
export interface UsageView {
  readonly choices: readonly By[];
  /** One of the choices, or `tag:` with a name. */
  readonly by: string;
  readonly range: UsageRange;
  readonly usage: readonly PlottedUsage[];
  /** Requests that are in none of these, as there are too many. */
  readonly left: number;
}

/** The usage that the query asks for, of a tenant or of all (null). Throws `AccountError`. */
export async function readUsageView(
  reports: UsageReports,
  query: URLSearchParams,
  tenantId: string | null,
): Promise<UsageView> {
  const choices: readonly By[] =
    tenantId === null
      ? ['tenant', 'model', 'key', 'provider', 'operation']
      : ['model', 'key', 'provider', 'operation'];
  const by = byOf(query, choices);
  const range = usageRange(reports, query, by.startsWith('tag:') ? ledgerDays : undefined);
  const { groups } = await reports.groups(tenantId, range, `day,${by}`);
  const usage = groups.flatMap(({ values: [day, name = null], others, sums }) =>
    others || !day ? [] : [{ day, name, ...sumsOf(sums) }],
  );
  const left = groups.find(({ others }) => others)?.sums.requests ?? 0;
  return { choices, by, range, usage, left };
}

function byOf(query: URLSearchParams, choices: readonly By[]): string {
  const tag = (query.get('tag') ?? '').trim();
  if (tag !== '') {
    if (isTagName(tag)) return `tag:${tag}`;
    throw new AccountError('invalid', 'There is no tag of such a name.', 'tag');
  }
  return choices.find((choice) => choice === query.get('by')) ?? choices[0] ?? 'model';
}

/** Where a view of usage stands. */
export interface UsagePlace {
  /** The address of the page with more in its query. */
  readonly addressOf: (query: Record<string, string>) => string;
  readonly path: string;
  /** What stays in the query of the page. */
  readonly fields: Readonly<Record<string, string>>;
  /** The address of an export. */
  readonly exportOf: (format: 'csv' | 'focus', range: DayRange) => string;
}

/** What keeps a view of usage in an address. */
export function usageQuery({ by, range, choices }: UsageView): Record<string, string> {
  return { ...byQuery(by, choices), ...rangeQuery(range) };
}

function byQuery(by: string, choices: readonly By[]): Record<string, string> {
  if (by.startsWith('tag:')) return { tag: by.slice('tag:'.length) };
  return by === choices[0] ? {} : { by };
}

export function usageSection(view: UsageView, place: UsagePlace): Html {
  const { by, choices, range, usage, left } = view;
  const tag = by.startsWith('tag:') ? by.slice('tag:'.length) : '';
  const links = choices.map((choice) => {
    const address = `${place.addressOf({ ...byQuery(choice, choices), ...rangeQuery(range) })}#usage`;
    return html`<a href="${address}" ${choice === by && html`aria-current="true"`}>By ${series[choice].one}</a>`;
  });
  const kept = { ...place.fields, ...rangeQuery(range) };
  const named = tag === '' ? series[by as By] : { one: `value of the tag ${tag}`, many: 'values' };
  return html`<section class="panel" id="usage"><h2>Usage</h2>
${rangeLinks(range, (query) => place.addressOf({ ...byQuery(by, choices), ...query }))}
<nav class="choices" aria-label="Group usage by">${links}</nav>
<form class="fields" method="get" action="${place.path}#usage">${Object.entries(kept).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}
<label>By a tag <input name="tag" value="${tag}" maxlength="64" placeholder="team" autocomplete="off"></label><button class="button">Show</button></form>
${usagePlot(range, usage, named)}
${left > 0 && html`<p class="muted">The exports have ${count(left)} more requests.</p>`}
<div class="actions"><a class="button" href="${place.exportOf('csv', range)}" download>Export CSV</a>
<a class="button" href="${place.exportOf('focus', range)}" download>Export FOCUS</a></div></section>`;
}

/** The range of days that a page shows usage of, as its query says; today is its last. */
interface UsageRange extends DayRange {
  readonly days: number;
  /** Of what is shown. */
  readonly maxDays: number;
}

/** @param maxDays as many are shown at most */
function usageRange(
  reports: Pick<UsageReports, 'daysUpToNow'>,
  query: URLSearchParams,
  maxDays = Number.POSITIVE_INFINITY,
): UsageRange {
  const asked = Number(query.get('days'));
  const days = Math.min(choices.includes(asked) ? asked : defaultDays, maxDays);
  return { days, maxDays, ...reports.daysUpToNow(days) };
}

/** What keeps a range in an address. */
function rangeQuery({ days }: UsageRange): Record<string, string> {
  return days === defaultDays ? {} : { days: String(days) };
}

/** The ranges to choose from. */
function rangeLinks(range: UsageRange, addressOf: (query: Record<string, string>) => string): Html {
  const links = choices
    .filter((days) => days <= range.maxDays)
    .map((days) => {
      const address = `${addressOf({ days: String(days) })}#usage`;
      return html`<a href="${address}" ${days === range.days && html`aria-current="true"`}>${days} days</a>`;
    });
  return html`<nav class="choices" aria-label="Range of usage">${links}</nav>`;
}
