/** Whose build is next: tenants and the demo take turns, each as often as its plan says, even when one floods the queue. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { BuildMode } from '../../../../src/factory/factory.ts';
import { Addresses } from '../../../../src/services/builds/addresses.ts';
import { newBuild } from '../../../../src/services/builds/build.ts';
import { BuildStore } from '../../../../src/services/builds/build-store.ts';
import type { Weights } from '../../../../src/services/builds/turns.ts';
import type { Store } from '../../../../src/store/store.ts';
import type { PlanId } from '../../../../src/tenants/accounts/plans.ts';
import { equalWeights } from '../../../helpers/factory.ts';
import { onEveryStore, type StoreTests } from '../../../helpers/store.ts';
import { type Database, TestClock } from '../../../helpers/test-database.ts';

const context = {
  addresses: new Addresses('http://127.0.0.1:8080', null),
  wallMs: { embedded: 30_000, model: 30_000 },
};
const engine: BuildMode = { mode: 'embedded', model: null };
const planWeights: Weights = {
  free: { buildWeight: 1 },
  pro: { buildWeight: 2 },
  enterprise: { buildWeight: 4 },
};

/** A queue on a store of its own, whose time advances with everything that happens. */
async function queueOn(on: StoreTests, weights: Weights, database?: Database, clock = new TestClock()) {
  const store = await on.open(database ?? (await on.database()), clock);
  const jobs = new BuildStore(store, context, weights);
  let accepted = 0;
  return {
    store,
    jobs,
    async accept(tenantId: string | null, count = 1) {
      for (let n = 0; n < count; n += 1) {
        clock.time += 1;
        accepted += 1;
        const id = `job_${String(accepted).padStart(6, '0')}`;
        const given = { id, tenant_id: tenantId, request_id: 'r', prompt: 'a build', options: {} };
        const job = newBuild({ ...given, created_at: clock.time, expires_at: clock.time + 60_000 }, engine);
        await jobs.exclusively((db) => jobs.insert(db, job, null));
      }
    },
    /** Begins the next build and ends it at once. */
    async begin() {
      clock.time += 1;
      const job = await jobs.claim('worker', engine);
      if (job) await jobs.take(job, [{ type: 'cancel' }]);
      return job;
    },
  };
}

async function addTenant({ db }: Store, id: string, plan: PlanId): Promise<void> {
  await db
    .insertInto('tenants')
    .values({ id, name: id, plan, overrides: '{}', suspended_at: null, created_at: 0 })
    .execute();
}

onEveryStore('turns in the queue of builds', (on) => {
  it('go round: whoever comes after a flood of 112 builds is served beside it', async () => {
    const { store, accept, begin } = await queueOn(on, equalWeights);
    for (const id of ['flood', 'acme', 'bolt']) await addTenant(store, id, 'free');
    await accept('flood', 112);
    const order = [(await begin())?.tenant_id];
    await accept('acme', 3);
    await accept('bolt', 2);
    await accept(null, 2);
    for (let n = 0; n < 10; n += 1) order.push((await begin())?.tenant_id);
    expect(order.slice(1, 9)).toEqual(['acme', 'bolt', null, 'flood', 'acme', 'bolt', null, 'flood']);
    expect(order.slice(9)).toEqual(['acme', 'flood']);
    // Nothing is left behind, and what one tenant has sent stays in its order.
    const rest: string[] = [];
    for (let job = await begin(); job; job = await begin()) rest.push(job.id);
    expect(rest).toHaveLength(108);
    expect(rest).toEqual(rest.toSorted());
  });

  it('are as many as the plan has weight, as long as all wait', async () => {
    const { store, accept, begin } = await queueOn(on, planWeights);
    for (const plan of ['free', 'pro', 'enterprise'] as const) await addTenant(store, plan, plan);
    for (const owner of ['enterprise', 'free', 'pro', null]) await accept(owner, 40);
    const begun = new Map<string | null, number>();
    for (let n = 0; n < 8 * 8; n += 1) {
      const owner = (await begin())?.tenant_id ?? null;
      begun.set(owner, (begun.get(owner) ?? 0) + 1);
    }
    expect(Object.fromEntries(begun)).toEqual({ enterprise: 32, pro: 16, free: 8, null: 8 });
  });

  it('are taken together by several processes', async () => {
    const database = await on.database();
    const clock = new TestClock();
    const queues = await Promise.all([1, 2, 3].map(() => queueOn(on, equalWeights, database, clock)));
    const [first] = queues as [(typeof queues)[0]];
    for (const id of ['flood', 'acme', 'bolt']) await addTenant(first.store, id, 'free');
    await first.accept('flood', 60);
    await first.accept('acme', 10);
    await first.accept('bolt', 10);
    // All three see the same time, so what runs distinguishes builds that began at the same moment.
    const claims = Array.from({ length: 30 }, (_, n) => queues[n % 3]?.jobs.claim(`worker ${n % 3}`, engine));
    const owners = (await Promise.all(claims)).map((job) => job?.tenant_id);
    const count = (owner: string) => owners.filter((each) => each === owner).length;
    expect([count('flood'), count('acme'), count('bolt')]).toEqual([10, 10, 10]);
  });

  it('come to everybody: nobody who waits is passed by another for more than their weight', async () => {
    const owners = ['one', 'two', 'three', 'four', null] as const;
    const plans: readonly PlanId[] = ['free', 'pro', 'enterprise', 'free'];
    const weightOf = (owner: string | null) =>
      planWeights[plans[owners.indexOf(owner as never)] ?? 'free'].buildWeight;
    const moves = fc.array(
      fc.oneof(
        fc.record({ owner: fc.constantFrom(...owners), count: fc.integer({ min: 1, max: 6 }) }),
        fc.constant('begin' as const),
        fc.constant('begin' as const),
      ),
      { minLength: 10, maxLength: 60 },
    );
    await fc.assert(
      fc.asyncProperty(moves, async (steps) => {
        const { store, accept, begin } = await queueOn(on, planWeights);
        for (const [n, plan] of plans.entries()) await addTenant(store, String(owners[n]), plan);
        const waiting = new Map<string | null, number>(owners.map((owner) => [owner, 0]));
        /** By whom each who waits was passed since its last turn, or since it began to wait. */
        const passed = new Map<string | null, Map<string | null, number>>();
        const turn = async () => {
          const job = await begin();
          const left = [...waiting.values()].reduce((sum, count) => sum + count, 0);
          expect(job === null).toBe(left === 0);
          if (!job) return;
          waiting.set(job.tenant_id, (waiting.get(job.tenant_id) ?? 0) - 1);
          passed.set(job.tenant_id, new Map());
          for (const [owner, count] of waiting) {
            if (count === 0 || owner === job.tenant_id) continue;
            const by = passed.get(owner) ?? new Map();
            passed.set(owner, by.set(job.tenant_id, (by.get(job.tenant_id) ?? 0) + 1));
            expect(by.get(job.tenant_id)).toBeLessThanOrEqual(weightOf(job.tenant_id));
          }
        };
        for (const step of steps) {
          if (step === 'begin') await turn();
          else {
            if (waiting.get(step.owner) === 0) passed.set(step.owner, new Map());
            await accept(step.owner, step.count);
            waiting.set(step.owner, (waiting.get(step.owner) ?? 0) + step.count);
          }
        }
        while ([...waiting.values()].some((count) => count > 0)) await turn();
      }),
      { numRuns: 10 },
    );
  });

  it('are told: a build begins after as many as were said to be ahead, if nobody else comes', async () => {
    const { store, jobs, accept, begin } = await queueOn(on, equalWeights);
    for (const id of ['flood', 'acme', 'bolt']) await addTenant(store, id, 'free');
    await accept('acme');
    await accept('flood', 7);
    for (let n = 0; n < 3; n += 1) await begin();
    await accept('bolt', 3);
    await accept('acme', 2);
    await accept(null);
    const rows = await store.db
      .selectFrom('factory_jobs')
      .select('id')
      .where('status', '=', 'queued')
      .execute();
    const said = new Map<string, number | null>();
    for (const { id } of rows) {
      const job = await jobs.find(id);
      said.set(id, job && (await jobs.ahead(job)));
    }
    const positions = new Map<string, number>();
    for (let job = await begin(); job; job = await begin()) positions.set(job.id, positions.size);
    expect(Object.fromEntries(said)).toEqual(Object.fromEntries(positions));
  });
});
