import { describe, expect, it } from 'vitest';
import type { KeptAnswer } from '../../../src/contract/idempotency.ts';
import { Recording } from '../../../src/http/recording.ts';
import { ByteBudget, Holding } from '../../../src/lib/byte-budget.ts';

function recording({ maxBytes = 1000, budget = 1_000_000 } = {}) {
  const ends: (KeptAnswer | null | 'free')[] = [];
  const whole = new ByteBudget(budget);
  const made = new Recording(
    {
      work: { id: 'w', resumed: false },
      keep: async (answer) => void ends.push(answer),
      free: async () => void ends.push('free'),
    },
    new Holding(whole),
    maxBytes,
  );
  return { made, ends, budget: whole };
}

describe('what is recorded of an answer', () => {
  it('is its status, its own headers and its bytes', async () => {
    const { made, ends } = recording();
    made.begin();
    made.head(200, {
      'content-type': 'text/plain',
      location: '/a',
      'x-ratelimit-remaining-requests': '1',
      ratelimit: 'x',
      'request-id': 'r',
      connection: 'close',
      'content-length': '3',
    });
    made.chunk('ü');
    made.chunk(Buffer.from('b'));
    await made.end();
    await made.over;
    const headers = { 'content-type': 'text/plain', location: '/a' };
    expect(ends).toEqual([{ status: 200, headers, body: Buffer.from('üb') }]);
  });

  it.each([
    { status: 400, begun: false, end: 'free' },
    { status: 400, begun: true, end: 'kept' },
    { status: 502, begun: true, end: 'kept' },
    { status: 429, begun: true, end: 'free' },
    { status: 503, begun: true, end: 'free' },
    { status: 529, begun: true, end: 'free' },
    { status: 201, begun: false, end: 'kept' },
  ])('of status $status, begun: $begun, is $end', async ({ status, begun, end }) => {
    const { made, ends } = recording();
    if (begun) made.begin();
    made.head(status, {});
    await made.end();
    expect(ends.map((one) => (one === 'free' ? 'free' : 'kept'))).toEqual([end]);
  });

  it('is nothing when a stream ends because the server stops', async () => {
    const { made, ends } = recording();
    made.begin();
    made.head(200, {});
    made.chunk('half');
    made.fail(503);
    await made.end();
    expect(ends).toEqual(['free']);
  });

  it('holds no more than an answer may have, however much comes', async () => {
    const { made, ends, budget } = recording({ maxBytes: 1000 });
    made.begin();
    made.head(200, {});
    const held = Array.from({ length: 100 }, () => {
      made.chunk(Buffer.alloc(100));
      return budget.held;
    });
    await made.end();
    expect(Math.max(...held)).toBe(2000);
    expect(budget.held).toBe(0);
    expect(ends).toEqual([null]);
  });

  it('gives up when there is no memory for it, and the answer goes on', async () => {
    const { made, ends, budget } = recording({ budget: 500 });
    made.begin();
    made.head(200, {});
    for (let n = 0; n < 5; n += 1) made.chunk(Buffer.alloc(100));
    await made.end();
    expect([ends, budget.held]).toEqual([[null], 0]);
  });

  it('ends once', async () => {
    const { made, ends } = recording();
    await made.free();
    made.head(200, {});
    await made.end();
    await made.free();
    expect(ends).toEqual(['free']);
  });
});
