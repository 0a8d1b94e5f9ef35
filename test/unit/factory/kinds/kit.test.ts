import { afterEach, expect, test, vi } from 'vitest';
import {
  daysSince,
  formatDate,
  formatNumber,
  fromCsv,
  parseNumber,
  toCsv,
  today,
  undoable,
} from '../../../../src/factory/kinds/shared/app/kit/tools.js';

const inLanguage = (lang: string) => vi.stubGlobal('document', { documentElement: { lang } });
afterEach(() => vi.unstubAllGlobals());

test('numbers and days are read and written as the language has them', () => {
  inLanguage('de');
  expect([formatNumber(1234.5), formatDate('2026-03-01')]).toEqual(['1.234,5', '01.03.2026']);
  expect(
    ['1.234,5', '12,5', '1.234', '3.5', '1 234', '−7', '1.234.567', 'x', '', '1,2,3.4'].map(parseNumber),
  ).toEqual([1234.5, 12.5, 1234, 3.5, 1234, -7, 1_234_567, null, null, 123.4]);
  inLanguage('en');
  expect(['1,234', '1,234.5', '12,5', '.5'].map(parseNumber)).toEqual([1234, 1234.5, 12.5, 0.5]);
  expect(daysSince(today())).toBe(0);
});

test('what is written as CSV is read again, in each language, and no cell becomes a formula', () => {
  const rows = [
    ['Volk', 'Honig; kg'],
    ['Linde "alt"', 'a\nb'],
    ['', 'x'],
  ];
  for (const lang of ['de', 'en']) {
    inLanguage(lang);
    expect(fromCsv(toCsv(rows))).toEqual(rows);
  }
  expect(toCsv([['=1+1', 1.5]])).toBe("'=1+1,1.5\r\n");
  inLanguage('de');
  expect(toCsv([['a', 1.5]])).toBe('a;1,5\r\n');
});

test('what was changed can be taken back and done again', () => {
  const seen: number[][] = [];
  const list = undoable<number[]>('list', [], (value) => seen.push(value));
  list.set([1]);
  list.set([1, 2]);
  list.undo();
  expect([list.value, list.canUndo, list.canRedo]).toEqual([[1], true, true]);
  list.redo();
  list.undo();
  list.undo();
  list.undo();
  expect([list.value, list.canUndo]).toEqual([[], false]);
  list.set([3]);
  expect(list.canRedo).toBe(false);
  expect(seen).toEqual([[1], [1, 2], [1], [1, 2], [1], [], [3]]);
});
