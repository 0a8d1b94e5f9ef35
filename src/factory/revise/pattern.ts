const quoted = '"[^"]*"|“[^“”]*”|„[^„“”]*[“”]|«[^«»]*»|‘[^‘’]*’';

const number = '[+-]?\\d+(?:[.,:]\\d+)*';

const address = '[^\\s@,;()]+@[^\\s@,;()]+[^\\s@,;().]|https?://[^\\s,;()]+[^\\s,;().]';

const elision = "\\p{L}{1,5}['’](?=\\p{L}{3})";

const word = "[\\p{L}\\p{N}_#][\\p{L}\\p{N}_'’+&/.-]*[\\p{L}\\p{N}+#]|[\\p{L}\\p{N}#]";

const token = new RegExp(`${quoted}|${address}|${number}|${elision}|${word}|[^\\s]`, 'gu');

/** Lower case, without accents and with a straight apostrophe: “Échéance” is “echeance”. */
export const folded = (text: string): string =>
  text.normalize('NFKD').replace(/\p{M}/gu, '').replaceAll('’', "'").replaceAll('ß', 'ss').toLowerCase();

/**
 * A way to say a command: words, `(one|or another)`, `[left out or not]`, and `{slots}` that take one or more words.
 * “rename [the] {old} (to|into) {name}” is one.
 */
export interface Pattern {
  readonly source: string;
  readonly parts: readonly Part[];
  readonly steps: Step | null;
  /** It has words, not just slots. */
  readonly worded: boolean;
  /** The words that it can begin with; null where it can begin with any. */
  readonly firsts: ReadonlySet<string> | null;
}

type Part =
  | { readonly word: string }
  | { readonly slot: string }
  | { readonly ways: readonly (readonly Part[])[] };

/** A part of a pattern with what comes behind it; null is the end. */
type Step =
  | { readonly word: string; readonly next: Step | null }
  | { readonly slot: string; readonly next: Step | null }
  | { readonly ways: readonly (Step | null)[] };

const stepsOf = (parts: readonly Part[], end: Step | null): Step | null =>
  parts.reduceRight<Step | null>(
    (next, part) =>
      'ways' in part ? { ways: part.ways.map((way) => stepsOf(way, next)) } : { ...part, next },
    end,
  );

/** What the slots of a pattern took, by name. */
export type Captures = Readonly<Record<string, string>>;

/** Ways of one pattern to take a text that are tried; a text of 500 characters has rarely more than three. */
const maxTries = 60;
/** Comparisons after which a pattern gives up, so that no text can make it run on. */
const maxSteps = 20_000;

/** Reads a pattern. Throws where a bracket is missing. */
export function patternOf(source: string): Pattern {
  const pieces = source.match(/\{\w+\}|[[\]()|]|[^\s[\]()|{}]+/gu) ?? [];
  let at = 0;
  const sequence = (): Part[] => {
    const parts: Part[] = [];
    for (; at < pieces.length; at++) {
      const piece = pieces[at] ?? '';
      if (piece === ')' || piece === ']' || piece === '|') break;
      if (piece === '(' || piece === '[') parts.push(group(piece));
      else if (piece.startsWith('{')) parts.push({ slot: piece.slice(1, -1) });
      else parts.push(...tokensOf(piece).all.map(({ word }) => ({ word })));
    }
    return parts;
  };
  const group = (open: string): Part => {
    const close = open === '(' ? ')' : ']';
    const ways: Part[][] = [];
    do {
      at++;
      ways.push(sequence());
    } while (pieces[at] === '|');
    if (pieces[at] !== close) throw new Error(`“${source}” has no ${close}`);
    return { ways: open === '[' ? [...ways, []] : ways };
  };
  const parts = sequence();
  if (at < pieces.length) throw new Error(`“${source}” has a ${pieces[at]} too many`);
  return {
    source,
    parts,
    steps: stepsOf(parts, null),
    worded: parts.some(isWorded),
    firsts: firstsOf(parts),
  };
}

function isWorded(part: Part): boolean {
  return 'word' in part || ('ways' in part && part.ways.every((way) => way.some(isWorded)));
}

function firstsOf(parts: readonly Part[]): ReadonlySet<string> | null {
  const [part, ...rest] = parts;
  if (!part || 'slot' in part) return null;
  if ('word' in part) return new Set([part.word]);
  const all = part.ways.map((way) => firstsOf([...way, ...rest]));
  return all.some((firsts) => firsts === null) ? null : new Set(all.flatMap((firsts) => [...(firsts ?? [])]));
}

/**
 * Tries the ways in which a pattern takes all tokens from `from` to `to`, slots as short as may be first, until
 * `accept` says yes.
 */
export function match(
  pattern: Pattern,
  tokens: Tokens,
  from: number,
  to: number,
  accept: (captures: Captures) => boolean,
): boolean {
  if (pattern.firsts && !pattern.firsts.has(tokens.all[from]?.word ?? '')) return false;
  let tries = 0;
  let count = 0;
  const follow = (step: Step | null, at: number, captures: Captures): boolean => {
    if (tries >= maxTries || ++count > maxSteps) return false;
    if (step === null) {
      if (at !== to) return false;
      tries++;
      return accept(captures);
    }
    if ('word' in step)
      return at < to && tokens.all[at]?.word === step.word && follow(step.next, at + 1, captures);
    if ('ways' in step) {
      for (const way of step.ways) if (follow(way, at, captures)) return true;
      return false;
    }
    const { slot, next } = step;
    const word = next && 'word' in next ? next.word : null;
    for (let end = next ? at + 1 : Math.max(to, at + 1); end <= to; end++) {
      if (word !== null && tokens.all[end]?.word !== word) continue;
      if (follow(next, end, { ...captures, [slot]: taken(tokens, slot, at, end) })) return true;
    }
    return false;
  };
  return follow(pattern.steps, from, {});
}

/** New names keep their quotation marks, within which nothing ends them. */
const names: ReadonlySet<string> = new Set(['name', 'called', 'how', 'new', 'text', 'things']);

/** Free texts keep the mark of a question or a call behind them, which otherwise ends a command. */
const free: ReadonlySet<string> = new Set(['text', 'value', 'question']);

function taken(tokens: Tokens, slot: string, from: number, to: number): string {
  const [last, mark] = [tokens.all[to - 1], tokens.all[to]];
  const called =
    free.has(slot) && mark && last?.end === mark.start && (mark.word === '?' || mark.word === '!');
  return textOf(tokens, from, called ? to + 1 : to, names.has(slot));
}

/** A word, a quoted text, or a mark such as a comma, with its place in the text. */
export interface Token {
  /** Lower case without accents, for comparing; empty for a quoted text, which is never a word of a command. */
  readonly word: string;
  readonly start: number;
  readonly end: number;
  readonly quoted: boolean;
}

/** A text with its tokens. Parts of it are given as ranges of tokens, so that they keep their spelling. */
export interface Tokens {
  readonly text: string;
  readonly all: readonly Token[];
}

/** Takes a text apart. Its time grows with the length of the text times the number of quotation marks in it. */
export function tokensOf(text: string): Tokens {
  const all = [...text.matchAll(token)].map(([part], index, matches): Token => {
    const start = matches[index]?.index ?? 0;
    const isQuoted = part.length > 1 && /^["“„«‘]/u.test(part);
    return { word: isQuoted ? '' : folded(part), start, end: start + part.length, quoted: isQuoted };
  });
  return { text, all };
}

/** The text of some tokens as it was written, without the quotation marks around a quoted text unless it keeps them. */
function textOf({ text, all }: Tokens, from: number, to: number, keeps: boolean): string {
  const first = all[from];
  const last = all[to - 1];
  if (!first || !last) return '';
  const only = !keeps && to - from === 1 && first.quoted;
  return text.slice(first.start + (only ? 1 : 0), last.end - (only ? 1 : 0)).trim();
}

const isAt = ({ all }: Tokens, at: number, parts: readonly string[]): boolean =>
  parts.every((part, offset) => all[at + offset]?.word === part);

const wordsOf = (phrase: string) => phrase.split(' ');

/** The first token that is no politeness: “please could you …”. */
export function afterPolite(polite: readonly string[], tokens: Tokens, from: number, to: number): number {
  const found = polite.map(wordsOf).find((parts) => from + parts.length <= to && isAt(tokens, from, parts));
  return found ? afterPolite(polite, tokens, from + found.length, to) : from;
}

/** The token behind the last one that is no politeness. */
export function beforePolite(polite: readonly string[], tokens: Tokens, from: number, to: number): number {
  const found = polite
    .map(wordsOf)
    .find((parts) => to - parts.length >= from && isAt(tokens, to - parts.length, parts));
  return found ? beforePolite(polite, tokens, from, to - found.length) : to;
}

/** A run of tokens between commas, stops and words for “and”. */
export interface Chunk {
  readonly from: number;
  readonly to: number;
}

/** Maximum number of chunks; what is behind them belongs to the last one. */
const maxChunks = 20;

const marks: ReadonlySet<string> = new Set([',', ';', '.', '!', '?']);

/** The chunks of a text. */
export function chunksOf(and: ReadonlySet<string>, { all }: Tokens): Chunk[] {
  const chunks: Chunk[] = [];
  let from = 0;
  for (let at = 0; at <= all.length; at++) {
    const token = all[at];
    const separates =
      token && chunks.length < maxChunks - 1 && (marks.has(token.word) || and.has(token.word));
    if (token && !separates) continue;
    if (at > from) chunks.push({ from, to: at });
    from = at + 1;
  }
  return chunks;
}
