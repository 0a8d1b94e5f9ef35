import type { Question } from '../../spec.ts';
import type { Draft } from '../draft.ts';
import { allLists, sidesOf } from './lists.ts';
import { says } from './words.ts';

/** Rows of which the one side is asked and the other answered, such as countries and their capitals. */
export interface Table {
  readonly words: readonly string[];
  /** Words of the part of the world that it covers; the first rows of all parts serve where none is named. */
  readonly within?: readonly string[];
  /** How it is asked, with `{x}`. */
  readonly ask?: string;
  readonly rows: readonly Row[];
}

export interface Row {
  readonly asked: string;
  readonly answer: string;
}

/**
 * The questions or cards that the prompt itself has: items with two sides, and those with an open answer. In a quiz and
 * on cards nothing is a field, whatever it looks like.
 */
export function ownCards(draft: Draft, open: (front: string) => string | null): Question[] {
  const items = allLists(draft).flatMap((list) => list.items);
  return items
    .flatMap((item): Question[] => {
      const sides = sidesOf(item);
      const front = sides?.[0] ?? item.text;
      const answer = sides?.[1] ?? open(front);
      return answer === null
        ? []
        : [{ prompt: front.slice(0, 200), answer: answer.slice(0, 120), wrong: [] }];
    })
    .slice(0, 40);
}

/** The rows of the table that the prompt speaks of, and how they are asked; null where there is none. */
export function tableFor(
  draft: Draft,
  tables: readonly Table[],
): { readonly rows: readonly Row[]; readonly ask: string } | null {
  const said = tables.filter(({ words }) => says(draft.tokens, words));
  const [first] = said;
  if (!first) return null;
  const same = said.filter(({ words }) => words.join() === first.words.join());
  const parts = same.filter(({ within }) => within && says(draft.tokens, within));
  const chosen = parts.length > 0 ? parts : same;
  const rows =
    chosen.length > 1 ? chosen.flatMap((table) => table.rows.slice(0, 5)) : (chosen[0]?.rows ?? []);
  return { rows, ask: first.ask ?? '{x}' };
}

/** How many are wanted: `20 questions`; null where no number is said. */
export const wantedCount = ({ quantities }: Draft, words: readonly string[]): number | null => {
  const wanted = quantities.find(({ unit }) => words.includes(unit));
  return wanted ? Math.max(1, Math.min(40, Math.round(wanted.value))) : null;
};

/** Three answers of other rows, never the right one. */
export function othersOf(rows: readonly Row[], index: number): string[] {
  const right = rows[index]?.answer;
  const others = [3, 7, 11, 5, 1, 2].map((step) => rows[(index + step) % rows.length]?.answer ?? '');
  return [...new Set(others)].filter((answer) => answer !== right && answer !== '').slice(0, 3);
}
