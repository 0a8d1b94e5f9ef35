import * as lists from 'stopword';
import { moreStopWords, units } from './more-stop-words.ts';
import { keyOf } from './words.ts';

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

const sets = new Map<string, ReadonlySet<string>>();

/** The stop words of a language; none where there is no list. */
export function stopWordsOf(language: string | null): ReadonlySet<string> {
  const code = language ?? 'en';
  const known = sets.get(code);
  if (known) return known;
  const list =
    (lists as Readonly<Record<string, readonly string[] | undefined>>)[listNames[code] ?? ''] ?? [];
  const more = `${moreStopWords[code] ?? ''} ${units}`.trim().split(/\s+/);
  const set = new Set([...list.map(keyOf), ...more]);
  sets.set(code, set);
  return set;
}
