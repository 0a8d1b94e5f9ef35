import type { Draft, Span, Stretch } from '../draft.ts';
import { lexiconOf } from '../lexicon.ts';
import { endsSentence } from '../lists/zones.ts';
import { spanFrom } from '../spans.ts';
import { asQuestion } from './naming.ts';

/** What the prompt says belongs together: a question and its answer, a word and its translation. */
export interface Pair extends Stretch {
  readonly front: string;
  readonly answer: string;
}

const maxFront = 200;
const maxAnswer = 120;
/** What parts two sides, with how many there must be. */
const separators: readonly (readonly [RegExp, least: number])[] = [
  [/\s*(?:→|⇒|->|=>|=)\s*/u, 1],
  [/\s[-–—|]\s/u, 2],
  [/:\s/u, 2],
  [/\s*\/\s*/u, 2],
  [/\s\((?=[^()]+\)$)/u, 2],
];

/**
 * Questions with their answers and words with what they mean, in the order of the prompt: `capital of France? Paris`,
 * `dog = Hund`. What has no second side is not among them.
 */
export function pairsIn(draft: Draft): Pair[] {
  const asked = askedPairs(draft);
  return asked.length > 0 ? asked : separatedPairs(draft);
}

/** `capital of France? Paris; …`. What asks for the app is no question of it. */
function askedPairs({ prompt, tokens, lang }: Draft): Pair[] {
  const { asking } = lexiconOf(lang);
  return segmentsOf(prompt, tokens, /^[;¿]$/).flatMap(({ text, start }, index, all) => {
    const front = text.slice(text.lastIndexOf(': ') + 1);
    const behind = all[index + 1];
    if (!front.endsWith('?') || !behind || behind.text.endsWith('?')) return [];
    const talks = tokens.some((token) => token.start < start + text.length && asking.has(token.lower));
    return index === 0 && front === text && talks ? [] : pairOf(front, behind.text, start, behind.end);
  });
}

/** `hond - dog, kat - cat`: the separator that tells most parts in two, and the marks that part them. */
function separatedPairs({ prompt, tokens, lang }: Draft): Pair[] {
  const lexicon = lexiconOf(lang);
  const lead = tokens.find(
    (token, at) => token.text === ':' || (at > 0 && lexicon.with.at(tokens, at) !== null),
  );
  const rest = lead ? tokens.filter(({ start }) => start >= lead.end) : tokens;
  const and = new RegExp(String.raw`\s(?:${[...lexicon.and].join('|')})\s`, 'iu');
  let best: Pair[] = [];
  for (const [pattern, least] of separators)
    for (const marks of [/^;$/, /^[;,]$/]) {
      const found = segmentsOf(prompt, rest, marks).flatMap(({ text, start, end }) =>
        (text.split(pattern).length === 3 ? text.split(and) : [text]).flatMap((part) => {
          const [front = '', back, more] = part.split(pattern);
          return back !== undefined && more === undefined ? pairOf(front, back, start, end) : [];
        }),
      );
      const isWhole = !found.some(({ front }) => front.includes(', '));
      if (isWhole && found.length >= least && found.length > best.length) best = found;
    }
  return best;
}

/** The stretches between marks of a kind and between sentences, outside of parentheses. */
function segmentsOf(prompt: string, tokens: Draft['tokens'], marks: RegExp): Span[] {
  let depth = 0;
  const ends = tokens.flatMap((token, at) => {
    if (token.text === '(') depth += 1;
    if (token.text === ')') depth = Math.max(0, depth - 1);
    const isEnd = token.text === '?' || marks.test(token.text) || endsSentence(tokens, at);
    return depth === 0 && isEnd ? [at] : [];
  });
  return [...ends, tokens.length].flatMap((end, index) => {
    const from = index === 0 ? 0 : (ends[index - 1] ?? 0) + 1;
    const to = tokens[end]?.text === '?' ? end + 1 : end;
    return to > from ? [spanFrom({ prompt, tokens }, from, to)] : [];
  });
}

/** A pair of these two sides; none where one of them is missing or too long. */
function pairOf(front: string, back: string, start: number, end: number): Pair[] {
  const asked = trimmed(front);
  const answer = trimmed(back.replace(/^\s*\((.*)\)\s*$/s, '$1').replace(/\)$/, ''));
  const isShort = asked.length <= maxFront && answer.length <= maxAnswer;
  return asked === '' || answer === '' || !isShort ? [] : [{ front: asked, answer, start, end }];
}

/** Without quotation marks, dashes and full stops at its ends. */
const trimmed = (text: string): string =>
  text
    .replace(/^[\s"“„«»”'‘’=:→>,;.•*–—-]+/u, '')
    .replace(/[\s"“”»«',;.–—-]+$/u, '')
    .trim();

/** Questions that the prompt asks and answers: `Is there parking? Yes, behind the house.` */
export const answeredIn = (draft: Draft): (Stretch & { title: string; text: string })[] =>
  pairsIn(draft)
    .filter(({ front }) => front.endsWith('?'))
    .map(({ front, answer, ...place }) => ({
      title: asQuestion(front, draft.lang),
      text: answer,
      ...place,
    }));
