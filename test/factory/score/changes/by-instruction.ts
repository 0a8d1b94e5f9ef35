import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'yaml';
import type { Wish } from '../checks.ts';
import {
  type PromptEntry,
  type PromptLang,
  promptLangOf,
  type Spellings,
  spellingsOf,
} from '../prompt-set.ts';
import { fold, weekdayNames } from '../text.ts';
import type { Asked } from './by-form.ts';
import { dateText, factSort, maxInTagline, phraseOf, typedAs } from './fact-places.ts';

/** What somebody says at most in one instruction, in wishes; the box takes `maxInstruction` characters. */
export const maxWishes = 4;
export const maxInstruction = 500;

const order: readonly Wish['sort'][] = ['served', 'kind', 'variant', 'language', 'name', 'accent', 'mode'];
const rank = ({ sort }: Wish) => (order.includes(sort) ? order.indexOf(sort) : order.length);

/** What somebody sees of the app that they talk about. */
export interface Seen {
  readonly kind: string;
  readonly tagline: string;
}

/**
 * Says what is wished in the language of the prompt, as people do: several wishes in one instruction, those that decide
 * on others first.
 * @param attempt from 0; each time it is said in other words
 */
export function askByInstruction(
  seen: Seen,
  wishes: readonly Wish[],
  entry: PromptEntry,
  attempt: number,
): Asked<string> {
  const phrases = phrasesOf(promptLangOf(entry));
  const left: Wish[] = [];
  let said = '';
  let count = 0;
  for (const wish of gathered(wishes, entry).toSorted((one, other) => rank(one) - rank(other))) {
    const sentence = sentenceFor(wish, seen, entry, phrases, attempt);
    if (sentence === null) {
      left.push(wish);
      continue;
    }
    const next = said === '' ? sentence : `${said}. ${capital(sentence, entry)}`;
    if (count >= maxWishes || next.length > maxInstruction) continue;
    said = next;
    count += 1;
  }
  return { change: said === '' ? null : said, left };
}

/** Wishes as somebody says them: a kind with its variant at once, and facts that nobody has placed as one list. */
function gathered(wishes: readonly Wish[], entry: PromptEntry): readonly Wish[] {
  const hasKind = wishes.some(({ sort }) => sort === 'kind');
  const texts = wishes.flatMap((wish) => {
    const text = wish.sort === 'fact' ? typedAs(wish.fact, entry.prompt) : '';
    return factSort(text) === 'text' && text !== '' && !/\d/.test(text) ? [text] : [];
  });
  const isListed = (wish: Wish) =>
    texts.length > maxInTagline && wish.sort === 'fact' && texts.includes(typedAs(wish.fact, entry.prompt));
  const rest = wishes.filter(
    (wish) => !(hasKind && (wish.sort === 'variant' || wish.sort === 'served')) && !isListed(wish),
  );
  if (texts.length > maxInTagline) return [...rest, { sort: 'list', entries: texts }];
  const [first, second] = texts;
  if (first === undefined || second === undefined) return rest;
  const others = rest.filter(
    (wish) => wish.sort !== 'fact' || !texts.includes(typedAs(wish.fact, entry.prompt)),
  );
  return [...others, { sort: 'fact', fact: `${first} – ${second}` }];
}

const capital = (text: string, entry: PromptEntry) =>
  text.replace(/^\p{Ll}/u, (letter) => letter.toLocaleUpperCase(promptLangOf(entry)));

/** How somebody says one wish; null where there is no saying it. */
function sentenceFor(
  wish: Wish,
  { kind, tagline }: Seen,
  entry: PromptEntry,
  phrases: Phrases,
  attempt: number,
): string | null {
  const say = (name: string, values: Readonly<Record<string, string | undefined>> = {}): string | null => {
    const ways = phrases.says[name] ?? [];
    const way = ways[attempt % Math.max(1, ways.length)];
    if (way === undefined || Object.values(values).includes(undefined)) return null;
    return way.replace(/\{(\w+)\}/g, (_, slot: string) => values[slot] ?? '');
  };
  const named = (words: Readonly<Record<string, string>>, names: readonly string[]) =>
    names.map((name) => words[name]).find((word) => word !== undefined);
  const listed = (entries: readonly string[]) => entries.join(', ');
  switch (wish.sort) {
    case 'kind': {
      const variant = named(phrases.variants, entry.expect.variant ?? []);
      if (variant !== undefined) return say('kind', { kind: variant });
      return say('kind', { kind: named(phrases.kinds, wish.kinds) });
    }
    case 'served':
      return say('kind', { kind: named(phrases.kinds, entry.expect.kind) });
    case 'variant':
      return say('variant', { variant: named(phrases.variants, wish.variants) });
    case 'language':
      return say('language', { language: phrases.languages[wish.lang] });
    case 'mode':
      return say(wish.mode);
    case 'currency':
      return say('currency', { currency: phrases.currencies[wish.currency] ?? wish.currency });
    case 'accent':
      return say('accent', { colour: named(phrases.colours, wish.hues) });
    case 'name':
      return say('name', { name: wish.name });
    case 'name part':
      return say('name', { name: (entry.expect.name_contains ?? [wish.part]).join(` ${phrases.and} `) });
    case 'feature':
      return say('feature', { feature: phrases.features[wish.feature] });
    case 'field':
      return fieldSentence(wish, phrases, say);
    case 'no field':
      return say('noField', { label: wish.label });
    case 'no total':
      return say('noTotal', { label: wish.label });
    case 'no text':
      return say('noText', { text: wish.text });
    case 'fact':
      return factSentence(typedAs(wish.fact, entry.prompt), { kind, tagline }, entry, say);
    case 'list':
      return say(listName(entry.expect.kind.includes(kind) ? kind : (entry.expect.kind[0] ?? ''), entry), {
        entries: listed(wish.entries),
      });
    case 'item':
      return itemSentence(wish.facts, entry, say);
    case 'told':
      return say(wish.head ? 'head' : 'told', { text: spellingsOf(wish.what)[0] });
  }
}

type Say = (name: string, values?: Readonly<Record<string, string | undefined>>) => string | null;

function fieldSentence(
  { wanted, label: there }: Extract<Wish, { sort: 'field' }>,
  { types }: Phrases,
  say: Say,
): string | null {
  const { label: labels, type, options, required } = wanted;
  const label = there ?? labels[0];
  const chosen = options?.join(', ');
  if (there === null) {
    if (chosen !== undefined) return say('fieldOptions', { label, options: chosen });
    // Only what is no plain text is worth a word.
    return type.includes('text')
      ? say('field', { label })
      : say('typedField', { label, type: types[type[0] ?? ''] });
  }
  if (chosen !== undefined) return say('options', { label, options: chosen });
  return required ? say('required', { label }) : say('fieldType', { label, type: types[type[0] ?? ''] });
}

function factSentence(
  text: string,
  { kind, tagline }: Seen,
  { prompt, lang }: PromptEntry,
  say: Say,
): string | null {
  /** What stands there already is to stay. */
  const inTagline = (part: string) => say('text', { text: tagline === '' ? part : `${tagline} – ${part}` });
  switch (factSort(text)) {
    case 'email':
      return say('email', { text });
    case 'phone':
      return say('phone', { text });
    case 'date':
      return say('day', { text: dateText(text, lang) });
    case 'time':
      return hoursIn(prompt, lang) === null
        ? say('time', { text })
        : say('hours', { text: hoursIn(prompt, lang) ?? '' });
    case 'number':
      return pages.has(kind)
        ? inTagline(phraseOf(prompt, text))
        : say('number', { text: partWith(prompt, text) });
    case 'unit':
      return null;
    case 'text':
      return /\d/.test(text) ? say('address', { text }) : inTagline(text);
  }
}

/** Kinds that are made of texts: there a number stands in one. Elsewhere it is one that the app works with. */
const pages: ReadonlySet<string> = new Set(['landing', 'portfolio', 'docs', 'event', 'notes']);

/** The part of a prompt, between commas, that has a text. */
const partWith = (prompt: string, text: string): string =>
  prompt
    .split(/[,;:\n]|(?<!\d)\. /)
    .find((part) => part.includes(text))
    ?.trim() ?? text;

/** The part of a prompt that says on which days and when. */
function hoursIn(prompt: string, lang: PromptEntry['lang']): string | null {
  const names = weekdayNames(lang);
  const parts = prompt.split(/[,;\n]|\. /).map((part) => part.trim());
  const found = parts.filter(
    (part) => /\d/.test(part) && part.split(/[^\p{L}]+/u).some((word) => names.has(fold(word))),
  );
  return found.length === 0 ? null : found.join(', ');
}

function listName(kind: string, { expect }: PromptEntry): string {
  if (kind === 'board') return 'columns';
  if (kind === 'picker' || kind === 'form') return 'choices';
  if (kind === 'calendar') return expect.variant?.includes('week') ? 'rows' : 'marks';
  return 'list';
}

function itemSentence(group: readonly Spellings[], { prompt, expect }: PromptEntry, say: Say): string | null {
  const facts = group.map((fact) => typedAs(fact, prompt));
  const title = facts.find((fact) => factSort(fact) === 'text') ?? facts[0] ?? '';
  const rest = facts.filter((fact) => fact !== title);
  const text = rest.join(', ');
  if (expect.kind.some((kind) => kind === 'quiz' || kind === 'flashcards'))
    return say('question', { title, text });
  const isPrice = rest.length === 1 && factSort(text) === 'number' && expect.kind.includes('landing');
  return isPrice ? say('price', { title, price: text }) : say('item', { title, text });
}

type Words = Readonly<Record<string, string>>;

/** How people of a language ask for changes. */
export interface Phrases {
  readonly says: Readonly<Record<string, readonly string[]>>;
  /** How an answer of the product says that no app can do what was asked for. */
  readonly refuses: readonly string[];
  readonly and: string;
  readonly kinds: Words;
  readonly variants: Words;
  readonly types: Words;
  readonly features: Words;
  readonly colours: Words;
  readonly languages: Words;
  readonly currencies: Words;
}

const phrasesFile = path.join(import.meta.dirname, 'phrases.yaml');
let phrases: Readonly<Record<PromptLang, Phrases>> | undefined;

/** The phrases of a language, from `phrases.yaml`. */
export function phrasesOf(lang: PromptLang): Phrases {
  phrases ??= parse(readFileSync(phrasesFile, 'utf8')) as Readonly<Record<PromptLang, Phrases>>;
  return phrases[lang];
}
