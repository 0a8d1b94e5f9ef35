import type { Lang } from '../../spec.ts';
import type { Draft, Phrase } from '../draft.ts';

/** The text with a capital at its beginning. */
export const capitalised = (text: string, lang: Lang): string => {
  const first = [...text][0] ?? '';
  return first.toLocaleUpperCase(lang) + text.slice(first.length);
};

const small: ReadonlySet<string> = new Set('of the and for in on to a an or with'.split(' '));

/** As a title: every word with a capital in English, the first one elsewhere. */
export const titled = (text: string, lang: Lang): string =>
  lang === 'en'
    ? text
        .split(' ')
        .map((word, at) => (at > 0 && small.has(word) ? word : capitalised(word, lang)))
        .join(' ')
    : capitalised(text, lang);

/**
 * The name of an app, made of what it is about.
 *
 * @param pattern with `{subject}` as the prompt says it, `{thing}` for one and `{things}` for several; with a capital
 *   letter they stand as a title
 * @param otherwise the name where the subject is not known
 */
export function named({ subject, lang }: Draft, pattern: string, otherwise: string): string {
  if (!subject) return otherwise;
  const { text, singular, plural } = subject;
  const values: Readonly<Record<string, string>> = { subject: text, thing: singular, things: plural };
  const name = pattern.replaceAll(/\{(\w+)\}/g, (whole, key: string) => {
    const value = values[key.toLowerCase()];
    if (value === undefined) return whole;
    return key[0] === key[0]?.toUpperCase() ? titled(value, lang) : value;
  });
  // Habits of habits are habits.
  const isDoubled = /(?:^|\s)(\p{L}+)\s\1$/iu.test(name);
  return isDoubled ? otherwise : shortened(capitalised(name, lang), 60);
}

/** A subject of one word that is known from the cues. */
export const wordPhrase = (word: string): Phrase => ({
  text: word,
  head: word,
  singular: word,
  plural: word,
  start: 0,
  end: 0,
});

/** At most so many characters, cut between words where that is possible. */
export function shortened(text: string, length: number): string {
  if (text.length <= length) return text;
  const cut = text.slice(0, length - 1);
  const space = cut.lastIndexOf(' ');
  return `${(space > length / 2 ? cut.slice(0, space) : cut).trimEnd()}…`;
}

/** A question as it is shown. */
export const asQuestion = (text: string, lang: Lang): string =>
  `${lang === 'es' ? '¿' : ''}${capitalised(text, lang)}`;

/** The first of each that have the same key. */
export const onceBy = <Thing>(things: readonly Thing[], keyOf: (thing: Thing) => string): Thing[] =>
  [...Map.groupBy(things, keyOf).values()].flatMap((same) => same.slice(0, 1));
