import type { Builder, Engine } from '../../src/factory/builder.ts';
import { Addresses } from '../../src/factory/builds/addresses.ts';
import { newJob } from '../../src/factory/builds/build.ts';
import { JobStore } from '../../src/factory/builds/build-store.ts';
import { BuildEngine, type EngineSettings } from '../../src/factory/builds/engine.ts';
import { openThreads } from '../../src/factory/workshop/threads.ts';
import { Wakes } from '../../src/jobs/wakes.ts';
import { unguessable } from '../../src/lib/ids.ts';
import type { Store } from '../../src/store/store.ts';
import { equalWeights } from './factory.ts';

export const buildContext = {
  addresses: new Addresses('http://127.0.0.1:8080', null),
  wallMs: { embedded: 120_000, model: 120_000 },
};
export const embedded: Engine = { mode: 'embedded', model: null };
const settings: Omit<EngineSettings, 'concurrency'> = {
  wallMs: buildContext.wallMs,
  queueMs: 60_000,
  demoModelBuilds: 100,
  tickMs: 20,
};

/** What builds on a store in the name of a process. Close the engine when done. */
export function buildsOn(
  store: Store,
  workerId: string,
  loadBuilder: () => Promise<Builder>,
  concurrency = 3,
) {
  const jobs = new JobStore(store, buildContext, equalWeights);
  const errors: unknown[] = [];
  const engine = new BuildEngine({
    jobs,
    wakes: new Wakes(),
    threads: openThreads({ threads: 1, idleMs: 100 }),
    workerId,
    engine: embedded,
    loadBuilder,
    settings: { ...settings, concurrency },
    onOver: async () => undefined,
    onError: (error) => errors.push(error),
  });
  return { jobs, engine, errors };
}

/** Accepts a build and gives its id. */
export async function accept(jobs: JobStore): Promise<string> {
  const now = jobs.now();
  const given = { tenantId: null, requestId: 'r', prompt: 'a build', options: {} };
  const id = `job_${unguessable()}`;
  const job = newJob({ ...given, id, createdAt: now, expiresAt: now + 600_000 }, embedded);
  await jobs.exclusively((db) => jobs.insert(db, job, null));
  return id;
}
