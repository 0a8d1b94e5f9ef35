/**
 * Loaded into the measured server before its own code. At the first SIGUSR2 it begins to count, at the next it writes to the file
 * `ALLOCATION_FILE` what V8 has allocated since, in bytes; with `ALLOCATION_PLACES`, where, by V8's sampling profiler.
 */
import { renameSync, writeFileSync } from 'node:fs';
import { Session } from 'node:inspector/promises';
import { getHeapStatistics } from 'node:v8';

const file = process.env['ALLOCATION_FILE'];
const places = process.env['ALLOCATION_PLACES'] === 'yes';
/** Mean bytes from one sample to the next. */
const samplingInterval = 1024;

let from = null;
let session = null;

process.on('SIGUSR2', async () => {
  if (from === null) {
    if (places) await beginSampling();
    from = getHeapStatistics().total_allocated_bytes;
    write({});
    return;
  }
  const bytes = getHeapStatistics().total_allocated_bytes - from;
  from = null;
  const profile = session && (await session.post('HeapProfiler.stopSampling')).profile;
  write({ bytes, profile });
});

async function beginSampling() {
  session = new Session();
  session.connect();
  await session.post('HeapProfiler.startSampling', {
    samplingInterval,
    includeObjectsCollectedByMajorGC: true,
    includeObjectsCollectedByMinorGC: true,
  });
}

/** Whoever waits for it finds it whole. */
function write(result) {
  writeFileSync(`${file}.new`, JSON.stringify(result));
  renameSync(`${file}.new`, file);
}
