import { getHeapStatistics } from 'node:v8';
import { expect, it } from 'vitest';
import { processCount } from '../../../src/lib/process-count.ts';
import { withHeapShare } from '../../../src/processes/heap-flag.ts';
import { argumentOf, placeIn } from '../../../src/processes/place.ts';

it('a place is read as it was written', () => {
  for (const place of [
    { number: 1, of: 4, port: null },
    { number: 4, of: 4, port: 8080 },
  ])
    expect(placeIn(['--other', argumentOf(place)])).toEqual(place);
  expect(placeIn(['node', 'start.js'])).toEqual({ number: 1, of: 1, port: null });
});

it('a number of processes is a number, or one for each core', () => {
  expect(processCount('auto')).toBeGreaterThan(0);
  expect([processCount('1'), processCount('64')]).toEqual([1, 64]);
  for (const wrong of ['0', '65', '-1', '2.5', '1e1', '', 'all']) expect(processCount(wrong)).toBeNull();
});

it('heaps share the memory that there is, and none has more than alone', () => {
  const flags = ['--no-maglev', '--max-old-space-size=512'];
  const heapOf = (processes: number, gibibytes: number) =>
    withHeapShare(flags, processes, gibibytes * 2 ** 30).at(-1);
  expect(heapOf(2, 16)).toBe('--max-old-space-size=512');
  expect(heapOf(4, 2)).toBe('--max-old-space-size=384');
  expect(heapOf(64, 1)).toBe('--max-old-space-size=160');
  const unbounded = withHeapShare([], 2, 2 ** 50).at(-1) ?? '';
  expect(Number(unbounded.split('=')[1]) * 2 ** 20).toBeLessThanOrEqual(getHeapStatistics().heap_size_limit);
  expect(withHeapShare(['--no-maglev'], 3, 2 ** 30)).toEqual(['--no-maglev', '--max-old-space-size=256']);
});
