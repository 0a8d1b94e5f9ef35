import { expect, it } from 'vitest';
import { bounds, type Figures, grown } from '../soak/figures.ts';

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
