/**
 * Builds apps with the factory of one checkout, in threads as a server does, and prints what they took as JSON.
 *
 *   node test/bench/factory/builds.ts <checkout> <builds> <at a time> <threads>
 */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { embeddedBuilder } from '../../../src/factory/embedded-builder.ts';
import type { openThreads } from '../../../src/factory/factory.ts';

/** One for each of the larger kinds, so that no single template decides the figure. */
const prompts = [
  'a simple expense tracker',
  'kanban board for our content team with columns Idea, Draft, Review, Published',
  'sales dashboard with revenue, orders and profit',
  'website for the bakery "Crumb" at 12 Mill Street, open Tue-Sat 7-13',
  'tip calculator',
  'pomodoro timer',
  'snake',
  'wedding page for Lena and Tom',
];

const [checkout = '.', count = '80', atATime = '4', threadCount = '2'] = process.argv.slice(2);
const load = async (file: string) => import(path.resolve(checkout, 'src/factory', file));
const { openThreads: open } = (await load('workshop/threads.ts')) as { openThreads: typeof openThreads };
const { embeddedBuilder: build } = (await load('embedded-builder.ts')) as {
  embeddedBuilder: typeof embeddedBuilder;
};

const threads = open({ threads: Number(threadCount), idleMs: 5_000 });

/** How long a build took until it said anything, and until it was done, in milliseconds. */
async function buildOne(prompt: string): Promise<{ readonly first: number; readonly whole: number }> {
  const { signal } = new AbortController();
  const begun = performance.now();
  let first = Number.NaN;
  const app = await build({
    prompt,
    options: {},
    workshop: threads.workshop(signal),
    signal,
    report: async () => {
      if (Number.isNaN(first)) first = performance.now() - begun;
    },
    mayAskModel: async () => false,
    written: async () => null,
    checkpoint: async (_, produce) => produce(),
  });
  if (app.package.zip.length === 0) throw new Error(`nothing was built of “${prompt}”`);
  return { first, whole: performance.now() - begun };
}

let asked = 0;
/** Each build is of another name and colour: what a build has of its own is made again each time. */
function promptOf(index: number): string {
  const colour = ((asked++ * 40_503) % 0xffffff).toString(16).padStart(6, '0');
  return `${prompts[index % prompts.length]}, called "Number ${asked}", in #${colour}`;
}

async function buildMany(total: number): Promise<void> {
  let begun = 0;
  const next = async () => {
    while (begun < total) await buildOne(promptOf(begun++));
  };
  await Promise.all(Array.from({ length: Number(atATime) }, next));
}

/** Processor time of this process with all its threads and of the bundler's processes, in seconds. */
function cpuTime(): number {
  const stat = (pid: string) =>
    readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /, '')
      .split(' ')
      .map(Number);
  const [, , , , , , , , , , , own = 0, system = 0, reaped = 0, reapedSystem = 0] = stat('self');
  const children = readdirSync('/proc/self/task').flatMap((task) =>
    readFileSync(`/proc/self/task/${task}/children`, 'utf8').trim().split(' ').filter(Boolean),
  );
  const living = children.map(stat).map((values) => (values[11] ?? 0) + (values[12] ?? 0));
  const ticks = own + system + reaped + reapedSystem + living.reduce((sum, each) => sum + each, 0);
  return ticks / 100;
}

const cold = cpuTime();
const coldest = await buildOne(promptOf(0));
await buildMany(prompts.length - 1);
const warm = cpuTime();
const alone: { readonly first: number; readonly whole: number }[] = [];
for (const [index] of prompts.entries()) alone.push(await buildOne(promptOf(index)));
const aloneDone = cpuTime();
const begun = performance.now();
await buildMany(Number(count));
const seconds = (performance.now() - begun) / 1000;
const cpu = cpuTime() - aloneDone;
process.stdout.write(
  `${JSON.stringify({
    firstCpuPerBuild: (warm - cold) / prompts.length,
    cpuPerBuild: cpu / Number(count),
    buildsPerSecond: Number(count) / seconds,
    coldMs: coldest.whole,
    aloneMs: Math.max(...alone.map(({ whole }) => whole)),
    firstEventMs: Math.max(coldest.first, ...alone.map(({ first }) => first)),
  })}\n`,
);
await threads.close();
process.exit(0);
