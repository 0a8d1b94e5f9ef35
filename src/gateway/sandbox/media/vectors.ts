import { loadDetokenizer } from '../../../lib/tokens.ts';

/** Maximum length of a vector; the longest that a vendor's embedding model gives. */
export const maxDimensions = 3072;
export const defaultDimensions = 256;

/** Maximum length of a word that is taken as one, in characters. */
const maxWordLength = 48;
/** Each feature of a text falls on this many coordinates: fewer make unlike texts look alike by accident. */
const coordinatesPerFeature = 4;
/**
 * The share of a word's weight of its whole spelling, and of its beginning, as most languages inflect at the end. Its parts
 * of three letters, by which typos are alike, have the rest.
 */
const wholeShare = 0.2;
const beginningShare = 0.25;
/** Length of a word's beginning, in characters. */
const beginning = 3;
const pairShare = 0.15;

/** Scripts without blanks between words: every character counts as a word. */
const unspaced =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;
const word = new RegExp(
  `${unspaced.source}|(?:(?!${unspaced.source})[\\p{L}\\p{M}\\p{N}]){1,${maxWordLength}}`,
  'gu',
);
/** Accents of the European scripts. The marks of others, such as the vowels of Devanagari, make another word. */
const accents = /[\u0300-\u036F]/g;

/**
 * A vector of length 1 for a text, always the same one. Texts that share words, or words that share letters, have
 * vectors that are alike: it knows spelling, not meaning. Neither case, accents nor width of letters matter, and the
 * order of words matters little. `dimensions` is an integer from 1 to 3072. Throws a RangeError otherwise. The time
 * that it takes grows with the length of the text, and not faster.
 */
export function embed(text: string, dimensions: number): Float32Array {
  if (!Number.isInteger(dimensions) || dimensions < 1 || dimensions > maxDimensions)
    throw new RangeError(`dimensions must be an integer from 1 to ${maxDimensions}, not ${dimensions}.`);
  const sums = new Float64Array(dimensions);
  const plain = text.normalize('NFKD').replace(accents, '').normalize('NFC').toLowerCase();
  const counts = new Map<string, number>();
  let before = '';
  for (const [found] of plain.matchAll(word)) {
    counts.set(found, (counts.get(found) ?? 0) + 1);
    if (before)
      add(sums, hashOf(`${before} ${found}`), pairShare * Math.sqrt(weightOf(before) * weightOf(found)));
    before = found;
  }
  for (const [found, count] of counts) addWord(sums, found, weightOf(found) * (1 + Math.log(count)));
  // Emoji and signs say something where there are no words, and nothing much beside them.
  if (counts.size === 0) {
    for (const sign of plain.matchAll(/\S/gu)) add(sums, hashOf(sign[0]), 1);
  }
  return unit(sums, plain);
}

/**
 * The text that token ids of cl100k_base stand for, in which clients send input that they have cut by themselves.
 * Throws a RangeError for what is no such token.
 */
export async function textOfTokens(ids: readonly number[]): Promise<string> {
  return (await loadDetokenizer())(ids);
}

/** Words of few letters are mostly those that hold a sentence together; a character of an unspaced script is not. */
function weightOf(found: string): number {
  if (unspaced.test(found)) return 0.7;
  const { length } = inLetters(found);
  return length >= 4 ? 1 : length === 3 ? 0.6 : 0.3;
}

/** Korean syllables in their letters: a suffix changes the last syllable of a word. */
function inLetters(found: string): string {
  return found.normalize('NFD');
}

function addWord(sums: Float64Array, found: string, weight: number): void {
  const framed = `^${inLetters(found)}$`;
  const parts = framed.length - 2;
  if (parts < 2) {
    add(sums, hashOf(framed), weight);
    return;
  }
  const longEnough = parts >= beginning;
  add(sums, hashOf(framed), weight * Math.sqrt(longEnough ? wholeShare : wholeShare + beginningShare));
  if (longEnough) add(sums, hashOf(framed, 0, beginning + 1), weight * Math.sqrt(beginningShare));
  const share = weight * Math.sqrt((1 - wholeShare - beginningShare) / parts);
  for (let at = 0; at < parts; at += 1) add(sums, hashOf(framed, at, at + 3), share);
}

/** Adds a feature on coordinates and with signs that follow from its hash. */
function add(sums: Float64Array, hash: number, weight: number): void {
  let state = hash;
  for (let n = 0; n < coordinatesPerFeature; n += 1) {
    state = mixed(state + 0x9e3779b9);
    const at = (state >>> 1) % sums.length;
    sums[at] = (sums[at] ?? 0) + (state & 1 ? weight : -weight);
  }
}

/** FNV-1a over UTF-16 units. */
function hashOf(text: string, start = 0, end = text.length): number {
  let hash = 0x811c9dc5;
  for (let at = start; at < end; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return hash;
}

/** The finalizer of MurmurHash3: each bit of the result depends on all of the number. */
function mixed(value: number): number {
  let hash = value | 0;
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

function unit(sums: Float64Array, text: string): Float32Array {
  let squares = 0;
  for (const value of sums) squares += value * value;
  let length = Math.sqrt(squares);
  // Nothing to go by, or what there is cancels itself out.
  if (length < 1e-9) {
    sums.fill(0);
    sums[mixed(hashOf(text)) % sums.length] = 1;
    length = 1;
  }
  return Float32Array.from(sums, (value) => value / length);
}
