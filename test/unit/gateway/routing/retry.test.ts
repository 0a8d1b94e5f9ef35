import { afterEach, describe, expect, it, vi } from 'vitest';
import { retryDelay } from '../../../../src/gateway/routing/retry.ts';
import { ProviderError } from '../../../../src/gateway/upstream/provider-error.ts';

const failure = (waitMs: number | null = null) =>
  new ProviderError('provider_error', 'It failed.', { waitMs });
const question = { error: failure(), attempts: 1, attemptsLeft: 1, remaining: 60_000 };

describe('the wait before a retry', () => {
  afterEach(() => vi.restoreAllMocks());

  it.each([
    [1, 250],
    [2, 500],
    [5, 4000],
    [6, 5000],
    [50, 5000],
  ])('after attempt %i is random, up to %i ms, and never a reason to give up', (attempts, ceiling) => {
    const random = vi.spyOn(Math, 'random').mockReturnValue(0);
    expect(retryDelay({ ...question, attempts })).toBe(0);
    random.mockReturnValue(1 - 2 ** -20);
    const delay = retryDelay({ ...question, attempts });
    expect(delay).toBeGreaterThan(ceiling * 0.999);
    expect(delay).toBeLessThan(ceiling);
  });

  it('is what the vendor asks for, as long as patience and the deadline last', () => {
    vi.spyOn(Math, 'random').mockReturnValue(0);
    expect(retryDelay({ ...question, error: failure(4999) })).toBe(4999);
    expect(retryDelay({ ...question, error: failure(5000) })).toBeNull();
    expect(retryDelay({ ...question, error: failure(3000), remaining: 3000 })).toBeNull();
  });

  it('is none without attempts or for what would fail again', () => {
    expect(retryDelay({ ...question, attemptsLeft: 0 })).toBeNull();
    const hopeless = new ProviderError('provider_error', 'It failed.', { worthRetrying: false });
    expect(retryDelay({ ...question, error: hopeless })).toBeNull();
  });
});
