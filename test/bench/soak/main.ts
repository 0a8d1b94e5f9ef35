/**
 * `npm run bench -- --minutes N`, or `npm run soak`: mixed load on one server (chat, streams, agents, features, builds, lists),
 * and what it holds meanwhile and afterwards. Ends with 1 when memory after collection, threads or descriptors at the end are over a
 * bound (`figures.ts`) relative to the start, which is after a first half minute of the same load.
 *
 *   --minutes N    how long                  (10)
 *   --store NAME   sqlite or postgres        (sqlite)
 *   --seed TEXT    what the load is drawn from
 *
 * Garbage is collected by a file that only this program loads into the server (`collect.ts`); everything else is as
 * `npm start` runs it.
 */
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { Clients } from '../../chaos/client.ts';
import { runLoad } from '../../chaos/load.ts';
import { openOf, rssOf, runFolder, threadsOf } from '../../chaos/proc.ts';
import { createRandom } from '../../chaos/random.ts';
import { createWorld, prepareGround, type World } from '../../chaos/world.ts';
import { bounds, type Figures, grown, heading, rowOf } from './figures.ts';

const warmUpMs = 30_000;
/** Longer than idle connections and threads are kept. */
const calmMs = 40_000;
const mega = (bytes: number) => Math.round(bytes / 1e5) / 10;

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '10' },
    store: { type: 'string', default: 'sqlite' },
    seed: { type: 'string', default: '1' },
  },
});
const minutes = Number(values.minutes);
if (!(minutes > 0 && minutes <= 10_000)) throw new Error(`--minutes takes a number, not "${values.minutes}"`);

const folder = runFolder(false);
const file = `${folder}/figures.json`;
const ground = await prepareGround(values.store === 'postgres' ? 'postgres' : 'sqlite', `${folder}/ground`, {
  diskSize: 0,
});
const collect = new URL('collect.ts', import.meta.url).pathname;
const world = await createWorld(ground, {
  name: 'soak',
  servers: 1,
  rounds: [1],
  steppable: false,
  nodeArgs: ['--expose-gc', `--import=${collect}`],
  env: { SOAK_FIGURES: file },
});
const started = performance.now();
let requests = 0;
let failed = 0;

console.log(heading);
await load(world, warmUpMs, 'warm-up');
const start = await collected(world);
await load(world, minutes * 60_000, 'soak');
const end = await collected(world);
const problems = grown(start, end);
if (!world.servers[0]?.alive) problems.push(`the server ended: ${world.servers[0]?.life.lastWords}`);
console.log(`${requests} requests, ${failed} of them answered with 500 or not at all`);
console.log(
  `bounds: ${Object.entries(bounds)
    .map(([name, most]) => `${name} +${most}`)
    .join(', ')}`,
);
console.log(problems.length === 0 ? 'soak: passed' : `soak: FAILED\n${problems.join('\n')}`);
await world.close();
await ground.close();
process.exit(problems.length === 0 ? 0 : 1);

/** Loads the server for so long and prints a row every now and then. */
async function load(on: World, forMs: number, label: string): Promise<void> {
  const clients = new Clients(label, 1, (call) => {
    requests += 1;
    if (call.status === 500) failed += 1;
  });
  const over = AbortSignal.timeout(forMs);
  const running = runLoad(on, clients, {
    round: 1,
    random: createRandom(`${values.seed}/${label}`),
    until: over,
  });
  const everyMs = Math.max(5_000, forMs / 20);
  while (!over.aborted) {
    await sleep(Math.min(everyMs, forMs));
    console.log(rowOf(now(on, null)));
  }
  await running;
  await clients.close();
}

/** What is held in calm, after collection. */
async function collected(on: World): Promise<Figures> {
  await sleep(calmMs);
  rmSync(file, { force: true });
  process.kill(on.servers[0]?.pid ?? 0, 'SIGUSR2');
  for (let n = 0; n < 200 && !existsSync(file); n += 1) await sleep(50);
  const figures = now(on, JSON.parse(readFileSync(file, 'utf8')) as NodeJS.MemoryUsage);
  console.log(rowOf(figures));
  return figures;
}

function now({ servers, ground: { vendor } }: World, usage: NodeJS.MemoryUsage | null): Figures {
  const [server] = servers;
  const pid = server?.pid ?? 0;
  return {
    at: Math.round((performance.now() - started) / 1000),
    collected: usage !== null,
    requests,
    rss: rssOf(pid),
    // Between collections nothing tells them without disturbing what is measured.
    heap: usage ? mega(usage.heapUsed) : 0,
    external: usage ? mega(usage.external) : 0,
    threads: threadsOf(pid),
    descriptors: openOf(pid, { own: server?.port ?? 0, vendor: vendor.port }).descriptors,
  };
}
