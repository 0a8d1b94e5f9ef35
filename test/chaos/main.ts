/**
 * `npm run chaos`: what is promised for when things break, held against what happens when they do. Real server processes
 * share a real database; clients load them; servers, database, network, clocks, disks, vendor and visitors go wrong; and
 * at the end of each round everything is held against everything.
 *
 * Each round draws from the seed and its own number alone, so `--seed S --round N` has its faults and its load again; how
 * processes interleave is the machine's. A cluster lives for some rounds (`--fresh`). What a killed server left open is
 * found by the others only when its lease is over, so the last word on that is spoken at the cluster's end.
 *
 * - `evidence.ts` is what is known at the end of a round; `invariants/` judges it, and knows nothing else.
 * - `faults/` is what goes wrong, a constant each; `load.ts` what clients do meanwhile; `client.ts` what they got.
 * - `vendor.ts` is the vendor, a process of its own on `test/lib/vendor.ts` that does what the prompt says and writes down what reached it.
 * - `world.ts` is a cluster: its database, its servers, its tenants.
 * - `virtual/` is `--virtual`: nothing real but the limits themselves.
 *
 * As root on Linux everything is there; elsewhere some faults are left out and named, which under `CI` is a failure.
 */
import { writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { graceMs } from './evidence.ts';
import { type Fault, faults } from './faults.ts';
import { help, type Options, optionsFrom, Report } from './options.ts';
import { runFolder } from './proc.ts';
import { createRandom, type Random } from './random.ts';
import { check, checkTexts, newMemory, playRound, type Tell } from './round.ts';
import { switchyardCheck } from './server.ts';
import type { Dialect } from './store.ts';
import { createWorld, type Ground, prepareGround, type World } from './world.ts';

const say = (line: string) => console.log(line);

async function main(): Promise<void> {
  const options = optionsFrom(process.argv.slice(2));
  if (!options) {
    process.stdout.write(help);
    return;
  }
  const started = performance.now();
  const report = new Report(options, say);
  const folder = runFolder(options.keep);
  say(
    `seed ${options.seed}, ${options.servers} servers, ${options.rounds.length} rounds on ${options.stores.join(' and ')}${options.redis ? ', with Redis' : ''}`,
  );
  if (options.keep) say(`databases and logs: ${folder}`);
  for (const dialect of options.stores) {
    const ground = await prepareGround(dialect, `${folder}/${dialect}`, {
      keep: options.keep,
      redis: options.redis,
    });
    for (let at = 0; at < options.rounds.length; at += options.fresh) {
      await runCluster(ground, options, options.rounds.slice(at, at + options.fresh), report);
    }
    await ground.close();
  }
  say(report.text());
  say(`took ${Math.round((performance.now() - started) / 1000)} s`);
  if (options.json)
    writeFileSync(options.json, `${JSON.stringify({ ...report, faults: [...report.faults] }, null, 2)}\n`);
  const missing = process.env['CI'] && report.skipped.size > 0;
  if (missing) say('Under CI nothing may be left out.');
  process.exit(report.violations.length > 0 || missing ? 1 : 0);
}

/** Some rounds on a database and servers of their own. */
async function runCluster(
  ground: Ground,
  options: Options,
  rounds: readonly number[],
  report: Report,
): Promise<void> {
  const { dialect } = ground;
  const first = rounds[0] ?? 0;
  const drawn = rounds.map((round) => ({ round, ...draw(options, dialect, round) }));
  const name = `${dialect}-${first}`;
  const steppable = drawn.some(({ faults }) => faults.some(({ steps }) => steps));
  const world = await createWorld(ground, { name, servers: options.servers, rounds, steppable });
  const memory = newMemory();
  try {
    for (const { round, random, faults: planned } of drawn) {
      const befalls = planned.filter((fault) => {
        const missing = fault.missing?.(world) ?? null;
        if (missing !== null) report.skipped.set(fault.name, missing);
        return missing === null;
      });
      const names = befalls.map((fault) => fault.name);
      const before = report.violations.length;
      const requests = world.calls.length;
      const started = performance.now();
      const tell = teller(report, dialect, round, names);
      await playRound(world, memory, {
        round,
        random,
        faults: befalls,
        tried: (fault, count) => report.tried(fault, count),
        tell,
      });
      const failures = report.violations.length - before;
      report.roundOver(names, failures > 0);
      const count = world.calls.length - requests;
      const seconds = ((performance.now() - started) / 1000).toFixed(1);
      say(
        `${dialect} round ${round} [${names.join(' ')}] ${count} requests, ${failures} failures, ${seconds} s`,
      );
    }
    await lastWord(world, memory, report, rounds.at(-1) ?? first);
  } finally {
    report.requests += world.calls.length;
    report.answered += world.calls.filter(({ outcome }) => outcome !== 'unsure').length;
    await world.close();
  }
}

/** What is wrong with a request is told under the round that sent it, whenever it shows. */
function teller(report: Report, store: Dialect, round: number, names: readonly string[]): Tell {
  return (invariant, what) => {
    const of = /-r(\d+)-\d+/.exec(what)?.[1];
    const earlier = of !== undefined && Number(of) !== round;
    const where = earlier ? { round: Number(of), faults: ['seen later'] } : { round, faults: names };
    report.violated({ store, ...where, invariant, what });
  };
}

/** Waits until all that is open has ended, or had its time, and judges the cluster once more. */
async function lastWord(
  world: World,
  memory: ReturnType<typeof newMemory>,
  report: Report,
  round: number,
): Promise<void> {
  const tell = teller(report, world.store.dialect, round, ['the end']);
  const deadline = performance.now() + graceMs + 2_000;
  let evidence = await check(world, memory, tell);
  const open = () =>
    evidence.ledger.some(({ settled_at }) => settled_at === null) ||
    evidence.work.some(({ finished_at }) => finished_at === null);
  while (open() && performance.now() < deadline) {
    await sleep(1_000);
    evidence = await check(world, memory, tell);
  }
  report.checked += evidence.ledger.length + evidence.work.length + evidence.events.length;
  await checkTexts(world, tell);
  const sound = await switchyardCheck(world.launch.environment(0));
  if (sound.missing) report.skipped.set('switchyard check', 'there is no such command');
  else if (sound.problem !== null) tell('switchyard check', sound.problem);
}

/** What befalls a round: one to three faults, or with `--only` one of those. */
function draw(
  { seed, only, redis }: Options,
  dialect: Dialect,
  round: number,
): { faults: Fault[]; random: Random } {
  const possible = (only ?? faults).filter(
    (fault) => fault.stores.includes(dialect) && (redis || !fault.redis),
  );
  const random = createRandom(`${seed}/${dialect}/${round}`);
  // In turn, in an order of the seed's own, so that each comes as often as the others; what comes with it is chance.
  const order = only ? possible : createRandom(`${seed}/${dialect}`).some(possible, possible.length);
  const main = order[(round - 1) % Math.max(1, order.length)];
  if (!main) return { faults: [], random };
  const own = random.fork('faults');
  const others = possible.filter((fault) => fault !== main);
  return { faults: [main, ...own.some(others, only ? 0 : own.int(0, 2))], random };
}

if (process.argv.includes('--virtual')) await import('./virtual/main.ts');
else
  await main().catch((error: unknown) => {
    console.error(error);
    process.exit(2);
  });
