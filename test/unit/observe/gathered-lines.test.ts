import { afterEach, expect, it, vi } from 'vitest';
import { GatheredLines, type GatheringOptions } from '../../../src/observe/log.ts';

function gathered(options: GatheringOptions) {
  const written: string[] = [];
  const lines = new GatheredLines(
    {
      write: (text) => written.push(text),
      flush: (done) => done?.(),
      flushSync: () => written.push('flushed'),
    },
    options,
  );
  return { lines, written };
}

afterEach(() => {
  vi.useRealTimers();
});

it('writes lines together once they are enough, in their order', () => {
  const { lines, written } = gathered({ enough: 10, withinMs: 60_000 });
  for (const line of ['one\n', 'two\n', 'three\n', 'four\n']) lines.write(line);
  expect(written).toEqual(['one\ntwo\nthree\n']);
  lines.flush();
  expect(written).toEqual(['one\ntwo\nthree\n', 'four\n']);
  lines.flush();
  expect(written).toHaveLength(2);
});

it('writes no piece of several lines that is longer than it may be, in bytes', () => {
  const { lines, written } = gathered({ enough: 12, most: 16, withinMs: 60_000 });
  for (const line of ['ü'.repeat(5), 'ä'.repeat(4), 'ö'.repeat(30), 'end']) lines.write(line);
  lines.flush();
  expect(written).toEqual(['ü'.repeat(5), 'ä'.repeat(4), 'ö'.repeat(30), 'end']);
});

it('has a line wait for others for a while only', () => {
  vi.useFakeTimers();
  const { lines, written } = gathered({ enough: 1_000, withinMs: 100 });
  lines.write('one\n');
  vi.advanceTimersByTime(60);
  lines.write('two\n');
  vi.advanceTimersByTime(39);
  expect(written).toEqual([]);
  vi.advanceTimersByTime(1);
  expect(written).toEqual(['one\ntwo\n']);
  lines.write('three\n');
  vi.advanceTimersByTime(100);
  expect(written).toEqual(['one\ntwo\n', 'three\n']);
});

it('writes what waits at the end of the process, and tells when it is out', () => {
  const { lines, written } = gathered({ enough: 1_000, withinMs: 60_000 });
  lines.write('one\n');
  lines.flushSync();
  expect(written).toEqual(['one\n', 'flushed']);
  lines.write('two\n');
  const done = vi.fn();
  lines.flush(done);
  expect(written.at(-1)).toBe('two\n');
  expect(done).toHaveBeenCalledTimes(1);
});
