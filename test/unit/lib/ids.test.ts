import { expect, it } from 'vitest';
import { ascendingUlid, ulid } from '../../../src/lib/ids.ts';

it('gives ids of one millisecond in their order, and those of another by its time', () => {
  const ids = Array.from({ length: 5_000 }, () => ascendingUlid(1_772_366_400_000));
  expect(ids.toSorted()).toEqual(ids);
  expect(new Set(ids).size).toBe(ids.length);
  const time = ulid(1_772_366_400_000).slice(0, 10);
  for (const id of ids) {
    expect(id).toMatch(/^[0-9A-HJKMNP-TV-Z]{26}$/);
    expect(id.startsWith(time)).toBe(true);
  }
  const [before, after] = [ascendingUlid(1_772_366_399_999), ascendingUlid(1_772_366_400_001)];
  expect(before < (ids[0] ?? '')).toBe(true);
  expect(after > (ids.at(-1) ?? '')).toBe(true);
});
