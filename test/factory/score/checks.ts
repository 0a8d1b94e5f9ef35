import { hueNames, languageWords } from './concepts.ts';
import type { Reading } from './prompt-set.ts';
import {
  type Expectation,
  type ExpectedField,
  type PromptLang,
  type Spellings,
  spellingsOf,
} from './prompt-set.ts';
import { hasFactIn, numbersIn, timesIn } from './quantities.ts';
import type { ScoredField, ScoredSpec, SpecView } from './spec-view.ts';
import { containsText, fold, sameText, wordsOf } from './text.ts';

/** One assertion about a spec: whether it holds and, in words, what it is about. */
export interface Check {
  readonly check: string;
  readonly held: boolean;
  readonly detail: string;
  /** What whoever misses it still wants: one thing, or several. */
  readonly wishes: readonly Wish[];
}

/** A spec that is judged, with what it is held to. */
export interface Judged {
  readonly spec: ScoredSpec;
  readonly view: SpecView;
  readonly reading: Reading;
  readonly expect: Expectation;
  readonly lang: PromptLang;
}

/** The assertions that the prompt's writer put down, one by one. */
export const writtenChecks = (judged: Judged): Check[] => [
  ...identityChecks(judged),
  ...fieldChecks(judged),
  ...contentChecks(judged),
];

function identityChecks({ spec, expect, lang }: Judged): Check[] {
  const checks: Check[] = [];
  const { variant, mode, currency, name } = expect;
  const accepted = (check: string, wanted: readonly string[], got: string, wish: Wish) =>
    checks.push({
      check,
      held: wanted.includes(got),
      detail: `${got}, not ${wanted.join(' or ')}`,
      wishes: [wish],
    });
  if (variant) accepted('variant', variant, spec.variant, { sort: 'variant', variants: variant });
  if (mode) accepted('mode', [mode], spec.palette.mode, { sort: 'mode', mode });
  if (currency !== undefined) accepted('currency', [currency], spec.currency, { sort: 'currency', currency });
  if (name) {
    const held = name.some((one) => fold(one) === fold(spec.name));
    const detail = `"${spec.name}", not "${name.join('" or "')}"`;
    checks.push({ check: 'name', held, detail, wishes: [{ sort: 'name', name: name[0] ?? '' }] });
  }
  for (const part of expect.name_contains ?? []) {
    const held = containsText(spec.name, part, lang) || fold(spec.name).includes(fold(part));
    const detail = `"${spec.name}" without "${part}"`;
    checks.push({ check: 'name', held, detail, wishes: [{ sort: 'name part', part }] });
  }
  if (expect.accent_hue !== undefined) {
    const hues = spellingsOf(expect.accent_hue);
    const held = hueNames(spec.palette.accent).some((hue) => hues.includes(hue));
    const detail = `${spec.palette.accent} is not ${hues.join(' or ')}`;
    checks.push({ check: 'accent', held, detail, wishes: [{ sort: 'accent', hues }] });
  }
  for (const feature of expect.features ?? []) {
    const held = spec.features.includes(feature);
    checks.push({ check: 'feature', held, detail: `no ${feature}`, wishes: [{ sort: 'feature', feature }] });
  }
  return checks;
}

/** Whether a label is one of those that are wanted; a note in brackets, such as a unit, may follow it. */
const isCalled = (label: string, wanted: readonly string[], lang: PromptLang) =>
  [label, label.replace(/\s*\([^)]*\)\s*$/, '')].some((text) =>
    wanted.some((other) => sameText(text, other, lang)),
  );

const typeOf = ({ type }: ScoredField) => (type === undefined || type === 'integer' ? 'number' : type);

function fieldChecks({ spec, view, expect, lang }: Judged): Check[] {
  const checks: Check[] = [];
  const left = new Set(view.fields);
  for (const wanted of expect.fields ?? []) {
    const named = [...left].filter(({ label }) => isCalled(label, wanted.label, lang));
    const field = named.find((one) => wanted.type.includes(typeOf(one))) ?? named[0];
    const wishes: Wish[] = [{ sort: 'field', wanted, label: field?.label ?? null }];
    checks.push({ check: 'field', ...fieldFault(wanted, field, lang), wishes });
    if (field) left.delete(field);
  }
  if (expect.only_fields) {
    const stray = (spec.entity?.fields ?? []).filter((field) => left.has(field)).map(({ label }) => label);
    const wishes = stray.map((label) => ({ sort: 'no field', label }) as const);
    checks.push({
      check: 'only fields',
      held: stray.length === 0,
      detail: `also ${stray.join(', ')}`,
      wishes,
    });
  }
  for (const label of expect.no_fields ?? []) {
    const held = !view.fields.some((field) => sameText(field.label, label, lang));
    checks.push({
      check: 'no field',
      held,
      detail: `a field "${label}"`,
      wishes: [{ sort: 'no field', label }],
    });
  }
  for (const label of expect.no_totals ?? []) {
    const summed = view.fields.some(
      (field) =>
        isCalled(field.label, [label], lang) &&
        ['number', 'currency'].includes(typeOf(field)) &&
        field.total !== 'none' &&
        spec.features.includes('totals'),
    );
    const wishes: Wish[] = [{ sort: 'no total', label }];
    checks.push({ check: 'no total', held: !summed, detail: `a total of ${label}`, wishes });
  }
  return checks;
}

function fieldFault(
  wanted: ExpectedField,
  field: ScoredField | undefined,
  lang: PromptLang,
): Pick<Check, 'held' | 'detail'> {
  const name = wanted.label[0];
  if (!field) return { held: false, detail: `no field ${name}` };
  const type = typeOf(field);
  if (!wanted.type.includes(type))
    return { held: false, detail: `${name} is ${type}, not ${wanted.type.join(' or ')}` };
  if (wanted.required && !field.required) return { held: false, detail: `${name} is not required` };
  // A yes or no may be a box as well as a choice, and a box has no options.
  if (wanted.options && type === 'select') {
    const options = (field.options ?? []).map(optionText);
    if (!isList(options, wanted.options, lang))
      return { held: false, detail: `${name} has options ${options.join(', ')}` };
  }
  return { held: true, detail: `${name}` };
}

const optionText = (option: unknown): string =>
  typeof option === 'string' ? option : String((option as { label?: unknown } | null)?.label ?? '');

const isList = (entries: readonly string[], wanted: readonly string[], lang: PromptLang) =>
  entries.length === wanted.length && entries.every((entry, at) => sameText(entry, wanted[at] ?? '', lang));

function contentChecks({ view, reading, expect, lang }: Judged): Check[] {
  const words = (spellings: string | readonly string[]) => spellingsOf(spellings).join(' or ');
  const facts = (expect.facts ?? []).map((fact) => ({
    check: 'fact',
    held: hasFactIn(view, fact, lang),
    detail: `no ${words(fact)}`,
    wishes: [{ sort: 'fact', fact } as const],
  }));
  const items = (expect.items ?? []).map((group) => ({
    check: 'item',
    held: view.things.some((thing) => group.every((fact) => hasFactIn(thing, fact, lang))),
    detail: `not together: ${group.map(words).join(' + ')}`,
    wishes: [{ sort: 'item', facts: group } as const],
  }));
  const lists = (expect.in_order ?? []).map((wanted) => ({
    check: 'list',
    held: view.lists.some(
      (list) =>
        list.length === wanted.length &&
        list.every((texts, at) => texts.some((text) => sameText(text, wanted[at] ?? '', lang))),
    ),
    detail: `no list ${wanted.join(' | ')}`,
    wishes: [{ sort: 'list', entries: wanted } as const],
  }));
  const absent = (expect.absent ?? []).map((text) => ({
    check: 'absent',
    held: !view.texts.some((other) => other.includes(text)),
    detail: `"${text}" stands in it`,
    wishes: [{ sort: 'no text', text } as const],
  }));
  return [...facts, ...items, ...lists, ...absent, ...listedChecks(reading, expect, lang)];
}

function listedChecks(reading: Reading, expect: Expectation, lang: PromptLang): Check[] {
  const listed = [...reading.notTakenUp, ...(reading.unserved === null ? [] : [reading.unserved])];
  return (expect.not_taken_up ?? []).map((wanted) => ({
    check: 'not taken up',
    held: spellingsOf(wanted).some((text) => listed.some((other) => containsText(other, text, lang))),
    detail: `${spellingsOf(wanted).join(' or ')} is not listed as not taken up`,
    wishes: [{ sort: 'told', what: wanted, head: false }],
  }));
}

/** Whether a text that says what is not served names the head noun. */
export const namesHead = (unserved: string, head: string | readonly string[], lang: PromptLang): boolean =>
  wordsOf(unserved).length > 0 && spellingsOf(head).some((words) => containsText(unserved, words, lang));

/**
 * What somebody who looks at a result still wants of it: one assertion that does not hold, as they would see it. It
 * knows nothing of how the product reads or builds.
 */
export type Wish =
  | { readonly sort: 'kind'; readonly kinds: readonly string[] }
  | { readonly sort: 'variant'; readonly variants: readonly string[] }
  | { readonly sort: 'language'; readonly lang: PromptLang }
  | { readonly sort: 'mode'; readonly mode: 'light' | 'dark' }
  | { readonly sort: 'currency'; readonly currency: string }
  | { readonly sort: 'accent'; readonly hues: readonly string[] }
  | { readonly sort: 'name'; readonly name: string }
  | { readonly sort: 'name part'; readonly part: string }
  | { readonly sort: 'feature'; readonly feature: string }
  /** `label` is that of the field which is there, but not as it should be; null where there is none. */
  | { readonly sort: 'field'; readonly wanted: ExpectedField; readonly label: string | null }
  | { readonly sort: 'no field'; readonly label: string }
  | { readonly sort: 'no total'; readonly label: string }
  | { readonly sort: 'fact'; readonly fact: Spellings }
  | { readonly sort: 'item'; readonly facts: readonly Spellings[] }
  | { readonly sort: 'list'; readonly entries: readonly string[] }
  /** A text that stands in the result and must not: an invented price or an entry that is numbered through, too. */
  | { readonly sort: 'no text'; readonly text: string }
  /** To be told that no app can do it. `head` names the whole of what was asked for. */
  | { readonly sort: 'told'; readonly what: Spellings; readonly head: boolean }
  /** To get an app, where it was said that there is none. */
  | { readonly sort: 'served' };

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
