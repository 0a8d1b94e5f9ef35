import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ServiceError } from '../../../../src/contract/errors.ts';
import type { Turn } from '../../../../src/contract/turns.ts';
import type { Caller } from '../../../../src/tenants/accounts/caller.ts';
import {
  type Refusal,
  RequestTurns,
  type TurnsSettings,
} from '../../../../src/tenants/overload/request-turns.ts';

const weights = { free: 1, pro: 4, enterprise: 16 } as const;
const limits = {
  requestsPerMinute: null,
  requestsPerDay: null,
  requestsPerMonth: null,
  tokensPerMinute: null,
  concurrentRequests: null,
};

function callerOf(tenantId: string, plan: Caller['plan'] = 'free'): Caller {
  return { tenantId, plan, limits, keyId: `key-of-${tenantId}`, scopes: new Set() };
}

/** A request that has asked for its turn. */
interface Asked {
  readonly turn: Turn;
  readonly abort: AbortController;
  state: 'waiting' | 'begun' | 'refused';
  error: unknown;
}

function world(limit: number, settings: Partial<TurnsSettings> = {}) {
  let now = 0;
  const refused: [Refusal, string][] = [];
  const turns = new RequestTurns(
    {
      settings: { maxWaiting: 100, maxWaitMs: 10_000, ...settings },
      weightOf: (plan) => weights[plan],
      now: () => now,
      random: () => 0.999,
      onRefused: (reason, plan) => void refused.push([reason, plan]),
    },
    limit,
  );
  /** Throws what `take` throws. */
  function ask(caller: Caller): Asked {
    const abort = new AbortController();
    const turn = turns.take(caller, abort.signal);
    if (turn === null) throw new Error('it takes no turn');
    const asked: Asked = { turn, abort, state: turn.begun ? 'waiting' : 'begun', error: null };
    turn.begun?.then(
      () => {
        asked.state = 'begun';
      },
      (error: unknown) => {
        asked.state = 'refused';
        asked.error = error;
      },
    );
    return asked;
  }
  function askOrNull(caller: Caller): Asked | null {
    try {
      return ask(caller);
    } catch (error) {
      if (error instanceof ServiceError && error.code === 'overloaded') return null;
      throw error;
    }
  }
  /** So many requests of it, without those that are refused at once. */
  const askAll = (caller: Caller, count: number) =>
    Array.from({ length: count }, () => askOrNull(caller)).filter((asked) => asked !== null);
  const pass = (milliseconds: number) => {
    now += milliseconds;
  };
  return { turns, refused, pass, ask, askOrNull, askAll };
}

const settled = () => new Promise((resolve) => setImmediate(resolve));
const counts = (all: readonly Asked[]) => ({
  begun: all.filter(({ state }) => state === 'begun').length,
  waiting: all.filter(({ state }) => state === 'waiting').length,
  refused: all.filter(({ state }) => state === 'refused').length,
});

describe('who waits', () => {
  it('is none of those that are no tenants', () => {
    const { turns } = world(1);
    const { signal } = new AbortController();
    expect(turns.take(null, signal)).toBeNull();
    expect(turns.take({ keyId: 'metrics', scopes: new Set() }, signal)).toBeNull();
    expect(turns.running).toBe(0);
  });

  it('is nobody as long as there is room', () => {
    const { turns, ask } = world(100);
    const asked = Array.from({ length: 20 }, (_, index) => ask(callerOf(`t${index}`)));
    expect(counts(asked)).toEqual({ begun: 20, waiting: 0, refused: 0 });
    for (const { turn } of asked) turn.end();
    expect(turns.running).toBe(0);
  });

  it('is who has as many as there are free places, times its weight', () => {
    for (const [plan, most] of [
      ['free', 50],
      ['pro', 80],
      ['enterprise', 95],
    ] as const) {
      const { turns, askAll } = world(100);
      expect(counts(askAll(callerOf('greedy', plan), 100)).begun).toBe(most);
      expect(turns.running).toBe(most);
    }
  });

  it('leaves places for who comes later, and two that take all they can get share alike', () => {
    const { askAll, ask } = world(100);
    const first = askAll(callerOf('first'), 100);
    const second = askAll(callerOf('second'), 100);
    expect(counts(first).begun).toBe(50);
    expect(counts(second).begun).toBe(25);
    expect(ask(callerOf('small')).state).toBe('begun');
  });

  it('evens out as requests end', async () => {
    const { turns, askAll } = world(99, { maxWaiting: 1_000 });
    const first = askAll(callerOf('first'), 300);
    const second = askAll(callerOf('second'), 300);
    const over = new Set<Asked>();
    const running = (all: readonly Asked[]) =>
      all.filter((each) => each.state === 'begun' && !over.has(each));
    for (let round = 0; round < 100; round += 1) {
      // The one with more ends one more often, as all take the same time.
      const [more] = [running(first), running(second)].sort((a, b) => b.length - a.length);
      const asked = more?.[0];
      if (!asked) break;
      over.add(asked);
      asked.turn.end();
      await settled();
    }
    expect(running(first).length + running(second).length).toBe(turns.running);
    expect(Math.abs(running(first).length - running(second).length)).toBeLessThanOrEqual(1);
    expect(turns.running).toBe(66);
  });

  it('begins in the order of arrival within a tenant, the tenant with the fewest for its weight first', async () => {
    const { turns, ask, askAll } = world(8);
    const heavy = askAll(callerOf('heavy'), 8);
    expect(counts(heavy)).toEqual({ begun: 4, waiting: 4, refused: 0 });
    const others = ['a', 'b', 'c', 'd', 'e'].map((id) => ask(callerOf(id)));
    // Four are within the limit, and one has a reserved place.
    expect(counts(others)).toEqual({ begun: 5, waiting: 0, refused: 0 });
    const late = ask(callerOf('late'));
    expect(late.state).toBe('waiting');
    heavy[0]?.turn.end();
    heavy[1]?.turn.end();
    await settled();
    expect([late.state, heavy[4]?.state]).toEqual(['begun', 'waiting']);
    for (const each of others) each.turn.end();
    await settled();
    expect(heavy.map(({ state }) => state).slice(4)).toEqual(['begun', 'begun', 'waiting', 'waiting']);
    expect(turns.waiting).toBe(2);
  });
});

describe('the place to wait', () => {
  it('is shared by the same rule, and what finds none is refused', () => {
    const { turns, refused, askAll, ask } = world(2, { maxWaiting: 10 });
    const greedy = askAll(callerOf('greedy'), 50);
    expect(counts(greedy)).toEqual({ begun: 1, waiting: 5, refused: 0 });
    expect(refused).toHaveLength(44);
    expect(refused[0]).toEqual(['no_room', 'free']);
    expect(ask(callerOf('other')).state).toBe('begun');
    ask(callerOf('third'));
    expect(ask(callerOf('small')).state).toBe('waiting');
    expect(turns.waiting).toBe(6);
    expect(Object.fromEntries(turns.waitingByPlan())).toEqual({ free: 6 });
  });

  it('says when to come back, later while requests are shed', () => {
    const { turns, ask } = world(1, { maxWaiting: 0 });
    ask(callerOf('first'));
    expect(() => ask(callerOf('first'))).toThrow(
      expect.objectContaining({ code: 'overloaded', retryAfter: 4, retryable: true }),
    );
    turns.adapt(1, 'shedding');
    expect(() => ask(callerOf('first'))).toThrow(expect.objectContaining({ retryAfter: 8 }));
  });

  it('is lost after too long, sooner while requests are shed', async () => {
    const { turns, refused, ask, pass } = world(1, { maxWaitMs: 1_000 });
    const first = ask(callerOf('first'));
    const early = ask(callerOf('first'));
    pass(600);
    const late = ask(callerOf('first'));
    turns.adapt(1, 'normal');
    await settled();
    expect(early.state).toBe('waiting');
    turns.adapt(1, 'shedding');
    await settled();
    expect([early.state, late.state]).toEqual(['refused', 'waiting']);
    expect(early.error).toMatchObject({ code: 'overloaded' });
    expect(refused).toEqual([['waited_too_long', 'free']]);
    early.turn.end();
    first.turn.end();
    await settled();
    expect([late.state, turns.running]).toEqual(['begun', 1]);
  });

  it('is free again when its client leaves or its request is over', async () => {
    const { turns, ask } = world(1);
    const first = ask(callerOf('first'));
    const [gone, over, next] = [ask(callerOf('first')), ask(callerOf('first')), ask(callerOf('first'))];
    gone?.abort.abort(new Error('gone'));
    over?.turn.end();
    over?.turn.end();
    await settled();
    expect([gone?.state, over?.state, turns.waiting]).toEqual(['refused', 'refused', 1]);
    expect(gone?.error).toMatchObject({ message: 'gone' });
    first.turn.end();
    first.turn.end();
    await settled();
    expect([next?.state, turns.running]).toEqual(['begun', 1]);
    // Of one that has begun the request ends it.
    next?.abort.abort();
    expect(turns.running).toBe(1);
    next?.turn.end();
    expect([turns.running, turns.waiting]).toEqual([0, 0]);
  });
});

describe('a limit that falls', () => {
  it('leaves what runs, lets the next begin below it only, and grows again', async () => {
    const { turns, ask, askAll } = world(100);
    const running = askAll(callerOf('heavy', 'enterprise'), 90);
    turns.adapt(20, 'shedding');
    expect(turns.running).toBe(90);
    const small = ask(callerOf('small'));
    const more = ask(callerOf('heavy', 'enterprise'));
    for (const { turn } of running.splice(0, 67)) turn.end();
    await settled();
    expect(small.state).toBe('waiting');
    running.pop()?.turn.end();
    await settled();
    // Of the places beyond the limit that are for those of which nothing runs.
    expect([small.state, more.state, turns.running]).toEqual(['begun', 'waiting', 23]);
    turns.adapt(50, 'normal');
    await settled();
    expect([more.state, turns.running]).toEqual(['begun', 24]);
  });
});

type Step =
  | { readonly kind: 'ask'; readonly tenant: number }
  | { readonly kind: 'end' | 'leave'; readonly index: number }
  | { readonly kind: 'adapt'; readonly limit: number; readonly shedding: boolean }
  | { readonly kind: 'pass'; readonly milliseconds: number };

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 8, arbitrary: fc.record({ kind: fc.constant('ask' as const), tenant: fc.nat(9) }) },
  {
    weight: 5,
    arbitrary: fc.record({ kind: fc.constantFrom('end' as const, 'leave' as const), index: fc.nat(99) }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('adapt' as const),
      limit: fc.integer({ min: 1, max: 20 }),
      shedding: fc.boolean(),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('pass' as const), milliseconds: fc.nat(8_000) }) },
);

it('any order of requests, ends, departures and limits: nobody waits who may begin, nobody is lost', async () => {
  const plans = ['free', 'pro', 'enterprise'] as const;
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 150 }), async (steps) => {
      const { turns, pass, askOrNull } = world(10, { maxWaiting: 12 });
      let limit = 10;
      const all: { asked: Asked; tenant: number; weight: number; over: boolean }[] = [];
      const open = (state: Asked['state']) => all.filter(({ asked, over }) => !over && asked.state === state);
      for (const each of steps) {
        if (each.kind === 'ask') {
          const plan = plans[each.tenant % 3] ?? 'free';
          const asked = askOrNull(callerOf(`t${each.tenant}`, plan));
          if (asked) all.push({ asked, tenant: each.tenant, weight: weights[plan], over: false });
        } else if (each.kind === 'adapt') {
          limit = each.limit;
          turns.adapt(limit, each.shedding ? 'shedding' : 'normal');
        } else if (each.kind === 'pass') pass(each.milliseconds);
        else {
          const some = open(each.kind === 'end' ? 'begun' : 'waiting');
          const one = some[each.index % Math.max(1, some.length)];
          if (one) {
            one.over = true;
            if (each.kind === 'end') one.asked.turn.end();
            else one.asked.abort.abort();
          }
        }
        await settled();
        const running = open('begun');
        const waiting = open('waiting');
        expect([turns.running, turns.waiting]).toEqual([running.length, waiting.length]);
        expect(waiting.length).toBeLessThanOrEqual(12);
        for (const { tenant, weight } of waiting) {
          const own = running.filter((other) => other.tenant === tenant).length;
          expect(own).toBeGreaterThanOrEqual(weight * (limit - running.length));
        }
      }
      // When all that runs ends, all that waits has its turn.
      while (open('begun').length > 0) {
        for (const one of open('begun')) {
          one.over = true;
          one.asked.turn.end();
        }
        await settled();
      }
      expect([turns.running, turns.waiting]).toEqual([0, 0]);
    }),
    { numRuns: 200 },
  );
});
