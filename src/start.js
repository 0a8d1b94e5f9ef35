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
 * - In a container the heap has to fit into what that may have, which only the process itself can see: it takes at most 45 % of it.
 * - The flags of `npm start` bound V8's heap and leave its middle compiler (Maglev) out: it leaves 27 MB of fragments behind
 *   and makes nothing faster here, as the hot functions reach the last compiler (TurboFan) anyway.
 */
import * as modules from 'node:module';
import path from 'node:path';
import { getHeapStatistics } from 'node:v8';

if (!process.features.typescript) {
  // An install that ran no scripts has no Node.js of its own.
  console.error(
    `Switchyard runs on Node.js 24, this is ${process.versions.node}. Run "npm ci", without --omit=dev and --ignore-scripts: it ` +
      'brings the right one, and makes what the server needs.',
  );
  process.exit(1);
}

const allocation = {
  MALLOC_ARENA_MAX: '1',
  MALLOC_TRIM_THRESHOLD_: '131072',
  MALLOC_MMAP_THRESHOLD_: '16384',
};
if (process.platform === 'linux') {
  const { withHeapBound } = await import('./lib/heap-bound.ts');
  const { memoryLimit } = await import('./lib/memory-limit.ts');
  const flags = withHeapBound(process.execArgv, getHeapStatistics().heap_size_limit, memoryLimit());
  const allocates = Object.keys(allocation).every((name) => process.env[name] === undefined);
  if (allocates || flags !== process.execArgv) {
    const args = [process.execPath, ...flags, ...process.argv.slice(1)];
    process.execve(process.execPath, args, { ...process.env, ...(allocates && allocation) });
  }
}

modules.enableCompileCache(path.join(import.meta.dirname, '../node_modules/.cache/switchyard'));
// The first process of a container is not ended by a signal that nobody listens to.
const leave = () => process.exit(0);
process.on('SIGTERM', leave);
process.on('SIGINT', leave);
await import('./server.ts');
process.off('SIGTERM', leave);
process.off('SIGINT', leave);
