import type { Draft, Quantity } from '../draft.ts';
import type { TaggedPrompt } from '../lexicon.ts';
import { Claims, isWithin } from '../spans.ts';
import { addressesIn, emailsOf, phonesIn, urlsOf } from './contact.ts';
import { datesIn } from './dates.ts';
import { currenciesIn, numberOf, pricesIn } from './prices.ts';
import { placesIn } from './proper.ts';
import { timesIn } from './times.ts';

/** What a prompt states. Each stretch of it is read by one rule only, the surest first. */
export function factsIn(text: TaggedPrompt): Pick<Draft, 'facts' | 'quantities'> {
  const { prompt, tokens, lexicon } = text;
  const claims = new Claims();
  const emails = claims.take(emailsOf(tokens));
  const urls = claims.take(urlsOf(tokens));
  const addresses = claims.take(addressesIn(prompt, lexicon));
  const dates = claims.take(datesIn(prompt, lexicon));
  const prices = claims.take(pricesIn(prompt, lexicon));
  const currencies = claims.take(currenciesIn(prompt, lexicon));
  const { hours, times: all } = timesIn(prompt, lexicon, (span) => claims.free(span));
  const times = all.filter((time) => !isWithin(time, hours));
  claims.take([...hours, ...all]);
  const phones = claims.take(phonesIn(prompt, lexicon));
  const quantities = quantitiesIn(text, claims);
  const places = placesIn(text, claims);
  return {
    facts: { emails, urls, addresses, dates, prices, currencies, hours, times, phones, places },
    quantities,
  };
}

function quantitiesIn({ tokens, lexicon: { data } }: TaggedPrompt, claims: Claims): Quantity[] {
  return tokens.flatMap((token, index) => {
    const word = data.numbers[token.lower];
    const digits = /^\d/.test(token.text);
    if ((!digits && (word === undefined || word === 1)) || !claims.free(token)) return [];
    const next = tokens[index + 1];
    const known = Object.entries(data.units).find(([, names]) => next && names.includes(next.lower))?.[0];
    const unit = known ?? (next?.pos === 'noun' ? next.lemma : '');
    const [end, text] =
      unit !== '' && next ? [next.end, `${token.text} ${next.text}`] : [token.end, token.text];
    return [{ value: digits ? numberOf(token.text) : (word ?? 0), unit, text, start: token.start, end }];
  });
}
