import { contractVersion } from '../../generated/operations.gen.ts';
import type { FactoryStatus, ReadinessCheck, ReadinessChecks } from '../../generated/types.gen.ts';
import type { Scope } from '../contract/registry.ts';
import type { PublicDocuments } from '../contract/served/documents.ts';
import type { Handlers } from '../contract/wire-operations.ts';
import type { Finding, HealthChecks, Lifecycle } from '../lib/health-checks.ts';
import type { StatusBoard } from '../services/builds/service.ts';
import { document, ok } from './replies.ts';

/** The checks of the contract, beside that of the lifecycle. */
export type CheckName = 'database' | 'disk' | 'queue' | 'build_threads' | 'load';
/** Those of what is not everywhere in use. */
export type OptionalCheckName = 'redis';

export function healthHandlers(lifecycle: Lifecycle, health: HealthChecks<CheckName, OptionalCheckName>) {
  const alive = async () => ok({ status: 'ok' as const });
  return {
    getHealth: alive,
    getLiveness: alive,
    getReadiness: async (_request, { principal }: Scope) => {
      const { checks, status } = await health.read();
      const accepting = lifecycle.draining
        ? { ok: false, detail: 'The server is stopping.' }
        : { ok: true, detail: 'Takes requests.' };
      // Who calls without being the operator has not shown who it is.
      const shown = (finding: Finding) => onWire(finding, principal !== null);
      const all = Object.entries<Finding>({ accepting, ...checks } as Record<string, Finding>);
      const body = Object.fromEntries(
        all.map(([name, finding]) => [name, shown(finding)]),
      ) as ReadinessChecks;
      if (lifecycle.draining) return { status: 503, body: { status: 'draining', checks: body } };
      if (status === 'unavailable') return { status: 503, body: { status, checks: body } };
      return ok({ status, checks: body });
    },
  } satisfies Partial<Handlers>;
}

function onWire({ ok, detail }: Finding, withDetail: boolean): ReadinessCheck {
  const status = ok ? 'ok' : 'failed';
  return withDetail ? { status, detail } : { status };
}

/** @param render gives the text format of Prometheus. */
export function metricsHandlers(render: () => Promise<string>) {
  const text = { status: 200, mediaType: 'text/plain; version=0.0.4' } as const;
  return {
    getMetrics: async () => ({ ...text, text: await render() }),
  } satisfies Partial<Handlers>;
}

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
      const body: FactoryStatus = {
        status: lifecycle.draining ? 'draining' : queueStatus,
        ...factory,
        version: contractVersion,
        contract_version: contractVersion,
        uptime_s: Math.floor((Date.now() - lifecycle.startedAt) / 1000),
      };
      return ok(body);
    },
  } satisfies Partial<Handlers>;
}
