import type { Question } from '../../spec.ts';
import type { Draft, Span } from '../draft.ts';
import { asQuestion } from './naming.ts';
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

type Row = Readonly<Record<'asked' | 'answer', string>>;

export const maxCards = 40;

/**
 * The questions or cards that the prompt itself has, as the pairs that it writes down, with what each says in the prompt; in a quiz
 * and on cards nothing is a field, whatever it looks like.
 */
export function ownCards(draft: Draft): { readonly questions: Question[]; readonly spans: Span[] } {
  const pairs = pairsIn(draft).slice(0, maxCards);
  return {
    questions: pairs.map(({ front, answer }) => ({
      // A question begins with a capital; a word that is learnt stays as it is written.
      prompt: front.endsWith('?') ? asQuestion(front, draft.lang) : front,
      answer,
      wrong: [],
    })),
    spans: pairs.map(({ start, end }) => ({ start, end, text: draft.prompt.slice(start, end) })),
  };
}

/** The rows of the table that the prompt speaks of, and how they are asked; null where there is none. */
export function tableFor(
  draft: Draft,
  tables: readonly Table[],
): Required<Pick<Table, 'rows' | 'ask'>> | null {
  const said = tables.filter(({ words }) => says(draft.tokens, words));
  const [first] = said;
  if (!first) return null;
  const same = said.filter(({ words }) => words.join() === first.words.join());
  const parts = same.filter(({ within }) => within && says(draft.tokens, within));
  const chosen = parts.length > 0 ? parts : same;
  const most = chosen.length > 1 ? 5 : undefined;
  return { rows: chosen.flatMap(({ rows }) => rows.slice(0, most)), ask: first.ask ?? '{x}' };
}

/** Three answers of other rows, never the right one. */
export function othersOf(rows: readonly Row[], index: number): string[] {
  const right = rows[index]?.answer;
  const others = [3, 7, 11, 5, 1, 2].map((step) => rows[(index + step) % rows.length]?.answer ?? '');
  return [...new Set(others)].filter((answer) => answer !== right && answer !== '').slice(0, 3);
}
