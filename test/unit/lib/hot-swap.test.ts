import { expect, it } from 'vitest';
import { HotSwap } from '../../../src/lib/hot-swap.ts';

function exchangeable() {
  const closed: string[] = [];
  const one = new HotSwap('one', async (value) => void closed.push(value));
  return { one, closed };
}

it('closes a former one that nobody uses at once, and one in use when the last is done', () => {
  const { one, closed } = exchangeable();
  const [first, second] = [one.hold(), one.hold()];
  one.exchange('two');
  expect([one.current, first.held, closed]).toEqual(['two', 'one', []]);
  one.exchange('three');
  expect(closed).toEqual(['two']);
  first.release();
  first.release();
  expect(closed).toEqual(['two']);
  second.release();
  expect(closed).toEqual(['two', 'one']);
});

it('keeps the current one open, and closes all that are open in the end, each once', async () => {
  const { one, closed } = exchangeable();
  one.hold().release();
  expect(closed).toEqual([]);
  const former = one.hold();
  one.exchange('two');
  await one.close();
  former.release();
  expect(closed.sort()).toEqual(['one', 'two']);
});
