import { expect, it, onTestFinished, vi } from 'vitest';
import { checkEvery, testEvery } from '../../helpers/test-every.ts';

const numbers = (count: number) => Array.from({ length: count }, (_, at) => at);

const failureOf = (checking: Promise<void>) =>
  checking.then(
    () => expect.fail('It holds.'),
    (error: Error) => error,
  );

testEvery('is a test of texts', ['a', 'b'], (text) => expect(text).toMatch(/[ab]/));

testEvery('is one of things with ids', [{ id: 'a', n: 1 }], async ({ n }) => expect(n).toBe(1));

const named = [['a', 1]] as const;
testEvery('is one of other things', named, ([, n]) => expect(n).toBe(1), { idOf: ([name]) => name });

it('passes when each has passed, in their order', async () => {
  const seen: number[] = [];
  await checkEvery(numbers(3), (n) => expect(seen.push(n)).toBe(n + 1));
  expect(seen).toEqual([0, 1, 2]);
});

it('fails with the id, the message and the line of each thing that fails, and goes on', async () => {
  const seen: number[] = [];
  const failure = await failureOf(
    checkEvery(numbers(6), async (n) => {
      seen.push(n);
      expect(n).not.toBe(2);
      await Promise.resolve();
      if (n === 4) throw new Error('Of four.');
    }),
  );
  expect(seen).toEqual(numbers(6));
  const place = / +at .*test\/unit\/helpers\/test-every\.test\.ts:\d+/.source;
  expect(failure.message).toMatch(new RegExp(`^2 of 6 fail:\n\n2: expected 2 not to be 2 .*\n${place}`));
  expect(failure.message).toMatch(new RegExp(`\n\n4: Of four\\.\n${place}`));
  expect(failure.cause).toMatchObject({ message: expect.stringContaining('expected 2') });
});

it('names the others where many fail', async () => {
  const { message } = await failureOf(checkEvery(numbers(13), (n) => expect(n).toBe(-1)));
  expect(message.match(/^\d+: /gm)).toHaveLength(10);
  expect(message).toMatch(/\n\nAnd 10, 11, 12\.$/);
});

it('fails of what is no error, and of a thing whose check asserts nothing', async () => {
  const thrown = await failureOf(checkEvery(numbers(1), () => Promise.reject('a text')));
  expect(thrown.message).toBe('1 of 1 fail:\n\n0: a text');
  const silent = await failureOf(checkEvery(numbers(2), (n) => n === 0 || expect(n).toBe(1)));
  expect(silent.message).toMatch(/^1 of 2 fail:\n\n0: Nothing was asserted\./);
});

it('fails without things', async () => {
  await expect(checkEvery(numbers(0), () => expect(1).toBe(1))).rejects.toThrow('nothing');
});

it('checks as many at a time as it is told', async () => {
  const sizes: number[] = [];
  let running = 0;
  const check = async () => {
    running += 1;
    sizes.push(running);
    await new Promise(setImmediate);
    running -= 1;
    expect(running).toBeLessThan(2);
  };
  await checkEvery(numbers(5), check, { atATime: 2 });
  expect([sizes.length, Math.max(...sizes)]).toEqual([5, 2]);
});

it('tells where it was when the test is given up, and goes no further', async () => {
  const told = vi.spyOn(console, 'error').mockImplementation(() => undefined);
  onTestFinished(() => told.mockRestore());
  const giving = new AbortController();
  const seen: number[] = [];
  const check = (n: number) => {
    seen.push(n);
    if (n === 1) giving.abort();
    expect(n).toBeLessThan(3);
  };
  await expect(checkEvery(numbers(3), check, { signal: giving.signal })).rejects.toThrow('aborted');
  expect(told.mock.calls).toEqual([['It was at 1.']]);
  expect(seen).toEqual([0, 1]);
});
