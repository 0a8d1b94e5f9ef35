import type { Draft, Span, Token } from '../draft.ts';
import { lexiconOf } from '../lexicon.ts';
import { endsSentence } from '../lists/zone.ts';
import { anyOf, type Pair, type PairWords, pairOf, pairWords, trimmed } from './answers.ts';
import { capitalised } from './naming.ts';

const maxAnswerTokens = 40;

const isNumbering = (tokens: readonly Token[], at: number) =>
  /^[,.)(–—•*-]$/.test(tokens[at]?.text ?? '') ||
  (/^\d{1,2}$/.test(tokens[at]?.text ?? '') && /^[.)]$/.test(tokens[at + 1]?.text ?? ''));

/**
 * Questions with their answers and words with what they mean, in the order of the prompt: `Q: … A: …`, `capital of
 * France? Paris`, `dog = Hund`. What has no second side is not among them.
 */
export function pairsIn(draft: Draft): Pair[] {
  const words = pairWords(draft.lang);
  const labelled = labelledPairs(draft, words);
  if (labelled.length > 0) return labelled;
  const asked = askedPairs(draft, words);
  return asked.length > 0 ? asked : separatedPairs(draft, words);
}

/** `Q: … A: …`. The last answer ends with its sentence. */
function labelledPairs({ prompt }: Draft, words: PairWords): Pair[] {
  const label = (list: readonly string[]) => String.raw`(?<![\p{L}\d])${anyOf(list)}\s?\d{0,2}\s?[:.)]\s`;
  const marks = [
    ...prompt.matchAll(new RegExp(`(${label(words.question)})|(${label(words.answer)})`, 'giu')),
  ].filter(([text]) => text.trim().length > 2 || /^[A-Z]/.test(text));
  return marks.flatMap((mark, at) => {
    const next = marks[at + 1];
    if (mark[1] === undefined || next?.[2] === undefined) return [];
    const from = next.index + next[0].length;
    const following = marks[at + 2];
    const close = /[.;!](?:\s|$)/.exec(prompt.slice(from));
    const end = following?.index ?? (close ? from + close.index + 1 : prompt.length);
    return pairOf(
      prompt.slice(mark.index + mark[0].length, next.index),
      prompt.slice(from, end),
      mark.index,
      end,
      words,
    );
  });
}

interface Separator {
  readonly pattern: RegExp;
  /** How many there must be for them to be pairs. */
  readonly least: number;
}

const separators = ({ means }: PairWords): readonly Separator[] => [
  { pattern: /\s*(?:→|⇒|⟶|->|=>|⇔|<->|↔)\s*/u, least: 1 },
  { pattern: /(?<![=<>])\s*=\s*(?![=>])/u, least: 1 },
  { pattern: new RegExp(String.raw`\s${anyOf(means)}\s`, 'iu'), least: 2 },
  { pattern: /\s[-–—|]\s/u, least: 2 },
  { pattern: /:\s/u, least: 2 },
  { pattern: /\s*\/\s*/u, least: 2 },
  { pattern: /\s\((?=[^()]+\)$)/u, least: 2 },
  { pattern: /(?<=[\p{L}\d])[-–—|](?=[\p{L}\d])/u, least: 3 },
];

/** `hond - dog, kat - cat`: the separator that tells most parts in two, and the marks that part them. */
function separatedPairs(draft: Draft, words: PairWords): Pair[] {
  const ways = [segmentsOf(draft, /^;$/), segmentsOf(draft, /^[;,]$/)];
  let best: Pair[] = [];
  for (const { pattern, least } of separators(words))
    for (const segments of ways) {
      const found = segments.flatMap((segment) => joinedPairs(draft, segment, pattern, words));
      // What is told apart by commas has none within its fronts.
      const whole = !found.some(({ front }) => front.includes(', '));
      if (whole && found.length >= least && found.length > best.length) best = found;
    }
  return withoutLead(draft, best);
}

/** The stretches between marks of a kind and between sentences, outside of parentheses. */
function segmentsOf({ prompt, tokens }: Draft, marks: RegExp): Span[] {
  const segments: Span[] = [];
  let depth = 0;
  let start = 0;
  const cut = (end: number, next: number) => {
    const text = prompt.slice(start, end);
    if (text.trim() !== '') segments.push({ text, start, end });
    start = next;
  };
  for (const [at, token] of tokens.entries()) {
    if (/^[([]$/.test(token.text)) depth += 1;
    if (/^[)\]]$/.test(token.text)) depth = Math.max(0, depth - 1);
    if (depth === 0 && (marks.test(token.text) || endsSentence(tokens, at))) cut(token.start, token.end);
  }
  cut(prompt.length, prompt.length);
  return segments;
}

/** The pair of a segment, or the two of `kat - cat and boom - tree`. */
function joinedPairs(draft: Draft, { text, start }: Span, pattern: RegExp, words: PairWords): Pair[] {
  const lead = pattern.source.startsWith(':') ? leadOf(text, pattern) : 0;
  const body = text.slice(lead);
  const sides = body.split(pattern);
  if (sides.length === 2 && trimmed(sides[0] ?? '') !== '') {
    const [front = '', back = ''] = sides;
    const closed = pattern.source.startsWith(String.raw`\s\(`) ? back.replace(/\)$/, '') : back;
    return pairOf(withoutJoiner(front, draft), closed, start + lead, start + text.length, words);
  }
  const joiner = new RegExp(String.raw`\s${anyOf([...lexiconOf(draft.lang).and])}\s`, 'iu').exec(body);
  if (sides.length !== 3 || !joiner) return [];
  const parts = [body.slice(0, joiner.index), body.slice(joiner.index + joiner[0].length)];
  if (parts.some((part) => part.split(pattern).length !== 2)) return [];
  return parts.flatMap((part, at) => {
    const from = start + lead + (at === 0 ? 0 : joiner.index + joiner[0].length);
    return joinedPairs(draft, { text: part, start: from, end: from + part.length }, pattern, words);
  });
}

/** Where colons part the sides, the first of two in a segment introduces what follows. */
function leadOf(text: string, pattern: RegExp): number {
  const colons = [...text.matchAll(new RegExp(pattern.source, 'gu'))];
  return colons.length === 2 ? (colons[0]?.index ?? 0) + 2 : 0;
}

const withoutJoiner = (front: string, { lang }: Draft): string =>
  front.replace(new RegExp(String.raw`^\s*${anyOf([...lexiconOf(lang).and])}\s`, 'iu'), '');

/** What asks for the app stands before the first front: it ends with a colon, or with a word such as “with”. */
function withoutLead(draft: Draft, pairs: readonly Pair[]): Pair[] {
  const [first, ...others] = pairs;
  if (!first) return [];
  const { tokens, lang } = draft;
  const { with: intros } = lexiconOf(lang);
  const inside = tokens.flatMap((token, at) =>
    token.start >= first.start &&
    token.end <= first.start + (draft.prompt.slice(first.start).indexOf(first.front) + first.front.length)
      ? [{ token, at }]
      : [],
  );
  const lead = inside.findLast(({ token, at }) => token.text === ':' || intros.at(tokens, at) !== null);
  const most = Math.max(0, ...others.map(({ front }) => front.split(' ').length));
  const own = first.front.split(' ');
  if (lead) {
    const start = (intros.at(tokens, lead.at)?.length ?? 1) + lead.at;
    const from = tokens[start]?.start ?? first.start;
    const end = inside.at(-1)?.token.end ?? from;
    return [{ ...first, front: trimmed(draft.prompt.slice(from, end)), start: from }, ...others];
  }
  if (others.length === 0 || own.length < most + 2) return [...pairs];
  const front = own.slice(-Math.max(1, most)).join(' ');
  return [{ ...first, front, start: draft.prompt.indexOf(front, first.start) }, ...others];
}

/** `capital of France? Paris; …`. */
function askedPairs(draft: Draft, words: PairWords): Pair[] {
  const { prompt, tokens, lang } = draft;
  const { data, asking } = lexiconOf(lang);
  const asks = tokens.flatMap(({ text }, at) => (text === '?' ? [at] : []));
  let last = 0;
  return asks.flatMap((at, n): Pair[] => {
    const next = asks[n + 1];
    const from = frontStart(draft, last, at, n === 0);
    const end = answerEnd(draft, at, next) ?? (next === undefined ? tokens.length : null);
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

/** A part of a text with a heading, and where the prompt has it. */
interface Told extends Pick<Span, 'start' | 'end'> {
  readonly title: string;
  readonly text: string;
}

/** Questions that the prompt asks and answers: `Is there parking? Yes, behind the house.` */
export const answeredIn = (draft: Draft): Told[] =>
  pairsIn(draft)
    .filter(({ front }) => front.endsWith('?'))
    .map(({ front, answer, start, end }) => ({
      title: `${draft.lang === 'es' ? '¿' : ''}${capitalised(front, draft.lang)}`,
      text: answer,
      start,
      end,
    }));
