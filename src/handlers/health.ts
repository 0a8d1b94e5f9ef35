import type { ReadinessCheck, ReadinessChecks } from '../../generated/types.gen.ts';
import type { Scope } from '../contract/registry.ts';
import type { Handlers } from '../contract/wire-operations.ts';
import type { Finding, HealthChecks, Lifecycle } from '../lib/health-checks.ts';

/** The checks of the contract, beside that of the lifecycle. */
export type CheckName = 'database' | 'disk' | 'queue' | 'build_threads' | 'load';
/** Those of what is not everywhere in use. */
export type OptionalCheckName = 'redis';

export function healthHandlers(lifecycle: Lifecycle, health: HealthChecks<CheckName, OptionalCheckName>) {
  const alive = async () => ({ status: 200, body: { status: 'ok' } }) as const;
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
      return { status: 200, body: { status, checks: body } };
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
