import { type Spellings, spellingsOf } from '../prompt-set.ts';

/** What somebody sees that a fact is. A text is all else. */
export type FactSort = 'email' | 'phone' | 'date' | 'time' | 'number' | 'unit' | 'text';

const sorts: readonly (readonly [FactSort, RegExp])[] = [
  ['email', /^[^\s@]+@[^\s@]+$/],
  ['date', /^(?:\d{4}-)?\d{2}-\d{2}$/],
  ['time', /^\d{2}:\d{2}$/],
  ['number', /^\d+([.,]\d+)?$/],
  ['phone', /^[\d\s()+./-]{7,}$/],
  ['unit', /^[^\p{L}\d\s]{1,2}$|^[ckm]?[mgl][²³]?$/u],
];

export const factSort = (fact: string): FactSort => sorts.find(([, form]) => form.test(fact))?.[0] ?? 'text';

/** How somebody types a fact: the first of its spellings that the prompt has, else the first. */
export const typedAs = (fact: Spellings, prompt: string): string => {
  const spellings = spellingsOf(fact);
  return spellings.find((one) => prompt.toLowerCase().includes(one.toLowerCase())) ?? spellings[0] ?? '';
};

/** A date as people write it in a text. */
export function dateText(date: string, lang: string): string {
  const [day = 1, month = 1, year] = date.split('-').map(Number).toReversed();
  const when = new Date(Date.UTC(year ?? 2024, month - 1, day));
  return new Intl.DateTimeFormat(lang, {
    day: 'numeric',
    month: 'long',
    timeZone: 'UTC',
    ...(year !== undefined && { year: 'numeric' }),
  }).format(when);
}

/** A number with the word that follows it: “50th birthday”. */
export const phraseOf = (prompt: string, number: string): string => {
  const at = prompt.indexOf(number);
  return at < 0
    ? number
    : (prompt
        .slice(at, at + 40)
        .split(/[,;:\n]/)[0]
        ?.split(' ')
        .slice(0, 3)
        .join(' ') ?? number);
};
