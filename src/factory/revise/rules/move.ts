import type { AppSpec } from '../../spec.ts';
import { movedTo, withAt } from '../lists.ts';
import { type Place, placeOf, titleOf } from '../places.ts';
import { done, type Rule, refuse } from '../rule.ts';
import { withEntity } from '../tidy.ts';

/** Where something goes: its index afterwards, by its own index, that of the other thing, and how many there are. */
type Target = (from: number, other: number, count: number) => number;

const moving =
  (target: Target, relative: boolean): Rule =>
  (spec, { thing = '', other = '' }, words) => {
    const place = placeOf(spec, words, thing);
    if (!place || !('index' in place)) return refuse(words, 'unknown', thing);
    const beside = relative ? placeOf(spec, words, other, place.what) : null;
    if (relative && (!beside || !('index' in beside))) return refuse(words, 'unknown', other);
    const at = beside && 'index' in beside ? beside.index : 0;
    const next = moved(spec, place, (count) => target(place.index, at, count), beside);
    return next ? done(words, next, 'moved', { what: titleOf(spec, place) }) : null;
  };

/** To the front. */
export const first = moving(() => 0, false);
/** To the end. */
export const last = moving((_from, _other, count) => count - 1, false);
/** In front of another. */
export const before = moving((from, other) => (from < other ? other - 1 : other), true);
/** Behind another. */
export const after = moving((from, other) => (from < other ? other : other + 1), true);

function moved(
  spec: AppSpec,
  place: Place & { readonly index: number },
  to: (count: number) => number,
  beside: Place | null,
): AppSpec | null {
  const within = <T>(list: readonly T[]) => movedTo(list, place.index, to(list.length));
  switch (place.what) {
    case 'field':
      return spec.entity && withEntity(spec, { ...spec.entity, fields: within(spec.entity.fields) });
    case 'section':
      return { ...spec, sections: within(spec.sections) };
    case 'item': {
      const section = spec.sections[place.section];
      if (!section || (beside?.what === 'item' && beside.section !== place.section)) return null;
      return {
        ...spec,
        sections: withAt(spec.sections, place.section, { ...section, items: within(section.items) }),
      };
    }
    case 'question':
      return { ...spec, questions: within(spec.questions) };
    case 'choice':
      return { ...spec, choices: within(spec.choices) };
    case 'row':
      return spec.grid && { ...spec, grid: { ...spec.grid, rows: within(spec.grid.rows) } };
    default:
      return null;
  }
}
