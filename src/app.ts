import { contractVersion } from '../generated/operations.gen.ts';
import type { KeyStore } from './accounts/keys.ts';
import { createChatService } from './chat/service.ts';
import { defineHandlers } from './contract/registry.ts';
import type { ReplyCheck } from './contract/reply-check.ts';
import { loadDocuments } from './factory/documents.ts';
import { chatHandlers } from './handlers/chat.ts';
import { factoryHandlers } from './handlers/factory.ts';
import { healthHandlers } from './handlers/health.ts';
import { modelHandlers } from './handlers/models.ts';
import { createApplication } from './http/application.ts';
import { bearerAuth } from './http/authenticate.ts';
import type { Exchange } from './http/exchange.ts';
import { createRouter } from './http/router.ts';
import type { Lifecycle } from './lib/lifecycle.ts';
import type { ModelGateway } from './models/port.ts';
import type { Logger } from './observe/log.ts';
import { pages } from './pages/pages.ts';

export interface AppParts {
  /** Address under which clients reach this server, without a slash at the end. */
  readonly publicUrl: string;
  readonly keys: KeyStore;
  readonly models: ModelGateway;
  readonly log: Logger;
  readonly lifecycle: Lifecycle;
  /** Holds every reply and event against the contract, in tests and development; null in production. */
  readonly replyCheck: ReplyCheck | null;
  /** Requests that are under way. */
  readonly running: Set<Exchange>;
}

/** Silence after which a stream says that it is still alive, and how long a reader may take nothing, in milliseconds. */
const stream = { heartbeatMs: 15_000, writeTimeoutMs: 60_000 };

/** Joins the parts to the application, for the server and for tests. */
export async function createApp(parts: AppParts) {
  const { publicUrl, keys, models, log, lifecycle, replyCheck, running } = parts;
  const documents = await loadDocuments(publicUrl);
  const handlers = defineHandlers({
    ...chatHandlers(createChatService(models)),
    ...modelHandlers(models),
    ...factoryHandlers(documents, lifecycle),
    ...healthHandlers(lifecycle),
  });
  const router = await createRouter({
    pages: pages(publicUrl, contractVersion),
    authenticate: { bearerAuth: bearerAuth((key) => keys.verify(key)) },
  });
  return createApplication({ router, handlers, replyCheck, log, publicUrl, stream, running });
}
