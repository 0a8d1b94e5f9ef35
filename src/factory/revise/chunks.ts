import { match, type Token, type Tokens } from './pattern.ts';
import type { Words } from './words.ts';

/** A run of tokens between commas, stops and words for “and”. */
export interface Chunk {
  readonly from: number;
  readonly to: number;
}

/** Maximum number of chunks; what is behind them belongs to the last one. */
const maxChunks = 20;

const marks: ReadonlySet<string> = new Set([',', ';', '.', '!', '?']);

export const separates = (words: Words, { word }: Token): boolean => marks.has(word) || words.and.has(word);

export function chunksOf(words: Words, { all }: Tokens): Chunk[] {
  const chunks: Chunk[] = [];
  let from = 0;
  for (let at = 0; at <= all.length; at++) {
    const token = all[at];
    const ends = token === undefined || (chunks.length < maxChunks - 1 && separates(words, token));
    if (!ends) continue;
    if (at > from) chunks.push({ from, to: at });
    from = at + 1;
  }
  return chunks;
}

/**
 * Groups chunks into what may be one command each: a new one begins where the words of some command do. “Add price and
 * quantity, make it green” has three chunks and two commands.
 */
export function commandsIn(words: Words, tokens: Tokens, chunks: readonly Chunk[]): Chunk[][] {
  const commands: Chunk[][] = [];
  for (const [index, chunk] of chunks.entries()) {
    const last = commands.at(-1);
    if (!last || begins(words, tokens, chunks, index)) commands.push([chunk]);
    else last.push(chunk);
  }
  return commands;
}

/** Whether a command may begin with a chunk: its words fit, and a slot in front of them does not reach beyond it. */
function begins(words: Words, tokens: Tokens, chunks: readonly Chunk[], index: number): boolean {
  const chunk = chunks[index];
  if (!chunk) return false;
  const from = afterPolite(words, tokens, chunk.from, chunk.to);
  for (const [rule, patterns] of words.patterns) {
    for (const pattern of patterns) {
      if (!pattern.worded || rule === 'fact') continue;
      const slotFirst = 'slot' in (pattern.parts[0] ?? {});
      const ends = slotFirst ? [chunk] : chunks.slice(index);
      if (ends.some(({ to }) => match(pattern, tokens, from, to, () => true))) return true;
    }
  }
  return false;
}

/** The first token that is no politeness: “please could you …”. */
export function afterPolite(words: Words, tokens: Tokens, from: number, to: number): number {
  for (let at = from; ; ) {
    const polite = words.polite.find((phrase) => {
      const parts = phrase.split(' ');
      return parts.every((part, offset) => at + offset < to && tokens.all[at + offset]?.word === part);
    });
    if (polite === undefined) return at;
    at += polite.split(' ').length;
  }
}

/** The token behind the last one that is no politeness. */
export function beforePolite(words: Words, tokens: Tokens, from: number, to: number): number {
  for (let end = to; ; ) {
    const polite = words.polite.find((phrase) => {
      const parts = phrase.split(' ');
      return parts.every(
        (part, offset) =>
          end - parts.length >= from && tokens.all[end - parts.length + offset]?.word === part,
      );
    });
    if (polite === undefined) return end;
    end -= polite.split(' ').length;
  }
}
