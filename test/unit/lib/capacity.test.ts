import { describe, expect, test } from 'vitest';
import { buildThreads, withHeapBound } from '../../../src/lib/capacity.ts';

describe('heap bound', () => {
  const mebibyte = 1024 * 1024;
  const bounded = (args: readonly string[], heap: number, memory: number) =>
    withHeapBound(args, heap * mebibyte, memory * mebibyte);

  test('a heap that does not fit into the memory is bounded by 40 % of it', () => {
    const args = ['--no-maglev', '--max-old-space-size=512', '--trace-warnings'];
    expect(bounded(args, 4096, 256)).toEqual(['--no-maglev', '--trace-warnings', '--max-old-space-size=102']);
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
