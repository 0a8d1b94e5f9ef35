import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { parse } from 'yaml';
import { allocatedBy, LANES } from '../allocation.ts';
import { coresFor } from '../cores.ts';
import type { Round, RoundPair } from '../measure.ts';
import { type BenchResult, reportText } from '../report.ts';
import { bounds, type Figures, grown } from '../soak/figures.ts';
import { quantile, ratioOf, spread, summarize } from '../summary.ts';

/** The bench itself: that it runs as printed, and that every party gives right answers under its load. Never how fast. */

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

it.runIf(able)('the bench finds the highest rate of each party, on cores of its own', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'switchyard-bench-test-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const json = path.join(folder, 'result.json');
  const short = ['--quick', '--warm-up', '1', '--scenario', 'json', '--lane', 'openai', '--json', json];
  const { status, stderr } = spawnSync(
    process.execPath,
    ['test/bench/main.ts', '--highest', '--cores', '1', ...short],
    { encoding: 'utf8' },
  );
  expect(stderr).toMatch(/ 200 a second: -?[\d.]+ ms more than the vendor, \d+ failed/);
  expect(status).toBe(0);
  const { highest } = JSON.parse(readFileSync(json, 'utf8')) as BenchResult;
  expect(highest.map(({ party, failed }) => [party, failed])).toEqual([
    ['floor', 0],
    ['native, OpenAI', 0],
  ]);
  // A wider bound holds at least as much.
  for (const { rates } of highest) expect(rates).toEqual(rates.toSorted((a, b) => a - b));
});

it.each([
  [1, 2, { gateway: '0-0', vendor: '1', load: '1-1', loads: 1 }],
  [1, 4, { gateway: '0-0', vendor: '1', load: '2-3', loads: 2 }],
  [8, 16, { gateway: '0-7', vendor: '8', load: '9-15', loads: 7 }],
])('%i cores of %i for the gateway leave others to vendor and load', (gateway, all, cores) => {
  expect(coresFor(gateway, all)).toEqual(cores);
  expect(() => coresFor(all, all)).toThrow(`this machine has ${all}`);
});

/** What a request of each lane allocates, which no other work on the machine moves. */
describe('allocation', () => {
  const able = Boolean(process.env['CI']) || spawnSync('sh', ['-c', 'command -v cc']).status === 0;
  const most = parse(readFileSync(new URL('../allocation.yaml', import.meta.url), 'utf8')) as Readonly<
    Record<string, number>
  >;

  it.runIf(able).each(Object.keys(LANES))('%s allocates no more than its bound', async (lane) => {
    const { bytes } = await allocatedBy(lane);
    expect(bytes).toBeGreaterThan(10_000);
    expect(bytes / 1000).toBeLessThanOrEqual(most[lane] ?? 0);
  });
});

describe('the soak', () => {
  const start: Figures = {
    at: 30,
    collected: true,
    requests: 100,
    rss: 130,
    heap: 30,
    external: 5,
    threads: 11,
    descriptors: 30,
  };

  it('lets what it holds grow by the bounds', () => {
    const most = Object.fromEntries(
      Object.entries(bounds).map(([name, more]) => [name, start[name as keyof typeof bounds] + more]),
    );
    expect(grown(start, { ...start, ...most })).toEqual([]);
  });

  it.each(Object.keys(bounds) as (keyof typeof bounds)[])('sees that %s has grown too much', (field) => {
    expect(grown(start, { ...start, [field]: start[field] + bounds[field] + 1 })).toHaveLength(1);
  });
});

describe('the summary', () => {
  const round = (rate: number, cpu: number, more: Partial<Round> = {}): Round => ({
    ...{
      answered: 100,
      failed: 0,
      rate,
      cpu,
      storeCpu: 0,
      firstCpu: 2 * cpu,
      p50: 1,
      p99: 2,
      coldStart: 500,
    },
    ...{ memoryAtStart: 90, memory: 100, memoryPeak: 110, memoryIdle: Number.NaN, crowds: [] },
    ...more,
  });
  const names = { scenario: 'json', title: 'JSON', base: 'floor', party: 'ours' };

  describe('the figures of the bench', () => {
    it('finds quantiles between values, and leaves out what is no number', () => {
      expect(quantile([4, 1, 3, 2], 0.5)).toBe(2.5);
      expect(quantile([1, 2, 3, 4, 5], 0.25)).toBe(2);
      expect(quantile([3, Number.NaN, 1], 0.5)).toBe(2);
      expect(quantile([], 0.5)).toBeNaN();
    });

    it('takes ratios within each round, so that a slow start of the machine meets both', () => {
      const pairs: RoundPair[] = [
        { base: round(1_000, 0.1), party: round(500, 0.2) },
        { base: round(100, 1), party: round(50, 2) },
        { base: round(1_000, 0.1), party: round(250, 0.4) },
      ];
      const rate = ratioOf(pairs, (one) => one.rate);
      expect(rate).toMatchObject({ median: 0.5, lowest: 0.25, highest: 0.5 });
      expect(ratioOf(pairs, ({ cpu }) => cpu).median).toBe(2);
      expect(spread(rate)).toBe(0.25);
    });

    it('tells errors of every party, and shows one that answers them as failed', () => {
      const pairs: RoundPair[] = [
        { base: round(10, 1, { failed: 2 }), party: round(5, 2, { failed: 3, fault: 'status 500' }) },
      ];
      const summary = summarize(names, pairs);
      expect(summary).toMatchObject({ failed: 3, baseFailed: 2, fault: 'status 500' });
      const machine = { date: 'today', node: 'v24', cpu: 'x', cores: 2, loadAverage: 0, highest: [] };
      expect(reportText({ ...machine, pairs: [summary] })).toMatch(/ours .* FAILED\n {2}ours: status 500/);
    });

    it('tells the memory after a time without load, where there was one', () => {
      const machine = { date: 'today', node: 'v24', cpu: 'x', cores: 2, loadAverage: 0, highest: [] };
      const textOf = (more: Partial<Round>) =>
        reportText({
          ...machine,
          pairs: [summarize(names, [{ base: round(10, 1), party: round(5, 2, more) }])],
        });
      expect(textOf({ memoryIdle: 95 })).toMatch(/MB start\/after\/peak\/idle[\s\S]*90\/100\/110\/95/);
      expect(textOf({})).toMatch(/MB start\/after\/peak {2}[\s\S]*90\/100\/110 /);
    });

    it('tells latencies by the number of connections beside the base, with the slowest second of all rounds', () => {
      const machine = { date: 'today', node: 'v26', cpu: 'x', cores: 2, loadAverage: 0, highest: [] };
      const crowds = (p50: number, lowestRate: number) => [
        { connections: 4, failed: 0, p50, p99: 3 * p50, rate: 2_000, lowestRate },
      ];
      const pairs: RoundPair[] = [1, 2, 3].map((at) => ({
        base: round(10, 1, { crowds: crowds(0.5, 1_900) }),
        party: round(5, 2, { crowds: crowds(at, at * 90) }),
      }));
      const summary = summarize(names, pairs);
      expect(summary.crowds).toEqual([
        { connections: 4, failed: 0, p50: 2, p99: 6, rate: 2_000, lowestRate: 90 },
      ]);
      expect(reportText({ ...machine, pairs: [summary] })).toMatch(
        /ours, 4 connections +2\.00 +0\.50 +6\.00 +1\.50 +2,000 +2,000 +90/,
      );
    });

    it('counts the processor time of stores', () => {
      const pairs: RoundPair[] = [{ base: round(10, 1), party: round(5, 2, { storeCpu: 1 }) }];
      expect(summarize(names, pairs).allCpu.median).toBe(3);
    });
  });
});
