import { expect, it } from 'vitest';
import { Recorder } from '../../../../src/background/jobs/recorder.ts';
import { gate } from '../../../helpers/factory.ts';

it('what comes while it is writing is written next, together and in its order, before anybody is told', async () => {
  const log: string[] = [];
  const gates = [gate(), gate()];
  const recorder = new Recorder<number>(
    async (items) => {
      log.push(`begin ${items}`);
      await gates.shift()?.opened;
      log.push(`end ${items}`);
    },
    () => log.push('told'),
  );
  const [first, second] = gates;
  const taken = [recorder.take(1), recorder.take(2, 3), recorder.take(4)].map((each, index) =>
    each.then(() => log.push(`took ${index}`)),
  );
  expect(log).toEqual(['begin 1']);
  first?.open();
  await taken[0];
  expect(log).toEqual(['begin 1', 'end 1', 'told', 'begin 2,3,4', 'took 0']);
  second?.open();
  await Promise.all(taken);
  expect(log.slice(5)).toEqual(['end 2,3,4', 'told', 'took 1', 'took 2']);
});

it('what cannot be written is refused with all that was gathered with it, and what comes later is tried', async () => {
  const written: number[] = [];
  let told = 0;
  const recorder = new Recorder<number>(
    async (items) => {
      if (items.includes(2)) throw new Error('no 2');
      written.push(...items);
    },
    () => {
      told += 1;
    },
  );
  const results = await Promise.allSettled([recorder.take(1), recorder.take(2), recorder.take(3)]);
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected']);
  await recorder.take(4);
  expect(written).toEqual([1, 4]);
  expect(told).toBe(2);
});
