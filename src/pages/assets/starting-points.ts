import type { AppSpec } from '../../../generated/types.gen.ts';
import { type Html, html } from './html.ts';
import type { PlanKind } from './plan-schema.ts';

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

/** What was understood for certain, whatever the app becomes. Names that the prompt does not have are those of the nearest kind. */
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
