// Over 300 lines: the order in which a server's parts are opened, in which each needs those before.
import { join } from 'node:path';
import { operations } from '../../generated/operations.gen.ts';
import { openAnalytics } from '../background/analytics/open-analytics.ts';
import { openQueue } from '../background/jobs/queue/queue.ts';
import { openVendorObjects } from '../background/vendor-objects/open-vendor-objects.ts';
import { agentSettings } from '../config/agents.ts';
import type { Config } from '../config/config.ts';
import type { ReplyCheck } from '../contract/reply-check.ts';
import {
  type BuildMode,
  loadBuilder,
  loadDrive,
  loadPlanner,
  type ModelOptions,
  type Threads,
} from '../factory/factory.ts';
import { Affinity } from '../gateway/lanes/affinity.ts';
import { SandboxBatches } from '../gateway/lanes/sandbox-batches.ts';
import type { SwappableGateway } from '../gateway/routing/swappable-gateway.ts';
import { type Exchange, ledgerStatus } from '../http/exchange.ts';
import type { ByteBudget } from '../lib/byte-budget.ts';
import { buildThreads } from '../lib/capacity.ts';
import type { Lifecycle } from '../lib/health-checks.ts';
import { PassingSet } from '../lib/placed.ts';
import type { ServerAbout } from '../lib/server-about.ts';
import type { Signals } from '../lib/signals.ts';
import { Spool } from '../lib/spool.ts';
import type { PriceBook, PriceOf } from '../model/usage.ts';
import type { FaultLog } from '../observe/fault-log.ts';
import type { Logger } from '../observe/log.ts';
import type { Metrics } from '../observe/metrics.ts';
import { openAgents } from '../services/agents/open-agents.ts';
import type { AgentSettings } from '../services/agents/settings.ts';
import { type StartBuild, startBuildIn } from '../services/agents/tools/build-app.ts';
import { type FactorySettings, openFactory } from '../services/builds/open-factory.ts';
import { createCatalogue } from '../services/features/catalogue.ts';
import { LocalThread } from '../services/features/local/thread.ts';
import { FeatureService } from '../services/features/service.ts';
import { OpenSockets, type SocketSettings } from '../sockets/open-sockets.ts';
import type { Redis } from '../store/redis/open-redis.ts';
import type { Store } from '../store/store.ts';
import { callerOf } from '../tenants/accounts/caller.ts';
import { keyWatch } from '../tenants/accounts/key-watch.ts';
import { openAccounts } from '../tenants/accounts/open-accounts.ts';
import { openIdempotency } from '../tenants/idempotency/open-idempotency.ts';
import { budgetSeeds } from '../tenants/metering/budget-usage.ts';
import { openMetering } from '../tenants/metering/open-metering.ts';
import { priceOfIn } from '../tenants/metering/price-book.ts';
import { type OverloadSettings, openOverload } from '../tenants/overload/open-overload.ts';
import { type HealthParts, healthChecks } from './health.ts';
import { openNotifications } from './open-notifications.ts';
import { openReloads } from './open-reloads.ts';

/** The disk has room for this many forms of the largest size at a time. */
const uploadsAtOnce = 64;

/** The parts that exist before the database. */
export interface Ground {
  /** Address under which clients reach this server, without a slash at the end. */
  readonly publicUrl: string;
  readonly config: Config;
  /** The facts that this process publishes about itself. */
  readonly about: ServerAbout;
  readonly log: Logger;
  /** Takes errors; its maker flushes it at the end. */
  readonly faults: FaultLog;
  /** The memory for everything in flight; the models must have been made with it. */
  readonly budget: ByteBudget;
  /** Counts what happens. */
  readonly metrics: Metrics;
  /** Holds every reply and event against the contract, in tests and development; null in production. */
  readonly replyCheck: ReplyCheck | null;
  readonly models: SwappableGateway;
  readonly redis: Redis | null;
  readonly signals: Signals;
}

/** Admits requests and settles them. */
type AccountsOnStore = Awaited<ReturnType<typeof openAccountsOn>>;

/** The options that only the server decides. */
interface OpenOptions {
  /** Reads the configuration again, for a reload. */
  readonly read: () => Promise<Config>;
  /** Processes that share the port and the machine. */
  readonly processes: number;
  /** Runs after a reload, with who asked for it. */
  readonly onReloaded: (actor: string) => void;
  /** Set by tests only. */
  readonly instead?: Instead;
}

interface Instead {
  readonly factory?: Partial<FactorySettings>;
  readonly threads?: Threads;
  readonly localThread?: LocalThread;
  readonly agents?: AgentSettings;
  readonly startBuild?: StartBuild | undefined;
  readonly overload?: Partial<OverloadSettings>;
  readonly sockets?: Partial<SocketSettings>;
  readonly health?: Partial<HealthParts>;
  /** Whether this process is the only one on the database. */
  readonly alone?: boolean;
}

export type Parts = Awaited<ReturnType<typeof openParts>>;

/** Opens the accounts and their metering on a store. */
export async function openAccountsOn(
  store: Store,
  { config, models, redis, signals, metrics, about, faults }: Omit<Ground, 'replyCheck'>,
) {
  let priceNow = priceOfIn(config.prices, Date.now);
  const priceOf: PriceOf = (provider, model, at) => priceNow(provider, model, at);
  const accounts = await openAccounts(store, {
    ...config,
    planChanges: config.plans,
    signals,
    onError: (error) => faults.report(error, 'accounts'),
  });
  try {
    const metering = await openMetering(store, {
      ...config,
      priceOf,
      targetsOf: (model) => models.targetsOf(model),
      canonicalOf: (model) => models.canonicalOf(model),
      seedsOf: budgetSeeds(store, (model) => models.canonicalOf(model)),
      statusOf: ledgerStatus,
      authority: redis?.authorityOn(store),
      admitsWhenAway: config.limitsWhenAway === 'open',
      observer: metrics,
      about: () => about.now(),
      onError: (error) => faults.report(error, 'metering'),
    });
    /** Prices requests by another book from now on. */
    const setPrices = (book: PriceBook) => {
      priceNow = priceOfIn(book, Date.now);
    };
    return { store, accounts, metering, priceOf, setPrices };
  } catch (thrown) {
    await accounts.close();
    throw thrown;
  }
}

/** Opens everything that answers requests, for the server and for tests. */
export async function openParts(ground: Ground, opened: AccountsOnStore, options: OpenOptions) {
  const { config, publicUrl, models, redis, signals, budget, metrics, log, faults } = ground;
  const { store, accounts, metering, priceOf } = opened;
  const { processes, instead = {} } = options;
  const { admissions, instanceId } = metering;
  const failing = (where: string) => (error: unknown) => faults.report(error, where);
  const localEngines = instead.localThread ?? new LocalThread();
  const features = new FeatureService({
    catalogue: await createCatalogue(config.features),
    models,
    admissions,
    local: localEngines,
    publicUrl,
  });
  const queue = await openQueue(store, {
    ...config,
    instanceId,
    onError: (error, task) => faults.report(error, 'queue', { task: task?.name ?? null }),
  });
  const telling = openNotifications(store, { accounts, metering, queue, onError: failing('telling') });
  const factory = await openFactory(
    {
      store,
      metering,
      plans: accounts.plans,
      pseudonym: accounts.pseudonym,
      tasks: queue,
      tasksForBuilds: config.queue === 'pg-boss',
      signals,
      ...(instead.threads && { threads: instead.threads }),
    },
    {
      publicUrl,
      previewDomain: config.factoryPreviewDomain,
      concurrency: config.factoryConcurrency,
      threads: Math.max(1, Math.floor(buildThreads() / processes)),
      queue: config.factoryQueue,
      tenantQueue: config.factoryTenantQueue,
      demoModelBuilds: config.factoryDemoModelBuilds,
      demoRevisions: config.factoryDemoRevisions,
      demoPlans: config.factoryDemoPlans,
      ...builderOf(config, {
        models,
        priceOf,
        onFailure: (err) => log.warn({ err, where: 'factory' }, 'the model of the factory gave no answer'),
      }),
      loadDrive: driveOf(config, (err) =>
        log.warn({ err, where: 'factory' }, 'a built app was not tried in the browser'),
      ),
      onError: (error, jobId) => faults.report(error, 'factory', { job_id: jobId }),
      ...instead.factory,
    },
  );
  const kept = openVendorObjects({
    store,
    redis,
    alone: instead.alone ?? (processes === 1 && redis === null && store.dialect === 'sqlite'),
    onError: failing('kept objects'),
  });
  const batches = new SandboxBatches({
    models,
    admissions,
    affinity: new Affinity(),
    objects: kept.objects,
    open: kept.batches,
    timeLimits: config.models.timeLimits,
    budget,
    queue,
    onError: failing('batches'),
    callerAgain: (was) => accounts.keys.callerAgain(was),
  });
  await queue.start();
  const agents = await openAgents({
    store,
    metering,
    models,
    features,
    startBuild: instead.startBuild ?? startBuildIn(factory.intake),
    settings: instead.agents ?? agentSettings(config),
    signals,
    keyFor: accounts.keyFor,
    onFault: (error, what) => faults.report(error, `agents: ${what}`),
  });
  const idempotency = openIdempotency(store, {
    ...config,
    instanceId,
    keyFor: accounts.keyFor,
    onError: failing('idempotency'),
  });
  const analytics = await openAnalytics(store, {
    ...config,
    instanceId,
    observer: metrics,
    onError: failing('analytics'),
  });
  const overload = openOverload(
    { ...config, ...instead.overload },
    accounts.plans,
    { waitingAdmissions: () => admissions.waitingAdmissions },
    {
      requestShed: (reason, plan) => metrics.requestShed(reason, plan),
      loadChanged: (state, signal) =>
        state === 'shedding'
          ? log.warn({ signal }, 'overloaded: sheds requests')
          : log.info('sheds no more requests'),
    },
  );
  const spool = new Spool(
    join(config.dataDir, 'uploads'),
    Math.ceil(uploadsAtOnce / processes) * config.maxUpload,
  );
  const unwritable = await spool.check();
  if (unwritable !== null)
    log.warn(`DATA_DIR cannot be written (${unwritable}): forms with files that are not small are refused.`);
  const control = openReloads({ ...ground, ...opened, ...options, features, agents });
  const watchKey = keyWatch({
    version: () => accounts.changes.version(),
    isGood: async (principal) => (await accounts.keys.callerAgain(callerOf(principal))) !== null,
    onError: failing('keys of open streams'),
  });
  const sockets = await OpenSockets.create({
    settings: {
      maxSockets: config.responsesSockets,
      maxPerKey: config.responsesSocketsPerKey,
      idleMs: config.responsesSocketIdleMs,
      ...instead.sockets,
    },
    budget,
    maxMessage: operations.createResponse.body.maxBytes,
    watchKey,
  });
  const lifecycle: Lifecycle = { draining: false, startedAt: Date.now() };
  return {
    ...ground,
    ...opened,
    settings: config,
    config: control,
    telling,
    factory,
    keys: accounts.keys,
    watchKey,
    kept: kept.objects,
    thoughts: kept.thoughts,
    batches,
    idempotency: idempotency.keys,
    agents,
    features,
    lifecycle,
    overload,
    health: healthChecks({
      store,
      factory,
      load: overload,
      dataDir: keepsFiles(config) ? config.dataDir : null,
      redis: redis && { check: () => redis.check(), required: config.limitsWhenAway === 'closed' },
      ...instead.health,
    }),
    running: new PassingSet<Exchange>(),
    sockets,
    uploads: { spool, maxBytes: config.maxUpload },
    analyticsLagMs: analytics.lagMs,
    /** Close the parts, in this order, by name. The parts that they depend on stay open. */
    closing: [
      ['overload', async () => overload.close()],
      ['agents', () => agents.close()],
      ['factory', () => factory.close()],
      ['batches', () => batches.close()],
      ['queue', () => queue.close()],
      ['local engines', () => localEngines.close()],
      ['models', () => models.close()],
      ['kept objects', () => kept.close()],
      ['idempotency', () => idempotency.close()],
      ['analytics', () => analytics.close()],
      ['telling', () => telling.close()],
    ] as readonly (readonly [string, () => Promise<unknown>])[],
  };
}

/** Whether anything is in the data directory. */
function keepsFiles({ databaseUrl, keySecret }: Config): boolean {
  return databaseUrl === null || keySecret === null;
}

/** Who builds, loaded when there is something to build. */
function builderOf(
  { builder: { model, limits }, factoryBrowser }: Config,
  asked: Omit<ModelOptions, 'model' | 'limits'>,
) {
  // Beyond what it waits for its model, a build has a minute for all the rest.
  const ownTimeMs = 60_000;
  // Half a minute for its turn in the browser, and at most 40 seconds in it.
  const trialMs = factoryBrowser === null ? 0 : 70_000;
  const byModel = model === null ? null : { ...asked, model, limits };
  const engine: BuildMode = model === null ? { mode: 'embedded', model } : { mode: 'model', model };
  return {
    engine,
    // A model's app is also tried after each of at most two repairs, and then perhaps a template.
    wallMs: { embedded: 30_000 + trialMs, model: limits.timeMs + ownTimeMs + 4 * trialMs },
    ...(byModel !== null && { loadPlanner: () => loadPlanner(byModel) }),
    loadBuilder: () => loadBuilder(byModel),
  };
}

/** Tries apps in a browser, the same for all builds; undefined: they are not tried. */
function driveOf({ factoryBrowser: address }: Config, onFailure: (error: unknown) => void) {
  if (address === null) return undefined;
  let drive: ReturnType<typeof loadDrive> | undefined;
  return () => {
    drive ??= loadDrive({ address, onFailure });
    return drive;
  };
}
