import { createHash } from 'node:crypto';
import { appendFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { onTestFinished } from 'vitest';
import { type Config, readConfig } from '../../src/config/config.ts';
import type { OperationId } from '../../src/contract/registry.ts';
import { type ReplyCheck, replyCheck } from '../../src/contract/reply-check.ts';
import type { SandboxBatches } from '../../src/gateway/lanes/sandbox-batches.ts';
import {
  createSwappableGateway,
  type SwappableGateway,
} from '../../src/gateway/routing/swappable-gateway.ts';
import type { ModelsSettings } from '../../src/gateway/upstream/settings.ts';
import type { TrustedProxies } from '../../src/http/client-address.ts';
import type { Exchange } from '../../src/http/exchange.ts';
import { type Listener, listen, serve } from '../../src/http/listen.ts';
import { ByteBudget } from '../../src/lib/byte-budget.ts';
import type { Lifecycle } from '../../src/lib/health-checks.ts';
import type { ConfigControl } from '../../src/lib/loaded-config.ts';
import type { PassingSet } from '../../src/lib/placed.ts';
import { Secret } from '../../src/lib/redact.ts';
import { ServerAbout } from '../../src/lib/server-about.ts';
import { noSignals } from '../../src/lib/signals.ts';
import type { PriceBook } from '../../src/model/usage.ts';
import { FaultLog } from '../../src/observe/fault-log.ts';
import { createLog } from '../../src/observe/log.ts';
import { Metrics } from '../../src/observe/metrics.ts';
import { createApp } from '../../src/server/app.ts';
import { openAccountsOn, openParts } from '../../src/server/open-parts.ts';
import type { AgentService } from '../../src/services/agents/service.ts';
import type { AgentSettings } from '../../src/services/agents/settings.ts';
import type { StartBuild } from '../../src/services/agents/tools/build-app.ts';
import type { Factory, FactorySettings } from '../../src/services/builds/open-factory.ts';
import type { OwnFeature } from '../../src/services/features/declaration.ts';
import type { SocketSettings } from '../../src/sockets/open-sockets.ts';
import type { Caller } from '../../src/tenants/accounts/caller.ts';
import type { KeyStore } from '../../src/tenants/accounts/key-secret.ts';
import type { SignInSettings } from '../../src/tenants/accounts/oidc/settings.ts';
import type { Overrides, PlanChanges } from '../../src/tenants/accounts/plans.ts';
import type { IdempotencySettings } from '../../src/tenants/idempotency/open-idempotency.ts';
import type { Overload, OverloadSettings } from '../../src/tenants/overload/open-overload.ts';
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
  readonly models: SwappableGateway;
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
  /** How long former settings of models take calls after they were exchanged, in milliseconds. */
  readonly modelsGraceMs?: number;
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
  /** How long a connection stays open after the error of a stream, in milliseconds. */
  readonly breakOffMs?: number;
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

export const noProviders: ModelsSettings = {
  providers: [],
  models: [],
  aliases: {},
  defaultModel: null,
  timeLimits: { connect: 30_000, firstByte: 30_000, idle: 30_000, total: 60_000 },
  maxAttempts: 3,
};

/** The configuration of an environment without settings. */
const defaults = await readConfig({});

/** The whole application, as the server opens it, on a free port of this machine, with every reply held against the contract. */
export async function startApp(options: TestAppOptions = {}): Promise<TestApp> {
  const { database, remoteAddress, limits = {}, factory = {}, stuckQueue } = options;
  const reception = await listen('127.0.0.1', 0);
  const { port } = reception;
  const url = `http://127.0.0.1:${port}`;
  const publicUrl = options.publicUrl ?? url;
  const lines: LogLine[] = [];
  const log = createLog('info', {
    destination: { write: (line) => lines.push(JSON.parse(line) as LogLine) },
  });
  const faults = new FaultLog(log);
  const dataDir = database?.dataDir ?? (await mkdtemp(path.join(tmpdir(), 'switchyard-test-')));
  if (!database) await putMigrated(dataDir);
  const config = configOf(options, dataDir);
  const budget = new ByteBudget(options.bufferMemory ?? 1024 ** 3);
  const models = createSwappableGateway(
    { ...noProviders, ...options.models },
    budget,
    (error) => faults.report(error, 'models'),
    options.modelsGraceMs,
  );
  const ground = {
    config,
    publicUrl,
    about: new ServerAbout('test', 'test'),
    log,
    faults,
    budget,
    metrics: new Metrics('test'),
    replyCheck: recordingCheck,
    models,
    redis: null,
    signals: noSignals,
  };
  const store = await openDatabase({ dataDir, databaseUrl: database?.databaseUrl ?? null });
  await seedPassword(store, new Secret(testAdminPassword));
  const opened = await openAccountsOn(store, ground);
  const accounts = testAccountsOf(store, opened.accounts, opened.metering);
  if (Object.keys(limits).length > 0) await accounts.tenants.change('local', { overrides: limits }, 'test');
  const parts = await openParts(ground, opened, {
    read: async () => config,
    processes: 1,
    onReloaded: () => undefined,
    instead: {
      factory: {
        concurrency: 4,
        threads: 1,
        queue: 100,
        demo: { builds: 100_000, windowMs: 300_000 },
        ...factory,
      },
      ...(factory.threads === undefined && { threads: sharedThreads }),
      localThread: sharedLocalThread,
      agents: { agents: [], fetchUrl: null, mcpServers: [], ...options.agents },
      startBuild: options.startBuild,
      ...(options.overload && { overload: options.overload }),
      ...(options.sockets && { sockets: options.sockets }),
      health: {
        limits: { freshMs: 0 },
        ...(stuckQueue !== undefined && {
          factory: {
            checkThreads: async () => 'There are threads.',
            checkQueue: () => Promise.reject(new Error(stuckQueue)),
          },
        }),
      },
      alone: false,
    },
  });
  const { lifecycle, running, sockets, agents, batches, overload } = parts;
  const { jwksCooldownMs, issuerTimeoutMs, brotli } = options;
  const { pingMs = 10_000, writeTimeoutMs = 60_000, breakOffMs = 20 } = options;
  const app = await createApp({
    ...parts,
    accounts,
    keys: options.keys ?? withScopelessKey(accounts.keys),
    ...(options.config && { config: options.config }),
    ...(jwksCooldownMs !== undefined && { jwksCooldownMs }),
    ...(issuerTimeoutMs !== undefined && { issuerTimeoutMs }),
    ...(brotli !== undefined && { brotli }),
    stream: { heartbeatMs: 15_000, pingMs, writeTimeoutMs, breakOffMs },
  });
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
    factory: parts.factory,
    budget,
    overload,
    dataDir,
    lifecycle,
    breakDatabase,
    async close() {
      parts.factory.stop();
      await listener.drain(0);
      for (const [, close] of parts.closing) await close();
      if (!broken) await breakDatabase();
      if (!database) await rm(dataDir, { recursive: true });
      faults.flush();
      const errors = lines.filter((line) => line.level >= 50);
      if (!options.errorsExpected && errors.length > 0) {
        throw new Error(`unexpected errors: ${JSON.stringify(errors, null, 2)}`);
      }
    },
  };
}

/** What an operator would have set for these options. */
function configOf(options: TestAppOptions, dataDir: string): Config {
  return {
    ...defaults,
    dataDir,
    keySecret: null,
    apiKeys: [new Secret(testKey)],
    adminPassword: new Secret(testAdminPassword),
    limitsVariant: 'A',
    plans: options.plans ?? {},
    prices: options.prices ?? {},
    features: options.features ?? [],
    models: { ...defaults.models, timeLimits: options.models?.timeLimits ?? noProviders.timeLimits },
    factoryPreviewDomain: options.factory?.previewDomain ?? null,
    trustedProxies: options.trustedProxies ?? 0,
    signIn: { oidc: [], jwt: [], ...options.signIn },
    passwordSignIn: options.passwordSignIn === false ? 'off' : 'on',
    signup: options.signupOpen === false ? 'closed' : 'open',
    metricsToken: options.metricsToken ?? null,
    allowedHosts: options.allowedHosts ?? [],
    maxUpload: options.maxUpload ?? 32 * 1024 * 1024,
    // As much is answered as comes, and the process is not measured.
    maxRunning: 100_000,
    maxLoopDelayMs: 0,
    responsesSockets: options.sockets ? 1000 : 0,
    responsesSocketsPerKey: 1000,
    idempotencyHours: 24,
    idempotencyMaxAnswer: 1024 * 1024,
    idempotencyMaxKeys: 100_000,
    idempotencyMaxTotal: 256 * 1024 * 1024,
    ...options.idempotency,
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
