import { expect, it } from 'vitest';
import { type Damage, damaged } from '../faults/disk.ts';
import { createRandom } from '../random.ts';

it.each<Damage>(['page', 'header', 'truncated', 'wal', 'zeros'])('damages files of any size: %s', (kind) => {
  for (const pages of [1, 2, 3, 50]) {
    for (let seed = 0; seed < 20; seed += 1) {
      const whole = Buffer.alloc(pages * 4096, 7);
      expect(damaged(Buffer.from(whole), kind, createRandom(String(seed))).equals(whole)).toBe(false);
    }
  }
});
