import { spawnSync } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Fault, Scene } from '../faults.ts';
import { chat } from '../load.ts';
import type { Server } from '../server.ts';
import { bothStores } from '../store.ts';
import { answerBytes, type Wire } from '../vendor-answers.ts';

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

/** Requests of one go of the fault, and how many at a time. */
const atBytes = 400;
const atOnce = 24;

const modelsOf: Readonly<Record<Wire, string>> = {
  openai: 'gpt-4o',
  anthropic: 'claude-sonnet-4-6',
  gemini: 'gemini-3.5-flash',
};

/**
 * The vendor's answer is cut, reset or garbled at each byte in turn, on each wire, as a whole and as a stream. One go takes
 * one wire and one way of breaking and walks through all of the answer in steps of a few bytes that begin anywhere, so that
 * over the rounds every byte is met. Each request names a model of its own, or the breaker would soon keep them from the vendor.
 */
export const vendorBytes: Fault = {
  name: 'vendor-bytes',
  stores: bothStores,
  async apply(scene) {
    const { random } = scene;
    const wire = random.pick<Wire>(['openai', 'anthropic', 'gemini']);
    const act = random.pick(['cut', 'reset', 'garbage']);
    const sample = { id: 'vendor-100', model: 'm', text: 'x'.repeat(90), prompt: 50, completion: 500 };
    // Model and id of the request are in it too, so it is somewhat longer than the sample.
    const length = answerBytes(wire, true, sample).length + 400;
    const step = Math.ceil(length / atBytes);
    const offsets: number[] = [];
    for (let offset = random.int(0, step - 1); offset < length; offset += step) offsets.push(offset);
    await askAll(
      scene,
      offsets.map((offset) => ({ wire, act: `${act}@${offset}`, name: `-${act}-${offset}` })),
    );
    // A stall costs its time limit, so there are few of them.
    const stalls = random.some(offsets, 6);
    await askAll(
      scene,
      stalls.map((offset) => ({ wire, act: `stall@${offset}`, name: `-stall-${offset}` })),
    );
  },
};

/** Answers that no vendor should give, all of them whole. */
export const vendorOddities: Fault = {
  name: 'vendor-odd',
  stores: bothStores,
  async apply(scene) {
    const { random } = scene;
    const statuses = [
      200, 204, 301, 304, 400, 401, 403, 404, 408, 409, 418, 422, 425, 429, 500, 502, 503, 504, 529, 599,
    ];
    const odd = [
      ...statuses.map((status) => `status@${status}`),
      'continue',
      'continue',
      'deep@1000',
      'deep@200000',
      'number',
      'unfinished',
      'slow@10',
      'big@300000',
    ];
    const asks = odd.map((act) => {
      const wire = random.pick<Wire>(['openai', 'anthropic', 'gemini']);
      return { wire, act, name: `-${act.replace('@', '-')}` };
    });
    await askAll(scene, asks);
  },
};

interface VendorAsk {
  readonly wire: Wire;
  readonly act: string;
  /** What is added to the model's name. */
  readonly name: string;
}

async function askAll(scene: Scene, asks: readonly VendorAsk[]): Promise<void> {
  const { world, clients, random, tried, violated } = scene;
  const { id, key } = world.account('wide');
  const waiting = [...asks];
  const worker = async () => {
    for (let ask = waiting.shift(); ask; ask = waiting.shift()) {
      const { wire, act, name } = ask;
      const server = random.pick(world.servers);
      const { call, text } = await clients.send({
        ...chat(world, server, id, key, random, act, modelsOf[wire] + name),
        leaveAfter: null,
      });
      tried(1);
      const unusable = /^(number|deep|status)/.test(act);
      if (unusable && call.outcome === 'success') {
        violated(`${call.kind} on ${wire} took ${act} for an answer: ${text.slice(0, 200)}`);
      }
      if (act === 'continue' && call.outcome === 'refused' && call.status === 502) {
        violated(`${call.kind} on ${wire} failed over a 100 Continue: ${call.code}`);
      }
    }
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
}
