import type { Wish } from '../checks.ts';
import { type PromptEntry, type Spellings, spellingsOf } from '../prompt-set.ts';
import { distance, fold, nearest, weekdayNames, wordsAround, wordsOf } from '../text.ts';
import { arithmeticKey, type PageForm, someExpression } from './page-form.ts';
import { addEntries } from './places.ts';

/** Whether a number is within what stands beside a control: “From 1 to 10.” */
function isWithin(hint: string, value: number): boolean {
  const [, from, to] = / From (-?[\d.]+) to (-?[\d.]+)\./.exec(hint) ?? [];
  return from === undefined || (value >= Number(from) && value <= Number(to));
}

/** More texts than so many are entries of what the app lists; fewer say in the tagline what it is about. */
export const maxInTagline = 2;

/**
 * Facts of which nobody has said where they belong. Somebody who reads the labels puts an address where addresses go and
 * a number at the setting that it is one of. A number that no control asks for has no place: written into some
 * text it would stand there, and do nothing.
 */
export class FactPlaces {
  readonly #form: PageForm;
  readonly #entry: PromptEntry;
  readonly #facts: Spellings[] = [];

  constructor(form: PageForm, entry: PromptEntry) {
    this.#form = form;
    this.#entry = entry;
  }

  take(fact: Spellings): void {
    this.#facts.push(fact);
  }

  /** Puts all facts into the form. @returns those for which it has no place */
  place(): Wish[] {
    const { prompt } = this.#entry;
    const typed = this.#facts.map((fact) => ({ fact, text: typedAs(fact, prompt) }));
    const bySort = Map.groupBy(typed, ({ text }) => factSort(text));
    const late: { fact: Spellings; text: string }[] = [];
    const texts = [...(bySort.get('text') ?? [])];
    for (const [sort, facts] of bySort) {
      if (sort === 'time') late.push(...this.#times(facts));
      else if (sort !== 'text') late.push(...facts.filter(({ text }) => !this.#placeOne(sort, text)));
    }
    late.push(...this.#texts(texts));
    return late.map(({ fact }) => ({ sort: 'fact', fact }));
  }

  #placeOne(sort: FactSort, text: string): boolean {
    const form = this.#form;
    switch (sort) {
      case 'email':
        return form.type('/contact/email', text) || this.#inTagline(text);
      case 'phone':
        return form.type('/contact/phone', text) || this.#inTagline(text);
      case 'unit':
        return this.#unit(text);
      case 'date':
        return this.#date(text);
      default:
        return this.#number(text);
    }
  }

  #date(date: string): boolean {
    const day = date.length === 5 ? `@${date}` : date;
    const others = this.#entry.expect.facts?.flat() ?? [];
    if (!others.some((other) => this.#form.text('/copy/day') === other && other !== date))
      if (this.#form.type('/copy/day', day) && date.length > 5) return true;
    return this.#inTagline(dateText(date, this.#entry.lang));
  }

  /** A number goes where a label or hint shares a word with what stands around it in the prompt. */
  #number(text: string): boolean {
    const form = this.#form;
    const { prompt, expect } = this.#entry;
    const value = text.replace(',', '.');
    const around = new Set(wordsAround(prompt, text));
    const settings = form.places.filter((place) => /^\/settings\/\w+$/.test(place));
    const wanted = new Set((expect.facts ?? []).flat().map((fact) => fact.replace(',', '.')));
    // What is as it should be already is not typed over.
    const free = settings.filter(
      (place) => !wanted.has(String(form.value(place) ?? '')) && isWithin(form.label(place), Number(value)),
    );
    const best = nearest(
      free,
      (place) => -wordsOf(form.label(place)).filter((word) => around.has(word)).length,
    );
    if (best !== undefined) return form.type(best, value);
    const inputs = form.list('/formula/inputs').map((_, index) => `/formula/inputs/${index}`);
    const input = nearest(inputs, (at) => distance(prompt, form.text(`${at}/label`), text));
    if (input !== undefined) return form.type(`${input}/value`, value);
    return form.offers('/sections+') && this.#inTagline(phraseOf(prompt, text));
  }

  #unit(text: string): boolean {
    const form = this.#form;
    const places = ['/formula/inputs', '/formula/results'].flatMap((list) =>
      form.list(list).map((_, index) => `${list}/${index}`),
    );
    const { prompt } = this.#entry;
    const place = nearest(places, (at) => distance(prompt, form.text(`${at}/label`), text));
    return place !== undefined && form.type(`${place}/unit`, text);
  }

  /** Two times are from when to when; one is when it begins. */
  #times(facts: readonly { fact: Spellings; text: string }[]): typeof facts {
    const form = this.#form;
    const late: { fact: Spellings; text: string }[] = [];
    for (let at = 0; at < facts.length; at += 2) {
      const [from, to] = facts.slice(at, at + 2);
      if (!from) continue;
      const time = to ? `${from.text}–${to.text}` : from.text;
      const isPlaced =
        (!to && form.text('/copy/time') === '' && form.type('/copy/time', time)) ||
        this.#hours(time) ||
        (!to && form.type('/copy/time', time)) ||
        this.#inTagline(time);
      if (!isPlaced) late.push(...facts.slice(at, at + 2));
    }
    return late;
  }

  #hours(time: string): boolean {
    const line = this.#form.add('/hours');
    if (line === null) return false;
    const { prompt, lang } = this.#entry;
    const names = weekdayNames(lang);
    const days = prompt.split(/[^\p{L}]+/u).filter((word) => names.has(fold(word)));
    return this.#form.type(`${line}/days`, days.join(', ') || '–') && this.#form.type(`${line}/time`, time);
  }

  #texts(facts: readonly { fact: Spellings; text: string }[]): typeof facts {
    const form = this.#form;
    const rest = facts.filter(({ text }) => !this.#ownPlace(text));
    if (form.offers('/formula/results+')) return rest.filter(({ text }) => !this.#result(text));
    if (
      rest.length > maxInTagline &&
      addEntries(
        form,
        rest.map(({ text }) => text),
        this.#entry,
      )
    )
      return [];
    return rest.filter(({ text }) => !this.#inTagline(text));
  }

  /** What a label asks for by its name: an address has a number, a question several words. */
  #ownPlace(text: string): boolean {
    const form = this.#form;
    if (/\d/.test(text) && form.offers('/contact/address')) {
      const address = form.text('/contact/address');
      return form.type('/contact/address', address === '' ? text : `${text}, ${address}`);
    }
    return text.split(' ').length > 3 && form.type('/copy/question', text);
  }

  #result(label: string): boolean {
    const form = this.#form;
    const at = form.began('/formula/results') ?? form.add('/formula/results');
    if (at === null) return this.#inTagline(label);
    return (
      form.type(`${at}/label`, label) &&
      form.type(`${at}/key`, arithmeticKey(form, at)) &&
      form.type(`${at}/expression`, form.text(`${at}/expression`) || someExpression(form))
    );
  }

  #inTagline(text: string): boolean {
    const before = this.#form.text('/tagline');
    return this.#form.type('/tagline', before === '' ? text : `${before} · ${text}`);
  }
}

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
