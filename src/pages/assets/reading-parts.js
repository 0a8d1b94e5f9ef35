import { spaced } from './plan-labels.js';
import { startingPoints } from './starting-points.js';
import { element, treesOf } from './tree.js';

/**
 * @typedef {import('./tree.js').Tree} Tree
 * @typedef {{ not_taken_up?: readonly string[], conflicts?: readonly string[], unserved?: { head: string, nearest: readonly string[], message: string } | null }} Reading
 */

/** More are not told one by one. */
const maxTold = 24;

/**
 * What a plan has no place for, and the choice where no kind serves what was asked for.
 * @param {Reading | null} reading
 * @param {boolean} over whether something can be chosen already
 * @param {readonly import('./plan-schema.js').PlanKind[]} [kinds] of which the nearest are shown as cards
 * @returns {readonly Tree[]}
 */
export function readingParts(reading, over, kinds) {
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
