import { setTimeout as sleep } from 'node:timers/promises';
import type { Redis } from '../databases.ts';
import type { Fault, Scene } from '../faults.ts';
import { bothStores } from '../store.ts';
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

/** The lines between servers and a database, and what a fault of them is. */
interface Lines extends Omit<Fault, 'name' | 'apply'> {
  of(world: Scene['world']): readonly TcpProxy[];
}
const toPostgres: Lines = { stores, outage: true, of: ({ store }) => store.proxies };
const toRedis: Lines = { stores: bothStores, redis: true, of: ({ redisLines }) => redisLines };

/** A partition: faults of some of the lines, or of all. */
function onLines(
  name: string,
  { of, ...lines }: Lines,
  work: (proxy: TcpProxy, scene: Scene) => Promise<void>,
): Fault {
  return {
    name,
    ...lines,
    async apply(scene) {
      const { random, world } = scene;
      const some = random.some(of(world), random.pick([1, 2, of(world).length]));
      scene.tried(some.length);
      await Promise.all(some.map((proxy) => work(proxy, scene)));
    },
  };
}

/** The host of the database dies, and comes back: the connections of before stay dead. */
export const silentLine = onLines('net-silent', toPostgres, async (proxy, { random }) => {
  proxy.set('silent');
  await sleep(random.int(500, 3_000));
  proxy.abandon(0);
  proxy.set('fair');
});

/**
 * The connections of before are dead, new ones work at once. Either the database has moved, and what was open there is
 * rolled back; or only the way to it has forgotten them, and the database finds out after a while.
 */
export const abandonedLine = onLines('net-abandon', toPostgres, async (proxy, { random }) => {
  proxy.abandon(random.pick([0, 5_000]));
});

export const resetLine = onLines('net-reset', toPostgres, async (proxy, { random }) => {
  proxy.set('reset');
  await sleep(random.int(0, 1_500));
  proxy.set('fair');
});

export const delayedLine = onLines('net-delay', toPostgres, async (proxy, { random }) => {
  proxy.delay(500);
  await sleep(random.int(500, 2_000));
  proxy.delay(0);
});

/** Connections end in the middle of an answer, at any byte. */
export const cutLine = onLines('net-cut', toPostgres, async (proxy, { random }) => {
  for (let n = random.int(1, 8); n > 0; n -= 1) {
    proxy.cutAfter(random.int(1, 4_000));
    await sleep(random.int(50, 250));
  }
  proxy.cutAfter(null);
});

/** Faults of Redis itself, where it decides on limits. */
function ofRedis(name: string, work: (redis: Redis, scene: Scene) => Promise<void>): Fault {
  return {
    name,
    stores: bothStores,
    redis: true,
    async apply(scene) {
      const { redis } = scene.world.ground;
      if (!redis) throw new Error('This fault needs Redis.');
      scene.tried(1);
      await work(redis, scene);
    },
  };
}

/** Killed, and started again with nothing of what it knew. */
export const killRedis = ofRedis('redis-kill', (redis, { random }) => redis.kill(random.int(0, 2_000)));

/** Emptied while it runs, so that no connection tells of it. */
export const forgetfulRedis = ofRedis('redis-forget', (redis) => redis.forget());

/** It stands still, and then does what it was asked meanwhile, which nobody waits for any more. */
export const frozenRedis = ofRedis('redis-freeze', (redis, { random }) =>
  redis.freeze(random.int(300, 4_000)),
);

export const silentRedis = onLines('redis-silent', toRedis, async (proxy, { random }) => {
  proxy.set('silent');
  await sleep(random.int(500, 4_000));
  proxy.abandon(random.pick([0, 3_000]));
  proxy.set('fair');
});

export const resetRedis = onLines('redis-reset', toRedis, async (proxy, { random }) => {
  proxy.set('reset');
  await sleep(random.int(0, 1_500));
  proxy.set('fair');
});

export const delayedRedis = onLines('redis-delay', toRedis, async (proxy, { random }) => {
  proxy.delay(500);
  await sleep(random.int(500, 2_000));
  proxy.delay(0);
});
