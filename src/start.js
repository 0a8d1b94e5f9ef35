/**
 * What `npm start` runs: the server in a process that starts quickly and stays small.
 *
 * - The compiled form of the sources is kept beside the packages: every later start takes half the time and 25 MB less.
 *   Where that directory cannot be written, nothing is lost.
 * - glibc gives each thread an area of its own and raises the size from which it gives freed memory back with every
 *   large block, and the buffers of sockets are large: 20 MB more after a load. One area and any threshold of one's own
 *   stop that, but have to be there when the process begins, so it replaces itself once. The process id stays the same.
 * - What a thread has had lies between what the others keep, so it stays with the process when the thread has ended. Blocks
 *   from 16 KiB up are therefore given back one by one: 20 MB less after builds, at no CPU time that shows. From 4 KiB up
 *   it would be 50 MB less, for 8% more CPU time.
 * - In a container V8's heap takes no more than its share of what the container has: what else the process needs, of the same order
 *   of size, has to fit beside it.
 * - The flags below bound V8's heap and leave its middle compiler (Maglev) out: it leaves 27 MB of fragments behind
 *   and makes nothing faster here, as the hot functions reach the last compiler (TurboFan) anyway.
 */
import * as modules from 'node:module';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';

if (!process.features.typescript) {
  // An install that ran no scripts has no Node.js of its own.
  console.error(
    `Switchyard runs on Node.js 24, this is ${process.versions.node}. Run "npm ci", without --omit=dev and --ignore-scripts: it ` +
      'brings the right one, and makes what the server needs.',
  );
  process.exit(1);
}

// Others may start this with a channel too.
const isOneOfSeveral = process.send !== undefined && process.argv.some((arg) => arg.startsWith('--process='));
// The command `serve` reads its own arguments.
if (import.meta.main && !isOneOfSeveral) {
  try {
    const { values } = parseArgs({ options: { processes: { type: 'string' } } });
    if (values.processes !== undefined) process.env['PROCESSES'] = values.processes;
  } catch (error) {
    console.error(`${error.message} "npm start" takes --processes with a number, or auto.`);
    process.exit(1);
  }
}

const allocation = {
  MALLOC_ARENA_MAX: '1',
  MALLOC_TRIM_THRESHOLD_: '131072',
  MALLOC_MMAP_THRESHOLD_: '16384',
};
const flags = [
  '--disable-warning=ExperimentalWarning',
  '--max-semi-space-size=8',
  '--max-old-space-size=512',
  '--no-parallel-scavenge',
  '--no-maglev',
];
/** Of the memory of a container, for the old generation of V8's heap. */
const heapShare = 0.45;
// 0, or beyond all memory, where nothing is constrained (https://nodejs.org/api/process.html#processconstrainedmemory).
const memory = process.constrainedMemory();
const heapMb = Math.floor((memory * heapShare) / 1024 ** 2);
const isSmall = memory > 0 && memory < os.totalmem();
const nameOf = (/** @type {string} */ flag) => flag.split('=')[0];
const given = process.execArgv.map(nameOf);
const missing = [...flags, ...(isSmall ? [`--max-old-space-size=${Math.min(512, heapMb)}`] : [])].filter(
  (flag) => !given.includes(nameOf(flag)),
);
const allocates = Object.keys(allocation).some((name) => process.env[name] !== undefined);
if (process.platform === 'linux' && (missing.length > 0 || !allocates)) {
  const args = [process.execPath, ...missing, ...process.execArgv, ...process.argv.slice(1)];
  process.execve(process.execPath, args, { ...allocation, ...process.env });
}

modules.enableCompileCache(path.join(import.meta.dirname, '../node_modules/.cache/switchyard'));
const count = isOneOfSeveral ? 1 : await wantedProcesses();
if (count > 1) {
  const { Supervisor } = await import('./processes/supervisor.ts');
  new Supervisor(import.meta.filename, count).run();
} else {
  const { told } = await import('./processes/worker.ts');
  // The first process of a container is not ended by a signal that nobody listens to.
  const leave = () => process.exit(0);
  told.on('SIGTERM', leave);
  told.on('SIGINT', leave);
  await import('./server.ts');
  told.off('SIGTERM', leave);
  told.off('SIGINT', leave);
}

/** What `PROCESSES` says; 1 as well for what is wrong, as the server says so, with all else that is. */
async function wantedProcesses() {
  const text = process.env['PROCESSES']?.trim() || '1';
  if (text === '1') return 1;
  const { processCount } = await import('./lib/process-count.ts');
  return processCount(text) ?? 1;
}
