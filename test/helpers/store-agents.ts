import { Wakes } from '../../src/background/jobs/follow.ts';
import type { Queue } from '../../src/background/jobs/queue/queue.ts';
import type { Builder, BuildMode } from '../../src/factory/factory.ts';
import { createModelGateway } from '../../src/gateway/routing/gateway.ts';
import { unguessable } from '../../src/lib/ids.ts';
import { type AgentOptions, openAgents } from '../../src/services/agents/open-agents.ts';
import type { RunKey } from '../../src/services/agents/run-store.ts';
import type { AgentService } from '../../src/services/agents/service.ts';
import { Addresses } from '../../src/services/builds/addresses.ts';
import { newBuild } from '../../src/services/builds/build.ts';
import type { Db } from '../../src/services/builds/build-reader.ts';
import { BuildStore } from '../../src/services/builds/build-store.ts';
import { BuildRunner, buildTask, type RunnerSettings } from '../../src/services/builds/runner.ts';
import { unconfirmedBuilds } from '../../src/services/builds/settle-builds.ts';
import { createCatalogue } from '../../src/services/features/catalogue.ts';
import { LocalThread } from '../../src/services/features/local/thread.ts';
import { FeatureService } from '../../src/services/features/service.ts';
import type { Store } from '../../src/store/store.ts';
import type { Caller } from '../../src/tenants/accounts/caller.ts';
import { agentOf } from './agents.ts';
import { equalWeights } from './factory.ts';
import { sharedThreads } from './shared-threads.ts';
import type { TestAccounts } from './store-accounts.ts';
import { settingsOf } from './vendor-gateway.ts';

/** Agents on these accounts, with the sandbox: `slow` speaks for about ten seconds. */
export async function openTestAgents(
  accounts: TestAccounts,
  onFault: AgentOptions['onFault'] = (error, what) => {
    throw new Error(`agents: ${what}`, { cause: error });
  },
  more: Partial<Pick<AgentOptions, 'pace' | 'signals'>> = {},
): Promise<AgentService> {
  const { store, admissions } = accounts;
  const models = createModelGateway(settingsOf([]));
  const catalogue = await createCatalogue([]);
  return openAgents({
    store,
    metering: accounts,
    models,
    features: new FeatureService({ catalogue, models, admissions, local: new LocalThread(), publicUrl: '' }),
    startBuild: () => Promise.reject(new Error('there is no factory')),
    settings: {
      agents: [agentOf({ id: 'slow', model: 'sandbox/slow', tools: [] }), agentOf({ id: 'quick' })],
      fetchUrl: null,
      mcpServers: [],
    },
    pace: { sweepMs: 50, pollMs: 20 },
    onFault,
    ...more,
  });
}

let started = 0;

/** Begins a run in the background, in the name of the tenant `acme`. */
export async function startRun(agents: AgentService, agentId: string): Promise<RunKey> {
  started += 1;
  const caller: Caller = {
    tenantId: 'acme',
    keyId: 'testkey00000',
    scopes: new Set(['agents']),
    plan: 'enterprise',
    limits: {
      requestsPerMinute: null,
      requestsPerDay: null,
      requestsPerMonth: null,
      tokensPerMinute: null,
      concurrentRequests: null,
    },
  };
  const { key } = await agents.start(
    agentId,
    { input: 'What is 1 + 1?', background: true },
    {
      caller,
      requestId: `req_${process.pid}_${started}`,
      operation: 'runAgent',
      tellLimits: () => undefined,
      signal: new AbortController().signal,
    },
  );
  return key;
}

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
    unconfirmed: unconfirmedBuilds(builds),
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
  const given = { tenant_id: tenantId, request_id: 'r', prompt: 'a build', options: {} };
  const id = `job_${unguessable()}`;
  const job = newBuild({ ...given, id, created_at: now, expires_at: now + 600_000 }, embedded);
  await builds.exclusively((db) => builds.insert(db, job, null));
  return id;
}
