import type { FactoryJob } from '../../../generated/types.gen.ts';
import { type Html, html } from './html.ts';
import { spaced } from './plan-labels.ts';
import type { PlanKind } from './plan-schema.ts';
import { startingPoints } from './starting-points.ts';

export type Reading = {
  not_taken_up?: readonly string[];
  conflicts?: readonly string[];
  unserved?: { head: string; nearest: readonly string[]; message: string } | null;
};

/** More are only counted. */
const maxTold = 24;

/**
 * What a plan has no place for, and the choice where no kind serves what was asked for.
 * @param over whether something can be chosen already
 * @param kinds of which the nearest are shown as cards
 */
export function readingParts(reading: Reading | null, over: boolean, kinds?: readonly PlanKind[]): Html {
  const { not_taken_up: left = [], unserved = null, conflicts = [] } = reading ?? {};
  const near = (kind: string, text: string) =>
    html`<button type="button" class="button small-button" data-near="${kind}">${text}</button>`;
  const choices =
    over &&
    unserved &&
    html`<div class="choices with-scripts" role="group" aria-label="What to build instead">${kinds ? startingPoints(unserved.nearest, kinds) : unserved.nearest.map((kind) => near(kind, spaced(kind)))}${near('', 'Describe the fields')}</div>`;
  return html`${unserved && html`<div class="warning"><p>${unserved.message}</p>${choices}</div>`}${conflicts.length > 0 && html`<div class="warning"><p><strong>Please check: </strong>${conflicts.join(' ')}</p></div>`}${
    left.length > 0 &&
    html`<div class="warning"><p><strong>Not taken up: </strong>${left.slice(0, maxTold).map((text, n) => html`${n > 0 && ', '}<q>${text}</q>`)}${left.length > maxTold && ` and ${left.length - maxTold} more`}.</p></div>`
  }`;
}

export type Spec = NonNullable<FactoryJob['plan']>;

export function specParts(spec: Spec | null): Html {
  if (spec === null) return html``;
  const { kind, variant, tagline, entity, features, sections, assumptions, accent } = spec;
  return html`<h3>What was understood</h3>
${tagline !== '' && html`<p class="muted">${tagline}</p>`}
<dl class="plan">${row('Kind', variant === '' ? kind : `${kind}, ${variant}`)}
${entity && row('Keeps', entity.plural)}
${entity && row('Fields', chips(entity.fields.map(({ label, type }) => [label, type])))}
${entity && features.length > 0 && row('Can do', chips(features.map((feature) => [feature, ''])))}
${sections.length > 0 && row('Sections', chips(sections.map((section) => [section, ''])))}
${/^#[0-9a-f]{6}$/i.test(accent) && row('Colour', html`<svg class="dot" viewBox="0 0 10 10" aria-hidden="true"><circle cx="5" cy="5" r="5" fill="${accent}"></circle></svg> ${accent}`)}</dl>
${assumptions.length > 0 && html`<ul class="assumptions">${assumptions.map((text) => html`<li>${text}</li>`)}</ul>`}`;
}

function row(name: string, value: unknown): Html {
  return html`<div><dt>${name}</dt><dd>${value}</dd></div>`;
}

function chips(entries: readonly (readonly [name: string, note: string])[]): readonly Html[] {
  return entries.map(
    ([name, note]) =>
      html`<span class="chip">${name}${note !== '' && html`<small class="muted"> ${note}</small>`}</span>`,
  );
}
