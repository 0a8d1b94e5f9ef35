import type { Draft, Span, Token } from '../../read/draft.ts';
import { indexOfWords } from '../../read/parts/words.ts';

/** Words that begin a part of what a prompt says about a document, by what the part is. */
export interface PartWords {
  readonly of: readonly string[];
  readonly from: readonly string[];
  readonly for: readonly string[];
  readonly to: readonly string[];
  readonly sender: readonly string[];
  readonly signer: readonly string[];
  readonly number: readonly string[];
  readonly subject: readonly string[];
  readonly with: readonly string[];
  readonly idle: readonly string[];
}

export type Role = Exclude<keyof PartWords, 'of' | 'idle'> | '';

/** A part of a prompt, from one mark or leading word to the next. */
export interface Segment extends Span {
  readonly role: Role;
  /** Where it begins with the word that leads to it. */
  readonly introStart: number;
  readonly tokens: readonly Token[];
}

/** The words at a place that stand in a list, the longest of them; null where none do. */
export function phraseAt(tokens: readonly Token[], at: number, phrases: readonly string[]): number | null {
  let best = 0;
  for (const phrase of phrases) {
    for (let length = best + 1; length <= 4 && at + length <= tokens.length; length++)
      if (indexOfWords(tokens.slice(at, at + length), phrase) === 0 && isWhole(tokens, at, length, phrase))
        best = length;
  }
  return best === 0 ? null : best;
}

/** Whether so many tokens are no more than the phrase. */
const isWhole = (tokens: readonly Token[], at: number, length: number, phrase: string): boolean =>
  indexOfWords(tokens.slice(at, at + length - 1), phrase) !== 0;

const closing: ReadonlySet<string> = new Set([',', ';', ':', '(', ')', '–', '—', '!', '?']);

/** What is split nowhere: prices, dates, addresses and whatever else has marks of its own. */
function wholeSpans({ facts, quoted, quantities, lists }: Draft): readonly Span[] {
  const prices = lists.flatMap(({ items }) => items.flatMap(({ price }) => price ?? []));
  const { dates, addresses, emails, phones, urls } = facts;
  return [
    ...facts.prices,
    ...prices,
    ...dates,
    ...addresses,
    ...emails,
    ...phones,
    ...urls,
    ...quoted,
    ...quantities,
  ];
}

/**
 * What a prompt says about a document, part by part.
 *
 * @param first the token behind the word for the document
 * @param takesTo whether it is sent to somebody
 */
export function segmentsOf(
  draft: Draft,
  first: number,
  words: PartWords,
  takesTo: boolean,
): { readonly segments: readonly Segment[]; readonly idle: readonly Span[] } {
  const { prompt, tokens } = draft;
  const whole = wholeSpans(draft);
  const segments: Segment[] = [];
  const idle: Span[] = [];
  let role = '' as Role;
  let introStart = -1;
  let held: Token[] = [];

  const close = (next: Role, start: number) => {
    const inner = trimmed(held);
    const [head, last] = [inner[0], inner.at(-1)];
    if (head && last) {
      const text = prompt.slice(head.start, last.end).trim();
      segments.push({ role, introStart, tokens: inner, text, start: head.start, end: last.end });
    }
    role = next;
    introStart = start;
    held = [];
  };
  const roleAt = (at: number): { readonly role: Role; readonly length: number } | null => {
    const led = held.length === 0 || role !== '';
    for (const name of ['signer', 'sender', 'number', 'subject', 'from', 'to', 'for', 'with'] as const) {
      const said = phraseAt(tokens, at, words[name]);
      if (said === null) continue;
      const length = tokens[at + said]?.text === ':' ? said + 1 : said;
      const next = followedBy(tokens, at + length);
      if (!next || next.pos === 'mark' || next.pos === 'verb') continue;
      if (isPriced(next, draft)) continue;
      if (name === 'number' && !(held.length === 0 && isNumber(tokens[at + length]))) continue;
      if (name === 'sender' && held.length > 0) continue;
      // “To the landlord about the heating”, but “for a talk about bees”.
      const addressed = role === 'to' || role === 'from' || role === 'sender' || (role === 'for' && takesTo);
      if (name === 'subject' && held.length > 0 && !addressed) continue;
      // “De” leads on within a phrase, and to whom it is from only behind a mark.
      const leadsOn = name === 'from' && phraseAt(tokens, at, words.of) === said;
      const named = leadsOn ? isNamed(next, draft) : namesSoon(tokens, at + length, draft);
      if (name === 'from' && !((leadsOn ? held.length === 0 : led) && named)) continue;
      // “Recipient: …” as a label; a word like that without a colon is something that is wanted.
      if (name === 'to' && tokens[at]?.pos !== 'preposition' && length === said) continue;
      if (name === 'to' && !(takesTo && next.pos !== 'number' && !segments.some((one) => one.role === 'to')))
        continue;
      return { role: name, length };
    }
    return null;
  };
  for (let at = first; at < tokens.length; at++) {
    const token = tokens[at] as Token;
    const inside = whole.some(({ start, end }) => token.start > start && token.end <= end);
    const silent = inside ? null : phraseAt(tokens, at, words.idle);
    const led = inside || silent ? null : roleAt(at);
    if (silent) {
      const end = (tokens[at + silent - 1] as Token).end;
      idle.push({ text: prompt.slice(token.start, end), start: token.start, end });
      at += silent - 1;
    } else if (led) {
      close(led.role, token.start);
      at += led.length - 1;
    } else if (!inside && ends(token, tokens[at - 1], tokens[at + 1])) {
      // What is wanted with it goes on behind a comma.
      close(role === 'with' && token.text === ',' ? 'with' : '', tokens[at + 1]?.start ?? token.end);
    } else if (!inside && token.pos === 'conjunction' && (role === 'with' || hasPrice(held, draft))) {
      close(role, token.end);
    } else held.push(token);
  }
  close('', -1);
  return { segments, idle };
}

/** A point ends nothing behind a number or a short word: `1. Platz`, `Nr. 12`. */
function ends(token: Token, before: Token | undefined, after: Token | undefined): boolean {
  if (closing.has(token.text)) return true;
  if (token.text === '-') return after !== undefined && after.start > token.end;
  return token.text === '.' && before?.pos !== 'number' && (before?.text.length ?? 0) > 3;
}

const hasPrice = (held: readonly Token[], draft: Draft): boolean =>
  [
    ...draft.facts.prices,
    ...draft.lists.flatMap(({ items }) => items.flatMap(({ price }) => price ?? [])),
  ].some(({ start, end }) => held.some((token) => token.start >= start && token.end <= end));

/** The first token that says something, behind articles. */
const followedBy = (tokens: readonly Token[], from: number): Token | undefined =>
  tokens.slice(from, from + 3).find(({ pos }) => pos !== 'determiner');

/** `2026-014`, or the `INV` of `INV-14`. */
const isNumber = (token: Token | undefined): boolean =>
  token !== undefined && (/\d/.test(token.text) || /^\p{Lu}{1,4}$/u.test(token.text));

const isPriced = ({ start }: Token, { facts }: Draft): boolean =>
  facts.prices.some((price) => start >= price.start && start < price.end);

/** Whether a name follows, be it behind what its bearer is: `from tenant Joe Hart`. */
function namesSoon(tokens: readonly Token[], from: number, draft: Draft): boolean {
  const near = tokens.slice(from, from + 4);
  const end = near.findIndex(({ pos }) => pos === 'mark' || pos === 'preposition');
  return near.slice(0, end < 0 ? near.length : end).some((token) => isNamed(token, draft));
}

/** Whether it is somebody or something with a name. German writes every noun with a capital. */
const isNamed = ({ pos, text }: Token, { lang }: Draft): boolean =>
  pos === 'name' || (lang === 'de' && pos === 'noun' && /^\p{Lu}/u.test(text));

/** Without marks and words at its ends that say nothing there. */
function trimmed(tokens: readonly Token[]): readonly Token[] {
  const says = ({ pos, text }: Token) => pos !== 'mark' || /[€$£%\p{N}]/u.test(text);
  const first = tokens.findIndex((token) => says(token) && token.pos !== 'conjunction');
  const last = tokens.findLastIndex((token) => says(token) && token.pos !== 'conjunction');
  return first < 0 ? [] : tokens.slice(first, last + 1);
}
