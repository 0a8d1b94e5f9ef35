import { expect, it } from 'vitest';
import { processCount } from '../../../../src/lib/capacity.ts';
import { argumentOf, placeIn } from '../../../../src/server/processes/place.ts';

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
