/** The bench itself: that it runs as printed, and that every party gives right answers under its load. Never how fast. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import type { BenchResult } from '../report.ts';

const has = (command: string) => spawnSync('sh', ['-c', `command -v ${command}`]).status === 0;
const able = Boolean(process.env['CI']) || (has('wrk') && has('cc'));

it.runIf(able)('the bench asks every lane and finds no wrong answer', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'switchyard-bench-test-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const json = path.join(folder, 'result.json');
  const short = ['--quick', '--rounds', '1', '--slots', '1', '--warm-up', '1', '--json', json];
  const lanes = ['switchyard', 'openai', 'anthropic', 'gemini'].flatMap((name) => ['--lane', name]);
  const which = ['json', 'stream'].flatMap((name) => ['--scenario', name]);
  const { status, stderr } = spawnSync(
    process.execPath,
    ['test/bench/main.ts', ...short, ...lanes, ...which],
    {
      encoding: 'utf8',
    },
  );
  expect(stderr).not.toContain('Error');
  expect(status).toBe(0);
  const { pairs } = JSON.parse(readFileSync(json, 'utf8')) as BenchResult;
  expect(pairs.map(({ party }) => party)).toEqual(
    expect.arrayContaining(['/v1/chat', 'native, OpenAI', 'native, Anthropic', 'native, Gemini']),
  );
  for (const { all, failed, baseFailed, fault } of pairs) {
    expect([failed, baseFailed, fault]).toEqual([0, 0, undefined]);
    for (const pair of all) expect(Math.min(pair.base.answered, pair.party.answered)).toBeGreaterThan(0);
  }
});
