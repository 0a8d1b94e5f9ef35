import { type DayRange, type DayUsage, total } from '../../accounts/usage.ts';
import { type Html, html } from '../html.ts';
import { count, dollars, table } from './parts.ts';

const dayMs = 86_400_000;
/** Models with a colour of their own; the rest share the last. */
const mostColours = 6;

/** Usage as bars, a day each, piled up by model, with a table that says the same in numbers. */
export function usagePlot({ from, to }: DayRange, usage: readonly DayUsage[]): Html {
  if (usage.length === 0) return html`<p class="muted">No requests from ${from} to ${to}.</p>`;
  const models = modelsOf(usage);
  const days = daysOf(from, to);
  const sums = days.map((day) => total(usage.filter((part) => part.day === day)).requests);
  const top = niceMaximum(Math.max(...sums));
  const bars = days.flatMap((day, n) => {
    let base = 0;
    return models.map((model, colour) => {
      const { requests } = total(usage.filter((part) => part.day === day && nameOf(part) === model));
      base += requests;
      return requests === 0
        ? html``
        : html`<rect class="model-${Math.min(colour, mostColours - 1)}" x="${n * 10 + 1}" y="${round(100 - (100 * base) / top)}" width="8" height="${round((100 * requests) / top)}"><title>${day}, ${model}: ${count(requests)} ${requests === 1 ? 'request' : 'requests'}</title></rect>`;
    });
  });
  const all = total(usage);
  return html`<figure class="plot">
<figcaption>Requests by day and model, ${from} to ${to} (UTC)</figcaption>
<div class="plot-body"><div class="plot-scale" aria-hidden="true"><span>${count(top)}</span><span>${count(top / 2)}</span><span>0</span></div>
<svg viewBox="0 0 ${days.length * 10} 100" preserveAspectRatio="none" role="img" aria-label="${count(all.requests)} requests from ${from} to ${to}">
<path class="grid" d="M0 0H${days.length * 10}M0 50H${days.length * 10}M0 100H${days.length * 10}"/>
${bars}</svg></div>
<div class="plot-days" aria-hidden="true"><span>${from}</span><span>${to}</span></div>
</figure>
${table(
  'Usage by model',
  ['Model', 'Requests', 'Failed', 'Tokens in', 'Tokens out', 'Cost'],
  models.map((model, colour) => {
    const sum = total(usage.filter((part) => nameOf(part) === model));
    const swatch = html`<svg class="swatch" viewBox="0 0 10 10" aria-hidden="true"><rect class="model-${Math.min(colour, mostColours - 1)}" width="10" height="10" rx="2"/></svg>`;
    return [
      html`<span>${swatch}${model}</span>`,
      html`${count(sum.requests)}`,
      html`${count(sum.failed + sum.interrupted)}`,
      html`${count(sum.promptTokens)}`,
      html`${count(sum.completionTokens)}`,
      html`${costOf(sum)}`,
    ];
  }),
)}`;
}

function costOf({ costMicroUsd, unpriced }: { costMicroUsd: number; unpriced: number }): string {
  if (unpriced === 0) return dollars(costMicroUsd);
  return costMicroUsd === 0 ? dollars(null) : `${dollars(costMicroUsd)} + ${count(unpriced)} without price`;
}

function nameOf({ model }: DayUsage): string {
  return model ?? 'no model';
}

/** The models, most requests first. */
function modelsOf(usage: readonly DayUsage[]): string[] {
  const requests = new Map<string, number>();
  for (const part of usage) requests.set(nameOf(part), (requests.get(nameOf(part)) ?? 0) + part.requests);
  return [...requests].sort(([, a], [, b]) => b - a).map(([model]) => model);
}

function daysOf(from: string, to: string): string[] {
  const first = Date.parse(from);
  const days = Math.round((Date.parse(to) - first) / dayMs) + 1;
  return Array.from({ length: days }, (_, n) => new Date(first + n * dayMs).toISOString().slice(0, 10));
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
