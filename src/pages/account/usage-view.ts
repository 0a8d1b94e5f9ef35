import { isTagName, tagNameRule } from '../../lib/tags.ts';
import { AccountError } from '../../tenants/accounts/account-error.ts';
import { type DayRange, daysOf, sumsOf, total, type UsageSums } from '../../tenants/metering/usage.ts';
import type { UsageReports } from '../../tenants/metering/usage-reports.ts';
import { type Html, html } from '../assets/html.ts';
import { completionParts, count, dollars, promptParts, table, tokensView } from './parts.ts';

const choices = [7, 30, 90];

const defaultDays = 30;

/** By what usage is shown, beside a tag; the first is the default. */
type By = 'tenant' | 'model' | 'key' | 'provider' | 'operation';

/** Days for which usage is shown by what only the ledger has. */
const ledgerDays = 30;

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
  const ofTenant = ['model', 'key', 'provider', 'operation'] as const;
  const choices: readonly By[] = tenantId === null ? ['tenant', ...ofTenant] : ofTenant;
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
    throw new AccountError('invalid', tagNameRule, 'tag');
  }
  return choices.find((choice) => choice === query.get('by')) ?? choices[0] ?? 'model';
}

export interface UsagePlace {
  /** The address of the page with more in its query. */
  readonly addressOf: (query: Record<string, string>) => string;
  readonly path: string;
  /** The fields that stay in the query of the page. */
  readonly fields: Readonly<Record<string, string>>;
  readonly exportOf: (format: 'csv' | 'focus', range: DayRange) => string;
}

/** The query that keeps a view of usage in an address. */
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
    return html`<a href="${address}" ${choice === by && html`aria-current="true"`}>By ${choice}</a>`;
  });
  const kept = { ...place.fields, ...rangeQuery(range) };
  const named = tag === '' ? { one: by, many: `${by}s` } : { one: `value of the tag ${tag}`, many: 'values' };
  return html`<section class="panel" id="usage"><h2>Usage</h2>
${rangeLinks(range, (query) => place.addressOf({ ...byQuery(by, choices), ...query }))}
<nav class="choices" aria-label="Group usage by">${links}</nav>
<form class="fields" method="get" action="${place.path}#usage">${Object.entries(kept).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}
<label>By a tag <input name="tag" value="${tag}" maxlength="64" pattern="[A-Za-z0-9][A-Za-z0-9_.:\\/\\-]*" title="${tagNameRule}" placeholder="team" autocomplete="off"></label><button class="button">Show</button></form>
${usagePlot(range, usage, named)}
${left > 0 && html`<p class="muted">The exports have ${count(left)} more requests.</p>`}
<div class="actions"><a class="button" href="${place.exportOf('csv', range)}" download>Export CSV</a>
<a class="button" href="${place.exportOf('focus', range)}" download>Export FOCUS</a></div></section>`;
}

/** The range of days that a page shows usage of, as its query says; today is its last. */
interface UsageRange extends DayRange {
  readonly days: number;
  readonly maxDays: number;
}

function usageRange(
  reports: Pick<UsageReports, 'daysUpToNow'>,
  query: URLSearchParams,
  maxDays = Number.POSITIVE_INFINITY,
): UsageRange {
  const asked = Number(query.get('days'));
  const days = Math.min(choices.includes(asked) ? asked : defaultDays, maxDays);
  return { days, maxDays, ...reports.daysUpToNow(days) };
}

/** The query that keeps a range in an address. */
function rangeQuery({ days }: UsageRange): Record<string, string> {
  return days === defaultDays ? {} : { days: String(days) };
}

function rangeLinks(range: UsageRange, addressOf: (query: Record<string, string>) => string): Html {
  const links = choices
    .filter((days) => days <= range.maxDays)
    .map((days) => {
      const address = `${addressOf({ days: String(days) })}#usage`;
      return html`<a href="${address}" ${days === range.days && html`aria-current="true"`}>${days} days</a>`;
    });
  return html`<nav class="choices" aria-label="Range of usage">${links}</nav>`;
}

/** Of the names that have one of their own, and last of the rest. */
const colours = ['#14907f', '#d9822b', '#5b74d6', '#b4499b', '#8d9a3a', '#8a929b'];
const maxColours = colours.length - 1;
/** Names with a row of their own; clients choose them, so there may be any number. */
const maxRows = 20;

export interface Series {
  readonly one: string;
  readonly many: string;
}

/** The use of a day's requests with the same name; null: they have none. */
interface PlottedUsage extends UsageSums {
  /** `YYYY-MM-DD`. */
  readonly day: string;
  readonly name: string | null;
}

interface NamedUsage {
  readonly name: string;
  readonly usage: readonly PlottedUsage[];
  readonly sum: UsageSums;
}

/** Usage as bars, a day each, piled up by name, with a table that says the same in numbers. */
function usagePlot({ from, to }: DayRange, usage: readonly PlottedUsage[], series: Series): Html {
  if (usage.length === 0) return html`<p class="muted">No requests from ${from} to ${to} (UTC).</p>`;
  const names = byName(usage, series);
  return html`${plot({ from, to }, limited(names, maxColours, series), total(usage).requests, series)}
${nameTable(limited(names, maxRows, series), series)}`;
}

function plot({ from, to }: DayRange, names: readonly NamedUsage[], all: number, series: Series): Html {
  const days = daysOf({ from, to });
  const column = new Map(days.map((day, n) => [day, n]));
  const piled = days.map(() => 0);
  const parts = names.flatMap(({ name, usage }, colour) =>
    [...requestsByDay(usage)].map(([day, requests]) => {
      const n = column.get(day) ?? 0;
      piled[n] = (piled[n] ?? 0) + requests;
      return { day, name, colour, requests, n, top: piled[n] ?? 0 };
    }),
  );
  const max = niceMaximum(Math.max(...piled));
  const width = days.length * 10;
  const bars = parts.map(
    ({ day, name, colour, requests, n, top }) =>
      html`<rect fill="${colours[colour]}" x="${n * 10 + 1}" y="${round(100 - (100 * top) / max)}" width="8" height="${round((100 * requests) / max)}"><title>${day}, ${name}: ${count(requests)} ${requests === 1 ? 'request' : 'requests'}</title></rect>`,
  );
  return html`<figure class="plot">
<figcaption>Requests by day and ${series.one}, ${from} to ${to} (UTC)</figcaption>
<div class="plot-body"><div class="plot-scale" aria-hidden="true"><span>${count(max)}</span><span>${count(max / 2)}</span><span>0</span></div>
<svg viewBox="0 0 ${width} 100" preserveAspectRatio="none" role="img" aria-label="${count(all)} requests from ${from} to ${to}">
<path class="grid" d="M0 0H${width}M0 50H${width}M0 100H${width}"/>
${bars}</svg></div>
<div class="plot-days" aria-hidden="true"><span>${from}</span><span>${to}</span></div>
</figure>`;
}

function nameTable(names: readonly NamedUsage[], { one }: Series): Html {
  const first = one.charAt(0).toUpperCase() + one.slice(1);
  return table(
    `Usage by ${one}`,
    [first, 'Requests', 'Failed', 'Tokens in', 'Tokens out', 'Cost'],
    names.map(({ name, sum }, n) => {
      const swatch = html`<svg class="swatch" viewBox="0 0 10 10" aria-hidden="true"><rect fill="${colours[Math.min(n, maxColours)]}" width="10" height="10" rx="2"/></svg>`;
      return [
        html`<span>${swatch}${name}</span>`,
        html`${count(sum.requests)}`,
        html`${count(sum.failed + sum.interrupted)}`,
        tokensView(sum.promptTokens, promptParts(sum)),
        tokensView(sum.completionTokens, completionParts(sum)),
        html`${costOf(sum)}`,
      ];
    }),
  );
}

function costOf({ costMicroUsd, unpriced }: UsageSums): string {
  if (unpriced === 0) return dollars(costMicroUsd);
  return costMicroUsd === 0 ? dollars(null) : `${dollars(costMicroUsd)} + ${count(unpriced)} without price`;
}

function byName(usage: readonly PlottedUsage[], { one }: Series): NamedUsage[] {
  const parts = Map.groupBy(usage, ({ name }) => name ?? `no ${one}`);
  return [...parts]
    .map(([name, usage]) => ({ name: name === '' ? '(empty)' : name, usage, sum: total(usage) }))
    .sort((one, other) => other.sum.requests - one.sum.requests);
}

/** The first of the names, and all that come after them as one. */
function limited(names: readonly NamedUsage[], max: number, { many }: Series): readonly NamedUsage[] {
  if (names.length <= max) return names;
  const usage = names.slice(max).flatMap((name) => name.usage);
  return [...names.slice(0, max), { name: `other ${many}`, usage, sum: total(usage) }];
}

function requestsByDay(usage: readonly PlottedUsage[]): Map<string, number> {
  const days = new Map<string, number>();
  for (const { day, requests } of usage) days.set(day, (days.get(day) ?? 0) + requests);
  return days;
}

/** The next of 2, 4, 10, 20, 40, 100 and so on, so that its half is a whole number. */
function niceMaximum(value: number): number {
  for (let power = 1; ; power *= 10) {
    const fitting = [2, 4, 10].find((step) => step * power >= value);
    if (fitting !== undefined) return fitting * power;
  }
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}
