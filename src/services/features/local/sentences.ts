import { type FullStops, fullStopsOf } from './abbreviations.ts';
import { stopWordsOf } from './stop-words.ts';

/** A line that is no longer than this may be a heading, a greeting or an ingredient; a line of prose is longer. */
const shortLine = 45;

/** How much is looked at before and after a full stop: more than the longest abbreviation or word that counts. */
const sight = 30;

/** A sentence does not end in a quotation or bracket that is still open, unless it is as long as this without it. */
const maxQuoteLength = 150;

/**
 * A run of marks that may end a sentence, the quotes, brackets and notes such as [1] that belong to it, and blanks. The
 * closing quotes of German are the opening ones of other languages.
 */
const stops =
  /(?<![\p{STerm}…])([\p{STerm}…]+)((?:["'”’»›)\]}」』）】》]|[“‘«](?![\p{L}\p{N}¿¡])| »(?!\p{L}))*(?:\[\d{1,3}\])*)(\s*)/gu;

/** Quotations and brackets that have begun and not ended; not those that look the same at both ends. */
const opened =
  /(?:[「『（][^」』）]*|„[^“”]*|(?<!\S)»(?=\p{L})[^«]*|(?<![\p{L}\p{N}.!?,])(?:“(?=[\p{L}¿¡])[^”]*|«(?= ?[\p{L}¿¡])[^»]*))$/u;

const noWords: ReadonlySet<string> = new Set();

/** The sentences of a text, without the blanks around them. Headings and list items are sentences of their own. */
export function sentencesOf(text: string, language: string | null): string[] {
  return blocksOf(text).flatMap((block) =>
    [...sentencesIn(block.replaceAll(/\s+/g, ' ').trim(), language)].filter((sentence) =>
      /[\p{L}\p{N}]/u.test(sentence),
    ),
  );
}

/** Paragraphs, list items, and short lines that the next line does not continue. */
function blocksOf(text: string): string[] {
  const blocks: string[][] = [];
  let before = '';
  for (const line of text.split('\n').map((each) => each.trim())) {
    const joined = before !== '' && line !== '' && !isMarked(line) && goesOn(before, line);
    if (joined) blocks.at(-1)?.push(line);
    else if (line !== '') blocks.push([line]);
    before = line;
  }
  return blocks.map((lines) => lines.join('\n'));
}

function isMarked(line: string): boolean {
  return /^(?:[-*•#]|#{1,6}|\d+[.)])\s/.test(line);
}

function goesOn(before: string, line: string): boolean {
  if (/^#{1,6}\s/.test(before)) return false;
  return before.length > shortLine || (/^\p{Ll}/u.test(line) && !/[,:;]$/.test(before));
}

/**
 * Cuts where a mark ends a sentence. `Intl.Segmenter` knows no abbreviations, and cuts after "Dr." and in addresses.
 * In doubt two sentences stay in one piece: half a sentence is worse than two.
 */
function* sentencesIn(text: string, language: string | null): Generator<string> {
  const fullStops = fullStopsOf(language);
  const hasCapitals = /\p{Lu}/u.test(text);
  // Only capitals distinguish such words from those in the middle.
  const starts = hasCapitals ? (fullStops.starts ?? stopWordsOf(language)) : noWords;
  let from = 0;
  for (const { 0: all, 1: marks = '', 2: closers = '', 3: blank = '', index } of text.matchAll(stops)) {
    const to = index + all.length;
    const after = text.slice(to, to + sight);
    const before = text.slice(Math.max(from, index - sight), index);
    if (!canEnd(marks, blank, after, hasCapitals)) continue;
    if (after !== '' && index - from < maxQuoteLength && isOpen(text.slice(from, to))) continue;
    if (marks === '.' && closers === '') {
      if (isMark(text.slice(from, Math.min(index, from + sight)))) continue;
      if (belongs(before, after, fullStops, starts)) continue;
    }
    yield text.slice(from, to).trim();
    from = to;
  }
  if (from < text.length) yield text.slice(from);
}

function isOpen(sentence: string): boolean {
  return opened.test(sentence) || sentence.split('"').length % 2 === 0;
}

/**
 * Whether the marks are such as end a sentence: not those in addresses and numbers, nor before a small letter where
 * there are capitals.
 */
function canEnd(marks: string, blank: string, after: string, hasCapitals: boolean): boolean {
  if (after === '') return true;
  // Marks of one language only, such as 。 and ؟, have no other use. Japanese goes on after a quotation with と.
  if (/[^.!?…]/u.test(marks)) return !/^(?:と|って)/.test(after);
  if (blank === '') return /[!?]$/.test(marks) && /^[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}]/u.test(after);
  return !hasCapitals || !/^[^\p{L}\p{N}¿¡]{0,3}\p{Ll}/u.test(after);
}

/** Whether a sentence so far is nothing but the number or the letter of a list. */
function isMark(sentence: string): boolean {
  return /^(?:\d{1,3}|\p{L})$/u.test(sentence);
}

/**
 * Whether a full stop belongs to what stands before it: an abbreviation, an initial or an ordinal. One that may also
 * end a sentence does so before a word that sentences begin with, as in "at 5 p.m. The ...".
 */
function belongs(before: string, after: string, fullStops: FullStops, starts: ReadonlySet<string>): boolean {
  const word = /[\p{L}\p{M}\p{N}º°ª.]*$/u.exec(before)?.[0] ?? '';
  // "z. B." is one abbreviation.
  const spaced = /(?<![\p{L}\p{N}])(?:\p{L}{1,2}\. ?)+\p{L}{1,3}$/u.exec(before)?.[0].replaceAll(' ', '');
  const kind = (spaced === undefined ? undefined : fullStops.kindOf(spaced)) ?? fullStops.kindOf(word);
  if (kind === 'leading') return true;
  if (kind === 'numbered' && /^(?:\p{N}|(?:[IVX]{2,}|[VX])(?!\p{L}))/u.test(after)) return true;
  const mayEnd =
    kind === 'either' ||
    /^(?:\p{L}{1,2}\.)*\p{L}$/u.test(word) ||
    (fullStops.hasOrdinals && /^(?:\d{1,2}|[IVX]{2,5})$/.test(word));
  return mayEnd && !isStart(after, starts);
}

function isStart(after: string, starts: ReadonlySet<string>): boolean {
  if (/^[^\p{L}\p{N}]{0,2}[¿¡]/u.test(after)) return true;
  // A letter with a full stop after it is an initial, whatever word it would be.
  const [, elided, word] = /^[^\p{L}\p{N}]{0,2}(?:(\p{L}{1,2}['’])|(\p{L}+)(?![\p{L}.]))/u.exec(after) ?? [];
  const found = (elided?.replace('’', "'") ?? word ?? '').toLowerCase();
  return found !== '' && starts.has(found);
}
