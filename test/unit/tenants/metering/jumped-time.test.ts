/** What is counted in a window or leased for a time, when the time of the store has jumped ahead within it. */
import { createSecretKey, randomBytes } from 'node:crypto';
import { expect, it } from 'vitest';
import type { StoreClock } from '../../../../src/lib/clock.ts';
import { demoHits } from '../../../../src/services/builds/allowance.ts';
import { retention, sweep } from '../../../../src/services/builds/retention.ts';
import { elapsedAt, type Pieces, timeAt } from '../../../../src/store/time-pieces.ts';
import { attemptsOf, sweepAttempts } from '../../../../src/tenants/accounts/attempts.ts';
import { Presence } from '../../../../src/tenants/metering/presence.ts';
import { onEveryStore } from '../../../helpers/store.ts';

const start = Date.parse('2026-05-05T05:05:05Z');

/** A clock whose time jumps ahead by an hour, `passed` milliseconds after the start. */
class JumpingClock implements StoreClock {
  readonly doubtMs = 0;
  readonly stale = false;
  passed = 0;
  #pieces: Pieces = [{ from: 0, time: start, rate: 1 }];

  now(): number {
    return timeAt(this.#pieces, this.passed);
  }

  ago(milliseconds: number): number {
    return timeAt(this.#pieces, this.passed - milliseconds);
  }

  elapsed(): number {
    return this.passed;
  }

  elapsedAt(stamp: number): number | null {
    return elapsedAt(this.#pieces, stamp, this.passed);
  }

  monotonic(): number {
    return this.passed;
  }

  jump(): void {
    this.#pieces = [...this.#pieces, { from: this.passed, time: this.now() + 3_600_000, rate: 1 }];
  }
}

onEveryStore('when the time jumps ahead by an hour', (on) => {
  async function jumping() {
    const clock = new JumpingClock();
    return { clock, store: { ...(await on.open(await on.database())), clock } };
  }

  it('attempts still count for their time', async () => {
    const { clock, store } = await jumping();
    const limit = { kind: 'password', max: 2, windowMs: 900_000 } as const;
    const attempts = attemptsOf(store, createSecretKey(randomBytes(32)), limit);
    expect([await attempts.take('192.0.2.1'), await attempts.take('192.0.2.1')]).toEqual([0, 0]);
    clock.passed = 100_000;
    clock.jump();
    await sweepAttempts(store);
    expect(await attempts.take('192.0.2.1')).toBe(800_000);
    clock.passed = 899_999;
    expect(await attempts.take('192.0.2.1')).toBe(1);
    clock.passed = 900_000;
    expect(await attempts.take('192.0.2.1')).toBe(0);
  });

  it('demo builds still count for their time', async () => {
    const { clock, store } = await jumping();
    const limit = { count: 1, windowMs: 300_000 };
    const hit = { job_id: 'j', client: 'c', request: 'r', at: clock.now() };
    await store.db.insertInto('demo_hits').values(hit).execute();
    const look = () => demoHits(store.db, limit, 'c', 'r', clock);
    clock.passed = 5_000;
    clock.jump();
    await sweep(store, retention, limit.windowMs);
    expect(await look()).toMatchObject({ same: 'j', state: { remaining: 0, retryAfterMs: 295_000 } });
    clock.passed = 299_999;
    expect(await look()).toMatchObject({ same: null, state: { remaining: 0, retryAfterMs: 1 } });
    clock.passed = 300_000;
    expect(await look()).toMatchObject({ same: null, state: { remaining: 1 } });
  });

  it('no living process is buried', async () => {
    const { clock, store } = await jumping();
    const [living, judge] = [new Presence(store, 'living'), new Presence(store, 'judge')];
    await living.renew();
    clock.passed = 10_000;
    clock.jump();
    const left = async () => {
      await judge.sweep();
      return store.db.selectFrom('instances').select('id').execute();
    };
    expect(await left()).toHaveLength(1);
    clock.passed = 14_999;
    expect(await left()).toHaveLength(1);
    clock.passed = 15_000;
    expect(await left()).toHaveLength(0);
  });
});
