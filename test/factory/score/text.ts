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

/** What people write beside the names and the abbreviations that the Unicode data has. */
const more: Readonly<Partial<Record<PromptLang, Readonly<Record<string, number>>>>> = {
  en: { tues: 2, weds: 3, thur: 4, thurs: 4 },
};
const tables = new Map<PromptLang, ReadonlyMap<string, number>>();

/** The folded names of the weekdays and their abbreviations, each with its number from Sunday on (0–6). */
export function weekdayNames(lang: PromptLang): ReadonlyMap<string, number> {
  const known = tables.get(lang);
  if (known) return known;
  const names = new Map(Object.entries(more[lang] ?? {}));
  for (const weekday of ['long', 'short'] as const)
    for (let day = 0; day < 7; day += 1) {
      // The first of February 2026 is a Sunday.
      const name = new Intl.DateTimeFormat(lang, { weekday }).format(new Date(2026, 1, 1 + day, 12));
      const [first = ''] = wordsOf(name);
      names.set(first, day).set(`${first}s`, day);
    }
  tables.set(lang, names);
  return names;
}

/** The weekdays that texts name, also those within a span such as `Mon–Fri`. */
export function weekdaysIn(texts: readonly string[], lang: PromptLang): Set<number> {
  const names = weekdayNames(lang);
  const name = `(${[...names.keys()].toSorted((one, other) => other.length - one.length).join('|')})\\.?(?:-feira)?`;
  const pattern = new RegExp(`\\b${name}(?: ?(?:-|to|till|bis|a|al|au) ?${name})?(?![\\p{L}])`, 'gu');
  const days = new Set<number>();
  for (const text of texts)
    for (const [, from = '', to] of fold(text).matchAll(pattern)) {
      const start = names.get(from) ?? 0;
      const end = to === undefined ? start : (names.get(to) ?? start);
      for (let day = start; day <= (end < start ? end + 7 : end); day += 1) days.add(day % 7);
    }
  return days;
}

/** How far two parts of a prompt are apart, in characters; infinite where one does not stand in it. */
export function distance(prompt: string, one: string, other: string): number {
  const text = fold(prompt);
  const [left, right] = [text.indexOf(fold(one)), text.indexOf(fold(other))];
  if (left < 0 || right < 0) return Number.POSITIVE_INFINITY;
  return left < right ? right - left - fold(one).length : left - right;
}

/** The words of a prompt around a part of it. */
export function wordsAround(prompt: string, part: string, reach = 30): readonly string[] {
  const text = fold(prompt);
  const at = text.indexOf(fold(part));
  return at < 0 ? [] : wordsOf(text.slice(Math.max(0, at - reach), at + fold(part).length + reach));
}

/** The best of some, the first of those that are as good; undefined of none. */
export function nearest<T>(all: readonly T[], distanceOf: (one: T) => number): T | undefined {
  return all.toSorted((one, other) => compare(distanceOf(one), distanceOf(other)))[0];
}

const compare = (one: number, other: number) => (one === other ? 0 : one < other ? -1 : 1);
