import type { Facts, Quantity, Token } from '../draft.ts';
import type { Lexicon } from '../lexicon.ts';
import { addressesIn, emailsOf, phonesIn, urlsOf } from './contact.ts';
import { datesIn } from './dates.ts';
import { Claims } from './patterns.ts';
import { currenciesIn, numberOf, pricesIn } from './prices.ts';
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
  const currencies = claims.take(currenciesIn(prompt, lexicon));
  const { hours, times } = timesIn(prompt, lexicon, (span) => claims.free(span));
  claims.take(hours);
  claims.take(times);
  const phones = claims.take(phonesIn(prompt, lexicon));
  const quantities = quantitiesIn(tokens, lexicon, claims);
  const places = placesIn(prompt, tokens, lexicon, claims);
  return {
    facts: {
      emails,
      urls,
      addresses,
      dates,
      prices,
      currencies,
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
