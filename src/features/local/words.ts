import * as lists from 'stopword';

/** A word of a text. */
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

function segmenter(language: string | null, granularity: 'word' | 'sentence'): Intl.Segmenter {
  const key = `${language ?? 'en'} ${granularity}`;
  const known = segmenters.get(key) ?? new Intl.Segmenter(language ?? 'en', { granularity });
  segmenters.set(key, known);
  return known;
}

/**
 * The longest run of text that is segmented in one piece: the segmenter's time grows faster than the text where there
 * is nothing to break at.
 */
const longestPiece = 2000;

/** The text in pieces that begin and end at blanks where there are any, with their offsets. */
function* pieces(text: string): Generator<[string, number]> {
  for (let from = 0; from < text.length; ) {
    let to = Math.min(text.length, from + longestPiece);
    if (to < text.length) {
      const blank = text.slice(from, to).search(/\s\S*$/);
      if (blank > 0) to = from + blank + 1;
      else if (/[\uD800-\uDBFF]/.test(text.charAt(to - 1))) to -= 1;
    }
    yield [text.slice(from, to), from];
    from = to;
  }
}

export function wordsOf(text: string, language: string | null): Word[] {
  const words: Word[] = [];
  for (const [piece, from] of pieces(text)) {
    for (const { segment, index, isWordLike } of segmenter(language, 'word').segment(piece)) {
      if (isWordLike) words.push({ text: segment, key: keyOf(segment), at: from + index });
    }
  }
  return words;
}

/** The sentences of a text, without the blanks around them. Headings and list items are sentences of their own. */
export function sentencesOf(text: string, language: string | null): string[] {
  const blocks = text.split(/\n\s*\n|\n(?=\s*(?:[-*•#]|\d+[.)])\s)/);
  return blocks.flatMap((block) =>
    [...pieces(block)].flatMap(([piece]) =>
      [...segmenter(language, 'sentence').segment(piece.replaceAll(/\s+/g, ' '))]
        .map(({ segment }) => segment.trim())
        .filter((sentence) => /[\p{L}\p{N}]/u.test(sentence)),
    ),
  );
}

export function keyOf(text: string): string {
  return text.normalize('NFKC').toLowerCase();
}

/** ISO 639-1 -> the name of the list in `stopword`. */
const listNames: Readonly<Record<string, string>> = {
  ar: 'ara',
  bg: 'bul',
  bn: 'ben',
  ca: 'cat',
  cs: 'ces',
  da: 'dan',
  de: 'deu',
  el: 'ell',
  en: 'eng',
  es: 'spa',
  et: 'est',
  eu: 'eus',
  fa: 'fas',
  fi: 'fin',
  fr: 'fra',
  gu: 'guj',
  he: 'heb',
  hi: 'hin',
  hr: 'hrv',
  hu: 'hun',
  hy: 'hye',
  it: 'ita',
  ja: 'jpn',
  ko: 'kor',
  ku: 'kur',
  lt: 'lit',
  lv: 'lav',
  mr: 'mar',
  ms: 'msa',
  nl: 'nld',
  no: 'nob',
  pl: 'pol',
  pt: 'por',
  ro: 'ron',
  ru: 'rus',
  sk: 'slk',
  sl: 'slv',
  sv: 'swe',
  th: 'tha',
  tl: 'tgl',
  tr: 'tur',
  uk: 'ukr',
  ur: 'urd',
  vi: 'vie',
  yo: 'yor',
  zh: 'zho',
};

/** The segmenter keeps these in one piece, the list of English does not have them. */
const contractions =
  "it's don't doesn't didn't isn't aren't wasn't can't won't i'm i've i'll that's there's you're we're they're".split(
    ' ',
  );

/** Longer than any word: what comes in one such piece is no word. */
const longestWord = 60;

const sets = new Map<string, ReadonlySet<string>>();

/** The stop words of a language; none where there is no list. */
export function stopWordsOf(language: string | null): ReadonlySet<string> {
  const name = listNames[language ?? 'en'] ?? '';
  const known = sets.get(name);
  if (known) return known;
  const list = (lists as Readonly<Record<string, readonly string[] | undefined>>)[name] ?? [];
  const set = new Set([...list.map(keyOf), ...(name === 'eng' ? contractions : [])]);
  sets.set(name, set);
  return set;
}

/** Whether a word can say what a text is about. */
export function isContent({ key }: Word, stopWords: ReadonlySet<string>): boolean {
  if (key.length > longestWord || stopWords.has(key.replaceAll('’', "'"))) return false;
  return /\p{L}/u.test(key) && (key.length > 1 || /[\p{Script=Han}]/u.test(key));
}

/** Whether a language writes its words without blanks between them. */
export function isUnspaced(language: string | null): boolean {
  return language === 'zh' || language === 'ja' || language === 'th';
}
