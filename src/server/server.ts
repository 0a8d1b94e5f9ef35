import { hostname } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { contractVersion } from '../../generated/operations.gen.ts';
import { type Config, readConfig } from '../config/config.ts';
import { modelsSettings } from '../config/models-config.ts';
import { NotBuiltError, requireBuilt } from '../contract/built.ts';
import { createSwappableGateway } from '../gateway/routing/swappable-gateway.ts';
import { answerUnready } from '../http/error-reply.ts';
import { listen, serve } from '../http/listen.ts';
import { isLoopback } from '../lib/address.ts';
import { nodeFault, refuseBrotliAnswers } from '../lib/brotli-guard.ts';
import { ByteBudget } from '../lib/byte-budget.ts';
import { memoryShare } from '../lib/capacity.ts';
import { ConfigError } from '../lib/config-error.ts';
import { ulid } from '../lib/ids.ts';
import { useProxy } from '../lib/outgoing.ts';
import { ServerAbout } from '../lib/server-about.ts';
import { noSignals, type Signals } from '../lib/signals.ts';
import { FaultLog } from '../observe/fault-log.ts';
import { createLog, type Logger } from '../observe/log.ts';
import { Metrics } from '../observe/metrics.ts';
import type { Telemetry } from '../observe/open-telemetry/open.ts';
import { adminPath } from '../pages/account/parts.ts';
import { mayPass, StoreError } from '../store/errors.ts';
import { openStore } from '../store/open-store.ts';
import type { Redis } from '../store/redis/open-redis.ts';
import type { Store } from '../store/store.ts';
import type { Accounts } from '../tenants/accounts/open-accounts.ts';
import { createApp } from './app.ts';
import { openAccountsOn, openParts } from './open-parts.ts';
import {
  figuresOfAll,
  giveFigures,
  place,
  stopSignals,
  tellOthersToReload,
  tellReady,
} from './processes/worker.ts';

/** Pause before a database that could not be opened is tried again, in milliseconds. It doubles: a try may check all of it. */
const minWaitMs = 1_000;
const maxWaitMs = 8_000;
/** So long requests are kept waiting before they are refused, in milliseconds: a brief problem stays unnoticed. */
const patienceMs = 5_000;

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
  const ofModels = modelsSettings(config);
  if (ofModels.proxy) useProxy(ofModels.proxy);
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
  // One of several processes reports it for all.
  if (fault && place.number === 1) log.warn(`${fault.message} ${fault.advice}`);
  if (config.publicUrlIsGuess && !isLoopback(config.host) && place.port === null)
    log.warn(`PUBLIC_URL is not set: all links lead to ${config.publicUrl}, which is no address for others.`);
  // First of all: the secrets of the first start are shown once, by a server that listens.
  const reception = await listen(config.host, place.port ?? config.port, {
    shared: several,
    taken: place.port !== null,
  });
  metrics.watchProcess();
  if (several) giveFigures(() => metrics.figures(place.number));
  const budget = new ByteBudget(memoryShare(place.of, config.bufferMemory));
  const models = createSwappableGateway(ofModels, budget, (error) => faults.report(error, 'models'));
  const publicUrl =
    config.port === 0 ? config.publicUrl.replace(/:0$/, `:${reception.port}`) : config.publicUrl;
  const refuse = () => reception.handOver(answerUnready(publicUrl));
  const { redis, signals } = await openSignals(config, log);
  const name = several ? `${hostname()} ${place.number}/${place.of}` : hostname();
  const about = new ServerAbout(name, contractVersion);
  const replyCheck =
    config.environment === 'production' ? null : (await import('../contract/reply-check.ts')).replyCheck;
  const ground = {
    config,
    publicUrl,
    about,
    log,
    faults,
    budget,
    metrics,
    replyCheck,
    models,
    redis,
    signals,
  };
  const opened = await openDatabase(config, log, refuse, (store) => openAccountsOn(store, ground));
  const { store, accounts, metering } = opened;
  if (metering.interrupted > 0)
    log.warn({ requests: metering.interrupted }, 'settled what a crash left open');
  const parts = await openParts(ground, opened, {
    read: () => readConfig(process.env),
    processes: place.of,
    onReloaded: (actor) => {
      if (actor !== 'system' && several) tellOthersToReload();
    },
  });
  const { lifecycle, running, sockets, factory } = parts;
  const app = await createApp({ ...parts, ...(several && { figuresOfAll }) });
  const listener = serve(reception, app.callback(), { lifecycle, running, publicUrl, sockets });

  let stopping = false;
  const stop = async (signal: string) => {
    // A second signal means: now.
    if (stopping) process.exit(1);
    stopping = true;
    lifecycle.draining = true;
    log.info({ signal, running: running.size }, 'stopping');
    // A server in a terminal has no load balancer that has to notice first.
    if (signal === 'SIGTERM') await sleep(config.drainDelayMs);
    factory.stop();
    const steps: readonly (readonly [string, () => Promise<unknown>])[] = [
      ['requests', () => listener.drain(config.drainTimeoutMs)],
      ...parts.closing,
      ['metering', () => metering.close()],
      ['accounts', () => accounts.close()],
      ['signals', () => signals.close()],
      ['redis', async () => redis?.close()],
      ['store', () => store.close()],
      ['telemetry', async () => telemetry?.close()],
    ];
    let step = '';
    // Requests left open then are like those of a killed process, which the next one settles.
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
  stopSignals.on('SIGTERM', stop);
  stopSignals.on('SIGINT', stop);
  process.on('SIGHUP', () => {
    // A terminal that is closed sends it too, and a server that was started there ends with it.
    if (!several && (process.stdin.isTTY || process.stdout.isTTY)) void stop('SIGHUP');
    // Failures are in the log.
    else void parts.config.reload('system').catch(() => undefined);
  });
  if (place.port === null) greet(publicUrl, accounts.first);
  if (several) tellReady(reception.port);
}

/** The sender of traces, metrics and logs, loaded only where there is a collector; null: there is none. */
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

/**
 * Opens the database and what stands on it. Waits for a PostgreSQL server that is not there, or goes away meanwhile, and
 * for room on the disk: requests wait for a few seconds and are refused from then on, and signals end the process, also
 * where it is the first of its container, which no signal ends by itself.
 */
async function openDatabase<T>(
  config: Config,
  log: Logger,
  refuse: () => void,
  open: (store: Store) => Promise<T>,
): Promise<T> {
  const leave = (signal: string) => {
    log.info({ signal }, 'stopped');
    log.flush(() => process.exit(0));
  };
  let waitsFor = '';
  let pauseMs = minWaitMs;
  let patience: NodeJS.Timeout | null = null;
  const onWait = (problem: string) => {
    if (problem !== waitsFor) log.warn(`${problem} The server waits for it.`);
    waitsFor = problem;
    patience ??= setTimeout(refuse, patienceMs);
  };
  stopSignals.on('SIGTERM', leave);
  stopSignals.on('SIGINT', leave);
  const kind = config.databaseUrl === null ? 'sqlite' : 'postgres';
  for (;;) {
    let store: Store | null = null;
    try {
      // While it waits, each try reports the same.
      const tell = (line: string) => waitsFor === '' && log.warn(line);
      store = await openStore({ ...config, onWait, tell });
      const opened = await open(store);
      if (patience !== null) clearTimeout(patience);
      stopSignals.off('SIGTERM', leave);
      stopSignals.off('SIGINT', leave);
      if (waitsFor !== '') log.info('The database can be used now.');
      return opened;
    } catch (thrown) {
      await store?.close().catch(() => undefined);
      if (!(thrown instanceof StoreError && mayPass(thrown, kind))) throw thrown;
      onWait(thrown.message);
    }
    await sleep(pauseMs);
    pauseMs = Math.min(2 * pauseMs, maxWaitMs);
  }
}

/**
 * The signals between this process and the others: Redis where there is one, else PostgreSQL. On SQLite processes look
 * by themselves. Waits for nothing.
 */
async function openSignals(
  { redisUrl, databaseUrl }: Pick<Config, 'redisUrl' | 'databaseUrl'>,
  log: Logger,
): Promise<{ readonly redis: Redis | null; readonly signals: Signals }> {
  if (redisUrl !== null) {
    const redis = (await import('../store/redis/open-redis.ts')).openRedis(redisUrl.reveal(), log);
    return { redis, signals: redis.signals };
  }
  if (databaseUrl === null) return { redis: null, signals: noSignals };
  const { PostgresSignals } = await import('../store/postgres/signals.ts');
  return { redis: null, signals: new PostgresSignals(databaseUrl.reveal()) };
}
