import type { Lang } from '../spec.ts';
import type { Span, Token } from './draft.ts';

/** French and Italian write some short words against the next one: l’eau, dell’anno. */
const elides: ReadonlySet<Lang> = new Set(['fr', 'it'] as Lang[]);

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
  if (isFolded(text)) return text;
  return text
    .toLowerCase()
    .normalize('NFD')
    .replace(/[\u0300-\u036f]/g, '')
    .replaceAll('’', "'");
}

function isFolded(text: string): boolean {
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (code > 0x7e || (code >= 0x41 && code <= 0x5a)) return false;
  }
  return true;
}

interface Entry<Value> {
  readonly words: readonly string[];
  readonly values: Value[];
}

export interface PhraseFound<Value> {
  /** How many tokens it takes. */
  readonly length: number;
  readonly values: readonly Value[];
}

/** Words and groups of words that are looked for among tokens, by form or base form, without regard to accents. */
export class Phrases<Value> {
  readonly #lang: Lang;
  readonly #byFirst = new Map<string, Entry<Value>[]>();

  /** @param lang French and Italian write short words against the next */
  constructor(entries: Iterable<readonly [phrase: string, value: Value]>, lang: Lang) {
    this.#lang = lang;
    for (const [phrase, value] of entries) this.add(phrase, value);
  }

  add(phrase: string, value: Value): void {
    const words = spansOf(phrase, this.#lang).map(({ text }) => fold(text));
    const [first] = words;
    if (first === undefined) return;
    const entries = this.#byFirst.get(first) ?? [];
    const same = entries.find((entry) => entry.words.join(' ') === words.join(' '));
    if (same) same.values.push(value);
    else entries.push({ words, values: [value] });
    this.#byFirst.set(first, entries);
  }

  /** Whether there is this word alone. */
  has(word: string): boolean {
    return this.#byFirst.get(fold(word))?.some(({ words }) => words.length === 1) ?? false;
  }

  /** The longest that begins at a token; null where none does. */
  at(tokens: readonly Token[], index: number): PhraseFound<Value> | null {
    const token = tokens[index];
    if (!token) return null;
    const form = fold(token.lower);
    const base = fold(token.lemma);
    const best = this.#longest(form, tokens, index, null);
    const found = base === form ? best : this.#longest(base, tokens, index, best);
    return found && { length: found.words.length, values: found.values };
  }

  /** The longest that begins with such a word, if it is longer than the best so far. */
  #longest(
    first: string,
    tokens: readonly Token[],
    index: number,
    before: Entry<Value> | null,
  ): Entry<Value> | null {
    let best = before;
    for (const entry of this.#byFirst.get(first) ?? []) {
      if (entry.words.length > (best?.words.length ?? 0) && this.#goesOn(entry, tokens, index)) best = entry;
    }
    return best;
  }

  #goesOn({ words }: Entry<Value>, tokens: readonly Token[], index: number): boolean {
    return words.every((word, offset) => {
      if (offset === 0) return true;
      const token = tokens[index + offset];
      return token !== undefined && (fold(token.lower) === word || fold(token.lemma) === word);
    });
  }
}

/** Phrases that only are there or not. */
export const phraseSet = (phrases: readonly string[], lang: Lang): Phrases<true> =>
  new Phrases(
    phrases.map((phrase) => [phrase, true] as const),
    lang,
  );

/** The words, numbers and marks of a prompt, in order. Addresses and links are one each. */
export function spansOf(prompt: string, lang: Lang): Span[] {
  return [...prompt.matchAll(elides.has(lang) ? eliding : common)].map((match) => ({
    text: match[0],
    start: match.index,
    end: match.index + match[0].length,
  }));
}

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
