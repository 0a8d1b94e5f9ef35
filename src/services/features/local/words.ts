const none: Clitics = {};

const clitics: Readonly<Record<string, Clitics>> = {
  ca: { before: /^[dlmnst]['’](?=\p{L})/iu },
  en: { after: /['’](?:s|ll|ve|re|d|m)$/iu },
  fr: { before: /^(?:[cdjlmnst]|qu|jusqu|lorsqu|puisqu|quoiqu|quelqu)['’](?=\p{L})/iu },
  it: {
    before:
      /^(?:[cdlmnstv]|un|all|dall|dell|nell|sull|coll|quell|quest|bell|sant|tutt|anch|com|dov)['’](?=\p{L})/iu,
  },
};

export interface Word {
  /** As the text has it. */
  readonly text: string;
  /** In lower case, in one form of Unicode. */
  readonly key: string;
  /** Offset in the text. */
  readonly at: number;
}

/** Segmenters are dear to make: 10 ms for languages with a dictionary. */
const segmenters = new Map<string, Intl.Segmenter>();

function segmenter(language: string | null): Intl.Segmenter {
  const key = language ?? 'en';
  const known = segmenters.get(key) ?? new Intl.Segmenter(key, { granularity: 'word' });
  segmenters.set(key, known);
  return known;
}

/**
 * The maximum length of text that is segmented in one piece: the segmenter's time grows faster than the text where there
 * is nothing to break at.
 */
const maxPieceLength = 2000;

/** The text in pieces that begin and end at blanks where there are any, with their offsets. */
function* pieces(text: string): Generator<[string, number]> {
  for (let from = 0; from < text.length; ) {
    let to = Math.min(text.length, from + maxPieceLength);
    if (to < text.length) {
      const blank = text.slice(from, to).search(/\s\S*$/);
      if (blank > 0) to = from + blank + 1;
      else if (/[\uD800-\uDBFF]/.test(text.charAt(to - 1))) to -= 1;
    }
    yield [text.slice(from, to), from];
    from = to;
  }
}

/** The words of a text, without the articles and pronouns that are written in one with them, as in "l'eau". */
export function wordsOf(text: string, language: string | null): Word[] {
  const words: Word[] = [];
  const clitics = cliticsOf(language);
  for (const [piece, from] of pieces(text)) {
    for (const { segment, index, isWordLike } of segmenter(language).segment(piece)) {
      if (!isWordLike) continue;
      const before = clitics.before?.exec(segment)?.[0].length ?? 0;
      const word = segment.slice(before).replace(clitics.after ?? '', '');
      words.push({ text: word, key: keyOf(word), at: from + index + before });
    }
  }
  return words;
}

export function keyOf(text: string): string {
  return text.normalize('NFKC').toLowerCase();
}

/** Longer than any word: a longer piece is none. */
const maxWordLength = 60;

/** Whether a word can say what a text is about. */
export function isContent({ key }: Word, stopWords: ReadonlySet<string>): boolean {
  if (key.length > maxWordLength || stopWords.has(key.replaceAll('’', "'"))) return false;
  if (/^\d+[.,]\d/.test(key)) return false;
  return /\p{L}/u.test(key) && (key.length > 1 || /[\p{Script=Han}]/u.test(key));
}

/** Whether a language writes its words without blanks between them. */
export function isUnspaced(language: string | null): boolean {
  return language === 'zh' || language === 'ja' || language === 'th';
}

/** Small words that are written in one with a word by an apostrophe: "l'eau", "dell'acqua", "the company's". */

interface Clitics {
  readonly before?: RegExp;
  readonly after?: RegExp;
}

function cliticsOf(language: string | null): Clitics {
  return clitics[language ?? 'en'] ?? none;
}

/** A local engine's outcome. */
export type LocalOutcome =
  | { readonly output: Readonly<Record<string, unknown>> }
  /** It cannot do this honestly: why, as the end of a sentence that begins with "The local engine". */
  | { readonly modelRequired: string };
