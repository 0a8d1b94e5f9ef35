import type { Draft, Span, Token } from '../../read/draft.ts';
import { capitalised, shortened } from '../../read/parts/naming.ts';
import { neighbours, says } from '../../read/parts/words.ts';
import type { Lang } from '../../spec.ts';
import { type PartWords, phraseAt, type Segment } from './segments.ts';

const isMore = (tokens: readonly Token[], at: number, { idle, parts }: HeadWords): boolean =>
  ['noun', 'adjective'].includes(tokens[at]?.pos ?? '') &&
  phraseAt(tokens, at, idle) === null &&
  phraseAt(tokens, at, parts) === null;

export interface TellWords {
  readonly parts: readonly string[];
  readonly people: readonly string[];
  readonly my: readonly string[];
  readonly taxWords: readonly string[];
}

/** The tax in percent that the prompt names. */
export const taxOf = (draft: Draft, { taxWords }: TellWords) =>
  draft.quantities.find(
    (quantity) => quantity.unit === 'percent' && says(neighbours(draft, quantity, 3), taxWords),
  );

/** Its text without an article at the beginning. */
export function withoutArticle({ tokens, text, start, end }: Segment, prompt: string): string {
  const first = tokens.find(({ pos }) => pos !== 'determiner');
  return first && first.start > start ? prompt.slice(first.start, end).trim() : text;
}

/** What it is about. The German “wegen” stays, as the words behind it are in the form that it asks for. */
export function aboutOf(segment: Segment, { lang, prompt, tokens }: Draft): string {
  const intro = tokens.find(({ start }) => start === segment.introStart);
  return lang === 'de' && segment.role === 'subject' && intro?.pos === 'preposition'
    ? prompt.slice(segment.introStart, segment.end)
    : withoutArticle(segment, prompt);
}

/** The day, where the segment says nothing else. */
export function dateOf({ tokens }: Segment, { facts }: Draft): string | null {
  const date = facts.dates.find(({ start, end }) =>
    tokens.some((token) => token.start >= start && token.end <= end),
  );
  if (!date) return null;
  const rest = tokens.filter(
    ({ start, end, pos }) => (start < date.start || end > date.end) && pos !== 'mark',
  );
  return rest.every(({ pos }) => pos === 'preposition' || pos === 'determiner') ? date.value : null;
}

/** Whether it only names something that is on every document of the sort. */
export function isPart({ tokens, role }: Segment, { parts }: TellWords): boolean {
  if (role !== '' && role !== 'with') return false;
  // “Where I can add items” asks for no more than the items.
  const nouns = tokens.filter(({ pos }) => pos === 'noun' || pos === 'name' || pos === 'adjective');
  const isAsked = nouns.length > 0 && nouns.every((noun) => phraseAt([noun], 0, parts) !== null);
  if (role === 'with' && isAsked && !tokens.some(({ text }) => /\d/.test(text))) return true;
  const length = phraseAt(tokens, tokens[0]?.pos === 'determiner' ? 1 : 0, parts);
  const rest = tokens.slice((length ?? 0) + (tokens[0]?.pos === 'determiner' ? 1 : 0));
  return (
    length !== null &&
    rest.every((token) => token.pos === 'conjunction' || phraseAt([token], 0, parts) !== null)
  );
}

const covers = (segment: Segment, span: Span | undefined): boolean =>
  span !== undefined && span.start >= segment.start && span.end <= segment.end;

export const isTax = (segment: Segment, draft: Draft, words: TellWords): boolean =>
  segment.tokens.length <= 5 && covers(segment, taxOf(draft, words));

/** Whether it is only an address of e-mail or a telephone number, which the contact holds. */
export const isReach = ({ tokens }: Segment, { facts }: Draft): boolean =>
  [...facts.emails, ...facts.phones].some((span) => {
    const [label, ...more] = tokens.filter(({ start, end }) => start < span.start || end > span.end);
    const only = label === undefined || label.end <= span.start;
    return more.length === 0 && only && tokens.some(({ start }) => start === span.start);
  });

const firstWord = ({ tokens }: Segment): Token | undefined => tokens.find(({ pos }) => pos !== 'determiner');

const isOwn = ({ tokens }: Segment, { my }: TellWords): boolean => phraseAt(tokens, 0, my) !== null;

const speaksOfPeople = ({ tokens }: Segment, { people }: TellWords): boolean =>
  tokens.slice(0, 4).some((_, at) => phraseAt(tokens, at, people) !== null);

/** Somebody with a name; of a letter those to whom it goes, too. */
export function isRecipient(segment: Segment, variant: string, { lang }: Draft, words: TellWords): boolean {
  if (isOwn(segment, words) && variant !== 'letter') return false;
  const first = firstWord(segment);
  if (variant === 'letter' && speaksOfPeople(segment, words)) return true;
  // Every German noun looks like a name; that of an invoice is what it is for, unless there are several.
  if (variant === 'invoice' && lang === 'de')
    return segment.tokens.slice(0, 3).filter(({ text }) => /^\p{Lu}/u.test(text)).length > 1;
  if (variant === 'invoice' && segment.tokens.slice(0, 4).some(({ pos }) => pos === 'name')) return true;
  return first?.pos === 'name' && lang !== 'de';
}

/** Those who use the app, or whom its documents are for in general. */
export const isAudience = (segment: Segment, variant: string, words: TellWords): boolean =>
  variant !== 'letter' && (isOwn(segment, words) || speaksOfPeople(segment, words));

/** What somebody is, behind the name: `treasurer`. */
export const isTrade = ({ role, tokens }: Segment): boolean =>
  role === '' && tokens.length <= 3 && tokens.every(({ text, pos }) => !/\d/.test(text) && pos !== 'verb');

export const isAddress = ({ role, tokens, start, end }: Segment, { facts, lang }: Draft): boolean =>
  role === '' &&
  !tokens.some(({ lower }) => monthsOf(lang).includes(lower)) &&
  (facts.addresses.some((span) => start < span.end && end > span.start) ||
    tokens.every(({ pos, text }) => pos === 'name' || pos === 'number' || /^\p{Lu}/u.test(text)));

const monthsOf = (lang: Lang): readonly string[] => {
  const { format } = new Intl.DateTimeFormat(lang, { month: 'long', timeZone: 'UTC' });
  return Array.from({ length: 12 }, (_, month) => format(Date.UTC(2000, month)).toLowerCase());
};

export const isQuoted = ({ start, end }: Segment, { quoted }: Draft): boolean =>
  quoted.some((span) => start < span.end && end > span.start);

/** A name alone on an invoice is that of whom it is from: the others have a word before them. */
export const isNamedThing = ({ role, tokens }: Segment, { lang }: Draft): boolean =>
  role === '' &&
  lang !== 'de' &&
  tokens.some(({ pos }) => pos === 'name') &&
  tokens.every(({ pos, text }) => pos === 'name' || (pos === 'noun' && /^\p{Lu}/u.test(text)));

/** A number by which a business is registered: `SIRET 812 345 678`, `NIF B1234`. */
export const isRegistration = ({ tokens }: Segment): boolean =>
  /^\p{Lu}{2,}$/u.test(tokens[0]?.text ?? '') && tokens.some(({ text }) => /\d/.test(text));

/** The name of the business that an app is for: `my plumbing firm Leak Busters`. */
export function ownBusiness(segment: Segment, { lang, prompt }: Draft, words: TellWords): string {
  const at = segment.tokens.findIndex(({ pos }) => pos === 'name');
  const names = at < 0 ? [] : segment.tokens.slice(at);
  const [first, last] = [names[0], names.at(-1)];
  const isName = lang !== 'de' && isOwn(segment, words) && names.every(({ pos }) => pos === 'name');
  return first && last && isName ? prompt.slice(first.start, last.end) : '';
}

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
