import type { Span, Token } from '../draft.ts';
import type { Lexicon } from '../lexicon.ts';
import { fold } from '../phrases.ts';
import type { Claims } from './patterns.ts';

const inner = new Set([
  'de',
  'da',
  'do',
  'dos',
  'das',
  'di',
  'del',
  'della',
  'la',
  'le',
  'of',
  'the',
  'von',
  'van',
  'den',
  'der',
  '&',
  "d'",
  "l'",
  'du',
  'des',
  'und',
  'zum',
  'zur',
]);

const isCapital = (token: Token | undefined) =>
  token !== undefined &&
  /^\p{Lu}/u.test(token.text) &&
  token.pos !== 'pronoun' &&
  token.pos !== 'determiner' &&
  token.pos !== 'verb';

/**
 * The proper name that begins at a token, as the index behind its last one: words with capitals, and small ones between
 * them (`Mecânica do Zé`, `Harbour Lights Choir`).
 */
export function nameEnd(tokens: readonly Token[], from: number): number {
  let end = from;
  for (let index = from; index < tokens.length; index += 1) {
    const token = tokens[index];
    // Within a name an article has a capital, too: `Finca El Olivar`.
    if (isCapital(token) || (index > from && end === index && /^\p{Lu}/u.test(token?.text ?? '')))
      end = index + 1;
    else if (!(end === index && inner.has(fold(token?.lower ?? '')) && isCapital(tokens[index + 1]))) break;
  }
  return end;
}

/** People: names behind a title, pairs of names, and first and second names. German writes all nouns so; there only pairs count. */
export function namesIn(prompt: string, tokens: readonly Token[], lexicon: Lexicon, claims: Claims): Span[] {
  const names: Span[] = [];
  for (let index = 0; index < tokens.length; index += 1) {
    const token = tokens[index];
    if (!token) continue;
    const end = simpleEnd(tokens, index);
    // At the begin of a sentence any word has a capital; two with “and” between them are names.
    const pair =
      isCapital(token) && lexicon.and.has(tokens[end]?.lower ?? '') && tokens[end + 1]?.pos === 'name';
    if (token.pos !== 'name' && !pair && !(lexicon.lang === 'de' && isCapital(token))) continue;
    const before = tokens[index - 1];
    const joined = lexicon.joiners.has(tokens[end]?.lower ?? '') && isCapital(tokens[end + 1]);
    const joins = lexicon.joiners.has(before?.lower ?? '') && names.at(-1)?.end === tokens[index - 2]?.end;
    const german =
      lexicon.lang === 'de' &&
      !joined &&
      !joins &&
      !(
        ['von', 'für', 'mit'].includes(before?.lower ?? '') &&
        lexicon.data.irregular[token.lower] === undefined
      );
    if (!german && !isDayOrMonth(token, lexicon) && end - index <= 4) {
      const span = {
        text: prompt.slice(token.start, tokens[end - 1]?.end),
        start: token.start,
        end: tokens[end - 1]?.end ?? token.end,
      };
      if (claims.free(span)) names.push(span);
    }
    index = end - 1;
  }
  return names;
}

function simpleEnd(tokens: readonly Token[], from: number): number {
  let end = from + 1;
  while (isCapital(tokens[end]) && tokens[end]?.pos !== 'mark') end += 1;
  return end;
}

const isDayOrMonth = ({ lower }: Token, { data }: Lexicon) =>
  data.months.flat().includes(lower) || data.weekdays.flat().includes(lower);

/** The end of a common noun with a proper name behind it: `church of St Mary`, `salón Los Arcos`; -1 where none stands there. */
function venueEnd(tokens: readonly Token[], from: number): number {
  const [noun, next] = [tokens[from], tokens[from + 1]];
  if (noun?.pos !== 'noun' || /^\p{Lu}/u.test(noun.text)) return -1;
  const at = inner.has(fold(next?.lower ?? '')) ? from + 2 : from + 1;
  return /^\p{Lu}/u.test(tokens[at]?.text ?? '') ? nameEnd(tokens, at) : -1;
}

/** With the town behind a comma. */
function townEnd(tokens: readonly Token[], end: number, lexicon: Lexicon, claims: Claims): number {
  const town = tokens[end + 1];
  if (tokens[end]?.text !== ',' || !town || !isCapital(town) || isDayOrMonth(town, lexicon)) return end;
  const last = nameEnd(tokens, end + 1);
  const mark = tokens[last];
  const alone = mark === undefined || /^[,.;:!(–-]$/.test(mark.text);
  return alone && claims.free(town) ? last : end;
}

/** Where something is: a proper name behind a preposition of place, or alone between two commas. */
export function placesIn(prompt: string, tokens: readonly Token[], lexicon: Lexicon, claims: Claims): Span[] {
  return tokens.flatMap((token, index) => {
    const venue = token.text === ',' || token.pos === 'number' ? venueEnd(tokens, index + 1) : -1;
    if ((token.text === ',' || venue > 0) && (isCapital(tokens[index + 1]) || venue > 0)) {
      const end = venue > 0 ? townEnd(tokens, venue, lexicon, claims) : nameEnd(tokens, index + 1);
      const [first, last, mark] = [tokens[index + 1], tokens[end - 1], tokens[end]];
      const alone = mark === undefined || mark.text === ',' || mark.text === '.';
      if (!first || !last || !alone || end - index < 3 || isDayOrMonth(first, lexicon)) return [];
      const span = { text: prompt.slice(first.start, last.end), start: first.start, end: last.end };
      return claims.free(span) ? [span] : [];
    }
    if (!lexicon.data.places.includes(token.lower)) return [];
    let at = index + 1;
    while (
      at <= index + 2 &&
      ['determiner', 'preposition'].includes(tokens[at]?.pos ?? '') &&
      !isCapital(tokens[at])
    )
      at += 1;
    const first = tokens[at];
    const named = venueEnd(tokens, at);
    if (!first || isDayOrMonth(first, lexicon) || (!isCapital(first) && named < 0)) return [];
    const end = townEnd(tokens, named < 0 ? nameEnd(tokens, at) : named, lexicon, claims);
    const stop = tokens[end - 1]?.end ?? first.end;
    const span = { text: prompt.slice(first.start, stop), start: first.start, end: stop };
    return claims.free(span) ? [span] : [];
  });
}
