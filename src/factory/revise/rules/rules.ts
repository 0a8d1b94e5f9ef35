import { impossibleCues } from '../../read/cues.ts';
import { lexiconOf } from '../../read/lexicon.ts';
import { tagged } from '../../read/tag.ts';
import type { AppSpec, Feature } from '../../spec.ts';
import { fieldsIn, optionsIn } from '../new-fields.ts';
import { folded } from '../pattern.ts';
import {
  bare,
  done,
  isOne,
  meaning,
  type Outcome,
  pieces,
  type Rule,
  refuse,
  unquoted,
  type Words,
  withoutQuoted,
  wordFor,
} from '../words.ts';
import {
  addChoice,
  addEntries,
  addExample,
  addHours,
  addItem,
  addListed,
  addQuestion,
  addSection,
  addToPage,
  after,
  before,
  choices,
  closed,
  first,
  last,
  noExamples,
  price,
} from './content.ts';
import { addColumn, addFields, addOption, noTotal, optional, required, setOptions } from './fields.ts';

import { currency, lit, make, otherKind, setting } from './look.ts';
import { keep, remove, removeFrom } from './remove.ts';
import { name, rename, tagline } from './rename.ts';
import { change, fact, set, starts } from './set.ts';

const maxRows = 24;

const maxMarks = 12;

/** What the days of a calendar can be marked with: those that are there keep their colour. */
const marks: Rule = (spec, { options = '' }, words) =>
  spec.kind === 'calendar' ? withMarks(spec, optionsIn(words, options, maxMarks), [], words) : null;

/** The rows of a week. */
const rows: Rule = (spec, { options = '' }, words) =>
  spec.kind === 'calendar' ? withRows(spec, optionsIn(words, options, maxRows), [], words) : null;

/** More to mark days with. */
const addMark: Rule = (spec, { options = '' }, words) => addedTo(spec, 'marks', options, words);

/** Another row of a week. */
const addRow: Rule = (spec, { options = '' }, words) => addedTo(spec, 'rows', options, words);

/** “Add …” to a calendar: a month is marked, and a week has rows. */
const addToGrid = (spec: AppSpec, text: string, words: Words): Outcome =>
  addedTo(spec, spec.variant === 'month' ? 'marks' : 'rows', text, words);

/** What expressions call functions, so that no input may be called so. */
const functions: ReadonlySet<string> = new Set(['min', 'max', 'round', 'ceil', 'floor', 'sqrt', 'abs']);

/** “Add …”, which is a feature, fields, or an entry of what the kind lists. */
const add: Rule = (spec, { things = '' }, words) => {
  const text = things.replace(/[\s.!]+$/u, '');
  const all = pieces(words, text).map((piece) => bare(words, piece));
  if (all.some((piece) => notServed(words, piece))) return refuse(words, 'notServed');
  const asked = all.map((piece) => meaning(words.file.features, piece));
  if (asked.length > 0 && asked.every((feature) => feature !== null)) return withFeatures(spec, asked, words);
  if (asked.some((feature) => feature !== null)) return null;
  const quoted = withoutQuoted(text) !== 'x' ? text : unquoted(text);
  if (!spec.entity) return addedElsewhere(spec, quoted, words);
  if (pieces(words, withoutQuoted(text)).every((piece) => piece === 'x'))
    return addEntries(spec, text, words);
  const fields = fieldsIn(words, text);
  return fields && addFields(spec, spec.entity, fields, words);
};

/** “Photo upload” is two words for what no app has; a “user name” is a name. */
const notServed = (words: Words, piece: string): boolean =>
  isOne(words.file.words['notServed'], piece) ||
  piece.split(/\s+/u).every((part) => isOne(words.file.words['notServed'], part)) ||
  isPartOfNone(piece, words);

/** What no app has by the cues of prompts: `Stripe`, `push notifications`. */
function isPartOfNone(piece: string, { lang }: Words): boolean {
  const tokens = tagged(piece, lexiconOf(lang));
  const found = impossibleCues(lang).phrases.at(tokens, 0);
  return found?.length === tokens.length && found.values.some(({ class: sort }) => sort === 'parts');
}

/** Whoever uses an app sorts its entries: a plan has no order for them. */
const sort: Rule = (_spec, _taken, words) => refuse(words, 'sort');

/** All rules by the name that the word files have for them, in the order in which they are tried. */
export const rules: Readonly<Record<string, Rule>> = {
  required,
  optional,
  first,
  last,
  before,
  after,
  setOptions,
  addOption,
  addColumn,
  marks,
  rows,
  addMark,
  addRow,
  noExamples,
  addExample,
  addQuestion,
  addHours,
  closed,
  choices,
  addChoice,
  addSection,
  addItem,
  noTotal,
  currency,
  starts,
  price,
  setting,
  make,
  rename,
  name,
  tagline,
  removeFrom,
  remove,
  add,
  set,
  change,
  fact,
  otherKind,
  sort,
  keep,
};

function addedElsewhere(spec: AppSpec, text: string, words: Words): Outcome {
  if (String(spec.kind) === 'picker') {
    const fresh = optionsIn(words, text, 100).filter((option) => !spec.choices.includes(option));
    const choices = [...spec.choices, ...fresh];
    return fresh.length ? done(words, { ...spec, choices }, 'added', { what: fresh.join(', ') }) : null;
  }
  if (spec.kind === 'calendar') return addToGrid(spec, text, words);
  if (spec.formula && spec.variant === 'formula') return addInputs(spec, text, words);
  return (
    addListed(spec, text, words) ??
    addToPage(spec, text, words) ??
    refuse(words, fieldsIn(words, text) ? 'noFields' : 'place')
  );
}

function withFeatures(spec: AppSpec, asked: readonly Feature[], words: Words): Outcome {
  const types = new Set(spec.entity?.fields.map(({ type }) => type));
  const fresh = asked.filter((feature) => !spec.features.includes(feature));
  const names = asked.map((feature) => wordFor(words.file.features, feature)).join(', ');
  if (fresh.length === 0) return refuse(words, 'there', names);
  if (fresh.includes('due') && !types.has('date')) return refuse(words, 'noDate');
  if (fresh.includes('totals') && !types.has('number') && !types.has('currency'))
    return refuse(words, 'noNumbers');
  const next = { ...spec, features: [...spec.features, ...fresh] };
  const dark = fresh.includes('dark') ? lit(next, wordFor(words.file.modes, 'dark'), words) : null;
  return done(words, dark && 'spec' in dark ? dark.spec : next, 'added', { what: names });
}

/** “Add a number field Width” to a calculator by formula is one more number that it asks for. */
function addInputs(spec: AppSpec, text: string, words: Words): Outcome {
  const { formula } = spec;
  const wanted = formula && fieldsIn(words, text);
  if (!formula || !wanted) return null;
  const isThere = (label: string) => formula.inputs.some((input) => folded(input.label) === folded(label));
  const labels = wanted.map(({ label }) => label);
  const fresh = labels.filter((label) => !isThere(label));
  if (fresh.length === 0) return refuse(words, 'there', labels.join(', '));
  const keys = new Set([...formula.inputs, ...formula.results].map(({ key }) => key));
  const inputs = fresh.map((label) => {
    const key = freeKey(label, keys);
    keys.add(key);
    return { key, label };
  });
  const next = { ...formula, inputs: [...formula.inputs, ...inputs] };
  return done(words, { ...spec, formula: next }, 'added', { what: fresh.join(', ') });
}

/** A key like the label, that nothing in the formula has and no function: `value`, `width_2`. */
function freeKey(label: string, taken: ReadonlySet<string>): string {
  const base = folded(label)
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^[^a-z]+|_+$/g, '')
    .slice(0, 18);
  const plain = base === '' || functions.has(base) ? `${base || 'value'}_1` : base;
  if (!taken.has(plain)) return plain;
  for (let number = 2; ; number++) if (!taken.has(`${plain}_${number}`)) return `${plain}_${number}`;
}

function addedTo(spec: AppSpec, what: 'rows' | 'marks', text: string, words: Words): Outcome {
  if (spec.kind !== 'calendar') return null;
  return what === 'rows'
    ? withRows(spec, optionsIn(words, text, maxRows), spec.grid?.rows ?? [], words)
    : withMarks(spec, optionsIn(words, text, maxMarks), spec.grid?.marks ?? [], words);
}

type Marks = NonNullable<AppSpec['grid']>['marks'];

function withMarks(spec: AppSpec, labels: readonly string[], before: Marks, words: Words): Outcome {
  const { rows: kept = [], marks: old = [] } = spec.grid ?? {};
  const fresh = labels.map((label) => old.find((mark) => mark.label === label) ?? { label });
  const all = [...before, ...fresh.filter((mark) => !before.includes(mark))];
  if (labels.length === 0 || all.length > maxMarks) return null;
  return done(words, { ...spec, grid: { rows: kept, marks: all } }, 'added', { what: labels.join(', ') });
}

function withRows(
  spec: AppSpec,
  labels: readonly string[],
  before: readonly string[],
  words: Words,
): Outcome {
  const all = [...before, ...labels.filter((label) => !before.includes(label))];
  if (labels.length === 0 || all.length > maxRows) return null;
  const grid = { rows: all, marks: spec.grid?.marks ?? [] };
  return done(words, { ...spec, grid }, 'added', { what: labels.join(', ') });
}
