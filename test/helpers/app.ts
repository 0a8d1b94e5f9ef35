import { createHash } from 'node:crypto';
import { appendFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { onTestFinished } from 'vitest';
import { operations } from '../../generated/operations.gen.ts';
import { openQueue } from '../../src/background/jobs/queue/queue.ts';
import { OpenBatches } from '../../src/background/vendor-objects/open-batches.ts';
import { StoredThoughts } from '../../src/background/vendor-objects/shared-thoughts.ts';
import { VendorObjects } from '../../src/background/vendor-objects/vendor-objects.ts';
import { readConfig } from '../../src/config/config.ts';
import { Reloads } from '../../src/config/reloads.ts';
import type { OperationId } from '../../src/contract/registry.ts';
import { type ReplyCheck, replyCheck } from '../../src/contract/reply-check.ts';
import { embeddedBuilder } from '../../src/factory/embedded-builder.ts';
import { Affinity } from '../../src/gateway/lanes/affinity.ts';
import { SandboxBatches } from '../../src/gateway/lanes/sandbox-batches.ts';
import { createModelGateway } from '../../src/gateway/routing/gateway.ts';
import type { LaneGateway } from '../../src/gateway/routing/lanes.ts';
import type { ModelsSettings } from '../../src/gateway/upstream/settings.ts';
import type { TrustedProxies } from '../../src/http/client-address.ts';
import type { Exchange } from '../../src/http/exchange.ts';
import { ledgerStatus } from '../../src/http/exchange.ts';
import { type Listener, listen, serve } from '../../src/http/listen.ts';
import { ByteBudget } from '../../src/lib/byte-budget.ts';
import type { Lifecycle } from '../../src/lib/health-checks.ts';
import type { ConfigControl } from '../../src/lib/loaded-config.ts';
import { PassingSet } from '../../src/lib/placed.ts';
import { Secret } from '../../src/lib/redact.ts';
import { ServerAbout } from '../../src/lib/server-about.ts';
import { Spool } from '../../src/lib/spool.ts';
import type { PriceBook } from '../../src/model/prices.ts';
import { FaultLog } from '../../src/observe/fault-log.ts';
import { createLog } from '../../src/observe/log.ts';
import { Metrics } from '../../src/observe/metrics.ts';
import { createApp } from '../../src/server/app.ts';
import { healthChecks } from '../../src/server/health.ts';
import { openNotifications } from '../../src/server/open-notifications.ts';
import { openAgents } from '../../src/services/agents/open-agents.ts';
import type { AgentService } from '../../src/services/agents/service.ts';
import type { AgentSettings } from '../../src/services/agents/settings.ts';
import { type StartBuild, startBuildIn } from '../../src/services/agents/tools/build-app.ts';
import { type Factory, type FactorySettings, openFactory } from '../../src/services/builds/open-factory.ts';
import { createCatalogue } from '../../src/services/features/catalogue.ts';
import type { OwnFeature } from '../../src/services/features/declaration.ts';
import { FeatureService } from '../../src/services/features/service.ts';
import { OpenSockets, type SocketSettings } from '../../src/sockets/open-sockets.ts';
import { type Caller, callerOf } from '../../src/tenants/accounts/caller.ts';
import type { KeyStore } from '../../src/tenants/accounts/configured-keys.ts';
import type { SignInSettings } from '../../src/tenants/accounts/oidc/settings.ts';
import { openAccounts } from '../../src/tenants/accounts/open-accounts.ts';
import type { Overrides, PlanChanges } from '../../src/tenants/accounts/plans.ts';
import { type IdempotencySettings, openIdempotency } from '../../src/tenants/idempotency/open-idempotency.ts';
import { budgetSeeds } from '../../src/tenants/metering/budget-usage.ts';
import { openMetering } from '../../src/tenants/metering/open-metering.ts';
import { priceOfIn } from '../../src/tenants/metering/price-book.ts';
import {
  type Overload,
  type OverloadSettings,
  openOverload,
} from '../../src/tenants/overload/open-overload.ts';
import { sharedLocalThread, sharedThreads } from './shared-threads.ts';
import { seedPassword, type TestAccounts, testAccountsOf } from './store-accounts.ts';
import { type Database, openDatabase, putMigrated } from './test-database.ts';

/** A key that every test application knows, with all scopes, and one without any. */
export const testKey = 'test-key-with-all-scopes';
export const scopelessKey = 'test-key-without-scopes';
export const testAdminPassword = 'test-admin-password';

export const testMetricsToken = new Secret('test-metrics-token');

export interface LogLine {
  readonly level: number;
  readonly msg: string;
  readonly [field: string]: unknown;
}

export interface TestApp {
  readonly url: string;
  readonly port: number;
  readonly log: readonly LogLine[];
  readonly running: PassingSet<Exchange>;
  readonly listener: Listener;
  readonly models: LaneGateway;
  readonly agents: AgentService;
  readonly batches: SandboxBatches;
  readonly accounts: TestAccounts;
  readonly factory: Factory;
  readonly budget: ByteBudget;
  readonly overload: Overload;
  readonly dataDir: string;
  readonly lifecycle: Lifecycle;
  /** Makes everything fail that asks the database, for good. */
  breakDatabase(): Promise<void>;
  close(): Promise<void>;
}

export interface TestAppOptions {
  readonly models?: Partial<ModelsSettings>;
  /** AI features of the operator. */
  readonly features?: readonly OwnFeature[];
  /** Limits of the tenant of the test keys, which has none otherwise. */
  readonly limits?: Overrides;
  readonly plans?: PlanChanges;
  readonly agents?: Partial<AgentSettings>;
  readonly startBuild?: StartBuild;
  /** By `provider/model`; the rest have none. */
  readonly prices?: PriceBook;
  /** Where all connections seem to come from. */
  readonly remoteAddress?: string;
  /** Finds the callers, in place of the accounts. */
  readonly keys?: KeyStore;
  /** What differs from a factory that works by rules and lets one client build as much as it likes. */
  readonly factory?: Partial<FactorySettings>;
  readonly trustedProxies?: TrustedProxies;
  /** How long a reader may take nothing, in milliseconds. */
  readonly writeTimeoutMs?: number;
  /** Silence on a foreign interface after which its stream says that it is still there, in milliseconds. */
  readonly pingMs?: number;
  /** Where the data is; a new directory if left out. */
  readonly database?: Database;
  /** Issuers by which people and programs sign in; none otherwise. */
  readonly signIn?: Partial<SignInSettings>;
  readonly passwordSignIn?: boolean;
  /** How long an unknown key of an issuer does not make its keys be read again, in milliseconds. */
  readonly jwksCooldownMs?: number;
  /** How long an issuer may take over an answer, in milliseconds. */
  readonly issuerTimeoutMs?: number;
  /** Whether organisations can sign up, as they can by default here. */
  readonly signupOpen?: boolean;
  /** How much is kept of requests with an `Idempotency-Key`, where that differs. */
  readonly idempotency?: Partial<IdempotencySettings>;
  /** Where clients reach the server, where that is not its address. */
  readonly publicUrl?: string;
  readonly allowedHosts?: readonly string[];
  /** What the metrics need; null: nothing, from this machine. */
  readonly metricsToken?: Secret | null;
  /** Maximum memory for everything in flight, in bytes. */
  readonly bufferMemory?: number;
  /** Maximum size of a form with files, in bytes. */
  readonly maxUpload?: number;
  /** Whether bodies in Brotli can be decoded, where that is not as this Node.js has it. */
  readonly brotli?: boolean;
  /** Makes the check of the queue fail, with this text. */
  readonly stuckQueue?: string;
  /** How much is answered at a time; by default as much as comes, and the process is not measured. */
  readonly overload?: Partial<OverloadSettings>;
  /** Whether an error in the log is what the test wants to see; otherwise it fails the test. */
  readonly errorsExpected?: boolean;
  /** WebSockets for responses; none if left out. */
  readonly sockets?: Partial<SocketSettings>;
  /** What reloads the configuration; by default that of an environment without settings. */
  readonly config?: ConfigControl;
}

const noProviders: ModelsSettings = {
  providers: [],
  models: [],
  aliases: {},
  defaultModel: null,
  timeLimits: { connect: 30_000, firstByte: 30_000, idle: 30_000, total: 60_000 },
  maxAttempts: 3,
};

/** The whole application on a free port of this machine, with every reply held against the contract. */
export async function startApp({
  models: settings,
  features: ownFeatures = [],
  limits = {},
  plans = {},
  agents: agentSettings,
  startBuild,
  prices = {},
  remoteAddress,
  keys: otherKeys,
  factory: factorySettings = {},
  trustedProxies = 0,
  database,
  writeTimeoutMs = 60_000,
  pingMs = 10_000,
  signIn = {},
  passwordSignIn = true,
  jwksCooldownMs,
  issuerTimeoutMs,
  signupOpen = true,
  metricsToken = null,
  publicUrl: givenUrl,
  allowedHosts = [],
  bufferMemory = 1024 ** 3,
  maxUpload = 32 * 1024 * 1024,
  brotli,
  idempotency: idempotencySettings = {},
  stuckQueue,
  overload: overloadSettings = {},
  errorsExpected = false,
  sockets: socketSettings,
  config: otherConfig,
}: TestAppOptions = {}): Promise<TestApp> {
  const reception = await listen('127.0.0.1', 0);
  const { port } = reception;
  const url = `http://127.0.0.1:${port}`;
  const publicUrl = givenUrl ?? url;
  const lines: LogLine[] = [];
  const log = createLog('info', {
    destination: { write: (line) => lines.push(JSON.parse(line) as LogLine) },
  });
  const metrics = new Metrics('test');
  const budget = new ByteBudget(bufferMemory);
  const models = createModelGateway({ ...noProviders, ...settings }, budget);
  const dataDir = database?.dataDir ?? (await mkdtemp(path.join(tmpdir(), 'switchyard-test-')));
  if (!database) await putMigrated(dataDir);
  const store = await openDatabase({ dataDir, databaseUrl: database?.databaseUrl ?? null });
  const adminPassword = new Secret(testAdminPassword);
  await seedPassword(store, adminPassword);
  const opened = await openAccounts(store, {
    dataDir,
    keySecret: null,
    apiKeys: [new Secret(testKey)],
    adminPassword,
    limitsVariant: 'A',
    planChanges: plans,
    onError: (error) => log.error({ err: error }, 'accounts'),
  });
  const about = new ServerAbout('test', 'test');
  const metering = await openMetering(store, {
    about: () => about.now(),
    priceOf: priceOfIn(prices, Date.now),
    prices,
    targetsOf: (model) => models.targetsOf(model),
    canonicalOf: (model) => models.canonicalOf(model),
    seedsOf: budgetSeeds(store, (model) => models.canonicalOf(model)),
    statusOf: ledgerStatus,
    observer: metrics,
    onError: (error) => log.error({ err: error }, 'metering'),
  });
  const accounts = testAccountsOf(store, opened, metering);
  if (Object.keys(limits).length > 0) await accounts.tenants.change('local', { overrides: limits }, 'test');
  const queue = await openQueue(store, {
    queue: 'table',
    databaseUrl: null,
    instanceId: metering.instanceId,
    onError: (error) => log.error({ err: error }, 'queue'),
  });
  const features = new FeatureService({
    catalogue: await createCatalogue(ownFeatures),
    models,
    admissions: metering.admissions,
    local: sharedLocalThread,
    publicUrl,
  });
  const factory = await openFactory(
    {
      store,
      metering,
      plans: accounts.plans,
      pseudonym: accounts.pseudonym,
      ...(factorySettings.threads === undefined && { threads: sharedThreads }),
    },
    {
      publicUrl,
      previewDomain: null,
      concurrency: 4,
      threads: 1,
      queue: 100,
      engine: { mode: 'embedded', model: null },
      loadBuilder: async () => embeddedBuilder,
      demo: { builds: 100_000, windowMs: 300_000 },
      onError: (error) => log.error({ err: error }, 'factory'),
      ...factorySettings,
    },
  );
  const agents = await openAgents({
    store,
    metering,
    models,
    features,
    startBuild: startBuild ?? startBuildIn(factory.intake),
    keyFor: opened.keyFor,
    settings: { agents: [], fetchUrl: null, mcpServers: [], ...agentSettings },
    onFault: (error, what) => log.error({ err: error }, `agents: ${what}`),
  });
  const telling = openNotifications(store, {
    accounts: opened,
    metering,
    queue,
    onError: (error) => log.error({ err: error }, 'telling'),
  });
  const objects = new VendorObjects(store);
  const { timeLimits } = { ...noProviders, ...settings };
  const batches = new SandboxBatches({
    models,
    admissions: metering.admissions,
    affinity: new Affinity(),
    objects,
    open: new OpenBatches(store, objects),
    timeLimits,
    budget,
    queue,
    onError: (error) => log.error({ err: error }, 'batches'),
    callerAgain: (was) => accounts.keys.callerAgain(was),
  });
  await queue.start();
  const lifecycle: Lifecycle = { draining: false, startedAt: Date.now() };
  const running = new PassingSet<Exchange>();
  const keys = otherKeys ?? withScopelessKey(accounts.keys);
  const idempotency = openIdempotency(store, {
    instanceId: metering.instanceId,
    idempotencyHours: 24,
    idempotencyMaxAnswer: 1024 * 1024,
    idempotencyMaxKeys: 100_000,
    idempotencyMaxTotal: 256 * 1024 * 1024,
    keyFor: accounts.keyFor,
    onError: (error) => log.error({ err: error }, 'idempotency'),
    ...idempotencySettings,
  });
  const overload = openOverload(
    { maxRunning: 100_000, maxWaiting: 2_000, maxWaitMs: 10_000, maxLoopDelayMs: 0, ...overloadSettings },
    opened.plans,
    { waitingAdmissions: () => metering.admissions.waitingAdmissions },
    {
      requestShed: (reason, plan) => metrics.requestShed(reason, plan),
      loadChanged: (state, signal) => log.warn({ signal }, state),
    },
  );
  const sockets = await OpenSockets.create({
    settings: { maxSockets: socketSettings ? 1000 : 0, maxPerKey: 1000, idleMs: 60_000, ...socketSettings },
    budget,
    maxMessage: operations.createResponse.body.maxBytes,
    accountsVersion: () => accounts.changes.version(),
    stillGood: async (principal) => (await accounts.keys.callerAgain(callerOf(principal))) !== null,
    onError: (error) => log.error({ err: error }, 'sockets'),
  });
  const parts = {
    overload,
    sockets,
    config: otherConfig ?? (await environmentAlone()),
    about,
    publicUrl,
    allowedHosts,
    store,
    accounts,
    metering,
    telling,
    factory,
    previewDomain: factorySettings.previewDomain ?? null,
    trustedProxies,
    signupOpen,
    signIn: { oidc: [], jwt: [], ...signIn },
    passwordSignIn,
    ...(jwksCooldownMs !== undefined && { jwksCooldownMs }),
    ...(issuerTimeoutMs !== undefined && { issuerTimeoutMs }),
    keys,
    models,
    kept: objects,
    thoughts: new StoredThoughts(store),
    batches,
    idempotency: idempotency.keys,
    timeLimits,
    agents,
    features,
    log,
    faults: new FaultLog(log),
    lifecycle,
    health: healthChecks({
      store,
      load: overload,
      factory:
        stuckQueue === undefined
          ? factory
          : { ...factory, checkQueue: () => Promise.reject(new Error(stuckQueue)) },
      dataDir,
      redis: null,
      limits: { freshMs: 0 },
    }),
    replyCheck: recordingCheck,
    running,
    uploads: { spool: new Spool(path.join(dataDir, 'uploads'), 256 * 1024 * 1024), maxBytes: maxUpload },
    ...(brotli !== undefined && { brotli }),
    budget,
    metrics,
    metricsToken,
    stream: { heartbeatMs: 15_000, pingMs, writeTimeoutMs },
  };
  const app = await createApp(parts);
  const handle = app.callback();
  const listener = serve(
    reception,
    (req, res) => {
      if (remoteAddress) Object.defineProperty(req.socket, 'remoteAddress', { value: remoteAddress });
      return handle(req, res);
    },
    { lifecycle, running, publicUrl, sockets },
  );
  let broken = false;
  const breakDatabase = async () => {
    await accounts.close();
    await store.close();
    broken = true;
  };
  return {
    url,
    port,
    log: lines,
    running,
    listener,
    models,
    agents,
    accounts,
    batches,
    factory,
    budget,
    overload,
    dataDir,
    lifecycle,
    breakDatabase,
    async close() {
      factory.stop();
      await listener.drain(0);
      overload.close();
      await agents.close();
      await factory.close();
      await batches.close();
      await queue.close();
      await models.close();
      await idempotency.close();
      await telling.close();
      if (!broken) await breakDatabase();
      if (!database) await rm(dataDir, { recursive: true });
      const errors = lines.filter((line) => line.level >= 50);
      if (!errorsExpected && errors.length > 0) {
        throw new Error(`unexpected errors: ${JSON.stringify(errors, null, 2)}`);
      }
    },
  };
}

/** The same, for one test. */
export async function appForThisTest(options: TestAppOptions = {}): Promise<TestApp> {
  const app = await startApp(options);
  onTestFinished(() => app.close());
  return app;
}

/** As the accounts make one. */
export function digestForTests(text: string): string {
  return createHash('sha256').update(text).digest('base64url');
}

/** A configuration without a file. */
async function environmentAlone(): Promise<ConfigControl> {
  const read = () => readConfig({});
  return new Reloads({
    config: await read(),
    file: null,
    read,
    apply: async () => undefined,
    pseudonym: digestForTests,
    now: Date.now,
  });
}

/** Lets one more key in, which holds no scope. */
function withScopelessKey(keys: KeyStore): KeyStore {
  return {
    async verify(key) {
      if (key !== scopelessKey) return keys.verify(key);
      const caller = (await keys.verify(testKey)) as Caller;
      return { ...caller, keyId: 'none', scopes: new Set() } satisfies Caller;
    },
  };
}

/** Checks as in development, and writes down what was answered, for the coverage of the contract. */
export const recordingCheck: ReplyCheck = {
  reply(id, status, mediaType, body) {
    replyCheck.reply(id, status, mediaType, body);
    record(id, `${status} ${mediaType ?? '-'}`);
  },
  event(id, event) {
    replyCheck.event(id, event);
    record(id, `200 text/event-stream ${(event as { type: string }).type}`);
    record(id, '200 text/event-stream');
  },
  passed(id, status, mediaType) {
    replyCheck.passed(id, status, mediaType);
    record(id, `${status} ${mediaType}`);
  },
};

const recorded = new Set<string>();

function record(id: OperationId, what: string): void {
  const line = `${id} ${what}\n`;
  const file = process.env['CONTRACT_COVERAGE'];
  if (!file || recorded.has(line)) return;
  recorded.add(line);
  appendFileSync(file, line);
}
