import { endsSentence, type ListContext, range, type Zone } from './zone.ts';

/**
 * German puts the verb behind what is noted: “ich möchte Datum, Strecke und Wetter eintragen können”. What stands before
 * the verb, from behind the one who wants it on, is the list.
 *
 * @param least where the list begins at the earliest
 */
export function verbFinalZone(
  context: ListContext,
  depths: readonly number[],
  index: number,
  least: number,
): Zone | null {
  const { tokens, lexicon } = context;
  const verb = tokens[index];
  const isVerb = verb?.pos === 'verb' || (verb?.pos === 'noun' && verb.text === verb.lower);
  if (lexicon.lang !== 'de' || !verb || !isVerb || !lexicon.with.has(verb.lower)) return null;
  const next = tokens[index + 1];
  const last = !next || endsSentence(tokens, index + 1) || next.pos === 'verb' || next.text === ',';
  if (!last) return null;
  let begin = index;
  while (begin > 0 && !endsSentence(tokens, begin - 1) && tokens[begin - 1]?.text !== ':') begin -= 1;
  const inside = (at: number) => depths[at] === 0;
  const separators = range(begin, index).filter(
    (at) => inside(at) && (tokens[at]?.text === ',' || lexicon.and.has(tokens[at]?.lower ?? '')),
  );
  const who = range(begin, index).findLast((at) => inside(at) && isClause(at));
  const from = Math.max(least, who === undefined ? begin : who + 1);
  const parts = separators.filter((at) => at > from);
  if (parts.length === 0 || tokens[from]?.pos === 'preposition') return null;
  return { intro: lexicon.data.fields[0] ?? '', from, to: index };

  /** Somebody, or what he wants: “ich möchte”, “es soll”, “man kann”. */
  function isClause(at: number): boolean {
    const { pos = 'mark', lower = '' } = tokens[at] ?? {};
    return pos === 'pronoun' || (pos === 'verb' && (lexicon.closed.has(lower) || lexicon.asking.has(lower)));
  }
}
