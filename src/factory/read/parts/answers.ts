import { yamlFile } from '../../../lib/yaml-file.ts';
import type { Lang } from '../../spec.ts';

const words = (
  yamlFile(new URL('words.yaml', import.meta.url)) as { readonly pairs: Readonly<Record<Lang, PairWords>> }
).pairs;

export const pairWords = (lang: Lang): PairWords => words[lang];

/** Any of several words in a regular expression, the longest first. */
export const anyOf = (phrases: readonly string[]): string =>
  `(?:${phrases
    .toSorted((a, b) => b.length - a.length)
    .map((phrase) => phrase.replace(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`))
    .join('|')})`;

export interface Answer {
  readonly answer: string;
  readonly wrong: readonly string[];
}

const maxWrong = 5;
const mark = `[*✓✔✅]`;

/**
 * The right answer and the wrong ones of what stands behind a question: `Paris`, `(6, 8*, 10)`, `a) 3 b) 4, right: b`,
 * `red (right), blue`. Null where several lettered answers stand and none is said to be right.
 */
export function answerIn(text: string, words: PairWords): Answer | null {
  const body = trimmed(text.replace(/^\s*\((.*)\)\s*$/s, '$1').replace(label(words.answer), ''));
  if (body === '') return null;
  const found = lettered(body, words);
  return found === undefined ? (marked(body, words) ?? plain(body, words)) : found;
}

const label = (answer: readonly string[]) => new RegExp(String.raw`^\s*${anyOf(answer)}\s*[.:]\s*`, 'iu');

/** Without quotation marks, dashes and full stops at its ends. */
export const trimmed = (text: string): string =>
  text
    .replace(/^[\s"“„«»”'‘’=:→>,;.–—-]+/u, '')
    .replace(/[\s"“”»«',;.–—-]+$/u, '')
    .trim();

/** `a) 3 b) 4 c) 5, right: b`. Undefined where the answers have no letters. */
function lettered(body: string, { right }: PairWords): Answer | null | undefined {
  const letters = [...body.matchAll(/(?<![\p{L}\d])\(?([a-f])[).:]\s*/giu)];
  if (letters.length < 2) return undefined;
  const told = new RegExp(
    String.raw`[\s,;.(–-]*(?:${anyOf(right)})\s*(?:is|ist|es|est|è|é)?\s*[:=]?\s*\(?([a-f])\b\)?.*$`,
    'isu',
  ).exec(body);
  const end = told && told.index > (letters[1]?.index ?? 0) ? told.index : body.length;
  const options = letters
    .filter(({ index }) => index < end)
    .map((match, at, all) => ({
      letter: (match[1] ?? '').toLowerCase(),
      text: body.slice(match.index + match[0].length, Math.min(all[at + 1]?.index ?? end, end)),
    }));
  const chosen = told
    ? options.findIndex(({ letter }) => letter === told[1]?.toLowerCase())
    : options.findIndex(({ text }) => isMarked(text, right));
  return chosen < 0
    ? null
    : split(
        options.map(({ text }) => unmarked(text, right)),
        chosen,
      );
}

/** `red, blue*, green`. Undefined where none of them is marked. */
function marked(body: string, { right, wrong }: PairWords): Answer | undefined {
  const told = new RegExp(String.raw`[\s,;.(–-]+${anyOf(wrong)}\s*:?\s+([^()]+)\)?$`, 'iu').exec(body);
  if (told)
    return {
      answer: trimmed(body.slice(0, told.index)),
      wrong: optionsOf(told[1] ?? '').slice(0, maxWrong),
    };
  const options = optionsOf(body);
  const chosen = options.findIndex((text) => isMarked(text, right));
  if (options.length > 1 && chosen >= 0)
    return split(
      options.map((text) => unmarked(text, right)),
      chosen,
    );
  const closing = /^(.+?)\s*\(([^()]+)\)$/s.exec(body);
  const before = optionsOf(closing?.[1] ?? '');
  const chosenText = trimmed(closing?.[2] ?? '').toLowerCase();
  const meant = before.filter((text) => chosenText !== '' && isCalled(text.toLowerCase(), chosenText));
  if (before.length > 1 && meant.length === 1) return split(before, before.indexOf(meant[0] ?? ''));
  const named = new RegExp(
    String.raw`[\s,;.(–-]+${anyOf(right)}\s*(?:is|ist|es|est|è|é)?\s*[:=]?\s+([^()]+?)\)?$`,
    'iu',
  ).exec(body);
  const all = named ? optionsOf(body.slice(0, named.index)) : [];
  const at = all.findIndex((text) => text.toLowerCase() === trimmed(named?.[1] ?? '').toLowerCase());
  return all.length > 1 && at >= 0 ? split(all, at) : undefined;
}

/** `31` says which of `20 °C, 31 °C` is right. */
const isCalled = (option: string, said: string): boolean =>
  option === said || (/\d$/.test(said) && option.startsWith(said) && !/^\d/.test(option.slice(said.length)));

/** An answer by itself. Of two that exclude each other the other is wrong. */
function plain(body: string, { opposites }: PairWords): Answer {
  const pair = opposites.find((both) => both.includes(body.toLowerCase()));
  return { answer: body, wrong: pair?.filter((text) => text !== body.toLowerCase()) ?? [] };
}

const optionsOf = (text: string): string[] =>
  (/[,;|]/.test(text) ? text.split(/\s*[,;|]\s*/) : text.split(/\s*\/\s*/))
    .map((part) => part.replace(/^[\s"“„«]+|[\s"”»]+$/g, '').trim())
    .filter((part) => part !== '');

const markOf = (right: readonly string[]) =>
  new RegExp(String.raw`\s*(?:${mark}+|[([]\s*${anyOf(right)}\s*[)\]]|\s${anyOf(right)}$)`, 'iu');

const isMarked = (text: string, right: readonly string[]) => markOf(right).test(trimmed(text));

const unmarked = (text: string, right: readonly string[]) =>
  trimmed(trimmed(text).replace(markOf(right), ' '));

const split = (options: readonly string[], right: number): Answer => ({
  answer: options[right] ?? '',
  wrong: options.filter((_, at) => at !== right && options[at] !== '').slice(0, maxWrong),
});

/** What `words.yaml` knows of a language. */
export interface PairWords {
  readonly question: readonly string[];
  readonly answer: readonly string[];
  readonly right: readonly string[];
  readonly wrong: readonly string[];
  readonly means: readonly string[];
  readonly opposites: readonly (readonly string[])[];
}

/** What the prompt says belongs together: a question and its answer, a word and its translation. */
export interface Pair extends Answer {
  readonly front: string;
  /** Where both stand, with the labels and marks that tell them apart. */
  readonly start: number;
  readonly end: number;
}

const maxFront = 200;

const maxAnswer = 120;

/** A pair of these two sides; none where one of them is missing, too long or not told for certain. */
export const pairOf = (front: string, back: string, start: number, end: number, words: PairWords): Pair[] => {
  const asked = trimmed(front);
  const found = answerIn(back, words);
  return asked === '' || !found || found.answer === '' || asked.length > maxFront
    ? []
    : found.answer.length > maxAnswer || found.wrong.some((text) => text.length > maxAnswer)
      ? []
      : [{ front: asked, ...found, start, end }];
};
