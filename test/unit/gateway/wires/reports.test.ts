/** What others have reported: each is shown not to happen here by a test that exists, or it is said why it cannot. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { type Report, reports } from '../../../fixtures/wires/reports.ts';

const root = path.join(import.meta.dirname, '../../../..');
const texts = new Map<string, string>();

function textOf(file: string): string {
  const known = texts.get(file) ?? readFileSync(path.join(root, file), 'utf8');
  texts.set(file, known);
  return known;
}

/** Whether a file has a test, or a row of one, whose title begins so. */
function names(file: string, title: string): boolean {
  return [`'`, '"', '`'].some((quote) => textOf(file).includes(quote + title));
}

it('there are sixty, each once', () => {
  expect(reports).toHaveLength(60);
  expect(new Set(reports.map(({ thread }) => thread)).size).toBe(60);
  for (const { thread } of reports) expect(thread).toMatch(/^[\w.-]+\/[\w.-]+#\d+$/);
});

it.each(reports)('$thread is shown not to happen, or cannot', ({ shown, because }: Report) => {
  expect(shown.length > 0 || because !== undefined).toBe(true);
  for (const [file, title] of shown) expect([file, title, names(file, title)]).toEqual([file, title, true]);
});
