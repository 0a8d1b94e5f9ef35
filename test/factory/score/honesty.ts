import { conceptsOf, languageWords } from './concepts.ts';
import type { Reading } from './prompt-set.ts';
import { type PromptEntry, type PromptLang, promptLangOf } from './prompt-set.ts';
import { clockTimes, datesOf, hasFact, numbersIn, timesIn } from './quantities.ts';
import { type ScoredSpec, viewOf } from './spec-view.ts';
import { containsText, fold, likeWord, weekdayNames, wordsOf } from './text.ts';

/** A text of so many words that holds so much of the prompt repeats it, and takes nothing up. */
const minEcho = { words: 9, share: 0.6 };

/** What a result says, in its spec or in its list of what was not taken up. */
interface Said {
  readonly texts: readonly string[];
  readonly numbers: readonly number[];
  /** Every time that the texts name, in minutes since midnight. */
  readonly times: ReadonlySet<number>;
  readonly lang: PromptLang;
}

/** A part of a prompt that is dropped: a number, time, date, address or quoted text; a proper name; a word. */
export interface Dropped {
  readonly sort: 'fact' | 'name' | 'word';
  readonly text: string;
}

/** A folded prompt, of which what was looked at is cut out. */
interface Remainder {
  rest: string;
  readonly dropped: Dropped[];
}

/**
 * What a prompt says and its result drops without a word: content words, numbers, times, dates and quoted texts that
 * neither stand in the spec nor are listed as not taken up. It is reckoned here anew and apart from the product, by
 * plain lists of words. Empty for an honest result.
 */
export function droppedSilently(spec: ScoredSpec, reading: Reading, entry: PromptEntry): Dropped[] {
  const lang = promptLangOf(entry);
  const view = viewOf(spec);
  const isEcho = echoOf(entry.prompt);
  const listed = [...reading.notTakenUp, ...(reading.unserved === null ? [] : [reading.unserved])];
  const texts = [...view.texts, ...listed].filter((text) => !isEcho(text));
  const said: Said = {
    texts,
    numbers: [...view.numbers, ...view.lists.map(({ length }) => length)],
    times: new Set(texts.flatMap((text) => [...timesIn(text)])),
    lang,
  };
  const prompt: Remainder = { rest: fold(entry.prompt), dropped: [] };
  takeQuoted(prompt, said);
  takeAddresses(prompt, said);
  takeDates(prompt, said);
  takeTimes(prompt, said);
  takeNumbers(prompt, said, spec);
  takeWords(prompt, said, entry, conceptsOf(spec, view, texts, lang));
  return prompt.dropped;
}

/** Tells the texts that only repeat the prompt: with those everything would be "taken up". */
function echoOf(prompt: string): (text: string) => boolean {
  const whole = ` ${wordsOf(prompt).join(' ')} `;
  const words = wordsOf(prompt).length;
  return (text) => {
    const own = wordsOf(text);
    if (own.length < minEcho.words || own.length < words * minEcho.share) return false;
    const runs = own.slice(3).filter((_, at) => whole.includes(` ${own.slice(at, at + 4).join(' ')} `));
    return runs.length >= (own.length - 3) * 0.7;
  };
}

/** Cuts a part out, and notes it down if it is dropped. */
function cut(prompt: Remainder, start: number, end: number, isKept: boolean): void {
  if (!isKept) prompt.dropped.push({ sort: 'fact', text: prompt.rest.slice(start, end).trim() });
  prompt.rest = `${prompt.rest.slice(0, start)} , ${prompt.rest.slice(end)}`;
}

const contains = ({ texts, lang }: Said, part: string) =>
  texts.some((text) => containsText(text, part, lang));

function takeQuoted(prompt: Remainder, said: Said): void {
  for (const match of [...prompt.rest.matchAll(/"([^"]{2,})"/g)].toReversed())
    cut(prompt, match.index, match.index + match[0].length, contains(said, match[1] ?? ''));
}

function takeAddresses(prompt: Remainder, { texts }: Said): void {
  for (const match of [...prompt.rest.matchAll(/[^\s@,;:()]+@[^\s@,;()]+[^\s@,;.()]/g)].toReversed()) {
    const isKept = texts.some((text) => fold(text).includes(match[0]));
    cut(prompt, match.index, match.index + match[0].length, isKept);
  }
}

function takeDates(prompt: Remainder, said: Said): void {
  const weekday = new RegExp(
    `\\b(?:${[...weekdayNames(said.lang).keys()].join('|')})\\.?,? (?:the |den |el |le )?$`,
  );
  const spans = Map.groupBy(datesOf(prompt.rest), ({ start }) => start);
  for (const [start, readings] of [...spans].toSorted(([one], [other]) => other - one)) {
    const end = Math.max(...readings.map((reading) => reading.end));
    const isKept = readings.some(({ value: { year, month, day } }) => {
      const iso = [month, day].map((part) => String(part).padStart(2, '0')).join('-');
      return hasFact(said, year === null ? iso : `${year}-${iso}`, said.lang);
    });
    // The weekday of a date says no more than the date.
    const before = weekday.exec(prompt.rest.slice(0, start))?.[0].length ?? 0;
    cut(prompt, start - before, end, isKept || contains(said, prompt.rest.slice(start, end)));
  }
}

function takeTimes(prompt: Remainder, said: Said): void {
  for (const { value, start, end } of clockTimes(prompt.rest).toReversed())
    cut(prompt, start, end, said.times.has(value) || contains(said, prompt.rest.slice(start, end)));
}

function takeNumbers({ rest, dropped }: Remainder, { texts, numbers, times }: Said, spec: ScoredSpec): void {
  const known = new Set([...numbers, ...texts.flatMap(numbersIn)]);
  for (const { value } of texts.flatMap((text) => datesOf(fold(text))))
    for (const part of [value.year, value.month, value.day]) known.add(part ?? 0);
  for (const time of times) if (time % 60 === 0) known.add(time / 60).add((time / 60) % 12);
  if (/^\d+$/.test(spec.variant)) known.add(Number(spec.variant));
  if (spec.entity?.fields.some(({ type }) => type === 'rating')) known.add(1).add(5);
  const phones = texts.map((text) => text.replace(/\D/g, '')).filter((digits) => digits.length >= 7);
  for (const token of new Set(rest.match(/(?<![\p{L}\d])\d+(?:[.,']\d+)*/gu) ?? [])) {
    // Minutes may be kept in seconds, and percent as a share.
    const ways = numbersIn(token).flatMap((value) => [value, value * 60, value / 100]);
    const isKept = ways.some((value) => known.has(value)) || phones.some((digits) => digits.includes(token));
    if (!isKept) dropped.push({ sort: 'fact', text: token });
  }
}

function takeWords(
  { rest, dropped }: Remainder,
  { texts, lang }: Said,
  entry: PromptEntry,
  isConcept: (word: string) => boolean,
): void {
  const spoken = [...new Set(texts.flatMap(wordsOf))];
  const names = namesIn(entry.prompt, lang);
  const same = new Map(Object.entries(entry.same ?? {}).map(([word, others]) => [fold(word), others]));
  // What stands right behind a digit belongs to the number: `3rd`, `4x4`, `5.30pm`.
  for (const word of new Set(rest.match(/(?<![\p{L}\p{N}])\p{L}[\p{L}\p{N}]*/gu) ?? [])) {
    if (word.length === 1 || languageWords(lang).talk.has(word) || isConcept(word)) continue;
    const ways = [word, ...(same.get(word) ?? []).flatMap(wordsOf)];
    if (!spoken.some((other) => ways.some((way) => likeWord(way, other, lang))))
      dropped.push({ sort: names.has(word) ? 'name' : 'word', text: word });
  }
}

/** The folded words with a capital inside a sentence. German writes every noun so, and tells no names by it. */
function namesIn(prompt: string, lang: PromptLang): Set<string> {
  if (lang === 'de') return new Set();
  return new Set(
    [...prompt.matchAll(/(?<=[\p{L}\d,;:)] |\()\p{Lu}[\p{L}\d]*/gu)].flatMap(([name]) => wordsOf(name)),
  );
}
