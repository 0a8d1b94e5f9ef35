import type { Facts, Token } from '../draft.ts';
import type { TaggedPrompt } from '../lexicon.ts';
import { nextIndex } from '../spans.ts';

/** A stretch of tokens, from one to before the other, in which items may stand side by side. */
export interface Zone {
  readonly intro: string;
  readonly from: number;
  to: number;
}

/** What the items of a list are read with. */
export interface ListContext extends TaggedPrompt {
  /** Tokens within quotation marks, where a comma separates nothing. */
  readonly quoted: ReadonlySet<number>;
  readonly facts: Facts;
}

export const opening = new Set(['(', '[', '{']);
export const closing = new Set([')', ']', '}']);

/** How deep in parentheses each token stands; quoted text counts as such. */
export function depthsOf({ tokens, quoted }: Pick<ListContext, 'tokens' | 'quoted'>): number[] {
  let depth = 0;
  return tokens.map(({ text }, index) => {
    if (opening.has(text)) depth += 1;
    const here = depth + (quoted.has(index) ? 1 : 0);
    if (closing.has(text)) depth = Math.max(0, depth - 1);
    return here;
  });
}

/** Whether a full stop ends a sentence: not within a word, and not behind a number, as in “zum 50. Geburtstag”. */
export function endsSentence(tokens: readonly Token[], index: number): boolean {
  const [before, token, next] = [tokens[index - 1], tokens[index], tokens[index + 1]];
  if (!token) return true;
  // “Can swim? (yes/no)” and “can swim? yes/no” go on.
  if (/^[!?…]$/.test(token.text)) return !/^[,;(]$/.test(next?.text ?? '') && tokens[index + 2]?.text !== '/';
  const isOrdinal = next !== undefined && /^\d{1,2}$/.test(before?.text ?? '');
  return token.text === '.' && next?.start !== token.end && !isOrdinal;
}

/** Where lists may stand: behind what introduces them. */
export function zonesOf(context: ListContext, depths: readonly number[]): Zone[] {
  const { tokens } = context;
  const zones: Zone[] = [];
  let zone: Zone = { intro: '', from: 0, to: 0 };
  let commas = 0;
  let leading = true;
  const begin = (intro: string, from: number) => {
    if (zone.to > zone.from && !leading) zones.push(zone);
    zone = { intro, from, to: from };
    commas = 0;
    leading = false;
  };
  let from = 0;
  for (const [index, token] of tokens.entries()) {
    if (index < from) continue;
    const isFree = depths[index] === 0;
    const ends = isFree && endsSentence(tokens, index);
    const intro = isFree && !ends ? introAt(context, index, commas) : null;
    if (ends) {
      begin('', index + 1);
      leading = token.text !== '?';
    } else if (intro) {
      from = index + intro.length;
      begin(intro.lemma, from);
    } else {
      if (isFree && /^[,;]$/.test(token.text)) commas += 1;
      zone.to = index + 1;
    }
  }
  begin('', tokens.length);
  return zones.map((found) => stopped(found, context, depths));
}

/** A zone without the clause that follows its items: “… and notes so the treasurer can see”. */
function stopped(zone: Zone, { tokens, lexicon }: ListContext, depths: readonly number[]): Zone {
  const { stops, joiners } = lexicon;
  for (let index = zone.from + 1; index < zone.to; index += 1) {
    const before = tokens[index - 1];
    const isStop = depths[index] === 0 && stops.at(tokens, index) && !joiners.has(tokens[index]?.lower ?? '');
    // Items of lines begin with anything.
    if (!isStop || before?.text === ';') continue;
    const fresh = before?.text === ',' || joiners.has(before?.lower ?? '');
    if (fresh || tokens[index]?.pos === 'conjunction') return { ...zone, to: fresh ? index - 1 : index };
  }
  return zone;
}

interface Intro {
  readonly lemma: string;
  readonly length: number;
}

/** A colon, a dash with spaces, or a word that introduces a list. */
function introAt({ prompt, tokens, lexicon }: ListContext, index: number, commas: number): Intro | null {
  const token = tokens[index];
  if (!token) return null;
  const [last, next] = [tokens[index - 1], tokens[index + 1]];
  const isDash =
    /^[-–—]$/.test(token.text) &&
    commas === 0 &&
    /^ . $/su.test(prompt.slice(token.start - 1, token.end + 1));
  const isTime = next?.start === token.end && /^\d/.test(next.text);
  // The colon of an item stands before what it may be: “status: open, done”.
  if (isDash || (token.text === ':' && !isTime && !isInItem(tokens, index))) {
    const noun = tokens
      .slice(Math.max(0, index - 3), index)
      .findLast(({ pos }) => pos === 'noun' || pos === 'name');
    // “Please bring: …”.
    const verb = last?.pos === 'verb' && !lexicon.closed.has(last.lower) ? last : null;
    return { lemma: (verb ?? noun)?.lemma ?? '', length: 1 };
  }
  const by = lexicon.with.at(tokens, index);
  // “…, columns wine, vintage”.
  const opens = last?.text === ',' && (by ?? lexicon.fields.at(tokens, index));
  if (commas > 0 && !opens && !(by && token.pos === 'verb')) return null;
  if (by) {
    const at = index + by.length + (tokens[index + by.length]?.pos === 'determiner' ? 1 : 0);
    const [noun, follows] = [tokens[at], tokens[at + 1]];
    if (noun && follows && lexicon.fields.at(tokens, at) && (follows.text === ':' || follows.pos !== 'mark'))
      return { lemma: noun.lemma, length: at + 1 - index + (follows.text === ':' ? 1 : 0) };
    return { lemma: token.lower, length: by.length };
  }
  const named = lexicon.fields.at(tokens, index) ?? lexicon.entries.at(tokens, index);
  if (!named || !next || /mark|preposition|verb|conjunction|pronoun/.test(next.pos)) return null;
  // “Name des Kindes” is a name, no list of names.
  if (next.pos === 'determiner' && !lexicon.fields.has(token.lower)) return null;
  return /s$|[ei]n?$|i$/.test(token.lower) ? { lemma: token.lemma, length: 1 } : null;
}

/** A colon behind the label of an item, before what it may be: “status: open/done, …” and “status: open, done; …”. */
function isInItem(tokens: readonly Token[], index: number): boolean {
  const isEnd = ({ text }: Token) => /^[,;:.!?]$/.test(text);
  const before = tokens.findLast((token, at) => at < index && isEnd(token))?.text;
  const part = tokens.slice(index, nextIndex(tokens, index, isEnd));
  return before === ';' || (before === ',' && part.some(({ text }) => text === '/'));
}
