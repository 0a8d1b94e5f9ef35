import { contractVersion } from '../generated/operations.gen.ts';
import { adminCookie, findAdminSession, requirePassword } from './accounts/admin-sign-in.ts';
import type { KeyStore } from './accounts/keys.ts';
import type { Accounts } from './accounts/open-accounts.ts';
import { withAccounts } from './accounts/service-errors.ts';
import type { AgentService } from './agents/service.ts';
import { createChatService } from './chat/service.ts';
import { defineHandlers } from './contract/registry.ts';
import type { ReplyCheck } from './contract/reply-check.ts';
import { loadDocuments } from './factory/documents.ts';
import { adminHandlers } from './handlers/admin.ts';
import { agentHandlers } from './handlers/agents.ts';
import { chatHandlers } from './handlers/chat.ts';
import { factoryHandlers } from './handlers/factory.ts';
import { healthHandlers } from './handlers/health.ts';
import { metricsHandlers } from './handlers/metrics.ts';
import { modelHandlers } from './handlers/models.ts';
import { usageHandlers } from './handlers/usage.ts';
import { createApplication } from './http/application.ts';
import { bearerAuth } from './http/authenticate.ts';
import { adminBearer, adminSession } from './http/authenticate-admin.ts';
import type { Exchange } from './http/exchange.ts';
import { metricsAccess } from './http/metrics-access.ts';
import { createRouter } from './http/router.ts';
import type { Lifecycle } from './lib/lifecycle.ts';
import type { Secret } from './lib/secret.ts';
import type { ModelGateway } from './models/port.ts';
import type { Logger } from './observe/log.ts';
import type { Metrics } from './observe/metrics.ts';
import { pages } from './pages/pages.ts';

export interface AppParts {
  /** Address under which clients reach this server, without a slash at the end. */
  readonly publicUrl: string;
  readonly accounts: Accounts;
  /** Who a presented key belongs to. */
  readonly keys: KeyStore;
  readonly models: ModelGateway;
  readonly agents: AgentService;
  readonly log: Logger;
  readonly lifecycle: Lifecycle;
  /** Holds every reply and event against the contract, in tests and development; null in production. */
  readonly replyCheck: ReplyCheck | null;
  /** Requests that are under way. */
  readonly running: Set<Exchange>;
  /** Counts what happens. The accounts must have been opened with it. */
  readonly metrics: Metrics;
  /** Lets others than programs of this machine read the metrics; null: nobody else. */
  readonly metricsToken: Secret | null;
}

/** Silence after which a stream says that it is still alive, and how long a reader may take nothing, in milliseconds. */
const stream = { heartbeatMs: 15_000, writeTimeoutMs: 60_000 };

/** Joins the parts to the application, for the server and for tests. */
export async function createApp(parts: AppParts) {
  const { publicUrl, accounts, keys, models, log, lifecycle, replyCheck, running, metrics } = parts;
  metrics.watch({
    runningRequests: () => running.size,
    openAdmissions: () => accounts.admissions.open.size,
    waitingSettlements: () => accounts.admissions.waitingSettlements,
  });
  const documents = await loadDocuments(publicUrl);
  const handlers = defineHandlers({
    ...chatHandlers(createChatService(models, accounts.admissions)),
    ...agentHandlers(parts.agents),
    ...modelHandlers(models),
    ...usageHandlers(accounts),
    ...adminHandlers(accounts, publicUrl),
    ...factoryHandlers(documents, lifecycle),
    ...healthHandlers(lifecycle),
    ...metricsHandlers(() => metrics.render()),
  });
  const router = await createRouter({
    pages: pages(accounts, publicUrl, contractVersion),
    authenticate: {
      bearerAuth: bearerAuth((key) => withAccounts(() => keys.verify(key))),
      metricsAccess: metricsAccess(parts.metricsToken),
      adminBearer: adminBearer((password, client) =>
        withAccounts(() => requirePassword(accounts.admin, password, client)),
      ),
      adminSession: adminSession(adminCookie, publicUrl, (token) =>
        withAccounts(() => findAdminSession(accounts.sessions, token)),
      ),
    },
  });
  const onRequestEnd = metrics.requestEnded.bind(metrics);
  return createApplication({ router, handlers, replyCheck, log, publicUrl, stream, running, onRequestEnd });
}
