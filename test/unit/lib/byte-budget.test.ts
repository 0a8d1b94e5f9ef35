import { spawnSync } from 'node:child_process';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { getPriority, tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, test } from 'vitest';
import { ByteBudget, Holding } from '../../../src/lib/byte-budget.ts';
import { buildThreads, withHeapBound } from '../../../src/lib/capacity.ts';
import { Spool } from '../../../src/lib/spool.ts';

describe('byte budget', () => {
  describe('a budget', () => {
    it('takes no more than its limit, and keeps an eighth for what has begun', () => {
      const budget = new ByteBudget(800);
      expect(budget.begin(700)).toBe(true);
      expect(budget.begin(1)).toBe(false);
      expect(budget.take(100)).toBe(true);
      expect(budget.take(1)).toBe(false);
      expect([budget.held, budget.refusals]).toEqual([800, 2]);
      budget.force(50);
      expect(budget.held).toBe(850);
      budget.give(850);
      expect(budget.held).toBe(0);
    });
  });

  describe('a holding', () => {
    it('covers what is held already, and takes no more than is missing', () => {
      const budget = new ByteBudget(800);
      const holding = new Holding(budget);
      expect(holding.begin(300)).toBe(true);
      expect(holding.cover(200)).toBe(true);
      expect(budget.held).toBe(300);
      expect(holding.cover(500)).toBe(true);
      expect(budget.held).toBe(500);
      expect(holding.cover(900)).toBe(false);
      holding.give(100);
      expect(budget.held).toBe(400);
      holding.forceCover(900);
      expect(budget.held).toBe(900);
      holding.keep(1_000);
      expect(budget.held).toBe(900);
      holding.keep(10);
      expect(budget.held).toBe(10);
    });

    it('gives everything back once, and whatever ends later changes nothing', () => {
      const budget = new ByteBudget(800);
      const [first, other] = [new Holding(budget), new Holding(budget)];
      first.take(300);
      other.take(300);
      first.release();
      first.release();
      expect(first.take(1_000)).toBe(true);
      first.give(300);
      first.forceCover(500);
      expect(budget.held).toBe(300);
      other.release();
      expect(budget.held).toBe(0);
    });
  });
});

describe('spool', () => {
  test('a spool says whether it can be written, and why not', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'switchyard-spool-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    expect(await new Spool(join(folder, 'uploads'), 1000).check()).toBeNull();
    expect(await readdir(folder)).toEqual([]);
    await writeFile(join(folder, 'file'), '');
    expect(await new Spool(join(folder, 'file'), 1000).check()).toMatch(/^(EEXIST|ENOTDIR)$/);
  });
});

describe('the capacity of the machine', () => {
  describe('heap bound', () => {
    const mebibyte = 1024 * 1024;
    const bounded = (args: readonly string[], heap: number, memory: number) =>
      withHeapBound(args, heap * mebibyte, memory * mebibyte);

    test('a heap that does not fit into the memory is bounded by 40 % of it', () => {
      const args = ['--no-maglev', '--max-old-space-size=512', '--trace-warnings'];
      expect(bounded(args, 4096, 256)).toEqual([
        '--no-maglev',
        '--trace-warnings',
        '--max-old-space-size=102',
      ]);
      expect(bounded(['--max_old_space_size=512'], 4096, 256)).toEqual(['--max-old-space-size=102']);
      expect(bounded([], 2048, 1024)).toEqual(['--max-old-space-size=409']);
    });

    test('a heap that fits stays as it is', () => {
      for (const args of [['--max-old-space-size=512'], ['--max-old-space-size=100', '--no-maglev'], []])
        expect(bounded(args, 2048, 8192)).toEqual(args);
      const once = bounded(['--max-old-space-size=512'], 2048, 300);
      expect(bounded(once, 2048, 300)).toEqual(once);
    });

    test('no bound is lower than what the server starts with', () => {
      expect(bounded(['--max-old-space-size=512'], 2048, 64)).toEqual(['--max-old-space-size=96']);
    });
  });

  describe('build threads', () => {
    const mebibytes = (count: number) => count * 1024 * 1024;

    test('threads of builds leave a processor to the server', () => {
      expect(buildThreads(4, mebibytes(8192))).toBe(3);
      expect(buildThreads(2, mebibytes(8192))).toBe(1);
    });

    test('threads of builds are as many as there is memory for, and at least one', () => {
      expect(buildThreads(8, mebibytes(256))).toBe(1);
      expect(buildThreads(8, mebibytes(512))).toBe(2);
      expect(buildThreads(1, mebibytes(128))).toBe(1);
    });
  });

  test.runIf(process.platform === 'linux')('helper threads of V8 yield to the event loop', () => {
    const program = `
      import { readdirSync, readFileSync } from 'node:fs';
      import { getPriority } from 'node:os';
      import { lowerHelperPriority } from ${JSON.stringify(new URL('../../../src/lib/capacity.ts', import.meta.url))};
      lowerHelperPriority();
      for (const id of readdirSync('/proc/self/task'))
        console.log(readFileSync('/proc/self/task/' + id + '/comm', 'utf8').trim(), getPriority(Number(id)));`;
    const options = { encoding: 'utf8' } as const;
    const { stdout } = spawnSync(process.execPath, ['--input-type=module', '-e', program], options);
    const priorities = Map.groupBy(stdout.trim().split('\n'), (line) => line.includes('V8Worker'));
    const own = getPriority();
    const of = (helpers: boolean) =>
      new Set(priorities.get(helpers)?.map((line) => Number(line.split(' ').at(-1))));
    expect([of(true), of(false)]).toEqual([new Set([Math.min(19, own + 10)]), new Set([own])]);
  });
});
