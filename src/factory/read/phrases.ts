import type { Lang } from '../spec.ts';
import type { Token } from './draft.ts';
import { spansOf } from './tokens.ts';

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
