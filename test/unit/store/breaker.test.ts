import { expect, it } from 'vitest';
import { storeError } from '../../../src/store/errors.ts';
import { Breaker } from '../../../src/store/postgres/breaker.ts';

/** A breaker whose probe says what the test wants, and counts. */
function breaker(answers: () => boolean | Promise<boolean>) {
  const counts = { probes: 0, suspicions: 0 };
  const made = new Breaker({
    async probe() {
      counts.probes += 1;
      if (!(await answers())) throw storeError('unreachable');
    },
    suspectAll: () => {
      counts.suspicions += 1;
    },
  });
  const open = () => {
    try {
      made.check();
      return false;
    } catch {
      return true;
    }
  };
  return { made, counts, open };
}

const reason = storeError('unreachable');

it('stays closed after one failure when a probe is answered', async () => {
  const { made, counts, open } = breaker(() => true);
  made.failed(reason);
  await expect.poll(() => counts.probes).toBe(1);
  expect([open(), counts.suspicions]).toEqual([false, 0]);
});

it('opens when the probe fails, refuses, and closes when one is answered', async () => {
  let answers = false;
  const { made, counts, open } = breaker(() => answers);
  made.failed(reason);
  await expect.poll(open).toBe(true);
  expect(counts.suspicions).toBe(1);
  expect(() => made.check()).toThrow(expect.objectContaining({ failure: 'unreachable', mayBeDone: false }));
  answers = true;
  await expect.poll(open).toBe(false);
  // One failure more shows that it closed too early.
  made.failed(reason);
  expect(open()).toBe(true);
  await expect.poll(open).toBe(false);
  made.succeeded();
  made.failed(reason);
  expect(open()).toBe(false);
  made.end();
});

it('stays closed while the database serves the connections that there are', async () => {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const { made, counts, open } = breaker(() => (counts.probes === 1 ? promise : true));
  made.failed(reason);
  await expect.poll(() => counts.probes).toBe(1);
  made.succeeded();
  resolve(false);
  await expect.poll(() => counts.probes).toBe(2);
  expect(open()).toBe(false);
});

it('opens after three failures in a row, even if probes are answered', () => {
  const { made, open } = breaker(() => new Promise(() => undefined));
  made.failed(reason);
  made.failed(reason);
  made.succeeded();
  made.failed(reason);
  made.failed(reason);
  expect(open()).toBe(false);
  made.failed(reason);
  expect(open()).toBe(true);
  made.end();
});

it('takes a probe that is only late for one failure of several', async () => {
  let left = 1;
  const made = new Breaker({
    async probe() {
      left -= 1;
      if (left >= 0) throw storeError('slow');
    },
    suspectAll: () => undefined,
  });
  made.failed(reason);
  await expect.poll(() => left).toBe(-1);
  expect(() => made.check()).not.toThrow();
  made.end();
});

it('opens when probe after probe is late', async () => {
  const made = new Breaker({
    async probe() {
      throw storeError('slow');
    },
    suspectAll: () => undefined,
  });
  made.failed(reason);
  const refusal = () => {
    try {
      made.check();
      return null;
    } catch (error) {
      return error;
    }
  };
  // From then on it is away.
  await expect.poll(refusal).toMatchObject({ failure: 'unreachable', mayBeDone: false });
  made.end();
});

it('counts what fails at the same moment as one failure', () => {
  const { made, open } = breaker(() => new Promise(() => undefined));
  const began = performance.now() - 2_000;
  for (let number = 0; number < 10; number += 1) made.failed(reason, began);
  expect(open()).toBe(false);
  made.failed(reason);
  expect(open()).toBe(false);
  made.failed(reason);
  expect(open()).toBe(true);
  made.end();
});
