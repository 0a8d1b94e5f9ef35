import { expect, it } from 'vitest';
import { onEveryStore } from '../../../helpers/store.ts';
import { admitOnProcesses } from '../../../helpers/store-process.ts';

onEveryStore('three processes', (on) => {
  it.each([1, 10, 1_000])('admit of 2,000 at once as many as the limit of %d has', async (limit) => {
    const { admitted, rows } = await admitOnProcesses(on, 3, 2_000, limit);
    expect(rows).toBe(admitted);
    expect(admitted).toBe(limit);
  });
});
