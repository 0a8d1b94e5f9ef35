/** The thread of the local engines: takes one call after the other. Nothing of it is loaded before it is needed. */

import { parentPort } from 'node:worker_threads';
import { verdictOf } from '../model-engine.ts';
import { keywords } from './keywords.ts';
import { detectLanguage, languageName } from './language.ts';
import { sentiment } from './sentiment.ts';
import { stopWordsOf } from './stop-words.ts';
import { summarize } from './summarize.ts';
import type { LocalAnswer, LocalCall } from './thread.ts';
import { isContent, keyOf, type LocalOutcome, wordsOf } from './words.ts';

/** The local engines, by the feature's id. The input has been checked and its defaults filled in. */
const engines: Readonly<Record<string, (input: never) => LocalOutcome>> = {
  compare,
  keywords,
  sentiment,
  summarize,
  'detect-language': ({ text }: { readonly text: string }) => {
    const { language, reliable, candidates } = detectLanguage(text);
    const name = language === null ? null : languageName(language);
    return { output: { language, name, reliable, candidates } };
  },
};

parentPort?.on('message', ({ id, feature, input }: LocalCall) => {
  parentPort?.postMessage(answerOf(id, feature, input));
});

function answerOf(id: number, feature: string, input: unknown): LocalAnswer {
  try {
    return { id, outcome: runLocally(feature, input) };
  } catch (error) {
    return { id, error: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  }
}

export function runLocally(feature: string, input: unknown): LocalOutcome {
  const engine = engines[feature];
  if (!engine) throw new Error(`there is no local engine for ${feature}`);
  return engine(input as never);
}

/** Below so many letters the letters count too: a typo in a name makes another word of it. */
const shortText = 200;
const listed = 10;

/** How alike two texts are in their words, the order of their words and, for short ones, their letters. */
function compare({ a, b }: { readonly a: string; readonly b: string }): LocalOutcome {
  const one = textOf(a);
  const other = textOf(b);
  const same = flat(a) === flat(b);
  const similarity = same ? 1 : Math.min(0.99, likeness(one, other, flat(a), flat(b)));
  const rounded = Math.round(similarity * 100) / 100;
  return {
    output: {
      similarity: rounded,
      verdict: verdictOf(rounded),
      shared: top(one.content, (key) => other.content.has(key)),
      only_a: top(one.content, (key) => !other.content.has(key)),
      only_b: top(other.content, (key) => !one.content.has(key)),
    },
  };
}

interface Text {
  readonly keys: readonly string[];
  /** Words that say what it is about, and how often. */
  readonly content: ReadonlyMap<string, number>;
  /** All words with their weights: stop words count little. */
  readonly weights: ReadonlyMap<string, number>;
}

function textOf(text: string): Text {
  const { language } = detectLanguage(text);
  const stopWords = stopWordsOf(language);
  const words = wordsOf(text, language);
  const content = new Map<string, number>();
  const weights = new Map<string, number>();
  for (const word of words) {
    const telling = isContent(word, stopWords) || /\p{N}/u.test(word.key);
    if (telling) content.set(word.key, (content.get(word.key) ?? 0) + 1);
    weights.set(word.key, (weights.get(word.key) ?? 0) + (telling ? 1 : 0.2));
  }
  return { keys: words.map(({ key }) => key), content, weights };
}

function likeness(one: Text, other: Text, a: string, b: string): number {
  const words = cosine(one.weights, other.weights);
  const order = dice(runs(one.keys, 3, ' '), runs(other.keys, 3, ' '));
  const byWords = 0.75 * words + 0.25 * order;
  if (Math.max(a.length, b.length) > shortText) return byWords;
  const letters = dice(runs([...a], 2, ''), runs([...b], 2, ''));
  return Math.max(0.6 * byWords + 0.4 * letters, 0.9 * letters);
}

/** In lower case, blanks as one, so that the layout makes no difference. */
function flat(text: string): string {
  return keyOf(text).replaceAll(/\s+/g, ' ').trim();
}

function cosine(one: ReadonlyMap<string, number>, other: ReadonlyMap<string, number>): number {
  const length = (map: ReadonlyMap<string, number>) => {
    let sum = 0;
    for (const value of map.values()) sum += value * value;
    return Math.sqrt(sum);
  };
  let product = 0;
  for (const [key, value] of one) product += value * (other.get(key) ?? 0);
  const lengths = length(one) * length(other);
  return lengths === 0 ? 0 : product / lengths;
}

/** Sørensen–Dice: twice what both have, in what each has. */
function dice(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  if (one.size + other.size === 0) return 0;
  let both = 0;
  for (const entry of one) if (other.has(entry)) both += 1;
  return (2 * both) / (one.size + other.size);
}

function runs(parts: readonly string[], length: number, between: string): Set<string> {
  if (parts.length < length) return new Set(parts.length === 0 ? [] : [parts.join(between)]);
  return new Set(parts.slice(length - 1).map((_, at) => parts.slice(at, at + length).join(between)));
}

function top(counts: ReadonlyMap<string, number>, wanted: (key: string) => boolean): string[] {
  return [...counts]
    .filter(([key]) => wanted(key))
    .sort((one, other) => other[1] - one[1])
    .slice(0, listed)
    .map(([key]) => key);
}
