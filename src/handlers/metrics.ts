import type { Handlers } from '../contract/wire-operations.ts';

/** @param render gives the text format of Prometheus. */
export function metricsHandlers(render: () => Promise<string>) {
  const text = { status: 200, mediaType: 'text/plain; version=0.0.4' } as const;
  return {
    getMetrics: async () => ({ ...text, text: await render() }),
  } satisfies Partial<Handlers>;
}
