import { expect, it } from 'vitest';
import { Addresses } from '../../../../src/services/builds/addresses.ts';
import { type Build, newBuild } from '../../../../src/services/builds/build.ts';
import { BuildStore } from '../../../../src/services/builds/build-store.ts';
import { equalWeights } from '../../../helpers/factory.ts';
import { onEveryStore } from '../../../helpers/store.ts';

const context = {
  addresses: new Addresses('http://127.0.0.1:8080', null),
  wallMs: { embedded: 30_000, model: 30_000 },
};

onEveryStore('the demo builds of a day', (on) => {
  it('are counted in the order in which they were accepted, from midnight in UTC', async () => {
    const store = await on.open(await on.database());
    const tenant = {
      id: 'acme',
      name: 'Acme',
      plan: 'pro',
      overrides: '{}',
      suspended_at: null,
      created_at: 0,
    };
    await store.db.insertInto('tenants').values(tenant).execute();
    const jobs = new BuildStore(store, context, equalWeights);
    const accept = async (id: string, at: string, tenantId: string | null = null): Promise<Build> => {
      const createdAt = Date.parse(at);
      const given = { id, tenantId, requestId: 'r', prompt: 'a build', options: {}, createdAt };
      const job = newBuild({ ...given, expiresAt: createdAt + 60_000 }, { mode: 'embedded', model: null });
      return jobs.exclusively((db) => jobs.insert(db, job, null));
    };
    await accept('job_late', '2026-12-31T23:59:59.999Z');
    const first = await accept('job_a', '2027-01-01T00:00:00.000Z');
    const sameTime = await accept('job_b', '2027-01-01T00:00:00.000Z');
    await accept('job_tenant', '2027-01-01T00:00:01.000Z', 'acme');
    const last = await accept('job_0', '2027-01-01T23:59:59.999Z');
    const counts = await Promise.all([first, sameTime, last].map((job) => jobs.demoBuildsBefore(job)));
    expect(counts).toEqual([0, 1, 2]);
  });
});
