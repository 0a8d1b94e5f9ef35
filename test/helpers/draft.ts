import type {
  Draft,
  Facts,
  List,
  ListItem,
  Phrase,
  Price,
  Quantity,
  Span,
  Token,
} from '../../src/factory/read/draft.ts';

const noFacts: Facts = {
  prices: [],
  currencies: [],
  hours: [],
  dates: [],
  times: [],
  appointments: [],
  emails: [],
  phones: [],
  urls: [],
  addresses: [],
  places: [],
  people: [],
};

/** A draft made by hand: its tokens are the words and marks of the prompt, each its own base form. */
export function draftOf(
  prompt: string,
  { facts = {}, ...parts }: Partial<Omit<Draft, 'facts'>> & { readonly facts?: Partial<Facts> } = {},
): Draft {
  return {
    prompt,
    lang: 'en',
    kind: 'tracker',
    variant: '',
    tokens: tokensOf(prompt),
    subject: null,
    name: null,
    fields: [],
    lists: [],
    quantities: [],
    quoted: [],
    currency: 'EUR',
    ...parts,
    facts: { ...noFacts, ...facts },
  };
}

const tokensOf = (prompt: string): Token[] =>
  [...prompt.matchAll(/[\p{L}\p{N}’'°²/×-]+|\S/gu)].map(({ 0: text, index: start }) => {
    const pos = /^\d/.test(text) ? 'number' : /^\p{L}/u.test(text) ? 'noun' : 'mark';
    const lower = text.toLowerCase();
    return { text, start, end: start + text.length, lower, lemma: lower, pos };
  });

/** Where a text stands in the prompt, which must have it. */
export function spanIn(prompt: string, text: string): Span {
  const start = prompt.indexOf(text);
  if (start < 0) throw new Error(`“${text}” is not in the prompt`);
  return { text, start, end: start + text.length };
}

export const phraseIn = (prompt: string, text: string, plural = text): Phrase => ({
  ...spanIn(prompt, text),
  head: (text.split(' ').at(-1) ?? text).toLowerCase(),
  singular: text,
  plural,
});

export const priceIn = (prompt: string, text: string, item = ''): Price => ({
  ...spanIn(prompt, text),
  amount: Number(text.replace(/[^\d.,]/g, '').replace(',', '.')),
  shown: text,
  currency: 'EUR',
  item,
});

export const quantityIn = (prompt: string, text: string, value: number, unit = ''): Quantity => ({
  ...spanIn(prompt, text),
  value,
  unit,
});

/** A list of these texts, which stand in the prompt in this order. */
export function listIn(
  prompt: string,
  intro: string,
  texts: readonly string[],
  more: Readonly<Record<string, Partial<ListItem>>> = {},
): List {
  const items = texts.map((text) => ({
    ...spanIn(prompt, text),
    options: [],
    price: null,
    time: null,
    quantity: null,
    ...more[text],
  }));
  const start = items[0]?.start ?? 0;
  const end = items.at(-1)?.end ?? 0;
  return { intro, items, start, end, text: prompt.slice(start, end) };
}
