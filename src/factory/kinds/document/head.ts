import type { Draft, Token } from '../../read/draft.ts';
import { capitalised, shortened } from '../../read/parts/naming.ts';
import { type PartWords, phraseAt } from './segments.ts';

export interface HeadWords extends PartWords {
  /** What a document can be called. */
  readonly titles: readonly string[];
  readonly my: readonly string[];
  /** What is on every document of a sort. */
  readonly parts: readonly string[];
}

/** How a prompt calls a document. */
interface Head {
  /** What the document is called; empty where the prompt names none. */
  readonly heading: string;
  /** Where it begins. */
  readonly start: number;
  /** The token behind it. */
  readonly next: number;
  /** Where a name stands that it is of: `factura de Carpintería Ruiz`; -1 where there is none. */
  readonly of: number;
}

/** The word for the document with what belongs to it: `thank you letter`, `certificate of completion`. */
export function headOf(draft: Draft, variant: string, words: HeadWords): Head {
  const { tokens, lang, prompt, lists } = draft;
  const at = tokens.findIndex((_, index) => phraseAt(tokens, index, words.titles) !== null);
  if (at < 0) {
    const listed = tokens.findIndex(({ start }) => start === lists[0]?.start);
    return { heading: '', start: -1, next: listed < 0 ? tokens.length : listed, of: -1 };
  }
  const length = phraseAt(tokens, at, words.titles) ?? 1;
  let from = at;
  // In English and German what it is of can stand before it.
  while (
    (lang === 'en' || lang === 'de') &&
    from > 0 &&
    ['noun', 'adjective', 'name'].includes(tokens[from - 1]?.pos ?? '') &&
    phraseAt(tokens, from - 1, words.idle) === null
  )
    from--;
  let next = at + length;
  // Elsewhere it stands behind it: `facture auto-entrepreneur`.
  while (lang !== 'en' && lang !== 'de' && isMore(tokens, next, words)) next++;
  const ownEnd = next;
  let of = -1;
  if (phraseAt(tokens, next, words.of) !== null) {
    const named = tokens.slice(next + 1, next + 3).find(({ pos }) => pos !== 'determiner');
    if (named?.pos === 'name' && variant !== 'certificate') {
      of = named.start;
      next = tokens.indexOf(named);
    } else next = endOfPhrase(draft, next + 1, variant, words);
  }
  const last = tokens[of < 0 ? next - 1 : ownEnd - 1] ?? tokens[at];
  // One document is called by the word for one, whatever the prompt says of several.
  const isBare = from === at && (of < 0 ? next : ownEnd) === at + length;
  const one =
    isBare && words.titles.find((title) => phraseAt(tokens.slice(at, at + length), 0, [title]) === length);
  const start = tokens[from]?.start ?? 0;
  const heading = capitalised(one || prompt.slice(start, last?.end), lang);
  return { heading: shortened(heading, 60), start, next, of };
}

const isMore = (tokens: readonly Token[], at: number, { idle, parts }: HeadWords): boolean =>
  ['noun', 'adjective'].includes(tokens[at]?.pos ?? '') &&
  phraseAt(tokens, at, idle) === null &&
  phraseAt(tokens, at, parts) === null;

/** Where what a document is of ends: at a mark, at a word that leads to something else. */
function endOfPhrase({ tokens }: Draft, from: number, variant: string, words: HeadWords): number {
  const leading = [
    words.my,
    words.for,
    words.from,
    words.sender,
    words.signer,
    words.subject,
    words.with,
    words.idle,
  ];
  if (variant !== 'certificate') leading.push(words.to);
  let at = from;
  while (at < tokens.length && at < from + 8 && tokens[at]?.pos !== 'mark') {
    const here = at;
    // “De” leads on within what it is of; elsewhere it leads to whom it is from.
    const ends = leading.some((phrases) =>
      phraseAt(
        tokens,
        here,
        phrases.filter((one) => !words.of.includes(one)),
      ),
    );
    if (at > from && ends) break;
    at++;
  }
  while (at > from && tokens[at - 1]?.pos === 'preposition') at--;
  return at;
}
