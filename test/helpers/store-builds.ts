import { Wakes } from '../../src/background/jobs/follow.ts';
import type { Queue } from '../../src/background/jobs/queue/queue.ts';
import type { Builder, BuildMode } from '../../src/factory/factory.ts';
import { unguessable } from '../../src/lib/ids.ts';
import { Addresses } from '../../src/services/builds/addresses.ts';
import { newBuild } from '../../src/services/builds/build.ts';
import type { Db } from '../../src/services/builds/build-reader.ts';
import { BuildStore } from '../../src/services/builds/build-store.ts';
import { BuildRunner, buildTask, type RunnerSettings } from '../../src/services/builds/runner.ts';
import { UnsureBuilds } from '../../src/services/builds/unsure-builds.ts';
import type { Store } from '../../src/store/store.ts';
import { equalWeights } from './factory.ts';
import { sharedThreads } from './shared-threads.ts';

export const buildContext = {
  addresses: new Addresses('http://127.0.0.1:8080', null),
  wallMs: { embedded: 120_000, model: 120_000 },
};
export const embedded: BuildMode = { mode: 'embedded', model: null };
const settings: Omit<RunnerSettings, 'concurrency'> = {
  wallMs: buildContext.wallMs,
  queueMs: 60_000,
  demoModelBuilds: 100,
  tickMs: 20,
};

/** What builds on a store in the name of a process. Close the runner when done. */
export function buildsOn(
  store: Store,
  workerId: string,
  loadBuilder: () => Promise<Builder>,
  concurrency = 3,
  queue: Queue | null = null,
) {
  const waits = queue && ((db: Db) => queue.add([{ name: buildTask }], db));
  const builds = new BuildStore(store, buildContext, equalWeights, waits);
  const errors: unknown[] = [];
  const runner = new BuildRunner({
    builds,
    wakes: new Wakes(),
    threads: sharedThreads,
    workerId,
    engine: embedded,
    unsure: new UnsureBuilds(builds),
    loadBuilder,
    settings: { ...settings, concurrency },
    queue,
    onOver: async () => undefined,
    onError: (error) => errors.push(error),
  });
  return { builds, runner, errors };
}

/** Accepts a build and gives its id. */
export async function accept(builds: BuildStore, tenantId: string | null = null): Promise<string> {
  const now = builds.now();
  const given = { tenantId, requestId: 'r', prompt: 'a build', options: {} };
  const id = `job_${unguessable()}`;
  const job = newBuild({ ...given, id, createdAt: now, expiresAt: now + 600_000 }, embedded);
  await builds.exclusively((db) => builds.insert(db, job, null));
  return id;
}
