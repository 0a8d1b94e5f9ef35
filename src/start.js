/**
 * Run by `npm start`: the server in a process that starts quickly and stays small.
 *
 * - The compiled form of the sources is kept beside the packages: every later start takes half the time and 25 MB less.
 *   Where that directory cannot be written, nothing is lost.
 * - The server is loaded from the bundle that every install makes, as long as no source has changed since: half of a start
 *   went on finding and linking some 1,500 modules.
 * - glibc gives each thread an area of its own and raises the size from which it gives freed memory back with every
 *   large block, and the buffers of sockets are large: 20 MB more after a load. One area and any threshold of one's own
 *   stop that, but have to be there when the process begins, so it replaces itself once. The process id stays the same.
 * - What a thread has had lies between what the others keep, so it stays with the process when the thread has ended. Blocks
 *   from 16 KiB up are therefore given back one by one: 20 MB less after builds, at no CPU time that shows. From 4 KiB up
 *   it would be 50 MB less, for 8% more CPU time.
 * - In a container the heap has to fit into what that may have, which only the process itself can see: it takes at most 40 % of it, and of less than 512 MB
 *   its young part takes a quarter of what it takes else.
 * - The flags below bound V8's heap and leave its middle compiler (Maglev) out: it leaves 27 MB of fragments behind
 *   and makes nothing faster here, as the hot functions reach the last compiler (TurboFan) anyway.
 * - V8 does not place by experience what it makes (allocation-site pretenuring). Where a start is slow, what requests make seems to live for
 *   long; from then on it goes straight into the old part of the heap, with all that it refers to, and the whole heap is collected twice
 *   a second. Seen in one start of three on 2026-11-25, for its whole life, at 1.3 times the CPU time of an answer.
 * - Where the processor has memory protection keys, V8 keeps book of the pages of its code, for all threads together, and ends the
 *   process where a thread that ends is not in it ("Check failed: jit_page.has_value()"; Node.js 24.21, seen once, on 2026-11-23). It does
 *   without the keys.
 */
import { existsSync } from 'node:fs';
import * as modules from 'node:module';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { getHeapStatistics } from 'node:v8';
import { nodeLinesText } from './lib/node-lines.js';

if (!process.features.typescript) {
  // An install without optional dependencies has no Node.js of its own; where it has one, npm puts it first in the path.
  const hasOwn = existsSync(new URL('../node_modules/.bin/node', import.meta.url));
  const advice = hasOwn
    ? 'Run "npm start", or "npx node src/start.js": they take the Node.js that the packages have brought.'
    : 'Run "npm ci", without --omit and --ignore-scripts: it brings the right one, and makes what the server needs. Then run "npm start".';
  console.error(`Switchyard runs on ${nodeLinesText}; this is ${process.versions.node}. ${advice}`);
  process.exit(1);
}

// Before anything is loaded: to strip the types of a small module takes 50 ms, and the process loads it twice.
modules.enableCompileCache(path.join(import.meta.dirname, '../node_modules/.cache/switchyard'));

const usage = `Usage: npm start -- [--processes <number>]

Run the server.

  --processes <number>  how many processes share the port; auto: one for each core
  -h, --help            show this text

Environment variables and a YAML file configure it: docs/reference/configuration.md.
"npm run switchyard -- --help" lists the other commands.`;

// Others may start this with a channel too.
const isOneOfSeveral = process.send !== undefined && process.argv.some((arg) => arg.startsWith('--process='));
// The command `serve` reads its own arguments.
if (import.meta.main && !isOneOfSeveral) {
  try {
    const { values } = parseArgs({
      options: { processes: { type: 'string' }, help: { type: 'boolean', short: 'h' } },
    });
    if (values.help) {
      console.log(usage);
      process.exit(0);
    }
    if (values.processes !== undefined) process.env['PROCESSES'] = values.processes;
  } catch (error) {
    console.error(
      `${error.message.replace(/\.?$/, '.')} "npm start" takes --processes with a number, or auto.`,
    );
    process.exit(1);
  }
}

const allocation = {
  MALLOC_ARENA_MAX: '1',
  MALLOC_TRIM_THRESHOLD_: '131072',
  MALLOC_MMAP_THRESHOLD_: '16384',
};
/** @param {number} memory what there is for the process, in bytes */
const flagsFor = (memory) => [
  '--disable-warning=ExperimentalWarning',
  `--max-semi-space-size=${memory < 512 * 1024 ** 2 ? 4 : 16}`,
  '--no-allocation-site-pretenuring',
  '--max-old-space-size=512',
  '--no-parallel-scavenge',
  '--no-maglev',
  '--no-memory-protection-keys',
];
if (process.platform === 'linux') {
  const { lowerHelperPriority, memoryLimit, withHeapBound } = await import('./lib/capacity.ts');
  const nameOf = (/** @type {string} */ flag) => flag.split('=')[0];
  const given = process.execArgv.map(nameOf);
  const memory = memoryLimit();
  const all = [...flagsFor(memory).filter((flag) => !given.includes(nameOf(flag))), ...process.execArgv];
  // Each of several processes gets its part of the memory as a flag.
  const wanted = process.send ? all : withHeapBound(all, getHeapStatistics().heap_size_limit, memory);
  const allocates = Object.keys(allocation).some((name) => process.env[name] !== undefined);
  if (!allocates || wanted.join(' ') !== process.execArgv.join(' ')) {
    // The command line of `serve` has said all it has to say, and would be loaded once more.
    const own = import.meta.main ? process.argv.slice(2) : [];
    const args = [process.execPath, ...wanted, import.meta.filename, ...own];
    // It does not end as others do, which keep what they have compiled then; under other flags this is kept apart.
    modules.flushCompileCache();
    process.execve(process.execPath, args, { ...process.env, ...(!allocates && allocation) });
  }
  lowerHelperPriority();
}

// The shell by which npm runs a script ends by a signal and passes none on: its end is taken for one.
/** @type {NodeJS.Timeout | undefined} */
let watching;
if (process.env['npm_lifecycle_event'] === 'start' && !isOneOfSeveral) {
  const shell = process.ppid;
  watching = setInterval(() => {
    if (process.ppid === shell) return;
    clearInterval(watching);
    process.kill(process.pid, 'SIGTERM');
  }, 500);
  watching.unref();
}
// A terminal sends its signal to the shell and to the server: another one after it would mean that it is to stop at once.
const watchNoMore = () => {
  for (const signal of ['SIGTERM', 'SIGINT']) process.once(signal, () => clearInterval(watching));
};

const count = isOneOfSeveral ? 1 : await wantedProcesses();
if (count > 1) {
  const { Supervisor } = await import('./server/processes/supervisor.ts');
  new Supervisor(import.meta.filename, count).run();
  watchNoMore();
} else {
  const { serverBundle } = await import('./lib/server-bundle.ts');
  const bundle = serverBundle();
  const { stopSignals } = await (bundle ? import(bundle.worker) : import('./server/processes/worker.ts'));
  // The first process of a container is not ended by a signal without a listener. A wait for a database listens, and says so.
  const leave = (/** @type {'SIGTERM' | 'SIGINT'} */ signal) => {
    if (stopSignals.listenerCount(signal) === 1) process.exit(0);
  };
  stopSignals.on('SIGTERM', leave);
  stopSignals.on('SIGINT', leave);
  await (bundle ? import(bundle.server) : import('./server/server.ts'));
  stopSignals.off('SIGTERM', leave);
  stopSignals.off('SIGINT', leave);
  watchNoMore();
  // Node.js keeps what it has read of its compile cache until then: 4 MB.
  modules.flushCompileCache();
}

/** The value of `PROCESSES`; also 1 for an invalid one, which the server reports with all other errors. */
async function wantedProcesses() {
  const text = process.env['PROCESSES']?.trim() || '1';
  if (text === '1') return 1;
  const { processCount } = await import('./lib/capacity.ts');
  return processCount(text) ?? 1;
}
