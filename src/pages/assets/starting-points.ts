import type { AppSpec } from '../../../generated/types.gen.ts';
import type { PlanKind } from './plan-schema.ts';
import { element, type Tree, treesOf } from './tree.ts';

/** How many are offered at a time. */
const most = 3;

/**
 * The kinds of apps that a prompt may mean, as cards with pictures.
 * @param nearest the likeliest first
 */
export function startingPoints(nearest: readonly string[], kinds: readonly PlanKind[]): Tree {
  const shown = nearest.slice(0, most).flatMap((id) => kinds.find((kind) => kind.id === id) ?? []);
  return element(
    'div',
    { class: 'cards', role: 'group', 'aria-label': 'Where to begin' },
    ...shown.map(card),
  );
}

function card({ id, name, description, accent, drawing }: PlanKind) {
  return element(
    'button',
    { type: 'button', class: 'card', 'data-near': id },
    picture(accent, drawing),
    element('strong', {}, name),
    element('span', { class: 'muted' }, description),
  );
}

/** A small app of that kind, as a window in its colour. */
function picture(accent: string, drawing: PlanKind['drawing']) {
  const line = (y: number, width: number) =>
    element('rect', {
      x: '66',
      y: String(y),
      width: String(width),
      height: '5',
      rx: '2.5',
      class: 'card-line',
    });
  return element(
    'svg',
    { viewBox: '0 0 144 80', class: 'card-picture', 'aria-hidden': 'true' },
    element('rect', { width: '144', height: '80', class: 'card-page' }),
    element('rect', { width: '144', height: '12', fill: accent }),
    element('rect', {
      x: '12',
      y: '24',
      width: '44',
      height: '44',
      rx: '10',
      fill: accent,
      'fill-opacity': '0.14',
    }),
    element(
      'g',
      { transform: 'translate(20 32) scale(1.17)', class: 'card-icon', stroke: accent },
      ...drawing.map(([tag, attributes]) => element(tag, attributes)),
    ),
    line(28, 62),
    line(42, 48),
    line(56, 56),
  );
}

/** What was understood for certain, whatever the app becomes. Names that the prompt does not have are those of the nearest kind. */
export function understoodParts(prompt: string, spec: AppSpec): readonly Tree[] {
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
  const rows = lines.map(
    ([label, values]) =>
      values.length > 0 &&
      element(
        'div',
        {},
        element('dt', {}, label),
        element('dd', {}, ...values.map((value) => element('span', { class: 'chip' }, String(value)))),
      ),
  );
  return treesOf([
    element('h3', {}, 'What was understood'),
    element('dl', { class: 'plan' }, ...rows),
    element('h3', {}, 'Where to begin'),
  ]);
}
