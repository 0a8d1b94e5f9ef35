import { createRequire } from 'node:module';

type Undici = typeof import('undici');
type Chats = Pick<
  Undici,
  'buildConnector' | 'EnvHttpProxyAgent' | 'getGlobalDispatcher' | 'Pool' | 'setGlobalDispatcher'
>;

let whole: Undici | null = null;

/** All of undici, which is loaded when something first needs more of it than chats do. */
export function undici(): Undici {
  whole ??= createRequire(import.meta.url)('undici') as Undici;
  return whole;
}

let chats: Chats | null = null;

/**
 * The parts of undici that chats need, imported from their files: the whole has a `fetch`, caches and mocks besides, three
 * quarters of its code, which V8 would hold for nothing.
 */
export function undiciForChats(): Chats {
  if (chats) return chats;
  // Only the whole adds this to its dispatchers, and a proxy is asked by it for connections to `https:`.
  const { prototype } = createRequire(import.meta.url)('undici/lib/dispatcher/dispatcher.js');
  prototype.connect ??= createRequire(import.meta.url)('undici/lib/api/api-connect.js');
  chats = {
    buildConnector: createRequire(import.meta.url)('undici/lib/core/connect.js'),
    EnvHttpProxyAgent: createRequire(import.meta.url)('undici/lib/dispatcher/env-http-proxy-agent.js'),
    Pool: createRequire(import.meta.url)('undici/lib/dispatcher/pool.js'),
    ...(createRequire(import.meta.url)('undici/lib/global.js') as Pick<
      Undici,
      'getGlobalDispatcher' | 'setGlobalDispatcher'
    >),
  };
  return chats;
}
