import { setTimeout as sleep } from 'node:timers/promises';
import { bothStores, type Fault, type Scene } from '../fault.ts';
import type { Redis } from '../redis.ts';
import type { TcpProxy } from '../tcp-proxy.ts';

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

/** Faults between servers and Redis: a partition, for one of the servers or for all. */
function onLines(name: string, work: (proxy: TcpProxy, scene: Scene) => Promise<void>): Fault {
  return {
    name,
    stores: bothStores,
    redis: true,
    async apply(scene) {
      const { random, world } = scene;
      const lines = random.some(world.redisLines, random.pick([1, 2, world.redisLines.length]));
      scene.tried(lines.length);
      await Promise.all(lines.map((proxy) => work(proxy, scene)));
    },
  };
}

export const silentRedis = onLines('redis-silent', async (proxy, { random }) => {
  proxy.set('silent');
  await sleep(random.int(500, 4_000));
  proxy.abandon(random.pick([0, 3_000]));
  proxy.set('fair');
});

export const resetRedis = onLines('redis-reset', async (proxy, { random }) => {
  proxy.set('reset');
  await sleep(random.int(0, 1_500));
  proxy.set('fair');
});

export const delayedRedis = onLines('redis-delay', async (proxy, { random }) => {
  proxy.delay(500);
  await sleep(random.int(500, 2_000));
  proxy.delay(0);
});
