import { setTimeout as sleep } from 'node:timers/promises';
import { anonymous, Clients, onSockets } from './client.ts';
import type { Evidence, Exposure, Holding } from './evidence.ts';
import type { Fault } from './faults.ts';
import { ledgerIsTrue, limitsHold, socketsAgree, sumsAreRight } from './invariants/ledger.ts';
import {
  answersAreForeseen,
  logIsReadable,
  nothingExposed,
  nothingHeld,
  processesLive,
  workEndsOnce,
} from './invariants/service.ts';
import { chat, runLoad } from './load.ts';
import { openOf, rssOf, threadsOf } from './proc.ts';
import type { Random } from './random.ts';
import { recoveryMs } from './server.ts';
import { readStore, storeTexts } from './store.ts';
import { clockOffset, readVendorLog } from './vendor-answers.ts';
import type { World } from './world.ts';

/** How long clients send, in milliseconds; what their last requests take comes on top. */
const loadMs = 3_000;

/** Tells of a broken promise: which invariant, and what was seen. */
export type Tell = (invariant: string, what: string) => void;

/** What the rounds of one cluster remember of each other. */
export interface Memory {
  /** By process: what it held after its first round. */
  readonly baselines: Map<number, Holding>;
  /** How far each server's log was read. */
  readonly logs: Map<number, number>;
  /** Broken promises that were told already: what stays broken is one failure. */
  readonly told: Set<string>;
}

export const newMemory = (): Memory => ({ baselines: new Map(), logs: new Map(), told: new Set() });

export interface RoundOptions {
  readonly round: number;
  readonly random: Random;
  readonly faults: readonly Fault[];
  readonly tried: (fault: string, count: number) => void;
  readonly tell: Tell;
}

/** Load, faults, calm, and then everything that must hold. */
export async function playRound(world: World, memory: Memory, options: RoundOptions): Promise<void> {
  const { round, random, faults, tell } = options;
  const clients = new Clients(`${world.name}-r${round}`, round, (call) => world.calls.push(call));
  const over = new AbortController();
  const load = runLoad(world, clients, { round, random: random.fork('load'), until: over.signal });
  await Promise.all([
    sleep(loadMs),
    ...faults.map(async (fault) => {
      const own = random.fork(fault.name);
      await sleep(own.int(100, 1_200));
      const from = performance.now();
      await fault.apply({
        world,
        clients,
        random: own,
        round,
        violated: (what) => tell(fault.name, what),
        tried: (count) => options.tried(fault.name, count),
      });
      if (fault.outage) world.outages.push({ from, to: performance.now() });
    }),
  ]);
  over.abort();
  await load;
  await calmDown(world, clients, random.fork('calm'), tell);
  await clients.close();
  await check(world, memory, tell);
}

/** Starts what has ended, and waits until every server serves again. */
async function calmDown(world: World, clients: Clients, random: Random, tell: Tell): Promise<void> {
  for (const server of world.servers) {
    if (!server.alive) {
      for (const problem of processesLive({ lives: [server.life] })) tell('processes', problem);
      server.start();
    }
  }
  await Promise.all(
    world.servers.map(async (server) => {
      if (!(await server.ready())) {
        tell('recovery', `server ${server.index} is not ready ${recoveryMs / 1000} s after the last fault`);
        return;
      }
      const { id, key } = world.account('wide');
      const ask = { ...chat(world, server, id, key, random, 'good', 'sandbox/echo'), leaveAfter: null };
      let answer = await clients.send(ask);
      // Ready is what it says; one refusal in the moment of its return is no lie.
      for (let n = 0; n < 3 && answer.call.outcome !== 'success'; n += 1) {
        await sleep(500);
        answer = await clients.send(ask);
      }
      if (answer.call.outcome !== 'success') {
        tell(
          'recovery',
          `server ${server.index} says it is ready and answers ${answer.status} ${answer.call.code}`,
        );
      }
    }),
  );
}

/** Holds everything against everything. What stays broken from one round to the next is told once. */
export async function check(world: World, memory: Memory, tell: Tell): Promise<Evidence> {
  const once: Tell = (invariant, what) => {
    const key = `${invariant} ${what.replaceAll(/\d+ s\b/g, '')}`;
    if (memory.told.has(key)) return;
    memory.told.add(key);
    tell(invariant, what);
  };
  let evidence = await gather(world);
  // What was answered a moment ago may still be on its way into the ledger.
  for (let n = 0; n < 20 && problemsIn(evidence).length > 0; n += 1) {
    await sleep(200);
    evidence = await gather(world);
  }
  for (const [invariant, what] of problemsIn(evidence)) once(invariant, what);
  for (const what of processesLive(world)) once('processes', what);
  for (const what of await holdings(world, memory)) once('held', what);
  const exposures: Exposure[] = [];
  for (const server of world.servers) {
    const { text, end } = server.logFrom(memory.logs.get(server.index) ?? 0);
    memory.logs.set(server.index, end);
    for (const what of logIsReadable(`server ${server.index}`, text)) once('logs', what);
    exposures.push({ where: `the log of server ${server.index}`, text, holdsPrompts: false });
  }
  for (const what of nothingExposed(world.canaries, exposures)) once('secrets', what);
  return evidence;
}

/** Looks for secrets in every table; at the end of a cluster. */
export async function checkTexts(world: World, tell: Tell): Promise<void> {
  for (const what of nothingExposed(world.canaries, await storeTexts(world.store))) tell('secrets', what);
}

export function problemsIn(evidence: Evidence): (readonly [string, string])[] {
  const judged = {
    limits: limitsHold(evidence),
    ledger: ledgerIsTrue(evidence),
    sockets: socketsAgree(evidence),
    sums: sumsAreRight(evidence),
    work: workEndsOnce(evidence),
    answers: answersAreForeseen(evidence.calls),
  };
  return Object.entries(judged).flatMap(([invariant, problems]) =>
    problems.map((what) => [invariant, what] as const),
  );
}

async function gather(world: World): Promise<Evidence> {
  return {
    ...(await readStore(world.store)),
    now: performance.now(),
    calls: world.calls,
    vendor: readVendorLog(world.ground.vendor.log, world.vendorLogStart, clockOffset()),
    tenants: [...world.accounts.values()],
    lives: world.lives,
    outages: world.outages,
    unaccounted: anonymous,
    onSockets,
  };
}

/** How often, and in what pauses in milliseconds, a server is looked at: a thread is kept for five seconds without work, and a busy machine is slow to end it. */
const settles = { every: 200, tries: 100 };

/** What processes hold, once it has come down to what it may be, or does not. */
async function holdings(world: World, memory: Memory): Promise<string[]> {
  const problems: string[] = [];
  for (const server of world.servers) {
    if (!server.alive) continue;
    const baseline = memory.baselines.get(server.life.id);
    let now = holdingOf(world, server);
    if (!baseline) {
      memory.baselines.set(server.life.id, now);
      continue;
    }
    for (let n = 0; n < settles.tries && nothingHeld(baseline, now).length > 0; n += 1) {
      await sleep(settles.every);
      now = holdingOf(world, server);
    }
    problems.push(...nothingHeld(baseline, now));
  }
  return problems;
}

function holdingOf(world: World, server: World['servers'][number]): Holding {
  const { pid, port } = server;
  const open = openOf(pid, { own: port, vendor: world.ground.vendor.port });
  return { life: server.life.id, server: server.index, rss: rssOf(pid), threads: threadsOf(pid), ...open };
}
