/**
 * Loaded into a server by the soak alone: on SIGUSR2 it collects all garbage and writes to `SOAK_FIGURES` what is left.
 * Needs `--expose-gc`.
 */
import { renameSync, writeFileSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';

if (isMainThread) {
  process.on('SIGUSR2', () => {
    // Twice: what finalizers let go of in the first is collected in the second.
    for (let n = 0; n < 2; n += 1) globalThis.gc?.();
    const file = process.env['SOAK_FIGURES'] ?? '';
    writeFileSync(`${file}.tmp`, JSON.stringify(process.memoryUsage()));
    renameSync(`${file}.tmp`, file);
  });
}
