import type { AppSpec } from '../spec.ts';
import type { Draft, Span, Stretch, Token } from './draft.ts';
import { singularOf } from './language-data.ts';
import type { Lexicon } from './lexicon.ts';
import { fold } from './phrases.ts';
import { isWithin, spanFrom } from './spans.ts';

/** Members that say how an app is made, and that it does not show; assumptions say what is not in it. */
const inner: ReadonlySet<string> = new Set(
  'v kind variant lang palette currency features icon assumptions key type total'.split(' '),
);

const maxEntries = 60;
const maxEntry = 120;

/** What decides whether a part of a prompt is taken up. */
interface Covering {
  readonly spec: AppSpec;
  /** What decided something: the verbs of the kind, the colour, the name, features. */
  readonly deciding: readonly Stretch[];
  /** What no kind does; of that nothing is ever taken up. */
  readonly impossible: readonly Stretch[];
  readonly lexicon: Lexicon;
}

/**
 * What of a prompt the spec holds nowhere: content words, numbers, names and quoted texts, in their order and as they
 * are written, with the small words that belong to them. Every such word is in the spec, decided something, or is here.
 */
export function notTakenUp(draft: Draft, { spec, deciding, impossible, lexicon }: Covering): string[] {
  const held = heldIn(spec, lexicon);
  const { tokens } = draft;
  const asking = new Set<number>();
  for (const at of tokens.keys())
    for (let step = lexicon.asking.at(tokens, at)?.length ?? 0; step > 0; step--) asking.add(at + step - 1);
  const alone = tokens.map(
    (token, index) =>
      counts(token, asking.has(index), lexicon) &&
      (isWithin(token, impossible) || (!isHeld(token, draft, held) && !isWithin(token, deciding))),
  );
  // A time is missing with its colon, a quoted text with its small words.
  const covered = wholesOf(draft).filter((whole) =>
    tokens.some((token, index) => alone[index] && isWithin(token, [whole])),
  );
  const missing = tokens.map(
    (token, index) =>
      isWithin(token, covered) || (alone[index] === true && !labels(token, draft, covered, lexicon)),
  );
  return stretches(draft, missing, lexicon).slice(0, maxEntries);
}

/** What is in the spec whole or not at all. */
const wholesOf = ({ facts, quoted }: Draft): readonly Span[] => [
  ...facts.dates,
  ...facts.times,
  ...facts.hours,
  ...facts.prices,
  ...quoted,
];

/** Content: whatever is neither a function word, nor a mark, nor a word of asking. */
function counts(token: Token, asking: boolean, { closed, fillers, generic }: Lexicon): boolean {
  if (token.pos === 'mark') return /[\p{L}\p{N}\p{Extended_Pictographic}]/u.test(token.text);
  if (/\d/.test(token.text) || token.pos === 'number') return true;
  const { lower, lemma } = token;
  if (closed.has(lower) || fillers.has(lower)) return false;
  return !(asking || generic.has(lower) || generic.has(lemma));
}

/** “Tel” before a telephone number says nothing more than the number does, if that is taken up. */
function labels(
  { lower, end }: Token,
  { facts }: Draft,
  covered: readonly Span[],
  { data }: Lexicon,
): boolean {
  const { phone = [], email = [], url = [] } = data.types;
  const named = [...facts.hours, ...facts.phones, ...facts.emails, ...facts.urls].some(
    (span) => span.start >= end && span.start - end <= 12 && !covered.includes(span),
  );
  return named && [...data.open, ...data.closed, ...phone, ...email, ...url].includes(lower);
}

type Held = ReturnType<typeof heldIn>;

/** All words, base forms and numbers of a spec. */
function heldIn(spec: AppSpec, { data }: Lexicon) {
  const { texts, numbers: counted } = shownIn(spec);
  const numbers = new Set(counted);
  const text = fold(texts.join('\n'));
  // Parts of dates and times are no numbers, and days from today are none that a prompt says.
  for (const digits of text.match(/(?<![\p{L}\d@:+.,-])\d+(?:[.,]\d+)*(?![\d:]|-\d)/gu) ?? [])
    numbers.add(Number(digits.replace(',', '.')));
  const found = text.match(/[\p{L}\d]+/gu) ?? [];
  const words = new Set([...found, ...found.map((word) => fold(singularOf(word, data)))]);
  // Who may rate books finds a rating.
  if (spec.entity?.fields.some(({ type }) => type === 'rating'))
    for (const word of data.typeNames.rating ?? []) words.add(fold(word));
  return { words, numbers, text };
}

/** Whether a token, or the fact that it is part of, is in the spec. A date or a quoted text is there whole or not at all. */
function isHeld(token: Token, { facts, quantities, quoted }: Draft, held: Held): boolean {
  const covering = <Found extends Span>(spans: readonly Found[]) =>
    spans.filter((span) => isWithin(token, [span]));
  const has = (text: string) => text !== '' && held.text.includes(fold(text));
  const contacts = [...facts.emails, ...facts.phones, ...facts.urls, ...facts.addresses];
  if (covering(contacts).some(({ text }) => has(text))) return true;
  if (covering(facts.hours).some(({ days, time }) => has(days) && has(time))) return true;
  const [dates, times] = [covering(facts.dates), covering(facts.times)];
  const whole = [...dates, ...times, ...covering(quoted)];
  if (whole.length > 0)
    return (
      whole.some(({ text }) => has(text)) ||
      dates.some(({ value }) => has(value)) ||
      times.some(({ from, to }) => has(from) && (to === '' || has(to)))
    );
  const [quantity] = covering(quantities);
  const number = /^\d/.test(token.text);
  // Minutes may be kept as seconds, and percent as a share.
  if (quantity && number)
    return [1, 60, 3600, 0.01].some((factor) => held.numbers.has(quantity.value * factor));
  const price = covering(facts.prices);
  if (price.some(({ shown, amount }) => has(shown) || held.numbers.has(amount))) return true;
  const isNumber = number && price.length === 0 && held.numbers.has(Number(token.text.replace(',', '.')));
  return isNumber || hasWord(token, held);
}

function hasWord(token: Token, { words, text }: Held): boolean {
  if (/^\d/.test(token.text)) return new RegExp(`(?<![\\d@:.,-])${token.text}(?![\\d:.,-])`).test(text);
  const parts = fold(token.text).match(/[\p{L}\d]+/gu) ?? [];
  // “🎉” in a name.
  if (parts.length === 0) return text.includes(fold(token.text));
  return parts.every((part) => words.has(part)) || words.has(fold(token.lemma));
}

const maxGap = 4;

const maxWords = 8;

/** The missing words as short stretches of the prompt, with the small words between them. Quoted text is one. */
function stretches(draft: Draft, missing: readonly boolean[], lexicon: Lexicon): string[] {
  const { tokens } = draft;
  const wholes = wholesOf(draft);
  const isInWhole = (at = 0) => wholes.some(({ start, end }) => start < at && end > at);
  const found: string[] = [];
  for (let from = 0, to = 0; from < tokens.length; from = Math.max(to, from + 1)) {
    if (!missing[from]) continue;
    to = from + 1;
    for (let next = to; next <= to + maxGap; next += 1) {
      if (next - from >= maxWords && !isInWhole(tokens[next]?.start)) break;
      if (missing[next]) to = next + 1;
      else if (!isSmall(tokens[next], lexicon)) break;
    }
    found.push(...(spanFrom(draft, from, to).text.match(new RegExp(`.{1,${maxEntry}}`, 'gsu')) ?? []));
  }
  return found;
}

/** A function word, which says nothing by itself. Words of asking speak to whoever builds, and end a stretch. */
const isSmall = (token: Token | undefined, { closed, generic, asking }: Lexicon): boolean => {
  const { pos, lower } = token ?? { pos: 'mark', lower: '' };
  return (
    /preposition|determiner|pronoun|conjunction/.test(pos) ||
    (pos !== 'mark' && closed.has(lower) && !asking.has(lower) && !generic.has(lower))
  );
};

/** All texts and numbers that an app shows. */
export function shownIn(spec: AppSpec) {
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
