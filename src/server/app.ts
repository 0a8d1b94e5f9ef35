import { contractVersion } from '../../generated/operations.gen.ts';
import { publishedSchema } from '../config/published-schema.ts';
import type { OperationId } from '../contract/registry.ts';
import { currentDocuments } from '../contract/served/documents.ts';
import { defineHandlers } from '../contract/wire-operations.ts';
import { Affinity } from '../gateway/lanes/affinity.ts';
import { exampleModels } from '../gateway/routing/builtin.ts';
import { adminHandlers } from '../handlers/admin.ts';
import { agentHandlers } from '../handlers/agents.ts';
import { aiHandlers } from '../handlers/ai.ts';
import { budgetHandlers } from '../handlers/budgets.ts';
import { buildHandlers, demoHandlers } from '../handlers/builds.ts';
import { chatHandlers } from '../handlers/chat.ts';
import { configHandlers } from '../handlers/config.ts';
import { factoryHandlers, healthHandlers, metricsHandlers } from '../handlers/health.ts';
import { mcpHandlers } from '../handlers/mcp.ts';
import { usageHandlers } from '../handlers/usage.ts';
import { webhookHandlers } from '../handlers/webhooks.ts';
import { conventionsFor, wireHandlers } from '../handlers/wires.ts';
import { createApplication } from '../http/application.ts';
import {
  adminBearer,
  adminSession,
  apiKeyAuth,
  bearerAuth,
  metricsAccess,
  queryAuth,
} from '../http/authenticate.ts';
import { clientAddress } from '../http/client-address.ts';
import { ownHosts } from '../http/own-hosts.ts';
import type { StreamOptions } from '../http/sse.ts';
import type { Figures } from '../observe/joint-metrics.ts';
import { errorPage, pages } from '../pages/pages.ts';
import { previewHosts } from '../pages/preview.ts';
import { previewDomainOf } from '../services/builds/addresses.ts';
import { createChatService } from '../services/chat/service.ts';
import { mcpServers } from '../services/mcp/servers.ts';
import { McpService } from '../services/mcp/service.ts';
import { adminCookie, findAdminSession, requirePassword } from '../tenants/accounts/admin-access.ts';
import type { KeyStore } from '../tenants/accounts/key-secret.ts';
import { openSignIn, requirePasswords } from '../tenants/accounts/oidc/open-sign-in.ts';
import { planIds } from '../tenants/accounts/plans.ts';
import { listServers } from '../tenants/accounts/servers.ts';
import { BudgetReports } from '../tenants/metering/budget-reports.ts';
import { dryRunReport } from '../tenants/metering/dry-run.ts';
import { knownLimitState } from '../tenants/metering/meter.ts';
import { UsageReports } from '../tenants/metering/usage-reports.ts';
import type { Parts } from './open-parts.ts';

export interface AppParts extends Omit<Parts, 'closing' | 'keys'> {
  /** Who a presented key belongs to. */
  readonly keys: KeyStore;
  /** The figures of all processes that share the port; left out: there is this one alone. */
  readonly figuresOfAll?: () => Promise<readonly Figures[]>;
  /** Set by tests only. */
  readonly brotli?: boolean;
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
    watchKey: parts.watchKey,
    onFault: (error, what) => parts.faults.report(error, what),
  });
  const handlers = defineHandlers({
    ...chatHandlers(createChatService(models, admissions), models),
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
    ...usageHandlers(reports),
    ...adminHandlers(accounts, reports, { publicUrl, requireAdmin, servers }),
    ...budgetHandlers(accounts, parts.telling.standings),
    ...webhookHandlers(parts.telling),
    ...configHandlers(parts.config),
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
      mcp: mcpServers(parts.agents, publicUrl, () => store.clock.now()),
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
