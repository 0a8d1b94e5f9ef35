import { kindOfApp } from '../../catalogue.ts';
import type { AppSpec, Question, SectionItem } from '../../spec.ts';
import { isLabel, optionsIn } from '../new-fields.ts';
import { movedTo, type Place, placeOf, titleOf, valueFor, withAt, withEntity } from '../places.ts';
import {
  bare,
  done,
  isOne,
  label,
  type Outcome,
  pieces,
  type Rule,
  refuse,
  unquoted,
  type Words,
  wordFor,
} from '../words.ts';

const moving =
  (target: Target, relative: boolean): Rule =>
  (spec, { thing = '', other = '' }, words) => {
    const place = placeOf(spec, words, thing);
    if (!place || !('index' in place)) return refuse(words, 'unknown', thing);
    const beside = relative ? placeOf(spec, words, other, place.what) : null;
    if (relative && (!beside || !('index' in beside))) return refuse(words, 'unknown', other);
    const at = beside && 'index' in beside ? beside.index : 0;
    const next = moved(spec, place, (count) => target(place.index, at, count), beside);
    return next ? done(words, next, 'moved', { what: titleOf(spec, place) }) : null;
  };

/** To the front. */
export const first = moving(() => 0, false);

/** To the end. */
export const last = moving((_from, _other, count) => count - 1, false);

/** In front of another. */
export const before = moving((from, other) => (from < other ? other - 1 : other), true);

/** Behind another. */
export const after = moving((from, other) => (from < other ? other : other + 1), true);

/** A further part of a site. It begins empty but for its heading. */
export const addSection: Rule = (spec, { title = '' }, words) => {
  const heading = label(bare(words, title)).slice(0, 80);
  if (!sited.has(spec.kind)) return refuse(words, 'kind');
  const type = spec.kind === 'docs' ? 'text' : spec.kind === 'event' ? 'schedule' : 'items';
  const sections = [...spec.sections, { type, title: heading, text: '', items: [] } as const];
  return done(words, { ...spec, sections }, 'added', { what: heading });
};

const sited: ReadonlySet<string> = new Set(['landing', 'portfolio', 'docs', 'event']);
/** Kinds whose things stand in their first section. */
const listed: ReadonlySet<string> = new Set(['habits', 'notes', 'calculator']);

/** A dish, a step, a habit: something that a section lists. */
export const addItem: Rule = (spec, { item = '', price, section }, words) => {
  const title = label(bare(words, item)).slice(0, 120);
  const cost = price === undefined ? undefined : priceIn(price);
  if (cost === null) return null;
  const place = section === undefined ? null : placeOf(spec, words, section, 'section');
  if (section !== undefined && place?.what !== 'section') return refuse(words, 'unknown', section);
  const priced = spec.sections.findIndex(({ items }) => items.some((one) => one.price));
  const index = place?.what === 'section' ? place.index : price === undefined ? -1 : Math.max(priced, 0);
  return withItem(spec, index, { title, ...(cost ? { price: cost } : {}) }, words);
};

/** “Add Buffet: 20:00” to a page: what is said behind it is its time, or its text. */
export function addToPage(spec: AppSpec, text: string, words: Words): Outcome {
  const [, title = '', said = ''] = /^([^:,–]{1,120}?)\s*(?:[:,–]\s*(.{1,600}))?$/u.exec(text) ?? [];
  const isTime = /^\d{1,2}(?:[:.h]\d{2})?(?:\s?(?:[-–]|am\b|pm\b|h\b|uhr\b).{0,20})?$/iu.test(said);
  const fits = (type: string) => (isTime ? type === 'schedule' : type === 'items' || type === 'steps');
  const found = spec.sections.findIndex(({ type }) => fits(type));
  const index = found < 0 && spec.sections.length === 1 ? 0 : found;
  if (!sited.has(spec.kind) || title === '') return null;
  const item = { title: label(bare(words, title)), ...(said && { [isTime ? 'meta' : 'text']: said }) };
  return withItem(spec, index, item, words);
}

function withItem(spec: AppSpec, index: number, item: SectionItem, words: Words): Outcome {
  const section = spec.sections[index];
  if (!section) return sited.has(spec.kind) ? refuse(words, 'place') : null;
  const sections = withAt(spec.sections, index, { ...section, items: [...section.items, item] });
  return done(words, { ...spec, sections }, 'added', { what: item.title });
}

/** Habits, notes and lines of a quote, each by its name. */
export function addListed(spec: AppSpec, text: string, words: Words): Outcome {
  if (!listed.has(spec.kind) || (spec.kind === 'calculator' && spec.variant !== 'quote')) return null;
  const fresh = pieces(words, text).map((piece) => ({ title: label(bare(words, piece)).slice(0, 120) }));
  const first = spec.sections[0] ?? { type: 'items', title: spec.name, items: [] };
  const sections = [{ ...first, items: [...first.items, ...fresh] }, ...spec.sections.slice(1)];
  return done(words, { ...spec, sections }, 'added', { what: fresh.map(({ title }) => title).join(', ') });
}

/** What something costs, as people write it: with a digit, and without words. */
export function priceIn(text: string): string | null {
  const plain = unquoted(text).replace(/[\s.!]+$/u, '');
  return plain.length <= 40 &&
    /^(?:[\p{Sc}\p{Lu}]{0,4}\s?)?\d[\d.,' ]*(?:\s?[\p{Sc}\p{L}]{1,8})?$/u.test(plain)
    ? plain
    : null;
}

/** The sign or the letters beside the number of another price, put beside a bare number. */
function likeOthers(price: string, old: string | undefined): string {
  return old && /^[\d.,]+$/.test(price) ? old.replace(/\d[\d.,]*/, () => price) : price;
}

/** What an item costs. */
export const price: Rule = (spec, { item = '', price = '' }, words) => {
  const cost = priceIn(price);
  const place = placeOf(spec, words, item, 'item');
  if (cost === null) return null;
  // What a business does not list yet is listed from now on.
  if (place === null && spec.kind === 'landing' && !words.strict && isLabel(words, item))
    return addItem(spec, { item, price: cost }, words);
  if (place?.what !== 'item') return null;
  const section = spec.sections[place.section];
  if (!section) return null;
  const other = place.item.price || section.items.find((one) => one.price)?.price;
  const value = likeOthers(cost, other);
  const items = withAt(section.items, place.index, { ...place.item, price: value });
  const sections = withAt(spec.sections, place.section, { ...section, items });
  return done(words, { ...spec, sections }, 'set', { what: place.item.title, value });
};

/** A question with its answer. Wrong answers of a quiz are the right ones of other questions. */
export const addQuestion: Rule = (spec, { question = '', answer = '' }, words) => {
  if (spec.kind !== 'quiz' && spec.kind !== 'flashcards') return null;
  const prompt = label(question).slice(0, 200);
  const right = unquoted(answer.replace(/[\s.]+$/u, '')).slice(0, 120);
  const others = [...new Set(spec.questions.map((other) => other.answer))].filter((other) => other !== right);
  const wrong = spec.kind === 'quiz' ? others.slice(0, 3) : [];
  const added: Question = { prompt, answer: right, wrong };
  return done(words, { ...spec, questions: [...spec.questions, added] }, 'added', { what: prompt });
};

/** When a business is open: the days in front, the time behind. */
export const addHours: Rule = (spec, { hours = '' }, words) => {
  if (spec.kind !== 'landing' && spec.kind !== 'event') return null;
  const digit = hours.search(/\d/u);
  const front = digit < 0 ? '' : hours.slice(0, digit).replace(/[\s:,]+$/u, '');
  const parts = front.split(/\s+/u);
  while (isOne(words.file.words['from'], parts.at(-1) ?? '') || words.articles.has(parts.at(-1) ?? ''))
    parts.pop();
  const days = parts.join(' ');
  if (!days || days.length > 40) return null;
  return withHours(spec, label(days), hours.slice(digit).trim(), words);
};

/** A day on which a business is not open. */
export const closed: Rule = (spec, { days = '' }, words) =>
  spec.kind === 'landing' ? withHours(spec, label(bare(words, days)), words.file.words.closed, words) : null;

function withHours(spec: AppSpec, days: string, time: string, words: Words): Outcome {
  if (time.length > 40 || days.length > 40) return null;
  const others = spec.hours.filter((hours) => hours.days.toLowerCase() !== days.toLowerCase());
  const next = { ...spec, hours: [...others, { days, time }] };
  return done(words, next, 'set', {
    what: `${label(wordFor(words.file.parts, 'hours'))}, ${days}`,
    value: time,
  });
}

/** What a picker chooses from. */
export const choices: Rule = (spec, { options = '' }, words) => {
  if (String(spec.kind) !== 'picker') return null;
  const list = optionsIn(words, options, 100);
  return done(words, { ...spec, choices: list }, 'options', { what: spec.name, value: list.join(', ') });
};

/** More that a picker chooses from. */
export const addChoice: Rule = (spec, { options = '' }, words) => {
  if (String(spec.kind) !== 'picker') return null;
  const fresh = optionsIn(words, options, 100).filter((option) => !spec.choices.includes(option));
  return done(words, { ...spec, choices: [...spec.choices, ...fresh] }, 'added', { what: fresh.join(', ') });
};

/** The app begins with no entries. */
export const noExamples: Rule = (spec, _taken, words) => done(words, { ...spec, seed: [] }, 'examples');

/** An entry to begin with, its values in the order of the fields. */
export const addExample: Rule = (spec, { values = '' }, words) => {
  const fields = spec.entity?.fields ?? [];
  const given = pieces({ ...words, and: new Set() }, values);
  if (given.length === 0 || given.length > fields.length)
    return fields.length ? null : refuse(words, 'noFields');
  const row: Record<string, string | number | boolean> = {};
  for (const [index, value] of given.entries()) {
    const field = fields[index];
    const fit = field && valueFor(field, value);
    if (!field || fit === null || fit === undefined) return null;
    row[field.key] = fit;
  }
  return done(words, { ...spec, seed: [...spec.seed, row] }, 'added', { what: given.join(', ') });
};

/** “Buy milk” and “Call mum”: entries by their first text, of an app that begins with entries. */
export function addEntries(spec: AppSpec, text: string, words: Words): Outcome {
  const key = spec.entity?.fields.find(({ type }) => type === 'text')?.key;
  if (key === undefined || !kindOfApp(spec.kind, spec.variant).uses.includes('seed'))
    return refuse(words, 'place');
  const fresh = pieces(words, text);
  const seed = [...spec.seed, ...fresh.map((value) => ({ [key]: value }))];
  return done(words, { ...spec, seed }, 'added', { what: fresh.join(', ') });
}

/** Where something goes: its index afterwards, by its own index, that of the other thing, and how many there are. */
type Target = (from: number, other: number, count: number) => number;

function moved(
  spec: AppSpec,
  place: Place & { readonly index: number },
  to: (count: number) => number,
  beside: Place | null,
): AppSpec | null {
  const within = <T>(list: readonly T[]) => movedTo(list, place.index, to(list.length));
  switch (place.what) {
    case 'field':
      return spec.entity && withEntity(spec, { ...spec.entity, fields: within(spec.entity.fields) });
    case 'section':
      return { ...spec, sections: within(spec.sections) };
    case 'item': {
      const section = spec.sections[place.section];
      if (!section || (beside?.what === 'item' && beside.section !== place.section)) return null;
      return {
        ...spec,
        sections: withAt(spec.sections, place.section, { ...section, items: within(section.items) }),
      };
    }
    case 'question':
      return { ...spec, questions: within(spec.questions) };
    case 'choice':
      return { ...spec, choices: within(spec.choices) };
    case 'row':
      return spec.grid && { ...spec, grid: { ...spec.grid, rows: within(spec.grid.rows) } };
    default:
      return null;
  }
}
