import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { keepResult, readByFiles } from '../../../factory/asked-model.ts';
import type { PromptEntry } from '../../../factory/score/prompt-set.ts';
import { scoredRow } from '../../../factory/score/report.ts';
import { marketSpec } from '../model/market-app.ts';

test('questions wait as files for whoever answers; an answer serves again, and counts are kept with date and model', async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'answers-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const entries: PromptEntry[] = ['a list of what to buy', 'what to bring home from the market'].map(
    (prompt, n) => ({
      id: `x${n}`,
      lang: 'en',
      prompt,
      expect: { kind: ['tracker'] },
    }),
  );
  const first = readByFiles(entries, folder, 'a person');
  const written = (name: string) =>
    vi.waitFor(() => expect(existsSync(path.join(folder, name))).toBe(true), { timeout: 20_000 });
  await Promise.all([written('001.json'), written('002.json')]);
  const [question] = JSON.parse(readFileSync(path.join(folder, '001.json'), 'utf8')).messages.slice(-1);
  expect(question.content).toContain('Plan this app.');
  for (const number of ['001', '002'])
    writeFileSync(
      path.join(folder, `${number}.answer.txt`),
      JSON.stringify({ ...marketSpec, served_by: 'template' }),
    );
  const readings = await first;
  expect(readings.map(({ spec, degraded }) => [spec.name, degraded])).toEqual(
    Array(2).fill(['Market Day', false]),
  );
  const again = await readByFiles(entries, folder, 'a person');
  expect(again).toEqual(readings);
  expect(existsSync(path.join(folder, '003.json'))).toBe(false);
  const rows = entries.flatMap((entry, n) => (readings[n] ? [scoredRow(entry, readings[n])] : []));
  const kept = keepResult(path.join(folder, 'results'), 'development', 'a person', rows);
  expect(path.basename(kept)).toMatch(/^\d{4}-\d\d-\d\d-development-a-person\.json$/);
  expect(JSON.parse(readFileSync(kept, 'utf8'))).toMatchObject({
    model: 'a person',
    prompts: 2,
    set: 'development',
  });
});
