// Over 300 lines: the order in which a server starts and stops, in which each step needs those before.
import { hostname } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { contractVersion } from '../../generated/operations.gen.ts';
import { openAnalytics } from '../background/analytics/open-analytics.ts';
import { openQueue } from '../background/jobs/queue/queue.ts';
import { openVendorObjects } from '../background/vendor-objects/open-vendor-objects.ts';
import { agentSettings } from '../config/agents.ts';
import { type Config, readConfig } from '../config/config.ts';
import { modelsSettings } from '../config/models-config.ts';
import { NotBuiltError, requireBuilt } from '../contract/built.ts';
import {
  type BuildMode,
  loadBuilder,
  loadDrive,
  loadPlanner,
  type ModelOptions,
} from '../factory/factory.ts';
import { Affinity } from '../gateway/lanes/affinity.ts';
import { SandboxBatches } from '../gateway/lanes/sandbox-batches.ts';
import { createSwappableGateway } from '../gateway/routing/swappable-gateway.ts';
import { answerUnready } from '../http/error-reply.ts';
import type { Exchange } from '../http/exchange.ts';
import { ledgerStatus } from '../http/exchange.ts';
import { listen, serve } from '../http/listen.ts';
import { isLoopback } from '../lib/address.ts';
import { nodeFault, refuseBrotliAnswers } from '../lib/brotli-guard.ts';
import { ByteBudget } from '../lib/byte-budget.ts';
import { buildThreads, memoryShare } from '../lib/capacity.ts';
import { ConfigError } from '../lib/config-error.ts';
import type { Lifecycle } from '../lib/health-checks.ts';
import { ulid } from '../lib/ids.ts';
import { PassingSet } from '../lib/placed.ts';
import { ServerAbout } from '../lib/server-about.ts';
import { Spool } from '../lib/spool.ts';
import type { PriceOf } from '../model/prices.ts';
import { FaultLog } from '../observe/fault-log.ts';
import { createLog } from '../observe/log.ts';
import { Metrics } from '../observe/metrics.ts';
import type { Telemetry } from '../observe/open-telemetry/open.ts';
import { adminPath } from '../pages/account/parts.ts';
import { openAgents } from '../services/agents/open-agents.ts';
import { startBuildIn } from '../services/agents/tools/build-app.ts';
import { openFactory } from '../services/builds/open-factory.ts';
import { createCatalogue } from '../services/features/catalogue.ts';
import { LocalThread } from '../services/features/local/thread.ts';
import { FeatureService } from '../services/features/service.ts';
import { StoreError } from '../store/errors.ts';
import { type Accounts, openAccounts } from '../tenants/accounts/open-accounts.ts';
import { openIdempotency } from '../tenants/idempotency/open-idempotency.ts';
import { budgetSeeds } from '../tenants/metering/budget-usage.ts';
import { openMetering } from '../tenants/metering/open-metering.ts';
import { priceOfIn } from '../tenants/metering/price-book.ts';
import { openOverload } from '../tenants/overload/open-overload.ts';
import { createApp } from './app.ts';
import { healthChecks } from './health.ts';
import { openDatabase } from './open-database.ts';
import { openNotifications } from './open-notifications.ts';
import { openReloads } from './open-reloads.ts';
import { openSignals } from './open-signals.ts';
import { openSockets } from './open-sockets.ts';
import { figuresOfAll, giveFigures, place, tellOthersToReload, tellReady, told } from './processes/worker.ts';

/** So many forms of the largest size have room on the disk at a time. */
const uploadsAtOnce = 64;
/** How long a stopping server may take for what comes after its last request, in milliseconds. */
const closingMs = 15_000;

try {
  await start();
} catch (error) {
  // A database that goes away in the middle of the start needs no stack either.
  const expected = [ConfigError, StoreError, NotBuiltError].some((known) => error instanceof known);
  const { message } = error as Error;
  console.error(expected ? message : error);
  process.exit(1);
}

async function start(): Promise<void> {
  const config = await readConfig(process.env);
  requireBuilt();
  const several = place.of > 1;
  const fault = nodeFault(process.versions.node);
  if (fault) refuseBrotliAnswers();
  const metrics = new Metrics(contractVersion);
  const telemetry = await openTelemetryIn(config, metrics, (message, times) =>
    log.warn({ times, problem: message.slice(0, 500) }, 'telemetry cannot be sent'),
  );
  const log = createLog(config.logLevel, {
    process: several ? place.number : null,
    traced: telemetry !== null,
    also: telemetry?.takeLine ?? null,
  });
  const faults = new FaultLog(log);
  // Of several processes one tells it for all.
  if (fault && place.number === 1) log.warn(`${fault.message} ${fault.advice}`);
  if (config.publicUrlIsGuess && !isLoopback(config.host) && place.port === null)
    log.warn(`PUBLIC_URL is not set: all links lead to ${config.publicUrl}, which is no address for others.`);
  // First of all: what the first start makes is shown once, by a server that listens.
  const reception = await listen(config.host, place.port ?? config.port, {
    shared: several,
    taken: place.port !== null,
  });
  metrics.watchProcess();
  if (several) giveFigures(() => metrics.figures(place.number));
  let priceNow = priceOfIn(config.prices, Date.now);
  const priceOf: PriceOf = (provider, model, at) => priceNow(provider, model, at);
  const budget = new ByteBudget(memoryShare(place.of, config.bufferMemory));
  const models = createSwappableGateway(modelsSettings(config), budget, (error) =>
    faults.report(error, 'models'),
  );
  const publicUrl =
    config.port === 0 ? config.publicUrl.replace(/:0$/, `:${reception.port}`) : config.publicUrl;
  const refuse = () => reception.handOver(answerUnready(publicUrl));
  const { redis, signals } = await openSignals(config, log);
  const name = several ? `${hostname()} ${place.number}/${place.of}` : hostname();
  const about = new ServerAbout(name, contractVersion);
  const { store, accounts, metering } = await openDatabase(config, log, refuse, async (store) => {
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
      return { store, accounts, metering };
    } catch (thrown) {
      await accounts.close();
      throw thrown;
    }
  });
  if (metering.interrupted > 0)
    log.warn({ requests: metering.interrupted }, 'settled what a crash left open');
  const localEngines = new LocalThread();
  const features = new FeatureService({
    catalogue: await createCatalogue(config.features),
    models,
    admissions: metering.admissions,
    local: localEngines,
    publicUrl,
  });
  const queue = await openQueue(store, {
    ...config,
    instanceId: metering.instanceId,
    onError: (error, task) => faults.report(error, 'queue', { task: task?.name ?? null }),
  });
  const telling = openNotifications(store, {
    accounts,
    metering,
    queue,
    onError: (error) => faults.report(error, 'telling'),
  });
  const lifecycle: Lifecycle = { draining: false, startedAt: Date.now() };
  const running = new PassingSet<Exchange>();
  const replyCheck =
    config.environment === 'production' ? null : (await import('../contract/reply-check.ts')).replyCheck;
  const factory = await openFactory(
    {
      store,
      metering,
      plans: accounts.plans,
      pseudonym: accounts.pseudonym,
      tasks: queue,
      tasksForBuilds: config.queue === 'pg-boss',
      signals,
    },
    {
      publicUrl,
      previewDomain: config.factoryPreviewDomain,
      concurrency: config.factoryConcurrency,
      threads: Math.max(1, Math.floor(buildThreads() / place.of)),
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
    },
  );
  const kept = openVendorObjects({
    store,
    redis,
    alone: !several && redis === null && store.dialect === 'sqlite',
    onError: (error) => faults.report(error, 'kept objects'),
  });
  const batches = new SandboxBatches({
    models,
    admissions: metering.admissions,
    affinity: new Affinity(),
    objects: kept.objects,
    open: kept.batches,
    timeLimits: config.models.timeLimits,
    budget,
    queue,
    onError: (error) => faults.report(error, 'batches'),
    callerAgain: (was) => accounts.keys.callerAgain(was),
  });
  await queue.start();
  const agents = await openAgents({
    store,
    metering,
    models,
    features,
    startBuild: startBuildIn(factory.intake),
    settings: agentSettings(config),
    signals,
    keyFor: accounts.keyFor,
    onFault: (error, what) => faults.report(error, `agents: ${what}`),
  });
  const idempotency = openIdempotency(store, {
    ...config,
    instanceId: metering.instanceId,
    keyFor: accounts.keyFor,
    onError: (error) => faults.report(error, 'idempotency'),
  });
  const analytics = await openAnalytics(store, {
    ...config,
    instanceId: metering.instanceId,
    observer: metrics,
    onError: (error) => faults.report(error, 'analytics'),
  });
  const overload = openOverload(
    config,
    accounts.plans,
    { waitingAdmissions: () => metering.admissions.waitingAdmissions },
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
    Math.ceil(uploadsAtOnce / place.of) * config.maxUpload,
  );
  const unwritable = await spool.check();
  if (unwritable !== null)
    log.warn(`DATA_DIR cannot be written (${unwritable}): forms with files that are not small are refused.`);
  const configControl = openReloads({
    config,
    env: process.env,
    store,
    accounts,
    models,
    features,
    agents,
    setPrices(book) {
      priceNow = priceOfIn(book, Date.now);
    },
    log,
    onReloaded: (actor) => {
      if (actor !== 'system' && several) tellOthersToReload();
    },
  });
  const sockets = await openSockets(config, accounts, budget, (error) => faults.report(error, 'sockets'));
  const app = await createApp({
    publicUrl,
    config: configControl,
    about,
    store,
    accounts,
    metering,
    telling,
    factory,
    allowedHosts: [config.host, ...config.allowedHosts],
    previewDomain: config.factoryPreviewDomain,
    trustedProxies: config.trustedProxies,
    signupOpen: config.signup === 'open',
    signIn: config.signIn,
    passwordSignIn: config.passwordSignIn === 'on',
    keys: accounts.keys,
    models,
    kept: kept.objects,
    thoughts: kept.thoughts,
    batches,
    idempotency: idempotency.keys,
    timeLimits: config.models.timeLimits,
    agents,
    features,
    log,
    faults,
    lifecycle,
    overload,
    health: healthChecks({
      store,
      factory,
      load: overload,
      dataDir: keepsFiles(config) ? config.dataDir : null,
      redis: redis && { check: () => redis.check(), required: config.limitsWhenAway === 'closed' },
    }),
    replyCheck,
    running,
    sockets,
    uploads: {
      spool,
      maxBytes: config.maxUpload,
    },
    budget,
    metrics,
    metricsToken: config.metricsToken,
    ...(several && { figuresOfAll }),
    analyticsLagMs: analytics.lagMs,
  });
  const listener = serve(reception, app.callback(), { lifecycle, running, publicUrl, sockets });

  let stopping = false;
  const stop = async (signal: string) => {
    // A second signal means: now.
    if (stopping) process.exit(1);
    stopping = true;
    lifecycle.draining = true;
    log.info({ signal, running: running.size }, 'stopping');
    // Whoever stops it from a terminal has no load balancer that has to see it first.
    if (signal === 'SIGTERM') await sleep(config.drainDelayMs);
    factory.stop();
    const steps: readonly (readonly [string, () => Promise<unknown>])[] = [
      ['requests', () => listener.drain(config.drainTimeoutMs)],
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
      ['metering', () => metering.close()],
      ['accounts', () => accounts.close()],
      ['signals', () => signals.close()],
      ['redis', async () => redis?.close()],
      ['store', () => store.close()],
      ['telemetry', async () => telemetry?.close()],
    ];
    let step = '';
    // What is left open then is what a killed process leaves, which the next one deals with.
    const deadline = setTimeout(() => {
      log.error({ step }, 'did not stop in time');
      log.flush(() => process.exit(1));
    }, config.drainTimeoutMs + closingMs);
    for (const [name, close] of steps) {
      step = name;
      await close();
    }
    clearTimeout(deadline);
    faults.flush();
    log.info('stopped');
    log.flush(() => process.exit(0));
  };
  told.on('SIGTERM', stop);
  told.on('SIGINT', stop);
  process.on('SIGHUP', () => {
    // A terminal that is closed sends it too, and a server that was started there ends with it.
    if (!several && (process.stdin.isTTY || process.stdout.isTTY)) void stop('SIGHUP');
    // What goes wrong is in the log.
    else void configControl.reload('system').catch(() => undefined);
  });
  if (place.port === null) greet(publicUrl, accounts.first);
  if (several) tellReady(reception.port);
}

/** What sends traces, metrics and logs, loaded only where there is a collector; null: there is none. */
async function openTelemetryIn(
  config: Config,
  metrics: Metrics,
  onProblem: (message: string, times: number) => void,
): Promise<Telemetry | null> {
  const given = (endpoint: string | null, exporter: 'otlp' | 'none') =>
    (endpoint ?? config.telemetryEndpoint) === null ? 'none' : exporter;
  const signals = {
    telemetryTraces: given(config.telemetryTracesEndpoint, config.telemetryTraces),
    telemetryMetrics: given(config.telemetryMetricsEndpoint, config.telemetryMetrics),
    telemetryLogs: given(config.telemetryLogsEndpoint, config.telemetryLogs),
  } as const;
  const none = Object.values(signals).every((exporter) => exporter === 'none');
  if (none || config.telemetryDisabled === 'true') return null;
  const { openTelemetry } = await import('../observe/open-telemetry/open.ts');
  return openTelemetry({
    ...config,
    ...signals,
    version: contractVersion,
    instanceId: ulid(),
    figures: () => metrics.read(),
    onProblem,
  });
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
  // Apps are tried after each of at most two repairs, too.
  const browserMs = factoryBrowser === null ? 0 : 90_000;
  const byModel = model === null ? null : { ...asked, model, limits };
  const engine: BuildMode = model === null ? { mode: 'embedded', model } : { mode: 'model', model };
  return {
    engine,
    wallMs: { embedded: 30_000, model: limits.timeMs + ownTimeMs + browserMs },
    ...(byModel !== null && { loadPlanner: () => loadPlanner(byModel) }),
    loadBuilder: () => loadBuilder(byModel),
  };
}

/** What tries apps in a browser, the same for all builds; undefined: nothing does. */
function driveOf({ factoryBrowser: address }: Config, onFailure: (error: unknown) => void) {
  if (address === null) return undefined;
  let drive: ReturnType<typeof loadDrive> | undefined;
  return () => {
    drive ??= loadDrive({ address, onFailure });
    return drive;
  };
}

function greet(publicUrl: string, { key, adminPassword }: Accounts['first']): void {
  console.log(`Switchyard listens on ${publicUrl}`);
  console.log(`Build an app:  ${publicUrl}/`);
  console.log(`Playground:    ${publicUrl}/playground`);
  console.log(`Documentation: ${publicUrl}/docs`);
  console.log(`Admin area:    ${publicUrl}${adminPath}`);
  if (key === null && adminPassword === null) return;
  console.log('\nThis is the first start. What was made for you is shown this once:\n');
  if (key !== null) console.log(`  API key         ${key}`);
  if (adminPassword !== null) console.log(`  Admin password  ${adminPassword}  (for the admin area)`);
  if (key === null) return;
  console.log(`
Try it:

  curl ${publicUrl}/v1/chat \\
    -H "Authorization: Bearer ${key}" \\
    -H "Content-Type: application/json" \\
    -d '{"message": "Hello!"}'
`);
}
