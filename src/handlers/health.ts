import type { Handlers } from '../contract/registry.ts';
import type { Lifecycle } from '../lib/lifecycle.ts';

export function healthHandlers(lifecycle: Lifecycle) {
  return {
    getHealth: async () => ({ status: 200, body: { status: 'ok' } }),
    getReadiness: async () =>
      lifecycle.draining
        ? { status: 503, body: { status: 'draining' } }
        : { status: 200, body: { status: 'ready' } },
  } satisfies Partial<Handlers>;
}
