import { hasFact } from './facts.ts';
import { hueNames } from './hue.ts';
import { languageWords } from './language-words.ts';
import type { PromptEntry, PromptLang } from './prompt-set.ts';
import { clockTimes, datesOf, numbersIn, timesIn } from './quantities.ts';
import type { Reading } from './reading.ts';
import { type ScoredSpec, viewOf } from './spec-view.ts';
import { containsText, fold, likeWord, stem, wordsOf } from './text.ts';

/** A text of so many words that holds most of the prompt repeats it, and takes nothing up. */
const minEcho = { words: 9, share: 0.6 };

/**
 * What a prompt says and its result drops without a word: content words, numbers, times, dates and quoted texts that
 * neither stand in the spec nor are listed as not taken up. It is reckoned here anew and apart from the product, by
 * plain lists of words. Empty for an honest result.
 */
export function droppedSilently(spec: ScoredSpec, reading: Reading, entry: PromptEntry): string[] {
  const lang = entry.prompt_lang ?? entry.lang;
  const view = viewOf(spec);
  const isEcho = echoOf(entry.prompt);
  const listed = [...reading.notTakenUp, ...(reading.unserved === null ? [] : [reading.unserved])];
  const texts = [...view.texts, ...listed].filter((text) => !isEcho(text));
  const numbers = [...view.numbers, ...view.lists.map(({ length }) => length)];
  const said = { texts, numbers };
  const spoken = new Set(texts.flatMap(wordsOf));
  const isTakenUp = conceptsOf(spec, lang);

  let rest = fold(entry.prompt);
  const dropped: string[] = [];
  for (const quoted of quotedIn(rest)) {
    if (!texts.some((text) => containsText(text, quoted, lang))) dropped.push(`"${quoted}"`);
    rest = rest.replace(`"${quoted}"`, ' , ');
  }
  for (const address of rest.match(/[^\s@,;:()]+@[^\s@,;()]+[^\s@,;.()]/g) ?? []) {
    if (!texts.some((text) => fold(text).includes(address))) dropped.push(address);
    rest = rest.replace(address, ' , ');
  }
  const dates = new Set<string>();
  for (const { value, start, end } of datesOf(rest)) {
    const iso = [value.month, value.day].map((part) => String(part).padStart(2, '0')).join('-');
    const raw = rest.slice(start, end);
    if (dates.has(raw)) continue;
    dates.add(raw);
    const wanted = value.year === null ? iso : `${value.year}-${iso}`;
    if (!hasFact(said, wanted, lang) && !containsAny(texts, raw, lang)) dropped.push(raw.trim());
  }
  for (const raw of dates) rest = rest.replace(raw, ' , ');
  const times = new Set(texts.flatMap((text) => [...timesIn(text)]));
  for (const { value, start, end } of clockTimes(rest).toReversed()) {
    if (!times.has(value) && !containsAny(texts, rest.slice(start, end), lang))
      dropped.push(rest.slice(start, end).trim());
    rest = `${rest.slice(0, start)} , ${rest.slice(end)}`;
  }
  dropped.push(...droppedNumbers(rest, spec, said, times));
  for (const word of new Set(rest.match(/\p{L}[\p{L}\p{N}]*/gu) ?? [])) {
    if (word.length === 1 || languageWords(lang).talk.has(word) || isTakenUp(word)) continue;
    const same = entry.same?.[word] ?? [];
    const held = [...spoken].some(
      (other) =>
        likeWord(word, other, lang) ||
        same.some((text) => wordsOf(text).some((part) => likeWord(part, other, lang))),
    );
    if (!held) dropped.push(word);
  }
  return dropped;
}

const containsAny = (texts: readonly string[], part: string, lang: PromptLang) =>
  texts.some((text) => containsText(text, part, lang));

const quotedIn = (folded: string) => [...folded.matchAll(/"([^"]{2,})"/g)].map(([, text]) => text ?? '');

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

function droppedNumbers(
  rest: string,
  spec: ScoredSpec,
  said: { texts: readonly string[]; numbers: readonly number[] },
  times: ReadonlySet<number>,
): string[] {
  const known = new Set([...said.numbers, ...said.texts.flatMap(numbersIn)]);
  const dates = said.texts.flatMap((text) => datesOf(fold(text))).map(({ value }) => value);
  for (const { year, month, day } of dates) for (const part of [year, month, day]) known.add(part ?? 0);
  for (const time of times) if (time % 60 === 0) known.add(time / 60).add((time / 60) % 12);
  if (/^\d+$/.test(spec.variant)) known.add(Number(spec.variant));
  if (spec.entity?.fields.some(({ type }) => type === 'rating')) known.add(1).add(5);
  const phones = said.texts.map((text) => text.replace(/\D/g, '')).filter((digits) => digits.length >= 7);
  const tokens = rest.match(/(?<![\p{L}\d])\d+(?:[.,']\d+)*/gu) ?? [];
  return [...new Set(tokens)].filter((token) => {
    const ways = numbersIn(token).flatMap((value) => [value, value * 60, value / 100]);
    return !ways.some((value) => known.has(value)) && !phones.some((digits) => digits.includes(token));
  });
}

/** The words that a spec takes up by what it is and not by what it says: its kind, colour, types, features. */
function conceptsOf(spec: ScoredSpec, lang: PromptLang): (word: string) => boolean {
  const words = languageWords(lang);
  const taken = new Set<string>();
  const take = (list: ReadonlySet<string> | undefined) => {
    for (const word of list ?? []) taken.add(stem(word, lang));
  };
  const fields = viewOf(spec).fields;
  take(words.looks);
  take(words.kinds[spec.kind]);
  take(new Set(wordsOf(`${spec.kind} ${spec.variant}`)));
  for (const name of hueNames(spec.palette.accent)) take(words.colours[name]);
  if (spec.palette.mode === 'dark') {
    take(words.dark);
    take(words.colours['black']);
  }
  for (const { type } of fields) take(words.types[type ?? 'number']);
  for (const feature of spec.features) take(words.features[feature]);
  take(words.languages[spec.lang]);
  take(words.currencies[spec.currency]);
  if (fields.some(({ required }) => required))
    take(new Set(wordsOf('required obligatorio obligatoire pflichtfeld')));
  return (word) => taken.has(stem(word, lang));
}
