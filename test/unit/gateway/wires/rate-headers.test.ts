import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { LimitState } from '../../../../src/contract/limit-state.ts';
import { rateHeaders } from '../../../../src/gateway/wires/rate-headers.ts';
import { concurrency, minute, month, tokens } from '../../../helpers/limits.ts';

beforeEach(() => {
  vi.useFakeTimers({ now: new Date('2026-03-01T12:00:00.000Z'), toFake: ['Date'] });
});
afterEach(() => {
  vi.useRealTimers();
});

describe("the headers of Anthropic's limits", () => {
  it('tell of requests and tokens, with the moment at which they are whole again', () => {
    const state: LimitState = [concurrency, month, tokens, minute];
    expect(rateHeaders('anthropic', state)).toEqual({
      'anthropic-ratelimit-requests-limit': '10',
      'anthropic-ratelimit-requests-remaining': '3',
      'anthropic-ratelimit-requests-reset': '2026-03-01T12:00:59Z',
      'anthropic-ratelimit-tokens-limit': '500',
      'anthropic-ratelimit-tokens-remaining': '20',
      'anthropic-ratelimit-tokens-reset': '2026-03-01T12:00:00Z',
    });
  });

  it('tell of the longer limit where no minute is limited', () => {
    expect(rateHeaders('anthropic', [month])).toEqual({
      'anthropic-ratelimit-requests-limit': '1000',
      'anthropic-ratelimit-requests-remaining': '0',
      'anthropic-ratelimit-requests-reset': '2026-03-02T13:01:01Z',
    });
  });

  it('are none for one who has no limit that Anthropic knows', () => {
    expect(rateHeaders('anthropic', [])).toEqual({});
    expect(rateHeaders('anthropic', [concurrency])).toEqual({});
  });

  it.each(['openai', 'gemini'] as const)('are none on the interface of %s', (wire) => {
    expect(rateHeaders(wire, [minute, tokens])).toEqual({});
  });
});
