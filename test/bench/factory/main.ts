/**
 * `node test/bench/factory/main.ts [other checkout]`: what a build of the embedded factory costs, without the store
 * and the network around it: processor time for each, builds a second in two threads, and how long one takes that runs alone:
 * the first of a process, the slowest later one, and the slowest first event. With another checkout, such as one of an earlier
 * version with its packages installed, both take turns, and the last line is their ratio.
 */
import { spawnSync } from 'node:child_process';
import { availableParallelism, cpus, loadavg } from 'node:os';
import path from 'node:path';

interface Figures {
  readonly firstCpuPerBuild: number;
  readonly cpuPerBuild: number;
  readonly buildsPerSecond: number;
  readonly coldMs: number;
  readonly aloneMs: number;
  readonly firstEventMs: number;
}

const rounds = 5;
const builds = 80;
const atATime = 4;
const threads = 2;

const here = path.join(import.meta.dirname, '../../..');
const checkouts = [...process.argv.slice(2, 3), here];

function measure(checkout: string): Figures {
  const file = path.join(import.meta.dirname, 'builds.ts');
  const args = [file, checkout, builds, atATime, threads].map(String);
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr);
  return JSON.parse(stdout) as Figures;
}

const median = (values: readonly number[]) =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;

const results = new Map<string, Figures[]>(checkouts.map((checkout) => [checkout, []]));
for (let round = 0; round < rounds; round++)
  for (const checkout of checkouts) results.get(checkout)?.push(measure(checkout));

const say = (line: string) => process.stdout.write(`${line}\n`);
say(
  `${cpus()[0]?.model}, ${availableParallelism()} cores, Node ${process.version}, load ${loadavg()[0]?.toFixed(1)}; ` +
    `${rounds} rounds of ${builds} builds, ${atATime} at a time, in ${threads} threads; medians`,
);
const medians = [...results].map(([checkout, figures]) => {
  const of = (name: keyof Figures) => median(figures.map((each) => each[name]));
  const [first, cpu, rate] = [of('firstCpuPerBuild'), of('cpuPerBuild'), of('buildsPerSecond')];
  say(
    `${checkout}: ${(cpu * 1000).toFixed(0)} ms of processor time for a build (${(first * 1000).toFixed(0)} for each of the first 8), ${rate.toFixed(1)} builds a second; ` +
      `alone ${of('coldMs').toFixed(0)} ms at first, ${of('aloneMs').toFixed(0)} ms at most later, first event ${of('firstEventMs').toFixed(1)} ms at most`,
  );
  return { cpu, rate };
});
const [before, after] = medians;
if (before && after)
  say(
    `ratio: ${(after.cpu / before.cpu).toFixed(2)} of the processor time, ${(after.rate / before.rate).toFixed(1)} times the builds`,
  );
