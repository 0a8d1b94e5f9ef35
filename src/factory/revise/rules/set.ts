import { fits, kindOfApp } from '../../catalogue.ts';
import { datesIn } from '../../read/facts/dates.ts';
import { timesIn } from '../../read/facts/times.ts';
import { lexiconOf } from '../../read/lexicon.ts';
import type { AppSpec } from '../../spec.ts';
import { optionsFor, optionsIn, typeNamed } from '../new-fields.ts';
import { placeOf, titleOf, withAt } from '../places.ts';
import {
  bare,
  done,
  isOne,
  isPointed,
  label,
  meaning,
  type Outcome,
  type Rule,
  refuse,
  unquoted,
  type Words,
  wordFor,
} from '../words.ts';
import { price } from './content.ts';
import { withField } from './fields.ts';
import { coloured, lit, paid, shaped, spoken, withSetting } from './look.ts';
import { isLook, name, renamed, tagline } from './rename.ts';

/** “Set X to Y”, “X should be Y”: what X is says what becomes of it. */
export const set: Rule = (spec, { thing = '', how, value = how ?? '' }, words) => {
  const given = value.replace(/[\s.!]+$/u, '');
  const place = placeOf(spec, words, thing);
  const end = given.split(/\s+/u).at(-1) ?? '';
  const { required, optional } = words.file.words;
  // “Make title optional and rating required” is two commands, not two options.
  if (how !== undefined && (isOne(required, end) || isOne(optional, end)) && place?.what === 'field')
    return null;
  if (place?.what === 'field') return withType(spec, place.index, given, words);
  const part = meaning(words.file.parts, bare(words, thing));
  // “Make the title bigger” says how it is, “make the title Zap” what it is.
  const isHow = isLook(words, given) || (how !== undefined && !/^["“„«\p{Lu}]/u.test(how));
  if ((part === 'name' || part === 'tagline') && place === null && isHow)
    return refuse(words, 'unknown', bare(words, thing));
  return (
    withSetting(spec, thing, given, words) ??
    price(spec, { item: thing, price: given }, words) ??
    (part === null ? null : withPart(spec, part, given, bare(words, thing), words)) ??
    withText(spec, thing, given, words)
  );
};

/** As `set`; where the value is no type and no list, it is the new name. */
export const change: Rule = (spec, taken, words) => {
  const plain = set(spec, taken, words);
  if (plain) return plain;
  const { thing = '', value = '' } = taken;
  const [, copy] = /^\/copy\/(\w+)$/.exec(words.pointed?.at ?? '') ?? [];
  // A day and a time are kept otherwise than people write them.
  if (copy && isPointed(words, thing)) return withCopy(spec, copy, value, copy, words);
  if (isPointed(words, thing)) return name(spec, { name: value }, words);
  const place = placeOf(spec, words, thing);
  const text = label(value);
  const next = place && text && renamed(spec, place, text);
  return next ? done(words, next, 'renamed', { what: titleOf(spec, place), value: text }) : null;
};

/** Another type for a field, or what can be chosen in it. */
function withType(spec: AppSpec, index: number, value: string, words: Words): Outcome {
  const field = spec.entity?.fields[index];
  if (!spec.entity || !field) return null;
  const type = typeNamed(words, value);
  if (type && type !== 'select') {
    const next = withField(spec, spec.entity, index, { type });
    return done(words, next, 'type', { what: field.label, value: wordFor(namesOf(words), type) });
  }
  const options =
    type === 'select' ? (field.options ?? optionsFor(words, field.label) ?? []) : optionsIn(words, value);
  if (options.length < 2) return null;
  const next = withField(spec, spec.entity, index, { type: 'select', options });
  return done(words, next, 'options', { what: field.label, value: options.join(', ') });
}

const namesOf = (words: Words) =>
  Object.fromEntries(Object.entries(words.file.types).map(([type, { named }]) => [type, named]));

/** “It starts at seven in the evening” and “move it to 13 May at 4 pm”, of what has a beginning. */
export const starts: Rule = (spec, { time = '', when }, words) => {
  const { parts } = words.file;
  if (when === undefined) return withCopy(spec, 'time', time, wordFor(parts, 'time'), words);
  if (copyValue('day', when, words) === undefined && copyValue('time', when, words) === undefined)
    return null;
  let moved: Outcome = null;
  for (const part of ['day', 'time']) {
    const from: AppSpec = moved && 'spec' in moved ? moved.spec : spec;
    moved = withCopy(from, part, when, label(wordFor(parts, moved ? 'day' : part)), words) ?? moved;
  }
  return moved ?? refuse(words, 'noDate');
};

/** A short text that the kind shows: one that nothing shows would be a change that nobody sees. */
function withCopy(spec: AppSpec, name: string, said: string, called: string, words: Words): Outcome {
  const known = kindOfApp(spec.kind, spec.variant).copy[name];
  const value = known && copyValue(name, unquoted(said), words);
  if (!known || value === undefined || !fits(known, value)) return null;
  const next = { ...spec, copy: { ...spec.copy, [name]: value } };
  return done(words, next, 'set', { what: called, value: unquoted(said) });
}

/** A day and a time as the app keeps them, however people write them. */
function copyValue(name: string, text: string, { lang }: Words): string | undefined {
  if (name === 'day') return datesIn(text, lexiconOf(lang))[0]?.value;
  if (name !== 'time') return text;
  const [bareHour] = /^\d{1,2}$/.exec(text) ?? [];
  if (bareHour !== undefined) return `${bareHour.padStart(2, '0')}:00`;
  return timesIn(text, lexiconOf(lang), () => true).times[0]?.from;
}

function withPart(spec: AppSpec, part: string, value: string, called: string, words: Words): Outcome {
  const said = (next: AppSpec, text = value) => done(words, next, 'set', { what: called, value: text });
  const text = unquoted(value);
  switch (part) {
    case 'name':
      return name(spec, { name: value }, words);
    case 'tagline':
      return tagline(spec, { text: value }, words);
    case 'colour':
      return coloured(spec, bare(words, value), words);
    case 'mode':
      return lit(spec, bare(words, value), words);
    case 'lang':
      return spoken(spec, bare(words, value), words);
    case 'currency':
      return paid(spec, bare(words, value), words);
    case 'kind':
      return shaped(spec, bare(words, value), words);
    case 'email':
      return /^[^\s@]+@[^\s@]+\.[^\s@]+$/u.test(text)
        ? said({ ...spec, contact: { ...spec.contact, email: text } }, text)
        : null;
    case 'phone':
      return /^\+?[\d\s()/.-]{4,40}$/u.test(text)
        ? said({ ...spec, contact: { ...spec.contact, phone: text } }, text)
        : null;
    case 'address':
      return said({ ...spec, contact: { ...spec.contact, address: text } }, text);
    case 'endpoint':
      return /^https:\/\/\S+$/u.test(text)
        ? said({ ...spec, contact: { ...spec.contact, endpoint: text } }, text)
        : null;
    default:
      return withCopy(spec, part, value, called, words);
  }
}

/** The text of an item or a section, the answer of a question. */
function withText(spec: AppSpec, thing: string, value: string, words: Words): Outcome {
  const place = placeOf(spec, words, thing);
  const text = unquoted(value);
  if (!place) return null;
  const said = (next: AppSpec) => done(words, next, 'set', { what: titleOf(spec, place), value: text });
  if (place.what === 'section')
    return said({ ...spec, sections: withAt(spec.sections, place.index, { ...place.section, text }) });
  if (place.what === 'item') {
    const section = spec.sections[place.section];
    const items = section && withAt(section.items, place.index, { ...place.item, text });
    return section && items
      ? said({ ...spec, sections: withAt(spec.sections, place.section, { ...section, items }) })
      : null;
  }
  if (place.what !== 'question') return null;
  const questions = spec.questions.map((one, at) =>
    at === place.index ? { ...one, answer: text, wrong: one.wrong.filter((other) => other !== text) } : one,
  );
  return said({ ...spec, questions });
}

/** Parts whose value can be checked, so that two words beside each other are enough: “currency euros”. */
const facts: ReadonlySet<string> = new Set([
  'colour',
  'mode',
  'lang',
  'currency',
  'kind',
  'email',
  'phone',
  'endpoint',
]);

/** “Currency: euros”, “email anna@example.org”. */
export const fact: Rule = (spec, { thing = '', value = '' }, words) => {
  const called = bare(words, thing);
  const part = meaning(words.file.parts, called);
  return part && facts.has(part) ? withPart(spec, part, value.replace(/[\s.!]+$/u, ''), called, words) : null;
};
