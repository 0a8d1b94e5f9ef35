import type { AppSpec, FactoryJob } from '../../../generated/types.gen.ts';
import { type Html, html } from './html.ts';
import { spaced } from './plan-labels.ts';
import type { PlanKind } from './plan-schema.ts';

export type Reading = {
  not_taken_up?: readonly string[];
  conflicts?: readonly string[];
  unserved?: { head: string; nearest: readonly string[]; message: string } | null;
};

/** More are only counted. */
const maxShown = 24;

/**
 * The requests that a plan has no place for, and the choice where no kind serves the prompt.
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
    html`<div class="warning"><p><strong>Not taken up: </strong>${left.slice(0, maxShown).map((text, n) => html`${n > 0 && ', '}<q>${text}</q>`)}${left.length > maxShown && ` and ${left.length - maxShown} more`}.</p></div>`
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

const most = 3;

/**
 * The kinds of apps that a prompt may mean, as cards with pictures.
 * @param nearest the likeliest first
 */
export function startingPoints(nearest: readonly string[], kinds: readonly PlanKind[]): Html {
  const shown = nearest.slice(0, most).flatMap((id) => kinds.find((kind) => kind.id === id) ?? []);
  return html`<div class="cards" role="group" aria-label="Where to begin">${shown.map(card)}</div>`;
}

function card({ id, name, description, accent, drawing }: PlanKind): Html {
  return html`<button type="button" class="card" data-near="${id}">${picture(accent, drawing)}<strong>${name}</strong><span class="muted">${description}</span></button>`;
}

/** A small app of that kind, as a window in its colour. */
function picture(accent: string, drawing: PlanKind['drawing']): Html {
  const line = (y: number, width: number) =>
    html`<rect x="66" y="${y}" width="${width}" height="5" rx="2.5" class="card-line"></rect>`;
  return html`<svg viewBox="0 0 144 80" class="card-picture" aria-hidden="true">
<rect width="144" height="80" class="card-page"></rect>
<rect width="144" height="12" fill="${accent}"></rect>
<rect x="12" y="24" width="44" height="44" rx="10" fill="${accent}" fill-opacity="0.14"></rect>
<g transform="translate(20 32) scale(1.17)" class="card-icon" stroke="${accent}">${shapesOf(drawing)}</g>
${line(28, 62)}${line(42, 48)}${line(56, 56)}</svg>`;
}

/** The shapes of one of the icons that come with the server. */
export function shapesOf(drawing: PlanKind['drawing']): readonly Html[] {
  return drawing.map(([tag, attributes]) => {
    const given = Object.entries(attributes).map(([name, value]) => html` ${name}="${value}"`);
    return html`<${tag}${given}></${tag}>`;
  });
}

/** The parts understood for certain, whatever the app becomes. Names that the prompt does not have are those of the nearest kind. */
export function understoodParts(prompt: string, spec: AppSpec): Html {
  const { name = '', lang = 'en', entity, sections = [], hours = [], contact = {} } = spec;
  const said = prompt.toLowerCase();
  const inPrompt = (names: readonly string[]) =>
    names.filter((one) => one !== '' && said.includes(one.toLowerCase()));
  const language = new Intl.DisplayNames('en', { type: 'language' }).of(lang) ?? lang;
  const lines = [
    ['Name', inPrompt([name])],
    ['Language', [language]],
    ['Fields', inPrompt(entity?.fields.map(({ label }) => label) ?? [])],
    ['Parts', inPrompt(sections.flatMap(({ title }) => title ?? []))],
    ['Opening hours', hours.map(({ days, time }) => `${days} ${time}`)],
    ['Contact', Object.values(contact)],
  ] as const;
  const chip = (value: unknown) => html`<span class="chip">${value}</span>`;
  const rows = lines.map(
    ([label, values]) => values.length > 0 && html`<div><dt>${label}</dt><dd>${values.map(chip)}</dd></div>`,
  );
  return html`<h3>What was understood</h3><dl class="plan">${rows}</dl><h3>Where to begin</h3>`;
}
