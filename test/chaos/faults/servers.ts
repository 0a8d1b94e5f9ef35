import { spawnSync } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { bothStores, type Fault } from '../fault.ts';
import type { Server } from '../server.ts';

/** Kept here so that two faults of a round do not start the same server twice. */
function startAgain(server: Server): void {
  if (!server.alive) server.start();
}

export const killServer: Fault = {
  name: 'kill-server',
  stores: bothStores,
  async apply({ world, random, tried }) {
    for (const server of random.some(world.servers, random.pick([1, 1, 2, world.servers.length]))) {
      await server.kill();
      tried(1);
      await sleep(random.int(0, 300));
      startAgain(server);
    }
  },
};

export const drainServer: Fault = {
  name: 'drain-server',
  stores: bothStores,
  async apply({ world, random, tried, violated }) {
    const server = random.pick(world.servers);
    tried(1);
    // The first process of a namespace is not ended by a signal before it listens to it.
    await server.ready();
    if (!(await server.drain(30_000))) violated(`server ${server.index} did not end within 30 s of SIGTERM`);
    startAgain(server);
  },
};

export const freezeServer: Fault = {
  name: 'freeze-server',
  stores: bothStores,
  async apply({ world, random, tried }) {
    const server = random.pick(world.servers);
    tried(1);
    await server.freeze(random.int(300, 3_000));
  },
};

let namespaces: boolean | undefined;

function canMakeNamespaces(): boolean {
  namespaces ??=
    spawnSync('unshare', ['--pid', '--fork', '--mount-proc', 'true'], { stdio: 'ignore' }).status === 0;
  return namespaces;
}

/** All servers in PID namespaces of their own, under the same host name, each of them process 1. */
export const pidNamespaces: Fault = {
  name: 'pid-namespaces',
  stores: bothStores,
  missing: () => (canMakeNamespaces() ? null : 'PID namespaces cannot be made'),
  async apply({ world, random, tried }) {
    for (const server of world.servers) {
      if (server.namespace) continue;
      await server.kill();
      server.namespace = true;
      startAgain(server);
      tried(1);
      await sleep(random.int(0, 200));
    }
    // They look after one another every few seconds.
    await sleep(6_000);
  },
};

/** One server's clock jumps, and after a while it is right again. */
export const clockStep: Fault = {
  name: 'clock-step',
  stores: bothStores,
  steps: true,
  missing: ({ servers }) => (servers[0]?.steppable ? null : 'libfaketime is not installed'),
  async apply({ world, random, tried }) {
    const server = random.pick(world.servers);
    for (const seconds of random.some([70, -70, 3600, -3600], random.int(1, 2))) {
      server.step(seconds);
      tried(1);
      await sleep(random.int(600, 1_500));
    }
    server.step(0);
  },
};
