import type { PromptLang } from './prompt-set.ts';

/** A text in lower case, without accents, with plain quotes, dashes and blanks. */
export function fold(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll('ß', 'ss')
    .replaceAll('œ', 'oe')
    .replaceAll('æ', 'ae')
    .replace(/[‘’‚`´]/g, "'")
    .replace(/[“”„«»]/g, '"')
    .replace(/[‐‑‒–—−]/g, '-')
    .replace(/\s+/g, ' ')
    .trim();
}

/** The folded words of a text, of letters and digits. */
export const wordsOf = (text: string): string[] => fold(text).match(/[\p{L}\p{N}]+/gu) ?? [];

/** Endings of plurals and inflected forms, longest first. They are cut off while three letters remain. */
const endings: Readonly<Record<PromptLang, readonly RegExp[]>> = {
  en: [/(?<=[^aeiou])ies$/, /(?<=s|x|z|ch|sh)es$/, /(?<=[^s])s$/, /(?<=[^aeiou])y$/],
  de: [/(?:ern|en|er|es|em|e|n|s)$/],
  es: [/s$/, /[aeo]$/],
  fr: [/[sx]$/, /e$/],
  it: [/[aeio]$/],
  pt: [/s$/, /[aeo]$/],
};

/** A folded word without its ending. It serves comparison only and need not be a word. */
export function stem(word: string, lang: PromptLang): string {
  let rest = word;
  for (const ending of endings[lang]) {
    const cut = rest.replace(ending, '');
    if (cut.length >= 3) rest = cut;
  }
  return rest;
}

const stems = (text: string, lang: PromptLang) => wordsOf(text).map((word) => stem(word, lang));

/** Whether two texts are the same but for case, accents, punctuation and plural. */
export const sameText = (one: string, other: string, lang: PromptLang): boolean => {
  const [left, right] = [stems(one, lang).join(' '), stems(other, lang).join(' ')];
  return left === '' ? fold(one) === fold(other) : left === right;
};

/** Whether a text contains another, word by word. A part without words, such as `%`, is looked for as it is. */
export function containsText(text: string, part: string, lang: PromptLang): boolean {
  const wanted = stems(part, lang).join(' ');
  return wanted === ''
    ? fold(text).includes(fold(part))
    : ` ${stems(text, lang).join(' ')} `.includes(` ${wanted} `);
}

/**
 * Whether two folded words stand for the same: by their stem, as the begin of each other, as a part of a compound, or
 * but for one typing error. For honesty only, where wording may differ.
 */
export function likeWord(one: string, other: string, lang: PromptLang): boolean {
  const [left, right] = [stem(one, lang), stem(other, lang)];
  if (left === right) return true;
  const [short, long] = left.length <= right.length ? [left, right] : [right, left];
  if (short.length >= 4 && long.startsWith(short)) return true;
  if (short.length >= 5 && long.includes(short)) return true;
  return isMisspelled(one, other);
}

/** Whether two folded words of five letters or more differ by one typing error, or by letters in the wrong place. */
export function isMisspelled(one: string, other: string): boolean {
  const [short, long] = one.length <= other.length ? [one, other] : [other, one];
  return short.length >= 5 && (isOneEditAway(short, long) || isShuffled(short, long));
}

const isShuffled = (one: string, other: string) =>
  one.length >= 6 && one[0] === other[0] && [...one].sort().join('') === [...other].sort().join('');

/** Whether one letter added, left out, exchanged or swapped with its neighbour makes one word of the other. */
function isOneEditAway(short: string, long: string): boolean {
  if (long.length - short.length > 1) return false;
  let at = 0;
  while (at < short.length && short[at] === long[at]) at += 1;
  if (long.length > short.length) return short.slice(at) === long.slice(at + 1);
  if (short.slice(at + 1) === long.slice(at + 1)) return true;
  return (
    short[at] === long[at + 1] && short[at + 1] === long[at] && short.slice(at + 2) === long.slice(at + 2)
  );
}
