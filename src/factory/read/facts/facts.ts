import type { Facts, Price, Quantity, Span, Token } from '../draft.ts';
import type { Lexicon } from '../lexicon.ts';
import { addressesIn, emailsOf, phonesIn, urlsOf } from './contact.ts';
import { datesIn } from './dates.ts';
import { Claims } from './patterns.ts';
import { numberOf, pricesIn } from './prices.ts';
import { placesIn } from './proper.ts';
import { timesIn } from './times.ts';

export interface FactsFound {
  readonly facts: Facts;
  readonly quantities: readonly Quantity[];
}

/** What a prompt states. Each stretch of it is read by one rule only, the surest first. */
export function factsIn(prompt: string, tokens: readonly Token[], lexicon: Lexicon): FactsFound {
  const claims = new Claims();
  const emails = claims.take(emailsOf(tokens));
  const urls = claims.take(urlsOf(tokens));
  const addresses = claims.take(addressesIn(prompt, lexicon));
  const dates = claims.take(datesIn(prompt, lexicon));
  const prices = claims.take(pricesIn(prompt, lexicon));
  const { hours, times } = timesIn(prompt, lexicon, (span) => claims.free(span));
  claims.take(hours);
  claims.take(times);
  const phones = claims.take(phonesIn(prompt, lexicon));
  const quantities = quantitiesIn(tokens, lexicon, claims);
  const places = placesIn(prompt, tokens, lexicon, claims);
  const parts = segmentsOf(prompt, tokens, dates);
  return {
    facts: {
      emails,
      urls,
      addresses,
      dates,
      prices: prices.map((price) => ({ ...price, item: itemOf(price, parts, lexicon) })),
      hours,
      times: times.filter((time) => !hours.some(({ start, end }) => time.start >= start && time.end <= end)),
      phones,
      places,
    },
    quantities,
  };
}

function quantitiesIn(tokens: readonly Token[], { data }: Lexicon, claims: Claims): Quantity[] {
  return tokens.flatMap((token, index) => {
    const word = data.numbers[token.lower];
    const digits = /^\d/.test(token.text);
    if ((!digits && (word === undefined || word === 1)) || !claims.free(token)) return [];
    const next = tokens[index + 1];
    const unit = next ? unitOf(next, data.units) : '';
    const noun = unit === '' && next?.pos === 'noun' ? next.lemma : unit;
    const end = noun !== '' && next ? next.end : token.end;
    const text = noun !== '' && next ? `${token.text} ${next.text}` : token.text;
    return [
      { value: digits ? numberOf(token.text) : (word ?? 0), unit: noun, text, start: token.start, end },
    ];
  });
}

const unitOf = ({ lower }: Token, units: Readonly<Record<string, readonly string[]>>): string =>
  Object.entries(units).find(([, names]) => names.includes(lower))?.[0] ?? '';

/** The clauses of a prompt: stretches between commas and full stops, as spans. */
function segmentsOf(prompt: string, tokens: readonly Token[], dates: readonly Span[]): Span[] {
  const cuts = tokens.filter(
    ({ text, start: at, end }, index) =>
      !dates.some((date) => at >= date.start && at < date.end) &&
      ((/^[,;:!?]$/.test(text) && !(text === ':' && /\d/.test(prompt[end] ?? ''))) ||
        (text === '.' && tokens[index + 1]?.start !== end)),
  );
  const ends = [...cuts.map(({ start }) => start), prompt.length];
  let start = 0;
  return ends.map((end) => {
    const span = { text: prompt.slice(start, end), start, end };
    start = end + 1;
    return span;
  });
}

/** What stands before a price in its clause, else behind it. */
function itemOf(price: Price, parts: readonly Span[], lexicon: Lexicon): string {
  const part = parts.find(({ start, end }) => price.start >= start && price.end <= end);
  if (!part) return '';
  const before = bare(part.text.slice(0, price.start - part.start), lexicon);
  return before !== '' ? before : bare(part.text.slice(price.end - part.start), lexicon);
}

/** Without quotation marks, and without the articles, joining words and prepositions at its ends. */
function bare(text: string, { closed }: Lexicon): string {
  const words = text.match(/[^\s"“”„«»():;=]+/g) ?? [];
  const small = (word: string | undefined) =>
    closed.has(word?.toLowerCase() ?? '') || /^[–-]$/.test(word ?? '');
  while (words.length > 0 && small(words[0])) words.shift();
  while (words.length > 0 && small(words.at(-1))) words.pop();
  return words.join(' ');
}
