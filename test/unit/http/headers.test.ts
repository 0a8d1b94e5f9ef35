import { describe, expect, it } from 'vitest';
import { ServiceError } from '../../../src/contract/errors.ts';
import { DryRunRate } from '../../../src/http/dry-run.ts';
import { errorHeaders } from '../../../src/http/error-reply.ts';
import { goDuration, rateLimitHeaders } from '../../../src/http/headers.ts';
import {
  type LimitState,
  type Rejection,
  rejectionMessage,
} from '../../../src/tenants/metering/limit-state.ts';
import { rateLimited } from '../../../src/tenants/metering/rejections.ts';
import { concurrency, minute, month, tokens } from '../../helpers/limits.ts';

describe('rate limit headers', () => {
  it('list every limit in the IETF fields and the tightest in the others', () => {
    const state: LimitState = [minute, month, tokens, concurrency];
    expect(rateLimitHeaders(state)).toEqual({
      'ratelimit-policy': '"minute";q=10;w=60, "month";q=1000, "concurrency";q=4;qu="concurrent-requests"',
      ratelimit: '"minute";r=3;t=60, "month";r=0;t=90061, "concurrency";r=1',
      'x-ratelimit-limit-requests': '1000',
      'x-ratelimit-remaining-requests': '0',
      'x-ratelimit-reset-requests': '25h1m1s',
      'x-ratelimit-limit-tokens': '500',
      'x-ratelimit-remaining-tokens': '20',
      'x-ratelimit-reset-tokens': '1s',
    });
  });

  it.each([28, 29, 30, 31])('say nothing of the length of a month, which has %i days', (days) => {
    const state: LimitState = [{ ...month, windowSeconds: days * 86_400 }];
    expect(rateLimitHeaders(state)['ratelimit-policy']).toBe('"month";q=1000');
  });

  it('say that a calendar day is 86400 seconds long', () => {
    const state: LimitState = [{ ...month, name: 'day', windowSeconds: 86_400 }];
    expect(rateLimitHeaders(state)['ratelimit-policy']).toBe('"day";q=1000;w=86400');
  });

  it('list the limit of the demo in the IETF fields alone', () => {
    const demo = { name: 'demo', limit: 3, remaining: 2, resetMs: 299_001, windowSeconds: 300 } as const;
    expect(rateLimitHeaders([demo])).toEqual({
      'ratelimit-policy': '"demo";q=3;w=300',
      ratelimit: '"demo";r=2;t=300',
    });
  });

  it('are none without limits', () => {
    expect(rateLimitHeaders([])).toEqual({});
  });

  it('of a rejection say when to come back, and whether', () => {
    const now: Rejection = { state: [minute], limit: minute, retryAfterMs: 1_001, shouldRetry: true };
    expect(errorHeaders(rateLimited(now))).toMatchObject({ 'retry-after': '2', 'x-should-retry': 'true' });
    const later: Rejection = { state: [month], limit: month, retryAfterMs: 90_061_000, shouldRetry: false };
    expect(errorHeaders(rateLimited(later))).toMatchObject({
      'retry-after': '90061',
      'x-should-retry': 'false',
    });
    const never: Rejection = { state: [minute], limit: minute, retryAfterMs: null, shouldRetry: false };
    expect(errorHeaders(rateLimited(never))).not.toHaveProperty('retry-after');
  });

  it.each([
    [0, '0s'],
    [1, '1s'],
    [59_000, '59s'],
    [360_000, '6m0s'],
    [86_400_000, '24h0m0s'],
  ])('write %i ms as %s', (ms, text) => expect(goDuration(ms)).toBe(text));

  it.each([
    [
      { limit: minute, retryAfterMs: 7_000 },
      /10 requests in any 60 seconds is reached\. Try again in 7 seconds\.$/,
    ],
    [
      { limit: month, retryAfterMs: 90_061_000 },
      /1,000 requests in a calendar month \(UTC\) .* in 26 hours\.$/,
    ],
    [
      { limit: concurrency, retryAfterMs: 1_000 },
      /4 requests at the same time .* Wait until one of them has ended\.$/,
    ],
    [{ limit: minute, retryAfterMs: null }, /It leaves no room for this request\.$/],
  ])('have a message that names limit, window and reset', (parts, expected) => {
    expect(rejectionMessage({ state: [], shouldRetry: true, ...parts })).toMatch(expected);
  });
});

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
