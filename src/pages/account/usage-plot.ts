import { type DayRange, type DayUsage, daysOf, total, type UsageSums } from '../../metering/usage.ts';
import { type Html, html } from '../html.ts';
import { count, dollars, table } from './parts.ts';
import { completionParts, promptParts, tokensView } from './token-parts.ts';

/** Models with a colour of their own; the rest share one more. */
const maxColours = 5;
/** Models with a row of their own; clients choose the names, so there may be any number. */
const maxRows = 20;
const others = 'other models';

interface ModelUsage {
  readonly model: string;
  readonly usage: readonly DayUsage[];
  readonly sum: UsageSums;
}

/** Usage as bars, a day each, piled up by model, with a table that says the same in numbers. */
export function usagePlot({ from, to }: DayRange, usage: readonly DayUsage[]): Html {
  if (usage.length === 0) return html`<p class="muted">No requests from ${from} to ${to} (UTC).</p>`;
  const models = byModel(usage);
  return html`${plot({ from, to }, limited(models, maxColours), total(usage).requests)}
${modelTable(limited(models, maxRows))}`;
}

function plot({ from, to }: DayRange, models: readonly ModelUsage[], all: number): Html {
  const days = daysOf({ from, to });
  const column = new Map(days.map((day, n) => [day, n]));
  const piled = days.map(() => 0);
  const parts = models.flatMap(({ model, usage }, colour) =>
    [...requestsByDay(usage)].map(([day, requests]) => {
      const n = column.get(day) ?? 0;
      piled[n] = (piled[n] ?? 0) + requests;
      return { day, model, colour, requests, n, top: piled[n] ?? 0 };
    }),
  );
  const max = niceMaximum(Math.max(...piled));
  const width = days.length * 10;
  const bars = parts.map(
    ({ day, model, colour, requests, n, top }) =>
      html`<rect class="model-${colour}" x="${n * 10 + 1}" y="${round(100 - (100 * top) / max)}" width="8" height="${round((100 * requests) / max)}"><title>${day}, ${model}: ${count(requests)} ${requests === 1 ? 'request' : 'requests'}</title></rect>`,
  );
  return html`<figure class="plot">
<figcaption>Requests by day and model, ${from} to ${to} (UTC)</figcaption>
<div class="plot-body"><div class="plot-scale" aria-hidden="true"><span>${count(max)}</span><span>${count(max / 2)}</span><span>0</span></div>
<svg viewBox="0 0 ${width} 100" preserveAspectRatio="none" role="img" aria-label="${count(all)} requests from ${from} to ${to}">
<path class="grid" d="M0 0H${width}M0 50H${width}M0 100H${width}"/>
${bars}</svg></div>
<div class="plot-days" aria-hidden="true"><span>${from}</span><span>${to}</span></div>
</figure>`;
}

function modelTable(models: readonly ModelUsage[]): Html {
  return table(
    'Usage by model',
    ['Model', 'Requests', 'Failed', 'Tokens in', 'Tokens out', 'Cost'],
    models.map(({ model, sum }, n) => {
      const swatch = html`<svg class="swatch" viewBox="0 0 10 10" aria-hidden="true"><rect class="model-${Math.min(n, maxColours)}" width="10" height="10" rx="2"/></svg>`;
      return [
        html`<span>${swatch}${model}</span>`,
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

/** The models with what each was used for, most requests first. */
function byModel(usage: readonly DayUsage[]): ModelUsage[] {
  const parts = Map.groupBy(usage, ({ model }) => model ?? 'no model');
  return [...parts]
    .map(([model, usage]) => ({ model, usage, sum: total(usage) }))
    .sort((one, other) => other.sum.requests - one.sum.requests);
}

/** The first of the models, and all that come after them as one. */
function limited(models: readonly ModelUsage[], max: number): readonly ModelUsage[] {
  if (models.length <= max) return models;
  const usage = models.slice(max).flatMap((model) => model.usage);
  return [...models.slice(0, max), { model: others, usage, sum: total(usage) }];
}

function requestsByDay(usage: readonly DayUsage[]): Map<string, number> {
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
