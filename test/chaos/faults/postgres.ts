import { setTimeout as sleep } from 'node:timers/promises';
import type { Fault, Scene } from '../fault.ts';
import type { TcpProxy } from '../tcp-proxy.ts';

const stores = ['postgres'] as const;

function postgresOf({ world }: Scene) {
  if (!world.store.postgres) throw new Error('This fault needs PostgreSQL.');
  return world.store.postgres;
}

export const terminateBackends: Fault = {
  name: 'pg-terminate',
  stores,
  outage: true,
  async apply(scene) {
    const { server, database } = postgresOf(scene);
    for (let n = scene.random.int(1, 4); n > 0; n -= 1) {
      const count = await server.terminate(database, scene.random.pick([0.3, 1])).catch(() => 0);
      scene.tried(count);
      await sleep(scene.random.int(50, 500));
    }
  },
};

export const restartPostgres: Fault = {
  name: 'pg-restart',
  stores,
  outage: true,
  async apply(scene) {
    scene.tried(1);
    await postgresOf(scene).server.restart();
  },
};

export const killPostgres: Fault = {
  name: 'pg-kill',
  stores,
  outage: true,
  async apply(scene) {
    scene.tried(1);
    await postgresOf(scene).server.kill(scene.random.int(0, 1_500));
  },
};

/** Faults between servers and the database: some of the lines, or all. */
function onLines(name: string, work: (proxy: TcpProxy, scene: Scene) => Promise<void>): Fault {
  return {
    name,
    stores,
    outage: true,
    async apply(scene) {
      const { random, world } = scene;
      const lines = random.some(world.store.proxies, random.pick([1, 2, world.store.proxies.length]));
      scene.tried(lines.length);
      await Promise.all(lines.map((proxy) => work(proxy, scene)));
    },
  };
}

/** The host of the database dies, and comes back: the connections of before stay dead. */
export const silentLine = onLines('net-silent', async (proxy, { random }) => {
  proxy.set('silent');
  await sleep(random.int(500, 3_000));
  proxy.abandon(0);
  proxy.set('fair');
});

/**
 * The connections of before are dead, new ones work at once. Either the database has moved, and what was open there is
 * rolled back; or only the way to it has forgotten them, and the database finds out after a while.
 */
export const abandonedLine = onLines('net-abandon', async (proxy, { random }) => {
  proxy.abandon(random.pick([0, 5_000]));
});

export const resetLine = onLines('net-reset', async (proxy, { random }) => {
  proxy.set('reset');
  await sleep(random.int(0, 1_500));
  proxy.set('fair');
});

export const delayedLine = onLines('net-delay', async (proxy, { random }) => {
  proxy.delay(500);
  await sleep(random.int(500, 2_000));
  proxy.delay(0);
});

/** Connections end in the middle of an answer, at any byte. */
export const cutLine = onLines('net-cut', async (proxy, { random }) => {
  for (let n = random.int(1, 8); n > 0; n -= 1) {
    proxy.cutAfter(random.int(1, 4_000));
    await sleep(random.int(50, 250));
  }
  proxy.cutAfter(null);
});
