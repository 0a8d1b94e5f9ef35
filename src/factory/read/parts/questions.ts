import type { Question } from '../../spec.ts';
import type { Draft, Span } from '../draft.ts';
import { capitalised } from './naming.ts';
import { pairsIn } from './pairs.ts';
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

/** The questions or cards that the prompt itself has, with where they stand. */
export interface OwnCards {
  readonly questions: readonly Question[];
  /** What each says in the prompt, in the same order. */
  readonly spans: readonly Span[];
}

export const maxCards = 40;

/** Pairs that the prompt writes down; in a quiz and on cards nothing is a field, whatever it looks like. */
export function ownCards(draft: Draft): OwnCards {
  const pairs = pairsIn(draft).slice(0, maxCards);
  return {
    questions: pairs.map(({ front, answer }) => ({
      prompt: capitalisedQuestion(front, draft),
      answer,
      wrong: [],
    })),
    spans: pairs.map(({ start, end }) => ({ start, end, text: draft.prompt.slice(start, end) })),
  };
}

/** A question begins with a capital; a word that is learnt stays as it is written. */
const capitalisedQuestion = (front: string, { lang }: Draft): string =>
  !front.endsWith('?') ? front : `${lang === 'es' ? '¿' : ''}${capitalised(front, lang)}`;

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

/** Three answers of other rows, never the right one. */
export function othersOf(rows: readonly Row[], index: number): string[] {
  const right = rows[index]?.answer;
  const others = [3, 7, 11, 5, 1, 2].map((step) => rows[(index + step) % rows.length]?.answer ?? '');
  return [...new Set(others)].filter((answer) => answer !== right && answer !== '').slice(0, 3);
}
