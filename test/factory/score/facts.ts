import { type PromptLang, type Spellings, spellingsOf } from './prompt-set.ts';
import { datesIn, numbersIn, timesIn } from './quantities.ts';
import type { Thing } from './spec-view.ts';
import { containsText } from './text.ts';

const isNumber = /^\d+([.,]\d+)?$/;
const isTime = /^(\d{2}):(\d{2})$/;
const isDate = /^(?:(\d{4})-)?(\d{2})-(\d{2})$/;
const isPhone = /^[\d\s()+./-]{7,}$/;
const digitsOf = (text: string) => text.replace(/\D/g, '');

/** Whether a fact stands among texts and numbers: by value if it is a number, a time, a date or a phone number. */
export function hasFact({ texts, numbers }: Thing, fact: string, lang: PromptLang): boolean {
  const [, hours, minutes] = isTime.exec(fact) ?? [];
  if (hours !== undefined) {
    const time = Number(hours) * 60 + Number(minutes);
    return texts.some((text) => timesIn(text).has(time));
  }
  const date = isDate.exec(fact);
  if (date) {
    const [year, month, day] = date.slice(1).map((part) => (part === undefined ? null : Number(part)));
    return texts
      .flatMap(datesIn)
      .some((found) => found.month === month && found.day === day && (year === null || found.year === year));
  }
  if (isNumber.test(fact)) {
    const [wanted] = numbersIn(fact);
    return [...numbers, ...texts.flatMap(numbersIn)].some((number) => number === wanted);
  }
  if (isPhone.test(fact)) return texts.some((text) => digitsOf(text).includes(digitsOf(fact)));
  return texts.some((text) => containsText(text, fact, lang));
}

/** Whether one of the spellings of a fact stands among texts and numbers. */
export const hasFactIn = (where: Thing, fact: Spellings, lang: PromptLang): boolean =>
  spellingsOf(fact).some((spelling) => hasFact(where, spelling, lang));
