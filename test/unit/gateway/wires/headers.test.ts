import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Warning } from '../../../../generated/types.gen.ts';
import type { LimitState } from '../../../../src/contract/limit-state.ts';
import { forwardedHeaders, laneHeaders, warningsHeader } from '../../../../src/gateway/lanes/lane-headers.ts';
import { rateHeaders } from '../../../../src/gateway/lanes/wire-conventions.ts';
import { concurrency, minute, month, tokens } from '../../../helpers/limits.ts';

/** The headers of clients that go on to vendors, and those that clients get. */

describe('of the headers of a client', () => {
  it('go on what a vendor reads: betas, versions, what the client is, and what is not known here', () => {
    const headers = {
      'anthropic-beta': 'one,two',
      'anthropic-version': '2023-06-01',
      'openai-beta': 'responses=v1',
      'user-agent': 'claude-cli/2.0',
      'x-stainless-lang': 'js',
      'x-app': 'cli',
      session_id: 'a',
      'novel-header': 'b',
    };
    expect(forwardedHeaders(headers)).toEqual(headers);
  });

  it.each([
    [
      'credentials',
      ['authorization', 'api-key', 'x-api-key', 'x-goog-api-key', 'cookie', 'proxy-authorization'],
    ],
    ['accounts', ['openai-organization', 'openai-project', 'x-goog-user-project']],
    [
      'who the client is',
      [
        'origin',
        'referer',
        'x-forwarded-for',
        'forwarded',
        'via',
        'x-real-ip',
        'true-client-ip',
        'cf-connecting-ip',
        'sec-ch-ua',
      ],
    ],
    [
      'the connection',
      ['connection', 'keep-alive', 'te', 'trailer', 'transfer-encoding', 'upgrade', 'host', 'expect'],
    ],
    [
      'the body',
      ['accept', 'accept-encoding', 'content-type', 'content-length', 'content-encoding', 'content-digest'],
    ],
    [
      'our own',
      ['x-request-id', 'x-switchyard-provider', 'idempotency-key', 'traceparent', 'tracestate', 'baggage'],
    ],
  ])('stay here those of %s', (_, names) => {
    const headers = Object.fromEntries(names.map((name) => [name, 'x']));
    expect(forwardedHeaders({ ...headers, kept: 'y' })).toEqual({ kept: 'y' });
  });

  it('one that came several times goes on once, and one that did not come not at all', () => {
    expect(forwardedHeaders({ 'anthropic-beta': ['one', 'two'], 'x-app': undefined })).toEqual({
      'anthropic-beta': 'one, two',
    });
  });
});

const dropped = (param: string | null): Warning => ({ code: 'field_dropped', message: 'Left out.', param });

describe('a reply', () => {
  it('says who answered, on which lane, and what was left out', () => {
    const warnings = [dropped('top_k'), { code: 'temperature_ignored', message: 'x', param: null } as const];
    expect(laneHeaders({ provider: 'openai', warnings }, 'translated')).toEqual({
      'x-switchyard-provider': 'openai',
      'x-switchyard-lane': 'translated',
      'x-switchyard-warnings': 'field_dropped;param=top_k, temperature_ignored',
    });
  });

  it('has no header of warnings where there are none', () => {
    expect(laneHeaders({ provider: 'openai', warnings: [] }, 'native')).toEqual({
      'x-switchyard-provider': 'openai',
      'x-switchyard-lane': 'native',
    });
  });

  it('names fields in characters that a header can have, whatever the client called them', () => {
    const names = ['messages[0].content[1]', 'a\r\nset-cookie: b', 'ä,b;c="d"'];
    expect(warningsHeader(names.map(dropped))).toBe(
      [
        'field_dropped;param=messages[0].content[1]',
        'field_dropped;param=a__set-cookie__b',
        'field_dropped;param=__b_c__d_',
      ].join(', '),
    );
  });

  it('has at most 2000 characters of them, of whole warnings', () => {
    const header = warningsHeader(Array.from({ length: 100 }, (_, n) => dropped(`field_${n}`)));
    expect(header.length).toBeLessThanOrEqual(2000);
    expect(header.length).toBeGreaterThan(1900);
    expect(header.split(', ').at(-1)).toMatch(/^field_dropped;param=field_\d\d$/);
  });
});

describe('the headers of rates', () => {
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
});
