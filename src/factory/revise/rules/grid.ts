import type { AppSpec } from '../../spec.ts';
import { optionsIn } from '../new-fields.ts';
import { done, type Outcome, type Rule } from '../rule.ts';
import type { Words } from '../words.ts';

const maxRows = 24;
const maxMarks = 12;

/** What the days of a calendar can be marked with: those that are there keep their colour. */
export const marks: Rule = (spec, { options = '' }, words) =>
  spec.kind === 'calendar' ? withMarks(spec, optionsIn(words, options, maxMarks), [], words) : null;

/** The rows of a week. */
export const rows: Rule = (spec, { options = '' }, words) =>
  spec.kind === 'calendar' ? withRows(spec, optionsIn(words, options, maxRows), [], words) : null;

/** More to mark days with. */
export const addMark: Rule = (spec, { options = '' }, words) => addedTo(spec, 'marks', options, words);
/** Another row of a week. */
export const addRow: Rule = (spec, { options = '' }, words) => addedTo(spec, 'rows', options, words);

/** “Add …” to a calendar: a month is marked, and a week has rows. */
export const addToGrid = (spec: AppSpec, text: string, words: Words): Outcome =>
  addedTo(spec, spec.variant === 'month' ? 'marks' : 'rows', text, words);

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
