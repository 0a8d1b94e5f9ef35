import { expect, it } from 'vitest';
import { leaseMs, marginMs, minuteMs, roundedMs } from '../../../src/limits/authority.ts';
import { add, advance, emptyBucket } from '../../../src/limits/bucket-state.ts';

it.each([0, 1_000])(
  'a busy minute has a bounded number of ends, with clocks in doubt by %d ms',
  (doubtMs) => {
    const bucket = emptyBucket('minute');
    let most = 0;
    for (let elapsed = 1_000_003; elapsed < 1_400_000; elapsed += 7) {
      const now = advance(bucket, { elapsed, stamp: elapsed, doubtMs }, () => true);
      const leased = elapsed % 2 === 0 ? leaseMs + marginMs : 0;
      const until = now + minuteMs + doubtMs + leased;
      const end = add(bucket, 1, until);
      // Never too early, and no later than that.
      expect(end).toBeGreaterThanOrEqual(until);
      expect(end - until).toBeLessThan(roundedMs + leaseMs + marginMs);
      most = Math.max(most, bucket.untils.length);
    }
    expect(most).toBeLessThanOrEqual(64 + 122 + (2 * doubtMs) / 1_000);
    expect(most).toBeGreaterThan(120);
  },
);
