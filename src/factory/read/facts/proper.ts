import type { Span, Token } from '../draft.ts';
import type { Lexicon, TaggedPrompt } from '../lexicon.ts';
import { fold } from '../phrases.ts';
import { type Claims, spanFrom } from '../spans.ts';

const inner = new Set(
  "de da do dos das di del della la le of the von van den der & d' l' du des und zum zur".split(' '),
);

const isCapital = (token: Token | undefined) =>
  token !== undefined && /^\p{Lu}/u.test(token.text) && !/pronoun|determiner|^verb/.test(token.pos);

/**
 * The proper name that begins at a token, as the index behind its last one: words with capitals, and small ones between
 * them (`Mecânica do Zé`, `Harbour Lights Choir`).
 */
export function nameEnd(tokens: readonly Token[], from: number): number {
  let end = from;
  for (let index = from; index < tokens.length; index += 1) {
    const token = tokens[index];
    // Within a name an article has a capital, too: `Finca El Olivar`.
    if (isCapital(token) || (index > from && end === index && /^\p{Lu}/u.test(token?.text ?? '')))
      end = index + 1;
    else if (!(end === index && inner.has(fold(token?.lower ?? '')) && isCapital(tokens[index + 1]))) break;
  }
  return end;
}

const isDayOrMonth = ({ lower }: Token, { data }: Lexicon) =>
  data.months.flat().includes(lower) || data.weekdays.flat().includes(lower);

/** Where something is: a proper name behind a preposition of place, with what kind of place it is: `im Saal Krone`. */
export function placesIn(text: TaggedPrompt, claims: Claims): Span[] {
  const { tokens, lexicon } = text;
  return tokens.flatMap((token, index) => {
    if (!lexicon.data.places.includes(token.lower)) return [];
    let from = index + 1;
    while (tokens[from]?.pos === 'determiner' && !isCapital(tokens[from])) from += 1;
    const first = tokens[from];
    const isNoun = first?.pos === 'noun' && !isCapital(first);
    const name = isNoun ? from + (inner.has(fold(tokens[from + 1]?.lower ?? '')) ? 2 : 1) : from;
    if (!first || !isCapital(tokens[name]) || isDayOrMonth(first, lexicon)) return [];
    return [spanFrom(text, from, nameEnd(tokens, name))].filter((span) => claims.free(span));
  });
}
