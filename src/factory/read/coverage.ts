import type { AppSpec } from '../spec.ts';
import type { Draft, Span, Token } from './draft.ts';
import type { Lexicon } from './lexicon.ts';
import { fold } from './phrases.ts';

const maxEntries = 60;
const maxEntry = 120;

/** Stretches of the prompt that decided something: the cues of the kind, the colour, the name, features. */
export type Deciding = readonly Pick<Span, 'start' | 'end'>[];

/**
 * What of a prompt the spec holds nowhere: content words, numbers, names and quoted texts, in their order and as they
 * are written, joined where they stand together. Every such word is in the spec, decided something, or is here.
 */
export function notTakenUp(draft: Draft, spec: AppSpec, deciding: Deciding, lexicon: Lexicon): string[] {
  const held = heldIn(spec, lexicon);
  const missing = draft.tokens.map(
    (token, index) =>
      counts(token, draft.tokens, index, lexicon) &&
      !labels(token, draft, lexicon) &&
      !isHeld(token, draft, held) &&
      !within(token, deciding),
  );
  return joined(draft, missing);
}

const within = ({ start, end }: Token, spans: Deciding) =>
  spans.some((span) => start >= span.start && end <= span.end);

/** Content: whatever is neither a function word, nor a mark, nor a word of asking. */
function counts(token: Token, tokens: readonly Token[], index: number, lexicon: Lexicon): boolean {
  if (token.pos === 'mark') return /[\p{L}\p{N}\p{Extended_Pictographic}]/u.test(token.text);
  if (/\d/.test(token.text)) return true;
  const { lower, lemma } = token;
  if (lexicon.closed.has(lower) || lexicon.fillers.has(lower)) return false;
  const asks =
    lexicon.asking.has(lower) ||
    lexicon.asking.has(lemma) ||
    lexicon.generic.has(lower) ||
    lexicon.generic.has(lemma);
  // “A reader for web pages”: behind a preposition it is what the app is for.
  if (tokens[index - 1]?.pos === 'preposition' && (token.pos === 'noun' || token.pos === 'name')) return true;
  // “Work” asks in “it should work”; with a capital inside a sentence it is a name.
  return (
    !asks || (token.pos === 'name' && index > 0 && tokens[index - 1]?.pos === 'name' && lexicon.lang !== 'de')
  );
}

/** “Tel” before a telephone number says nothing more than the number does. */
function labels({ lower, end }: Token, { facts }: Draft, { data }: Lexicon): boolean {
  const before = (spans: readonly Span[]) => spans.some(({ start }) => start >= end && start - end <= 3);
  return (
    (before(facts.hours) && (data.open.includes(lower) || data.closed.includes(lower))) ||
    (before(facts.phones) && (data.types.phone ?? []).includes(lower)) ||
    (before(facts.emails) && (data.types.email ?? []).includes(lower)) ||
    (before(facts.urls) && (data.types.url ?? []).includes(lower))
  );
}

interface Held {
  readonly words: ReadonlySet<string>;
  readonly numbers: ReadonlySet<number>;
  readonly text: string;
}

/** All words, base forms and numbers of a spec. Its assumptions say what is not in it, so they do not count. */
function heldIn(spec: AppSpec, { data }: Lexicon): Held {
  const texts: string[] = [];
  const numbers = new Set<number>();
  const collect = (value: unknown): void => {
    if (typeof value === 'string') texts.push(value);
    else if (typeof value === 'number') numbers.add(value);
    else if (value && typeof value === 'object') for (const part of Object.values(value)) collect(part);
  };
  const {
    name,
    entity,
    seed,
    sections,
    questions,
    hours,
    contact,
    formula,
    grid,
    choices,
    settings,
    copy,
    tagline,
    features,
  } = spec;
  collect({
    name,
    entity,
    seed,
    sections,
    questions,
    hours,
    contact,
    formula,
    grid,
    choices,
    settings,
    copy,
    tagline,
  });
  const text = fold(texts.join('\n'));
  for (const digits of text.match(/\d+(?:[.,]\d+)*/g) ?? []) numbers.add(Number(digits.replace(',', '.')));
  for (const value of [...numbers]) numbers.add(value / 60);
  const words = new Set(text.match(/[\p{L}\d]+/gu));
  for (const feature of features) for (const word of data.features[feature] ?? []) words.add(fold(word));
  return { words, numbers, text };
}

/** Whether a token, or the fact that it is part of, is in the spec. */
function isHeld(token: Token, { facts, quantities }: Draft, held: Held): boolean {
  const parts = fold(token.text).match(/[\p{L}\d]+/gu) ?? [];
  if (parts.length > 0 && parts.every((part) => held.words.has(part))) return true;
  if (parts.length > 0 && held.words.has(fold(token.lemma))) return true;
  const covering = <Found extends Span>(spans: readonly Found[]) =>
    spans.filter(({ start, end }) => token.start >= start && token.end <= end);
  const has = (text: string) => text !== '' && held.text.includes(fold(text));
  return (
    covering(facts.dates).some(({ value }) => has(value)) ||
    covering(facts.times).some(({ from, to }) => has(from) && (to === '' || has(to))) ||
    covering(facts.hours).some(({ days, time }) => has(days) && has(time)) ||
    covering(facts.prices).some(({ shown, amount }) => has(shown) || held.numbers.has(amount)) ||
    covering(quantities).some(
      ({ value, unit, text }) => held.numbers.has(value) && (unit !== '' || text === token.text),
    ) ||
    [facts.emails, facts.phones, facts.urls, facts.addresses].some((spans) =>
      covering(spans).some(({ text }) => has(text)),
    )
  );
}

/** The missing words as phrases: small words between two of them belong to the phrase. */
function joined({ prompt, tokens }: Draft, missing: readonly boolean[]): string[] {
  const phrases: string[] = [];
  let start = -1;
  let end = -1;
  let gap = 0;
  const flush = () => {
    if (start >= 0) phrases.push(...pieces(prompt.slice(start, end)));
    start = -1;
  };
  for (const [index, token] of tokens.entries()) {
    if (missing[index]) {
      if (start < 0) start = token.start;
      end = token.end;
      gap = 0;
    } else if (start >= 0) {
      gap += 1;
      const links =
        token.pos === 'preposition' || token.pos === 'determiner' || token.text === '-' || token.text === '/';
      if (!links || gap > 2) flush();
    }
  }
  flush();
  return phrases.slice(0, maxEntries);
}

/** A phrase that is too long to be shown whole, cut between words. */
function pieces(phrase: string): string[] {
  const lines: string[] = [];
  for (const word of phrase.split(' ')) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + word.length < maxEntry)
      lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(...(word.match(new RegExp(`.{1,${maxEntry}}`, 'gsu')) ?? []));
  }
  return lines;
}
