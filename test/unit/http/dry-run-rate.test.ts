import { expect, it } from 'vitest';
import { ServiceError } from '../../../src/contract/errors.ts';
import { DryRunRate } from '../../../src/http/dry-run.ts';

it('a key may ask for 600 dry runs in a minute, whatever others ask for', () => {
  const rate = new DryRunRate();
  for (let times = 0; times < 600; times += 1) rate.count('one');
  let thrown: unknown = null;
  try {
    rate.count('one');
  } catch (error) {
    thrown = error;
  }
  expect(thrown).toBeInstanceOf(ServiceError);
  expect(thrown).toMatchObject({ code: 'rate_limited', retryable: true });
  expect(() => rate.count('other')).not.toThrow();
});
