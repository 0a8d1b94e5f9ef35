import type { AppSpec } from '../spec.ts';
import type { Draft, Span, Token } from './draft.ts';
import { singularOf } from './language-data.ts';
import type { Lexicon } from './lexicon.ts';
import { fold } from './phrases.ts';

/** Members that say how an app is made, and that it does not show; assumptions say what is not in it. */
const inner: ReadonlySet<string> = new Set(
  'v kind variant lang palette currency features icon assumptions key type total'.split(' '),
);

const maxEntries = 60;
const maxEntry = 120;

/** Stretches of the prompt that decided something: the verbs of the kind, the colour, the name, features. */
export type Deciding = readonly Pick<Span, 'start' | 'end'>[];

/**
 * What of a prompt the spec holds nowhere: content words, numbers, names and quoted texts, in their order and as they
 * are written, with the small words that belong to them. Every such word is in the spec, decided something, or is here.
 *
 * @param impossible what no kind does; of that nothing is ever taken up
 * @param asked the first token behind what is asked for
 */
export function notTakenUp(
  draft: Draft,
  spec: AppSpec,
  deciding: Deciding,
  impossible: Deciding,
  asked: number,
  lexicon: Lexicon,
): string[] {
  const held = heldIn(spec, lexicon);
  const { tokens } = draft;
  const wholes = wholesOf(draft);
  const asking = new Set(
    tokens.flatMap((_, index) =>
      Array.from({ length: lexicon.asking.at(tokens, index)?.length ?? 0 }, (_, offset) => index + offset),
    ),
  );
  const alone = tokens.map(
    (token, index) =>
      counts(token, tokens, index, asking.has(index), lexicon) &&
      (within(token, impossible) || (!isHeld(token, draft, held) && !within(token, deciding))),
  );
  // A time is missing with its colon, a quoted text with its small words.
  const gone = wholes.filter((whole) =>
    tokens.some((token, index) => alone[index] && within(token, [whole])),
  );
  const missing = tokens.map(
    (token, index) => within(token, gone) || (alone[index] === true && !labels(token, draft, gone, lexicon)),
  );
  const later = new Set([...asking].filter((index) => index >= asked));
  return stretches(draft, missing, { asking, later }, lexicon)
    .flatMap(([from, to]) => pieces(tokens.slice(from, to), draft))
    .slice(0, maxEntries);
}

/** What is in the spec whole or not at all. */
const wholesOf = ({ facts, quoted }: Draft): readonly Span[] => [
  ...facts.dates,
  ...facts.times,
  ...facts.hours,
  ...facts.prices,
  ...quoted,
];

const within = ({ start, end }: Pick<Span, 'start' | 'end'>, spans: Deciding) =>
  spans.some((span) => start >= span.start && end <= span.end);

/** Content: whatever is neither a function word, nor a mark, nor a word of asking. */
function counts(
  token: Token,
  tokens: readonly Token[],
  index: number,
  asking: boolean,
  { closed, fillers, generic, lang }: Lexicon,
): boolean {
  if (token.pos === 'mark') return /[\p{L}\p{N}\p{Extended_Pictographic}]/u.test(token.text);
  if (/\d/.test(token.text)) return true;
  const { lower, lemma, pos } = token;
  if (closed.has(lower) || fillers.has(lower)) return false;
  // “A reader for web pages”: behind a preposition it is what the app is for.
  if (tokens[index - 1]?.pos === 'preposition' && (pos === 'noun' || pos === 'name')) return true;
  // “Work” asks in “it should work”; with a capital inside a sentence it is a name.
  const name = pos === 'name' && index > 0 && tokens[index - 1]?.pos === 'name' && lang !== 'de';
  return name || !(asking || generic.has(lower) || generic.has(lemma));
}

/** “Tel” before a telephone number says nothing more than the number does, if that is taken up. */
function labels({ lower, end }: Token, { facts }: Draft, gone: readonly Span[], { data }: Lexicon): boolean {
  const before = (spans: readonly Span[]) =>
    spans.some((span) => span.start >= end && span.start - end <= 3 && !gone.includes(span));
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

/** All words, base forms and numbers of a spec. */
function heldIn(spec: AppSpec, { data }: Lexicon): Held {
  const { texts, numbers: counted } = shownIn(spec);
  const numbers = new Set(counted);
  const text = fold(texts.join('\n'));
  // Parts of dates and times are no numbers, and days from today are none that a prompt says.
  for (const digits of text.match(/(?<![\p{L}\d@:+.,-])\d+(?:[.,]\d+)*(?![\d:]|-\d)/gu) ?? [])
    numbers.add(Number(digits.replace(',', '.')));
  const found = text.match(/[\p{L}\d]+/gu) ?? [];
  const words = new Set([...found, ...found.map((word) => fold(singularOf(word, data)))]);
  for (const feature of spec.features) for (const word of data.features[feature] ?? []) words.add(fold(word));
  for (const { type } of spec.entity?.fields ?? [])
    for (const word of data.acts[type] ?? []) words.add(fold(word));
  return { words, numbers, text };
}

/** What a number with a unit may be kept as: minutes in seconds, percent as a share. */
const factors: Readonly<Record<string, readonly number[]>> = {
  minute: [60],
  hour: [60, 3600],
  percent: [0.01],
};

/** Whether a token, or the fact that it is part of, is in the spec. A date or a quoted text is there whole or not at all. */
function isHeld(token: Token, { facts, quantities, quoted }: Draft, held: Held): boolean {
  const covering = <Found extends Span>(spans: readonly Found[]) =>
    spans.filter(({ start, end }) => token.start >= start && token.end <= end);
  const has = (text: string) => text !== '' && held.text.includes(fold(text));
  const whole = [...covering(facts.dates), ...covering(facts.times), ...covering(quoted)];
  if (covering(facts.hours).some(({ days, time }) => has(days) && has(time))) return true;
  if (whole.length > 0)
    return (
      whole.some(({ text }) => has(text)) ||
      covering(facts.dates).some(({ value }) => has(value)) ||
      covering(facts.times).some(({ from, to }) => has(from) && (to === '' || has(to)))
    );
  const [quantity] = covering(quantities);
  const number = /^\d/.test(token.text);
  if (quantity) {
    const { value, unit, text } = quantity;
    const ways = [1, ...(factors[unit] ?? [])].map((factor) => value * factor);
    const known = ways.some((way) => held.numbers.has(way));
    if (number || factors[unit] !== undefined) return known && (unit !== '' || text === token.text);
  }
  const price = covering(facts.prices);
  if (price.some(({ shown, amount }) => has(shown) || held.numbers.has(amount))) return true;
  if (number && price.length === 0)
    return held.numbers.has(Number(token.text.replace(',', '.'))) || hasWord(token, held);
  return (
    hasWord(token, held) ||
    [facts.emails, facts.phones, facts.urls, facts.addresses].some((spans) =>
      covering(spans).some(({ text }) => has(text)),
    )
  );
}

function hasWord(token: Token, { words, numbers, text }: Held): boolean {
  if (/^\d/.test(token.text)) return new RegExp(`(?<![\\d@:.,-])${token.text}(?![\\d:.,-])`).test(text);
  const parts = fold(token.text).match(/[\p{L}\d]+/gu) ?? [];
  const sides = /^\p{L}{1,2}(\d+)$/u.exec(token.text)?.[1];
  return (
    (parts.length > 0 && parts.every((part) => words.has(part))) ||
    words.has(fold(token.lemma)) ||
    // A die is called by its sides, which the app has as a number.
    (sides !== undefined && numbers.has(Number(sides)))
  );
}

const maxGap = 4;

/** The missing words as stretches of tokens, with the small words between and around them that make sense of them. */
function stretches(
  { tokens }: Draft,
  missing: readonly boolean[],
  { asking, later }: Readonly<Record<'asking' | 'later', ReadonlySet<number>>>,
  lexicon: Lexicon,
): [from: number, to: number][] {
  const small = (index: number) =>
    tokens[index] !== undefined && !missing[index] && isSmall(tokens[index], asking.has(index), lexicon);
  // Words of asking ask for the app, and behind it for what it shall have: “… and show the moon phases”.
  const also = (index: number) => later.has(index) && !missing[index];
  const found: [number, number][] = [];
  for (let index = 0; index < tokens.length; index += 1) {
    if (!missing[index]) continue;
    let to = index + 1;
    for (let next = to; next <= to + maxGap && (missing[next] || small(next)); next += 1)
      if (missing[next]) to = next + 1;
    const last = found.at(-1)?.[1] ?? 0;
    let from = index;
    for (
      let before = index - 1;
      before >= Math.max(last, index - maxGap) && (small(before) || also(before));
      before -= 1
    )
      if (also(before) || belongs(tokens[before], lexicon)) from = before;
    let end = to;
    for (let next = to; next <= to + maxGap && small(next); next += 1)
      if (tailing(tokens[next], lexicon)) end = next + 1;
    found.push([from, end]);
    index = end - 1;
  }
  return found;
}

/** A function word, which says nothing by itself. Words of asking speak to whoever builds, and end a stretch. */
const isSmall = ({ pos, lower }: Token, asking: boolean, { closed, generic }: Lexicon): boolean =>
  /preposition|determiner|pronoun|conjunction/.test(pos) ||
  (pos !== 'mark' && closed.has(lower) && !asking && !generic.has(lower));

/** “While we wait”, “has been missing”: what stands before a word and belongs to it. */
const belongs = (token: Token | undefined, { data }: Lexicon): boolean =>
  token !== undefined &&
  [data.conjunctions, data.auxiliaries, data.adverbs, Object.keys(data.numbers)].some((words) =>
    words.includes(token.lower),
  );

const tailing = (token: Token | undefined, { data }: Lexicon): boolean =>
  token !== undefined && [data.auxiliaries, data.adverbs].some((words) => words.includes(token.lower));

const maxWords = 8;

/** A stretch in pieces that are short enough to be shown as one entry each, cut between words. Quoted text is one. */
function pieces(tokens: readonly Token[], { prompt, quoted }: Draft): string[] {
  const lines: { from: number; to: number; words: number }[] = [];
  for (const token of tokens) {
    const words = token.text.match(/[\p{L}\d]+/gu)?.length ?? 0;
    const last = lines.at(-1);
    const together =
      last !== undefined && quoted.some((span) => within(token, [span]) && last.to > span.start);
    if (last && (together || last.words + words <= maxWords) && token.end - last.from <= maxEntry) {
      last.to = token.end;
      last.words += words;
    } else lines.push({ from: token.start, to: token.end, words });
  }
  return lines.flatMap(
    ({ from, to }) => prompt.slice(from, to).match(new RegExp(`.{1,${maxEntry}}`, 'gsu')) ?? [],
  );
}

/** All texts and numbers that an app shows. */
export function shownIn(spec: AppSpec): {
  readonly texts: readonly string[];
  readonly numbers: readonly number[];
} {
  const texts: string[] = [];
  const numbers: number[] = [];
  const collect = (value: unknown): void => {
    if (typeof value === 'string') texts.push(value);
    else if (typeof value === 'number') numbers.push(value);
    else if (value && typeof value === 'object')
      for (const [member, part] of Object.entries(value)) if (!inner.has(member)) collect(part);
  };
  collect(spec);
  return { texts, numbers };
}
