import type { FactoryJob } from '../../../generated/types.gen.ts';
import { spaced } from './plan-labels.ts';
import type { PlanKind } from './plan-schema.ts';
import { startingPoints } from './starting-points.ts';
import { element, type Tree, treesOf } from './tree.ts';

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
export function readingParts(
  reading: Reading | null,
  over: boolean,
  kinds?: readonly PlanKind[],
): readonly Tree[] {
  if (reading === null) return [];
  const { not_taken_up: left = [], unserved = null, conflicts = [] } = reading;
  return treesOf([
    unserved &&
      element(
        'div',
        { class: 'honest' },
        element('p', {}, unserved.message),
        over &&
          element(
            'div',
            { class: 'choices', role: 'group', 'aria-label': 'What to build instead' },
            ...(kinds
              ? [startingPoints(unserved.nearest, kinds)]
              : unserved.nearest.map((kind) =>
                  element(
                    'button',
                    { type: 'button', class: 'button small-button', 'data-near': kind },
                    spaced(kind),
                  ),
                )),
            element(
              'button',
              { type: 'button', class: 'button small-button', 'data-near': '' },
              'Describe the fields',
            ),
          ),
      ),
    conflicts.length > 0 &&
      element(
        'div',
        { class: 'honest' },
        element('p', {}, element('strong', {}, 'Please check: '), conflicts.join(' ')),
      ),
    left.length > 0 &&
      element(
        'div',
        { class: 'honest' },
        element(
          'p',
          {},
          element('strong', {}, 'Not taken up: '),
          ...left.slice(0, maxTold).flatMap((text, n) => [n === 0 ? '' : ', ', element('q', {}, text)]),
          left.length > maxTold && ` and ${left.length - maxTold} more`,
          '.',
        ),
      ),
  ]);
}

export type Spec = NonNullable<FactoryJob['plan']>;

/** What was understood of a prompt. */
export function specParts(spec: Spec | null): readonly Tree[] {
  if (spec === null) return [];
  const { kind, variant, tagline, entity, features, sections, assumptions, accent } = spec;
  const rows = [
    row('Kind', [variant === '' ? kind : `${kind}, ${variant}`]),
    entity && row('Keeps', [entity.plural]),
    entity && row('Fields', chips(entity.fields.map(({ label, type }) => [label, type]))),
    entity && features.length > 0 && row('Can do', chips(features.map((feature) => [feature, '']))),
    sections.length > 0 && row('Sections', chips(sections.map((section) => [section, '']))),
    /^#[0-9a-f]{6}$/i.test(accent) && row('Colour', [swatch(accent), ` ${accent}`]),
  ];
  return [
    element('h3', {}, 'What was understood'),
    ...(tagline === '' ? [] : [element('p', { class: 'muted' }, tagline)]),
    element('dl', { class: 'plan' }, ...rows),
    ...(assumptions.length === 0
      ? []
      : [element('ul', { class: 'assumptions' }, ...assumptions.map((text) => element('li', {}, text)))]),
  ];
}

function row(name: string, value: readonly Tree[]) {
  return element('div', {}, element('dt', {}, name), element('dd', {}, ...value));
}

function chips(entries: readonly (readonly [name: string, note: string])[]) {
  return entries.map(([name, note]) =>
    element('span', { class: 'chip' }, name, note !== '' && element('small', { class: 'muted' }, ` ${note}`)),
  );
}

function swatch(colour: string) {
  const circle = element('circle', { cx: '5', cy: '5', r: '5', fill: colour });
  return element('svg', { class: 'dot', viewBox: '0 0 10 10', 'aria-hidden': 'true' }, circle);
}
