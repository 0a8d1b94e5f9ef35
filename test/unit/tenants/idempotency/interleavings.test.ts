/** A thousand random histories of requests with keys, against what a single careful clerk would answer. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Claimed } from '../../../../src/contract/idempotency.ts';
import { answerOf, bury, idempotencyOf, tryClaim } from '../../../helpers/idempotency.ts';
import { onEveryStore } from '../../../helpers/store.ts';
import { TestClock } from '../../../helpers/test-database.ts';

const hour = 3_600_000;

type Step =
  | { readonly kind: 'ask'; readonly process: number; readonly key: number; readonly request: number }
  | { readonly kind: 'keep' | 'free' | 'lose'; readonly claim: number }
  | { readonly kind: 'die'; readonly process: number }
  | { readonly kind: 'wait'; readonly hours: number };

const small = (max: number) => fc.integer({ min: 0, max });
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({ kind: fc.constant('ask'), process: small(2), key: small(1), request: small(1) }),
  },
  { weight: 3, arbitrary: fc.record({ kind: fc.constantFrom('keep', 'free', 'lose'), claim: small(20) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('die'), process: small(2) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('wait'), hours: small(30) }) },
) as fc.Arbitrary<Step>;

/** What holds of a key, as the clerk has it. */
interface Entry {
  readonly request: number;
  readonly process: string;
  readonly claim: Claimed;
  readonly until: number;
  state: 'running' | 'answered' | 'unkept';
  answer: string;
}

onEveryStore('any order of requests, ends, deaths and waits', (on) => {
  it('gives what it should: one worker at a time, its answer to all others', async () => {
    const clock = new TestClock();
    const store = await on.open(await on.database(), clock);
    // Each statement is a round trip there.
    const numRuns = on.dialect === 'sqlite' ? 1000 : 50;
    let world = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
        world += 1;
        const owner = `world-${world}`;
        const lives = [0, 0, 0];
        const nameOf = (n: number) => `${owner} ${n} ${lives[n]}`;
        const processes = await Promise.all([0, 1, 2].map((n) => idempotencyOf(store, nameOf(n))));
        const entries = new Map<number, Entry>();
        const claims: { key: number; entry: Entry; dead: boolean }[] = [];
        for (const [at, one] of steps.entries()) {
          if (one.kind === 'wait') clock.time += one.hours * hour;
          else if (one.kind === 'die') {
            await bury(store, nameOf(one.process));
            for (const held of claims) if (held.entry.process === nameOf(one.process)) held.dead = true;
            lives[one.process] = (lives[one.process] ?? 0) + 1;
            processes[one.process] = await idempotencyOf(store, nameOf(one.process));
          } else if (one.kind === 'ask') {
            const { keys } = processes[one.process] as (typeof processes)[number];
            const entry = entries.get(one.key);
            const outcome = await tryClaim(keys, String(one.key), String(one.request), owner);
            const over = entry === undefined || entry.until <= clock.time;
            const abandoned =
              entry?.state === 'running' && claims.some((held) => held.entry === entry && held.dead);
            if (over || (abandoned && entry.request === one.request)) {
              if (!('claimed' in outcome)) throw new Error(`step ${at}: not claimed`);
              expect(outcome.claimed.work.resumed).toBe(!over);
              if (!over) expect(outcome.claimed.work.id).toBe(entry.claim.work.id);
              const fresh: Entry = {
                request: one.request,
                process: nameOf(one.process),
                claim: outcome.claimed,
                until: clock.time + 24 * hour,
                state: 'running',
                answer: '',
              };
              entries.set(one.key, fresh);
              claims.push({ key: one.key, entry: fresh, dead: false });
            } else if (entry.request !== one.request)
              expect(outcome).toEqual({ code: 'idempotency_key_reused' });
            else if (entry.state === 'running') expect(outcome).toEqual({ code: 'idempotency_key_in_use' });
            else if (entry.state === 'unkept')
              expect(outcome).toEqual({ code: 'idempotency_answer_not_kept' });
            else expect(outcome).toEqual({ kept: entry.answer });
          } else {
            // Any claim that was ever won, also one that is over or was taken over.
            const held = claims[one.claim % Math.max(1, claims.length)];
            if (held === undefined) continue;
            const { entry, key } = held;
            const own = entries.get(key) === entry;
            if (entry.state !== 'running') continue;
            if (one.kind === 'free') {
              await entry.claim.free();
              if (own) entries.delete(key);
              entry.state = 'unkept';
            } else {
              const answer = `answer of step ${at}`;
              await entry.claim.keep(one.kind === 'lose' ? null : answerOf(answer));
              entry.state = one.kind === 'lose' ? 'unkept' : 'answered';
              entry.answer = answer;
            }
          }
        }
      }),
      { numRuns },
    );
    expect(world).toBeGreaterThanOrEqual(numRuns);
  });
});
