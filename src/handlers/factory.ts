import { contractVersion } from '../../generated/operations.gen.ts';
import type { PublicDocuments } from '../contract/served/documents.ts';
import type { Handlers } from '../contract/wire-operations.ts';
import type { Lifecycle } from '../lib/health-checks.ts';
import type { StatusBoard } from '../services/builds/service.ts';
import { document, ok } from './replies.ts';

export function factoryHandlers(documents: () => PublicDocuments, status: StatusBoard, lifecycle: Lifecycle) {
  const yaml = { status: 200, mediaType: 'application/yaml' } as const;
  return {
    getManifest: async () => document(await documents().manifest()),
    getOpenApi: async (_request, { mediaType }) =>
      mediaType === 'application/yaml'
        ? { ...yaml, ...(await documents().openApiYaml()) }
        : document(await documents().openApiJson()),
    getOpenApiJson: async () => document(await documents().openApiJson()),
    getOpenApiYaml: async () => ({ ...yaml, ...(await documents().openApiYaml()) }),
    getOpenApi32Json: async () => document(await documents().openApi32Json()),
    getOpenApi30Json: async () => document(await documents().openApi30Json()),
    getPostmanEnvironment: async () => document(await documents().postmanEnvironment()),
    getPostmanCollection: async () => document(await documents().postman()),
    getFactoryStatus: async () => {
      const factory = await status.read();
      const queueStatus = factory.queue === null ? 'degraded' : 'ok';
      return ok({
        status: lifecycle.draining ? 'draining' : queueStatus,
        ...factory,
        version: contractVersion,
        contract_version: contractVersion,
        uptime_s: Math.floor((Date.now() - lifecycle.startedAt) / 1000),
      });
    },
  } satisfies Partial<Handlers>;
}
