import { expect, it } from 'vitest';
import { figuresOf, overBudget } from '../../../scripts/budget/main.ts';

it('what is more than the budget is named, with what it may be', () => {
  const budget = { most: { files: 10, lines: 100 }, rises: { 'a new vendor': { files: 2 } } };
  expect(overBudget({ files: 12, lines: 100 }, budget)).toEqual([]);
  expect(overBudget({ files: 13, lines: 101 }, budget)).toEqual([
    'files: 13, at most 12',
    'lines: 101, at most 100',
  ]);
});

it('files are counted by what they are', () => {
  const files = ['src/lib/json.ts', 'src/factory/prompt.ts'];
  expect(figuresOf(files)).toMatchObject({
    files: 2,
    'source files': 1,
    'short modules': expect.any(Number),
    'long files': 0,
  });
});
