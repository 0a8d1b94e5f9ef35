import { clauseAt } from '../clauses.ts';
import { nounPhraseAt } from '../request.ts';
import { endsSentence, type ListContext } from './zone.ts';

export interface Each {
  /** A word for fields, as what follows are those of one entry. */
  readonly intro: string;
  /** The first token of what each entry has. */
  readonly to: number;
  /** The thing that each entry is of; null where it is only called a row or a day. */
  readonly lead: readonly [number, number] | null;
}

/**
 * “For each horse …”, “each sale has …”: what of every entry is kept stands behind.
 *
 * @param opens whether a list may begin here in any case
 */
export function eachAt(
  context: ListContext,
  depths: readonly number[],
  index: number,
  opens: boolean,
): Each | null {
  const { tokens, lexicon } = context;
  const each = lexicon.each.at(tokens, index);
  if (!each) return null;
  const begin = index + each.length;
  const pronoun = tokens[begin]?.pos === 'pronoun' || /^un[oa]$/.test(tokens[begin]?.lower ?? '');
  const phrase = pronoun ? { from: begin, to: begin + 1, head: begin } : thingAt(context, begin);
  if (!phrase) return null;
  const before = tokens[index - 1];
  const inside = before?.pos === 'preposition' || tokens[index]?.pos === 'preposition';
  let to = phrase.to;
  // “Schreibe für jedes Kind auf, wann …”: the particle of the verb.
  if (tokens[to + 1]?.text === ',' && ['adverb', 'preposition'].includes(tokens[to]?.pos ?? '')) to += 1;
  const has =
    tokens[to]?.pos === 'verb' &&
    (lexicon.with.has(tokens[to]?.lower ?? '') || lexicon.data.having.includes(tokens[to]?.lower ?? ''));
  while (has && ['verb', 'adverb'].includes(tokens[to]?.pos ?? '')) to += 1;
  if (tokens[to]?.text === ':') to += 1;
  else if (tokens[to]?.text === ',') {
    if (!clauseAt(tokens, to + 1, lexicon)) return null;
    to += 1;
  }
  if (!(inside || has) || !isListed(context, depths, to)) return null;
  // Within a list only an article shows that another begins.
  if (!opens && tokens[to]?.pos !== 'determiner') return null;
  const { lower = '', lemma = '' } = tokens[phrase.head] ?? {};
  const known = [lower, lemma].some(
    (word) =>
      lexicon.data.rows.includes(word) ||
      lexicon.generic.has(word) ||
      lexicon.fields.has(word) ||
      Object.values(lexicon.data.units).flat().includes(word),
  );
  return {
    intro: lexicon.data.fields[0] ?? '',
    to,
    lead: inside && !known && !pronoun ? [phrase.from, phrase.to] : null,
  };
}

/** In English a noun with all before it, elsewhere one noun. */
function thingAt({ tokens, lexicon }: ListContext, from: number) {
  const phrase = nounPhraseAt(tokens, from, lexicon);
  if (!phrase) return null;
  return lexicon.lang === 'en' ? phrase : { ...phrase, to: phrase.head + 1 };
}

/** Whether a noun, an article or a question stands there, and another behind a comma or an “and”. */
function isListed({ tokens, lexicon }: ListContext, depths: readonly number[], from: number): boolean {
  const first = tokens[from];
  if (!first || (first.pos === 'pronoun' && !clauseAt(tokens, from, lexicon))) return false;
  if (first.pos === 'preposition' && !clauseAt(tokens, from, lexicon)) return false;
  if (first.pos === 'verb') return false;
  for (let index = from; index < tokens.length && !endsSentence(tokens, index); index += 1)
    if (depths[index] === 0 && (tokens[index]?.text === ',' || lexicon.and.has(tokens[index]?.lower ?? '')))
      return index > from;
  return false;
}
