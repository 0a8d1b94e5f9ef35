import type { Compose, Draft, Price, Span, Token } from '../../read/draft.ts';
import { contactOf } from '../../read/parts/lists.ts';
import { capitalised, shortened } from '../../read/parts/naming.ts';
import type { Section, SectionItem } from '../../spec.ts';
import { phraseAt, type Segment, segmentsOf } from './segments.ts';
import {
  aboutOf,
  dateOf,
  type HeadWords,
  headOf,
  isAddress,
  isAudience,
  isNamedThing,
  isPart,
  isQuoted,
  isReach,
  isRecipient,
  isRegistration,
  isTax,
  isTrade,
  ownBusiness,
  type TellWords,
  taxOf,
  withoutArticle,
} from './tells.ts';

/** Only the words that stand right before the price: the `a` of `6 sillas a 75 €`. */
const isEach = (tokens: readonly Token[], at: number, each: readonly string[]): boolean => {
  const length = phraseAt(tokens, at, each);
  return length !== null && at + length === tokens.length;
};

const priceIn = (tokens: readonly Token[], { facts, lists }: Draft): Price | undefined =>
  [...facts.prices, ...lists.flatMap(({ items }) => items.flatMap(({ price }) => price ?? []))].find(
    ({ start, end }) => tokens.some((token) => token.start >= start && token.end <= end),
  );

const textOf = (tokens: readonly Token[], { prompt }: Draft): string =>
  prompt.slice(tokens[0]?.start ?? 0, tokens.at(-1)?.end ?? 0).trim();

interface Content extends HeadWords, LineWords, TellWords {
  readonly names: Readonly<Record<string, string>>;
  readonly tagline: string;
  readonly supposed: string;
}

/** The part that the next segment can go on with. */
type Open = 'sender' | 'recipient' | 'signer' | '';

/** What stands on the document, as far as the prompt says it. */
interface Written {
  heading: string;
  /** Whom the app is for: `for my gardening business`. */
  audience: string;
  readonly copy: Record<string, string>;
  readonly address: string[];
  readonly lines: SectionItem[];
  readonly text: string[];
  readonly taken: Span[];
}

/** Whom it is from and for, what about, the lines of an invoice with their prices, the tax, and all else as text. */
export const compose: Compose<Content> = (draft, words) => {
  const variant = draft.variant || 'invoice';
  const usual = words.names[variant] ?? '';
  const written = writtenOf(draft, variant, words);
  const { copy, lines, heading } = written;
  const tax = taxOf(draft, words);
  const title = heading || usual;
  const { address, ...contact } = contactOf(draft);
  const stated = [...written.text, ...Object.values(copy)].join('\n');
  const place = written.address.join(', ') || (address !== undefined && !stated.includes(address) && address);
  return {
    spec: {
      variant,
      name: shortened([title, written.audience].filter(Boolean).join(' '), 60),
      tagline: words.tagline,
      contact: { ...contact, ...(place ? { address: place.slice(0, 160) } : {}) },
      sections: [
        ...(written.text.length > 0
          ? [{ type: 'text' as const, title, text: shortened(written.text.join('\n'), 800), items: [] }]
          : []),
        ...(lines.length > 0 ? [{ type: 'prices' as const, title, items: lines.slice(0, 24) }] : []),
      ] satisfies Section[],
      settings: tax && variant === 'invoice' ? { tax: tax.value } : {},
      copy: Object.fromEntries(
        Object.entries(heading && heading !== usual ? { heading, ...copy } : copy).map(([name, text]) => [
          name,
          text.slice(0, 200),
        ]),
      ),
      features: ['undo', 'print', 'dark'],
    },
    assumptions: variant === 'invoice' && lines.length === 0 ? [words.supposed] : [],
    taken: written.taken,
  };
};

function writtenOf(draft: Draft, variant: string, words: Content): Written {
  const { lang, prompt } = draft;
  const head = headOf(draft, variant, words);
  const written: Written = {
    heading: head.heading,
    audience: '',
    copy: {},
    address: [],
    lines: [],
    text: [],
    taken: [],
  };
  const { segments, idle } = segmentsOf(draft, head.next, words, variant !== 'certificate');
  written.taken.push(...idle, ...idleBefore(draft, head.start, words));
  const own = (text: string) => capitalised(text, lang);
  const set = (name: string, text: string, segment: Segment) => {
    if (written.copy[name] === undefined) written.copy[name] = text;
    else written.text.push(own(text));
    written.taken.push({ text: '', start: segment.introStart, end: segment.end });
  };
  /** What the segment before this one was, if more of it can follow. */
  let open: Open = '';
  for (const segment of segments) {
    const before: Open = open;
    open = '';
    const text = withoutArticle(segment, prompt);
    const role = segment.role === '' && head.of === segment.start ? 'from' : segment.role;
    const date = dateOf(segment, draft);
    const line = variant === 'invoice' ? lineOf(segment, draft, words) : null;
    if (date !== null && written.copy['date'] === undefined) set('date', date, segment);
    else if (isPart(segment, words))
      written.taken.push({ text: '', start: segment.introStart, end: segment.end });
    else if (isTax(segment, draft, words)) written.taken.push(segment);
    else if (isReach(segment, draft)) open = before;
    else if (line) addLine(written.lines, line, head.heading);
    else if (role === 'sender' || role === 'from') {
      set('sender', own(text), segment);
      open = 'sender';
    } else if (role === 'to' || (role === 'for' && isRecipient(segment, variant, draft, words))) {
      set('recipient', own(text), segment);
      open = 'recipient';
    } else if (role === 'signer') {
      set('signer', own(text), segment);
      open = 'signer';
    } else if (role === 'number') set('number', text, segment);
    else if (role === 'for' && isAudience(segment, variant, words)) {
      written.audience ||= prompt.slice(segment.introStart, segment.end);
      const business = variant === 'invoice' ? ownBusiness(segment, draft, words) : '';
      if (business) {
        set('sender', business, segment);
        open = 'sender';
      }
    } else if (role === 'subject' || (role === 'for' && variant !== 'invoice'))
      set('subject', own(aboutOf(segment, draft)), segment);
    else if (role === 'for') written.lines.push({ title: own(text).slice(0, 120) });
    else if (
      variant === 'letter' &&
      segment.start === draft.tokens[head.next]?.start &&
      head.start >= 0 &&
      head.of < 0
    )
      set('subject', own(prompt.slice(head.start, segment.end)), segment);
    else if (before === 'signer' && isTrade(segment)) written.copy['signer'] += `, ${segment.text}`;
    else if (
      (before === 'sender' || (before === 'recipient' && variant !== 'certificate')) &&
      isAddress(segment, draft)
    ) {
      if (before === 'sender' && !isRegistration(segment)) written.address.push(segment.text);
      else written.copy[before] += `, ${segment.text}`;
      open = before;
    } else if (role === 'with' && !isQuoted(segment, draft)) open = '';
    else if (variant === 'invoice' && isNamedThing(segment, draft) && !written.copy['sender']) {
      set('sender', own(text), segment);
      open = 'sender';
    } else if (variant === 'certificate' && written.copy['subject'] === undefined)
      set('subject', own(text), segment);
    else written.text.push(own(segment.text));
  }
  return written;
}

/** What stands before the word for the document and says nothing about it: `a printable certificate`. */
const idleBefore = ({ tokens }: Draft, start: number, { idle }: Content): Span[] =>
  tokens.filter((token, at) => token.end <= start && phraseAt(tokens, at, idle) !== null);

/** A price without words is that of the thing before it: `for the rent, 850 €`. */
function addLine(lines: SectionItem[], line: SectionItem, heading: string): void {
  const last = lines.at(-1);
  if (line.title !== '') lines.push(line);
  else if (last && last.price === undefined) lines[lines.length - 1] = { ...last, price: line.price ?? '' };
  else lines.push({ ...line, title: heading || (line.price ?? '') });
}

interface LineWords {
  /** Words beside a price that say that it is the price of one. */
  readonly each: readonly string[];
}

/** A line of an invoice: what it is with its price. Its title is empty where the price stands alone; null where the segment has no price. */
function lineOf({ tokens }: Segment, draft: Draft, { each }: LineWords): SectionItem | null {
  const price = priceIn(tokens, draft);
  if (!price) return null;
  const before = tokens.filter(({ end }) => end <= price.start);
  const after = tokens.filter(({ start }) => start >= price.end);
  const perOne =
    before.some((_, at) => isEach(before, at, each)) || after.some((_, at) => phraseAt(after, at, each));
  const said = trimmedEnd(before.length > 0 ? before : after);
  const [first, ...rest] = said;
  const count = perOne && first && /^\d{1,6}$/.test(first.text) && rest.length > 0 ? first.text : null;
  const title = textOf(count === null ? said : rest, draft);
  return {
    title: capitalised(title, draft.lang).slice(0, 120),
    price: price.shown.slice(0, 40),
    ...(count === null ? {} : { meta: count }),
  };
}

/** Without prepositions and marks at the end, and articles at the beginning. */
function trimmedEnd(tokens: readonly Token[]): readonly Token[] {
  const last = tokens.findLastIndex(
    ({ pos }) => pos !== 'preposition' && pos !== 'mark' && pos !== 'determiner',
  );
  const first = tokens.findIndex(
    ({ pos }) => pos !== 'determiner' && pos !== 'preposition' && pos !== 'mark',
  );
  return first < 0 ? [] : tokens.slice(first, last + 1);
}
