import { expect, it } from 'vitest';
import { reasonTable, scoredRow, shownPrompts, summary } from '../../../factory/score/report.ts';
import { entryOf, readingOf, specOf } from './specs.ts';

// Notes are no list, so the second drops a word of its prompt too.
const rows = [
  scoredRow(entryOf(), { spec: specOf(), ...readingOf() }),
  scoredRow(entryOf(), { spec: specOf({ kind: 'notes' }), ...readingOf() }),
  scoredRow(entryOf({}, { prompt: 'tools with login', prompt_lang: 'de' }), {
    spec: specOf(),
    ...readingOf(),
  }),
  scoredRow(entryOf({ kind: [], unserved: true, head: 'radar' }, { prompt: 'radar' }), {
    spec: specOf(),
    ...readingOf({ unserved: 'radar' }),
  }),
];
const cells = (table: string) => table.split('\n').map((line) => line.split(/ {2,}/));

it('counts the verdicts by language and by kind', () => {
  const lines = cells(summary(rows));
  expect(lines).toContainEqual(['all', '4', '75 %', '0 %', '25 %', '50 %', '100 %', '75 %']);
  expect(lines).toContainEqual(['served', '3', '67 %', '0 %', '33 %', '33 %', '100 %', '67 %']);
  expect(lines).toContainEqual(['unserved', '1', '100 %', '0 %', '0 %', '100 %', '100 %', '100 %']);
  expect(lines).toContainEqual(['de', '1', '100 %', '0 %', '0 %', '0 %', '100 %', '100 %']);
  expect(lines).toContainEqual(['tracker', '3', '67 %', '0 %', '33 %', '33 %', '100 %', '67 %']);
  expect(lines).toContainEqual(['no kind', '1', '100 %', '0 %', '0 %', '100 %', '100 %', '100 %']);
});

it('counts what fails, without a word of the prompts', () => {
  expect(cells(reasonTable(rows))).toEqual([
    ['dishonest: dropped word', '2'],
    ['kind', '1'],
  ]);
});

it('shows prompts by verdict', () => {
  expect(shownPrompts(rows, ['wrong'])).toContain('kind: notes, not tracker');
  expect(shownPrompts(rows, ['wrong'])).not.toContain('login');
  expect(shownPrompts(rows, ['dishonest'])).toContain('dropped word: login');
  expect(shownPrompts(rows, ['all']).match(/d-en-999/g)).toHaveLength(4);
});
