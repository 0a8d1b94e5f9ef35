import type { Token } from '../draft.ts';
import type { Lexicon } from '../lexicon.ts';
import { type Phrases, phraseSet } from '../phrases.ts';

/** Features that are asked for with a noun of their own. A deadline, which is one too, may as well be a field. */
const nouns = ['search', 'filter', 'sort', 'chart', 'csv', 'print'] as const;
const made = new Map<string, { readonly sure: Phrases<true>; readonly sums: Phrases<true> }>();

function featureWords({ lang, data }: Lexicon) {
  const known = made.get(lang);
  if (known) return known;
  const words = {
    sure: phraseSet(
      nouns.flatMap((feature) => data.features[feature] ?? []),
      lang,
    ),
    sums: phraseSet(data.features['totals'] ?? [], lang),
  };
  made.set(lang, words);
  return words;
}

/**
 * Whether what begins at a token asks for a feature or a look, and is no item of the list before it: “… and a chart”,
 * “plus a total at the bottom”, “in green”. “Total” alone may be a field.
 *
 * @param to where it ends at the latest
 */
export function isExtra(tokens: readonly Token[], from: number, to: number, lexicon: Lexicon): boolean {
  const { sure, sums } = featureWords(lexicon);
  if (isLook(tokens.slice(from, to), lexicon)) return true;
  for (let at = from; at < to; at += 1) {
    const article = at > from && tokens[at - 1]?.pos === 'determiner';
    // “Print date” is a date.
    const alone = tokens[at + 1]?.pos !== 'noun' || at + 1 >= to;
    if ((sure.at(tokens, at) !== null && alone) || (sums.at(tokens, at) !== null && article)) return true;
    if (!isSmall(tokens[at]) && !lexicon.also.at(tokens, at)) return false;
  }
  return false;
}

const isSmall = (token: Token | undefined) =>
  ['determiner', 'adverb', 'adjective'].includes(token?.pos ?? '') || token?.lower === 'with';

/** “In blue”, “dark mode”: how the app looks, behind what is listed. */
export function isLook(part: readonly Token[], { data }: Lexicon): boolean {
  const looks = ({ lower }: Token) =>
    data.colours[lower] !== undefined || data.dark.includes(lower) || data.light.includes(lower);
  const around = ({ lower, pos }: Token) =>
    ['preposition', 'adverb', 'determiner'].includes(pos) || data.colourWords.includes(lower);
  return part.some(looks) && part.some(around) && part.every((token) => looks(token) || around(token));
}
