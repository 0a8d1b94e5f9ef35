import { contractVersion } from '../../generated/operations.gen.ts';
import type { PublicDocuments } from '../contract/served/documents.ts';
import type { Handlers } from '../contract/wire-operations.ts';
import type { Lifecycle } from '../lib/health-checks.ts';
import type { StatusBoard } from '../services/builds/service.ts';

export function factoryHandlers(documents: () => PublicDocuments, status: StatusBoard, lifecycle: Lifecycle) {
  const json = { status: 200, mediaType: 'application/json' } as const;
  const yaml = { status: 200, mediaType: 'application/yaml' } as const;
  return {
    getManifest: async () => ({ ...json, ...(await documents().manifest()) }),
    getOpenApi: async (_request, { mediaType }) =>
      mediaType === 'application/yaml'
        ? { ...yaml, ...(await documents().openApiYaml()) }
        : { ...json, ...(await documents().openApiJson()) },
    getOpenApiJson: async () => ({ ...json, ...(await documents().openApiJson()) }),
    getOpenApiYaml: async () => ({ ...yaml, ...(await documents().openApiYaml()) }),
    getOpenApi32Json: async () => ({ ...json, ...(await documents().openApi32Json()) }),
    getOpenApi30Json: async () => ({ ...json, ...(await documents().openApi30Json()) }),
    getPostmanEnvironment: async () => ({ ...json, ...(await documents().postmanEnvironment()) }),
    getPostmanCollection: async () => ({ ...json, ...(await documents().postman()) }),
    getFactoryStatus: async () => {
      const factory = await status.read();
      const queueStatus = factory.queue === null ? 'degraded' : 'ok';
      return {
        status: 200,
        body: {
          status: lifecycle.draining ? 'draining' : queueStatus,
          ...factory,
          version: contractVersion,
          contract_version: contractVersion,
          uptime_s: Math.floor((Date.now() - lifecycle.startedAt) / 1000),
        },
      };
    },
  } satisfies Partial<Handlers>;
}
