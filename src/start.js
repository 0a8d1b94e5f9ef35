/**
 * What `npm start` runs: the server in a process that starts quickly and stays small.
 *
 * - The compiled form of the sources is kept beside the packages: every later start takes half the time and 25 MB less.
 *   Where that directory cannot be written, nothing is lost.
 * - glibc raises the size from which it gives freed memory back with every large block, and the buffers of sockets are
 *   large: 10 MB more after a load. Any threshold of one's own stops that, but has to be there when the process begins,
 *   so it replaces itself once. The process id stays the same.
 */
import { enableCompileCache } from 'node:module';
import path from 'node:path';

const threshold = 'MALLOC_TRIM_THRESHOLD_';
if (process.platform === 'linux' && process.env[threshold] === undefined) {
  const args = [process.execPath, ...process.execArgv, ...process.argv.slice(1)];
  process.execve(process.execPath, args, { ...process.env, [threshold]: '131072' });
}

enableCompileCache(path.join(import.meta.dirname, '../node_modules/.cache/switchyard'));
await import('./server.ts');
