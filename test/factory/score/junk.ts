import type { Check, Judged } from './checks.ts';
import { languageWords } from './language-words.ts';
import { numbersIn, timesIn } from './quantities.ts';
import { fold, sameText, wordsOf } from './text.ts';

/**
 * What holds for every result, whatever its prompt: nothing is made up that a visitor would take for true, nothing is
 * numbered through for want of a name, no label begins with a possessive.
 */
export const junkChecks = (judged: Judged, prompt: string): Check[] => [
  { check: 'invented price', ...none(inventedPrices(judged, prompt)) },
  { check: 'invented contact', ...none(inventedContacts(judged, prompt)) },
  { check: 'invented hours', ...none(inventedHours(judged, prompt)) },
  { check: 'numbered entries', ...none(numberedEntries(judged, prompt)) },
  possessiveCheck(possessiveLabels(judged)),
];

const none = (found: readonly string[]) => ({
  held: found.length === 0,
  detail: found.join(', '),
  wishes: found.map((text) => ({ sort: 'no text', text }) as const),
});

const possessiveCheck = (labels: readonly string[]): Check => ({
  check: 'possessive label',
  ...none(labels),
  wishes: labels.map((label) => ({ sort: 'no field', label }) as const),
});

function inventedPrices({ view }: Judged, prompt: string): string[] {
  const given = new Set(numbersIn(prompt));
  return view.prices.filter((price) => {
    const numbers = numbersIn(price);
    return numbers.length > 0 && !numbers.some((number) => given.has(number));
  });
}

function inventedContacts({ spec }: Judged, prompt: string): string[] {
  const { email, phone, address } = spec.contact ?? {};
  const words = new Set(wordsOf(prompt));
  const digits = (text: string) => text.replace(/\D/g, '');
  const invented: string[] = [];
  if (email && !fold(prompt).includes(fold(email))) invented.push(email);
  if (phone && !digits(prompt).includes(digits(phone))) invented.push(phone);
  if (address && !wordsOf(address).every((word) => words.has(word))) invented.push(address);
  return invented;
}

function inventedHours({ spec }: Judged, prompt: string): string[] {
  const times = timesIn(prompt);
  const hours = new Set(numbersIn(prompt));
  const isGiven = (time: number) => times.has(time) || hours.has(time / 60) || hours.has(time / 60 - 12);
  return (spec.hours ?? [])
    .map(({ time }) => time)
    .filter((time) => ![...timesIn(time)].every(isGiven) && !/^\D*$/.test(time));
}

function numberedEntries({ spec, view, lang }: Judged, prompt: string): string[] {
  const given = fold(prompt);
  const nouns = [
    ...(spec.entity ? [spec.entity.singular, spec.entity.plural] : []),
    ...view.fields.map(({ label }) => label),
  ];
  return view.texts.filter((text) => {
    const [, base] = /^(.+?) ?#?\d+$/.exec(text.trim()) ?? [];
    return (
      base !== undefined && !given.includes(fold(text)) && nouns.some((noun) => sameText(noun, base, lang))
    );
  });
}

function possessiveLabels({ view, lang }: Judged): string[] {
  const { possessives } = languageWords(lang);
  return view.fields
    .map(({ label }) => label)
    .filter((label) => possessives.has(wordsOf(label)[0] ?? '') && wordsOf(label).length > 1);
}
