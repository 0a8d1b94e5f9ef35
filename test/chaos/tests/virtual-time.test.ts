import { expect, it } from 'vitest';
import { VirtualTime } from '../virtual/virtual-time.ts';

it('lets all happen in its order, each with what follows from it', async () => {
  const time = new VirtualTime();
  const seen: string[] = [];
  const note = (what: string) => void seen.push(`${time.now} ${what}`);
  time.after(20, () => note('third'));
  time.after(10, () => {
    note('first');
    void time.pause(10).then(() => note('fourth'));
    void Promise.resolve().then(() => note('at once'));
  });
  time.after(10, () => note('second'));
  const gone = time.after(15, () => note('never'));
  gone.cancelled = true;
  time.after(31, () => note('later'));
  await time.runUntil(30);
  expect(seen).toEqual(['10 first', '10 at once', '10 second', '20 third', '20 fourth']);
  expect(time.now).toBe(30);
  await time.runUntil(40);
  expect(seen.at(-1)).toBe('31 later');
});
