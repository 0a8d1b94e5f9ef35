import { expect, it } from 'vitest';
import { Places } from '../../../src/store/postgres/pool.ts';

it('are given in the order in which they were asked for', async () => {
  const places = new Places(1);
  await places.take(1_000);
  const order: number[] = [];
  const all = [1, 2, 3].map(async (number) => {
    await places.take(60_000);
    order.push(number);
    places.leave();
  });
  expect(order).toEqual([]);
  places.leave();
  await Promise.all(all);
  expect(order).toEqual([1, 2, 3]);
});

it('are refused to who has waited for long enough, who then is not given one', async () => {
  const places = new Places(1);
  await places.take(1_000);
  await expect(places.take(20)).rejects.toMatchObject({ failure: 'slow', mayBeDone: false });
  places.leave();
  await places.take(20);
});

it('are refused at once where too many wait', async () => {
  const places = new Places(0);
  const waiting = Array.from({ length: 10_000 }, () => places.take(60_000));
  await expect(places.take(60_000)).rejects.toMatchObject({ failure: 'slow', mayBeDone: false });
  for (const _ of waiting) places.leave();
  await Promise.all(waiting);
});
