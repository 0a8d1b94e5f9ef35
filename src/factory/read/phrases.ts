import type { Lang } from '../spec.ts';
import type { Span, Token } from './draft.ts';
import { spansOf } from './spans.ts';

/** French and Italian write some short words against the next one: l’eau, dell’anno. */
const elides: ReadonlySet<Lang> = new Set<Lang>(['fr', 'it']);

const address = String.raw`[\p{L}\d._+-]{1,64}@[\p{L}\d-]{1,63}(?:\.[\p{L}\d-]{1,63}){1,4}`;

const link = String.raw`(?:https?://|www\.)[^\s,;"“”<>]{1,300}`;

const number = String.raw`\d+(?:[.,]\d+)*`;

const elided = String.raw`\p{L}{1,5}['’](?=[\p{L}])`;

/** `U3A` and `u3a` are one word each, as `D20` is; the full stop of a title ends no sentence. */
const wordOf = String.raw`(?:Drs?|Prof|Mrs?|Ms)\.(?= ?\p{Lu})|\p{Lu}[\p{L}\p{M}]*\d+(?:\p{L}[\p{L}\d]*)?|\p{L}\d\p{L}+|[\p{L}\p{M}]+(?:['’-](?=\p{L})[\p{L}\p{M}]+)*[²³]?`;

const common = new RegExp(`${address}|${link}|${number}|${wordOf}|\\S`, 'gu');

const eliding = new RegExp(`${address}|${link}|${number}|${elided}|${wordOf}|\\S`, 'gu');

/** Small letters without accents: prompts leave accents out. */
export function fold(text: string): string {
  // Most words are folded already, and each is looked up in many lists.
  if (!/[A-Z\u007f-\uffff]/.test(text)) return text;
  return text
    .toLowerCase()
    .normalize('NFD')
    .replace(/[\u0300-\u036f]/g, '')
    .replaceAll('’', "'");
}

interface Entry<Value> {
  readonly words: readonly string[];
  /** How many tokens it takes. */
  readonly length: number;
  readonly values: Value[];
}

/** Whether a token is a folded word, by form or base form. */
export const isForm = (token: Token | undefined, word: string): boolean =>
  token !== undefined && (fold(token.lower) === word || fold(token.lemma) === word);

/** Words and groups of words that are looked for among tokens, by form or base form, without regard to accents. */
export class Phrases<Value> {
  readonly #lang: Lang;
  readonly #byFirst = new Map<string, Entry<Value>[]>();

  /** @param lang French and Italian write short words against the next */
  constructor(lang: Lang) {
    this.#lang = lang;
  }

  add(phrase: string, value: Value): void {
    const words = wordsOf(phrase, this.#lang).map(({ text }) => fold(text));
    const [first = ''] = words;
    const entries = this.#byFirst.get(first) ?? [];
    const same = entries.find((entry) => entry.words.join(' ') === words.join(' '));
    if (same) same.values.push(value);
    else entries.push({ words, length: words.length, values: [value] });
    this.#byFirst.set(first, entries);
  }

  /** Whether there is this word alone. */
  has(word: string): boolean {
    return this.#byFirst.get(fold(word))?.some(({ length }) => length === 1) ?? false;
  }

  /** The longest that begins at a token; null where none does. */
  at(tokens: readonly Token[], index: number): Entry<Value> | null {
    const token = tokens[index];
    const [form, base] = [fold(token?.lower ?? ''), fold(token?.lemma ?? '')];
    const goesOn = (word: string, offset: number) => offset === 0 || isForm(tokens[index + offset], word);
    let best: Entry<Value> | null = null;
    for (const first of form === base ? [form] : [form, base])
      for (const entry of this.#byFirst.get(first) ?? [])
        if (entry.length > (best?.length ?? 0) && entry.words.every(goesOn)) best = entry;
    return best;
  }
}

/** Phrases that only are there or not. */
export function phraseSet(phrases: readonly string[], lang: Lang): Phrases<true> {
  const set = new Phrases<true>(lang);
  for (const phrase of phrases) set.add(phrase, true);
  return set;
}

/** The words, numbers and marks of a prompt, in order. Addresses and links are one each. */
export const wordsOf = (prompt: string, lang: Lang): Span[] =>
  spansOf(prompt, elides.has(lang) ? eliding : common);

/** Text in quotation marks of any of the six languages, without them. An apostrophe opens nothing. */
export function quotedIn(prompt: string): Span[] {
  return [
    ...prompt.matchAll(
      /["“„«»”]\s?([^"“”„«»]{1,200}?)\s?["“”»«]|(?<![\p{L}\d])['‘]([^'‘’]{2,80})['’](?![\p{L}\d])/gu,
    ),
  ]
    .map((match) => {
      const text = (match[1] ?? match[2] ?? '').trim();
      const start = prompt.indexOf(text, match.index + 1);
      return { text, start, end: start + text.length };
    })
    .filter(({ text }) => text !== '');
}
