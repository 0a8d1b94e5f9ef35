// Over 300 lines: the list of all parts, and who needs which.
import { contractVersion } from '../../generated/operations.gen.ts';
import type { SharedThoughts } from '../background/vendor-objects/shared-thoughts.ts';
import type { VendorObjects } from '../background/vendor-objects/vendor-objects.ts';
import type { Config } from '../config/config.ts';
import { publishedSchema } from '../config/published-schema.ts';
import type { Idempotency } from '../contract/idempotency.ts';
import type { OperationId } from '../contract/registry.ts';
import type { ReplyCheck } from '../contract/reply-check.ts';
import { currentDocuments } from '../contract/served/documents.ts';
import { defineHandlers } from '../contract/wire-operations.ts';
import { Affinity } from '../gateway/lanes/affinity.ts';
import type { SandboxBatches } from '../gateway/lanes/sandbox-batches.ts';
import { exampleModels } from '../gateway/routing/example-models.ts';
import type { LaneGateway } from '../gateway/routing/lanes.ts';
import { adminHandlers } from '../handlers/admin.ts';
import { agentHandlers } from '../handlers/agents.ts';
import { aiHandlers } from '../handlers/ai.ts';
import { budgetHandlers } from '../handlers/budgets.ts';
import { buildHandlers, demoHandlers } from '../handlers/builds.ts';
import { chatHandlers } from '../handlers/chat.ts';
import { configHandlers } from '../handlers/config.ts';
import { factoryHandlers } from '../handlers/factory.ts';
import {
  type CheckName,
  healthHandlers,
  metricsHandlers,
  type OptionalCheckName,
} from '../handlers/health.ts';
import { mcpHandlers } from '../handlers/mcp.ts';
import { modelHandlers } from '../handlers/models.ts';
import { serverHandlers } from '../handlers/servers.ts';
import { signupHandlers } from '../handlers/signup.ts';
import { usageHandlers } from '../handlers/usage.ts';
import { webhookHandlers } from '../handlers/webhooks.ts';
import { conventionsFor, wireHandlers } from '../handlers/wires.ts';
import { createApplication } from '../http/application.ts';
import { apiKeyAuth, bearerAuth, queryAuth } from '../http/authenticate.ts';
import { adminBearer, adminSession } from '../http/authenticate-admin.ts';
import { clientAddress } from '../http/client-address.ts';
import type { Exchange } from '../http/exchange.ts';
import { metricsAccess } from '../http/metrics-access.ts';
import type { Uploads } from '../http/multipart.ts';
import { ownHosts } from '../http/own-hosts.ts';
import type { StreamOptions } from '../http/sse.ts';
import type { ByteBudget } from '../lib/byte-budget.ts';
import type { HealthChecks, Lifecycle } from '../lib/health-checks.ts';
import type { ConfigControl } from '../lib/loaded-config.ts';
import type { PassingSet } from '../lib/placed.ts';
import type { ServerAbout } from '../lib/server-about.ts';
import type { FaultLog } from '../observe/fault-log.ts';
import type { Figures } from '../observe/joint-metrics.ts';
import type { Logger } from '../observe/log.ts';
import type { Metrics } from '../observe/metrics.ts';
import { errorPage, pages } from '../pages/pages.ts';
import { previewHosts } from '../pages/preview.ts';
import type { AgentService } from '../services/agents/service.ts';
import { previewDomainOf } from '../services/builds/addresses.ts';
import type { Factory } from '../services/builds/open-factory.ts';
import { createChatService } from '../services/chat/service.ts';
import type { FeatureService } from '../services/features/service.ts';
import { McpServers } from '../services/mcp/servers.ts';
import { McpService } from '../services/mcp/service.ts';
import type { OpenSockets } from '../sockets/open-sockets.ts';
import type { Store } from '../store/store.ts';
import { adminCookie, findAdminSession, requirePassword } from '../tenants/accounts/admin-access.ts';
import type { KeyStore } from '../tenants/accounts/key-secret.ts';
import { openSignIn, requirePasswords } from '../tenants/accounts/oidc/open-sign-in.ts';
import type { Accounts } from '../tenants/accounts/open-accounts.ts';
import { planIds } from '../tenants/accounts/plans.ts';
import { listServers } from '../tenants/accounts/servers.ts';
import { BudgetReports } from '../tenants/metering/budget-reports.ts';
import { dryRunReport } from '../tenants/metering/dry-run.ts';
import { knownLimitState } from '../tenants/metering/meter.ts';
import type { Metering } from '../tenants/metering/open-metering.ts';
import { UsageReports } from '../tenants/metering/usage-reports.ts';
import type { Overload } from '../tenants/overload/open-overload.ts';
import type { Telling } from './open-notifications.ts';

export interface AppParts {
  /** Address under which clients reach this server, without a slash at the end. */
  readonly publicUrl: string;
  /** The configuration at the start. */
  readonly settings: Config;
  /** What is seen of the configuration, and reloads it. */
  readonly config: ConfigControl;
  /** What this process publishes about itself. */
  readonly about: ServerAbout;
  readonly store: Store;
  readonly accounts: Accounts;
  readonly metering: Pick<Metering, 'admissions' | 'instanceId'>;
  readonly telling: Telling;
  readonly factory: Factory;
  /** Who a presented key belongs to. */
  readonly keys: KeyStore;
  readonly models: LaneGateway;
  /** What vendors keep for tenants. */
  readonly kept: VendorObjects;
  /** What models thought, for all processes; null: this is the only one. */
  readonly thoughts: SharedThoughts | null;
  /** What the sandbox carries out of it. */
  readonly batches: SandboxBatches;
  /** What is kept of requests with an `Idempotency-Key`. */
  readonly idempotency: Idempotency;
  readonly agents: AgentService;
  readonly features: FeatureService;
  readonly log: Logger;
  /** Takes errors; its maker flushes it at the end. */
  readonly faults: FaultLog;
  readonly lifecycle: Lifecycle;
  /** The checks of whether the server can do its work. */
  readonly health: HealthChecks<CheckName, OptionalCheckName>;
  /** Holds every reply and event against the contract, in tests and development; null in production. */
  readonly replyCheck: ReplyCheck | null;
  /** Decides whose request begins. */
  readonly overload: Overload;
  /** Sockets for responses; null: there are none. */
  readonly sockets: OpenSockets | null;
  /** Requests that are under way. */
  readonly running: PassingSet<Exchange>;
  /** How forms with files are taken. */
  readonly uploads: Uploads;
  /** Whether bodies in Brotli can be decoded; as this Node.js has it if left out. */
  readonly brotli?: boolean;
  /** The memory for everything in flight; the models must have been made with it. */
  readonly budget: ByteBudget;
  /** Counts what happens. The metering must have been opened with it. */
  readonly metrics: Metrics;
  /** How far sinks of analytics are behind; left out: there are none. */
  readonly analyticsLagMs?: () => Promise<Readonly<Record<string, number>>>;
  /** The figures of all processes that share the port; left out: there is this one alone. */
  readonly figuresOfAll?: () => Promise<readonly Figures[]>;
  /** What differs for tests. */
  readonly jwksCooldownMs?: number;
  readonly issuerTimeoutMs?: number;
  readonly stream?: StreamOptions;
}

/** Silence after which a stream says that it is still alive, and how long a reader may take nothing, in milliseconds. */
const defaultStream: StreamOptions = { heartbeatMs: 15_000, pingMs: 10_000, writeTimeoutMs: 30_000 };

/** Joins the parts to the application, for the server and for tests. */
export async function createApp(parts: AppParts) {
  const {
    publicUrl,
    settings,
    store,
    accounts,
    factory,
    features,
    keys,
    models,
    log,
    lifecycle,
    replyCheck,
    running,
    metrics,
  } = parts;
  const { admissions } = parts.metering;
  const { plans, tenants } = accounts;
  const signupOpen = settings.signup === 'open';
  const reports = new UsageReports({ store, admissions, plans, tenants });
  const { sockets } = parts;
  metrics.watch({
    runningRequests: () => running.size,
    ...(sockets && { responsesSockets: () => sockets.size }),
    openAdmissions: () => admissions.open.size,
    waitingSettlements: () => admissions.waitingSettlements,
    budget: parts.budget,
    ...(parts.analyticsLagMs && { analyticsLagMs: parts.analyticsLagMs }),
    health: async () => (await parts.health.read()).checks,
  });
  metrics.watchLoad(parts.overload.load, planIds);
  const signIn = await openSignIn({
    store,
    accounts,
    keys,
    publicUrl,
    settings: settings.signIn,
    passwords: settings.passwordSignIn === 'on',
    onRefused: (issuer, reason) => log.warn({ issuer, reason }, 'sign-in failed'),
    ...(parts.jwksCooldownMs !== undefined && { cooldownMs: parts.jwksCooldownMs }),
    ...(parts.issuerTimeoutMs !== undefined && { timeoutMs: parts.issuerTimeoutMs }),
  });
  parts.about.follow({
    lifecycle,
    health: parts.health,
    configDigest: () => parts.config.current().digest,
  });
  const own = { id: parts.metering.instanceId, about: () => parts.about.now() };
  const servers = () => listServers(store, own);
  const requireAdmin = async (password: string, client: string) => {
    requirePasswords(signIn.passwords);
    await requirePassword(accounts.admin, password, client);
  };
  const opened = new Set<OperationId>(signupOpen ? ['signUp'] : []);
  const documents = currentDocuments(publicUrl, () => ({
    features: features.declared,
    agents: parts.agents.own,
    opened,
  }));
  const mcp = new McpService({
    admissions,
    agents: parts.agents,
    features,
    factory,
    onFault: (error, what) => parts.faults.report(error, what),
  });
  const handlers = defineHandlers({
    ...chatHandlers(createChatService(models, admissions)),
    ...wireHandlers({
      models,
      admissions,
      affinity: new Affinity(
        parts.thoughts && {
          thoughts: parts.thoughts,
          key: accounts.keyFor('thoughts'),
          onError: (error) => parts.faults.report(error, 'thoughts'),
        },
      ),
      objects: parts.kept,
      batches: parts.batches,
      timeLimits: settings.models.timeLimits,
    }),
    ...agentHandlers(parts.agents),
    ...mcpHandlers(mcp, publicUrl, () => settings.signIn.jwt.map(({ issuer }) => issuer)),
    ...aiHandlers(features),
    ...modelHandlers(models),
    ...usageHandlers(reports),
    ...adminHandlers(accounts, reports, { publicUrl, requireAdmin }),
    ...budgetHandlers(accounts, parts.telling.standings),
    ...webhookHandlers(parts.telling),
    ...configHandlers(parts.config),
    ...serverHandlers(servers),
    ...signupHandlers(accounts.signups, publicUrl),
    ...factoryHandlers(documents, factory.status, lifecycle),
    ...demoHandlers(factory),
    ...buildHandlers(factory),
    ...healthHandlers(lifecycle, parts.health),
    ...metricsHandlers(() => metrics.render(parts.figuresOfAll)),
  });
  const onRequestEnd = metrics.requestEnded.bind(metrics);
  const application = await createApplication({
    handlers,
    pages: pages({
      accounts,
      signIn,
      reports,
      budgetReports: new BudgetReports({
        store,
        standings: parts.telling.standings,
        canonicalOf: (name) => models.canonicalOf(name),
      }),
      webhooks: parts.telling.webhooks,
      deliveries: parts.telling.deliveries,
      checkProviders: () => models.checkProviders(),
      factory: factory.service,
      addresses: { publicUrl, previewDomain: previewDomainOf(publicUrl, settings.factoryPreviewDomain) },
      exampleModels: exampleModels(models),
      signupOpen,
      configSchema: publishedSchema(),
      config: parts.config,
      servers: {
        version: contractVersion,
        startedAt: lifecycle.startedAt,
        health: async () => (await parts.health.read()).checks,
        list: servers,
      },
      mcp: new McpServers(parts.agents, publicUrl, () => store.clock.now()),
    }),
    authenticate: {
      bearerAuth: bearerAuth(signIn.verifyBearer),
      apiKeyAuth: apiKeyAuth((key) => keys.verify(key)),
      azureKeyAuth: apiKeyAuth((key) => keys.verify(key), 'api-key'),
      googleKeyAuth: apiKeyAuth((key) => keys.verify(key), 'x-goog-api-key'),
      keyInQuery: queryAuth((key) => keys.verify(key)),
      metricsAccess: metricsAccess(settings.metricsToken),
      adminBearer: adminBearer(requireAdmin),
      adminSession: adminSession(adminCookie, publicUrl, (token) =>
        findAdminSession(accounts.sessions, token),
      ),
    },
    opened,
    limitState: (principal) => knownLimitState(admissions, principal),
    dryRunReport: (dryRun, operation, statusOf) =>
      dryRunReport(dryRun, operation, admissions.priceOf, statusOf),
    errorPage,
    conventions: conventionsFor(publicUrl),
    uploads: parts.uploads,
    ...(parts.brotli !== undefined && { brotli: parts.brotli }),
    turns: parts.overload.turns,
    idempotency: parts.idempotency,
    replyCheck,
    log,
    faults: parts.faults,
    publicUrl,
    stream: parts.stream ?? defaultStream,
    running,
    budget: parts.budget,
    onRequestEnd,
    clientAddress: clientAddress(settings.trustedProxies, (message) => log.warn(message)),
    requireOwnHost: ownHosts(publicUrl, [settings.host, ...settings.allowedHosts]),
    hosted: previewHosts(factory.service, publicUrl, settings.factoryPreviewDomain),
    sockets,
  });
  parts.sockets?.answerBy(application.callback());
  return application;
}
