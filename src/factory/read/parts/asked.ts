import type { Draft, Token } from '../draft.ts';
import { lexiconOf } from '../lexicon.ts';
import { endsSentence } from '../lists/zone.ts';
import { type Pair, pairOf } from './pair.ts';
import type { PairWords } from './pair-words.ts';

/** `capital of France? Paris; …`. */
export function askedPairs(draft: Draft, words: PairWords): Pair[] {
  const { prompt, tokens, lang } = draft;
  const { data, asking } = lexiconOf(lang);
  const asks = tokens.flatMap(({ text }, at) => (text === '?' ? [at] : []));
  const commas =
    asks.length > 1 && asks.slice(0, -1).every((at, n) => answerEnd(draft, at, asks[n + 1]) === null);
  const choices = asks.slice(0, -1).some((at, n) => commasBehind(draft, at, asks[n + 1]).length > 1);
  let last = 0;
  return asks.flatMap((at, n): Pair[] => {
    const next = asks[n + 1];
    const from = frontStart(draft, last, at, n === 0);
    const end =
      answerEnd(draft, at, next) ??
      (next === undefined && !commas ? tokens.length : commaEnd(draft, at, next, choices));
    const front = tokens.slice(from, at + 1);
    last = end ?? at + 1;
    // What is asked of whoever builds the app stands at the beginning.
    const talk =
      n === 0 &&
      from <= 1 &&
      front.some(({ lower, lemma }) => asking.has(lower) || asking.has(lemma)) &&
      front.some(({ pos, lower }) => pos === 'pronoun' && !data.who.includes(lower));
    if (end === null || end <= at + 1 || talk || end - at > maxAnswerTokens) return [];
    const [first, behind] = [tokens[from], tokens[end - 1]];
    if (!first || !behind) return [];
    const asked = prompt.slice(first.start, tokens[at]?.end);
    return pairOf(asked, prompt.slice(tokens[at]?.end, behind.end), first.start, behind.end, words);
  });
}

const maxAnswerTokens = 40;

/** Where an answer ends that stands behind a question mark: in parentheses, or before a semicolon or full stop. */
function answerEnd({ tokens }: Draft, asked: number, next: number | undefined): number | null {
  const limit = next ?? tokens.length;
  let depth = 0;
  for (let at = asked + 1; at < limit; at += 1) {
    const text = tokens[at]?.text ?? '';
    if (/^[([]$/.test(text)) depth += 1;
    if (/^[)\]]$/.test(text)) {
      depth -= 1;
      if (depth === 0 && /^[([]$/.test(tokens[asked + 1]?.text ?? '')) return at + 1;
    }
    if (depth <= 0 && (text === ';' || text === '¿' || (text !== '?' && endsSentence(tokens, at)))) return at;
  }
  return null;
}

/** The commas behind a question that stand in no parentheses. */
function commasBehind({ tokens }: Draft, asked: number, next: number | undefined): number[] {
  const found: number[] = [];
  let depth = 0;
  for (let at = asked + 1; at < (next ?? tokens.length); at += 1) {
    const text = tokens[at]?.text ?? '';
    if (/^[([]$/.test(text)) depth += 1;
    if (/^[)\]]$/.test(text)) depth -= 1;
    if (depth === 0 && text === ',') found.push(at);
  }
  return found;
}

/**
 * Where an answer ends where only commas part the questions: before the last one, as those in front of it part the choices.
 * Where there are none to choose from, the last answer ends with its first comma.
 */
function commaEnd(draft: Draft, asked: number, next: number | undefined, choices: boolean): number | null {
  const commas = commasBehind(draft, asked, next);
  if (next !== undefined) return commas.at(-1) ?? null;
  return choices ? draft.tokens.length : (commas[0] ?? draft.tokens.length);
}

/** A question begins behind the last colon or sentence before it, or with the word that asks. */
function frontStart({ tokens, lang }: Draft, from: number, asked: number, first: boolean): number {
  const { data } = lexiconOf(lang);
  let start = from;
  for (let at = from; at < asked; at += 1) {
    const { text = '' } = tokens[at] ?? {};
    if (/^[:;¿]$/.test(text) || (endsSentence(tokens, at) && text !== '?')) start = at + 1;
  }
  while (start < asked && isNumbering(tokens, start)) start += 1;
  if (!first || start > from) return start;
  const asks = tokens
    .slice(start, asked)
    .findIndex(
      ({ lower }) => data.who.includes(lower) || data.many.some((phrase) => phrase.split(' ')[0] === lower),
    );
  return asks > 0 ? start + asks : start;
}

const isNumbering = (tokens: readonly Token[], at: number) =>
  /^[,.)(–—•*-]$/.test(tokens[at]?.text ?? '') ||
  (/^\d{1,2}$/.test(tokens[at]?.text ?? '') && /^[.)]$/.test(tokens[at + 1]?.text ?? ''));
