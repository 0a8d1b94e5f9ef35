import { type DayRange, daysOf, total, type UsageSums } from '../../tenants/metering/usage.ts';
import { type Html, html } from '../layout.ts';
import { completionParts, count, dollars, promptParts, table, tokensView } from './parts.ts';

/** Names with a colour of their own; the rest share one more. */
const maxColours = 5;
/** Names with a row of their own; clients choose them, so there may be any number. */
const maxRows = 20;

/** What usage is shown by, in words. */
export interface Series {
  readonly one: string;
  readonly many: string;
}

/** What the requests of a day that have the same name have used; null: they have none. */
export interface PlottedUsage extends UsageSums {
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
export function usagePlot({ from, to }: DayRange, usage: readonly PlottedUsage[], series: Series): Html {
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
      html`<rect class="model-${colour}" x="${n * 10 + 1}" y="${round(100 - (100 * top) / max)}" width="8" height="${round((100 * requests) / max)}"><title>${day}, ${name}: ${count(requests)} ${requests === 1 ? 'request' : 'requests'}</title></rect>`,
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
  return table(
    `Usage by ${one}`,
    [
      one.replace(/^./, (first) => first.toUpperCase()),
      'Requests',
      'Failed',
      'Tokens in',
      'Tokens out',
      'Cost',
    ],
    names.map(({ name, sum }, n) => {
      const swatch = html`<svg class="swatch" viewBox="0 0 10 10" aria-hidden="true"><rect class="model-${Math.min(n, maxColours)}" width="10" height="10" rx="2"/></svg>`;
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

/** The names with what each was used for, most requests first. */
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
