import fc from 'fast-check';
import { expect, it } from 'vitest';
import { AdmissionsLog } from '../virtual/admissions-log.ts';

function logOf(times: readonly number[]): AdmissionsLog {
  const log = new AdmissionsLog();
  for (const at of times) log.add(7, at);
  return log;
}

it('sees one too many within 60 seconds, and none in the moment when they are over', () => {
  const ten = Array.from({ length: 10 }, (_, index) => index);
  expect(logOf([...ten, 59_999]).worstMinute(7)).toBe(11);
  expect(logOf([...ten, 60_000]).worstMinute(7)).toBe(10);
  expect(logOf([...ten, 60_000]).worstMinute(8)).toBe(0);
});

it('counts as one does who looks at every window, in whatever order the times come', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(300_000), { maxLength: 60 }), fc.nat(300_000), (times, to) => {
      const log = logOf(times);
      const windows = times.map((from) => times.filter((at) => at >= from && at < from + 60_000).length);
      expect(log.worstMinute(7)).toBe(Math.max(0, ...windows));
      const sorted = times.toSorted((a, b) => a - b);
      expect(log.within(7, to - 60_000, to)).toEqual(sorted.filter((at) => at > to - 60_000 && at <= to));
      expect(log.total(7)).toBe(times.length);
    }),
  );
});
