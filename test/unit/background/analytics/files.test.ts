/** Files of settled requests: whole when they have their name, and of one hour each. */
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { files } from '../../../../src/background/analytics/files.ts';
import type { Batch } from '../../../../src/background/analytics/outbox.ts';
import { analyticsSample } from '../../../helpers/analytics.ts';
import { TestClock } from '../../../helpers/test-database.ts';

let root = '';
let directory = '';
beforeEach(async () => {
  living.clear();
  root = await mkdtemp(join(tmpdir(), 'switchyard-files-'));
  directory = join(root, 'analytics');
});
afterEach(() => rm(root, { recursive: true, force: true }));

const clock = new TestClock();
const living = new Set<string>();
const sinkAt = (instanceId: string) =>
  files({ directory, now: () => clock.now(), instanceId, present: async () => living });
const batchOf = (...ids: string[]): Batch => ({
  id: ids.join('-'),
  rows: ids.map((id) => ({ ...analyticsSample, id })),
});

async function idsIn(name: string): Promise<string[]> {
  const bytes = await readFile(join(directory, name));
  const text = (name.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString();
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line).id);
}

it('are of one hour each, and appear compressed when that is over', async () => {
  clock.set('2026-03-10T12:59:00Z');
  const sink = sinkAt('AA');
  await sink.send(batchOf('1', '2'));
  await sink.send(batchOf('3'));
  expect(await readdir(directory)).toEqual(['requests-2026-03-10T12-AA.ndjson.partial']);
  expect(await idsIn('requests-2026-03-10T12-AA.ndjson.partial')).toEqual(['1', '2', '3']);
  clock.set('2026-03-10T13:00:00Z');
  await sink.idle?.();
  expect(await readdir(directory)).toEqual(['requests-2026-03-10T12-AA.ndjson.gz']);
  await sink.send(batchOf('4'));
  await sink.close();
  expect((await readdir(directory)).sort()).toEqual([
    'requests-2026-03-10T12-AA.ndjson.gz',
    'requests-2026-03-10T13-AA.ndjson.gz',
  ]);
  expect(await idsIn('requests-2026-03-10T12-AA.ndjson.gz')).toEqual(['1', '2', '3']);
  expect(await idsIn('requests-2026-03-10T13-AA.ndjson.gz')).toEqual(['4']);
  const { mode } = await stat(join(directory, 'requests-2026-03-10T12-AA.ndjson.gz'));
  expect(mode & 0o077).toBe(0);
});

it('are never changed once they are whole: the same hour goes on in another', async () => {
  clock.set('2026-03-10T12:00:00Z');
  const sink = sinkAt('AA');
  await sink.send(batchOf('1'));
  await sink.close();
  const again = sinkAt('AA');
  await again.send(batchOf('2'));
  await again.close();
  expect((await readdir(directory)).sort()).toEqual([
    'requests-2026-03-10T12-AA-2.ndjson.gz',
    'requests-2026-03-10T12-AA.ndjson.gz',
  ]);
  expect(await idsIn('requests-2026-03-10T12-AA-2.ndjson.gz')).toEqual(['2']);
});

it('that a killed process has left are made whole without the line that it was writing, and those of others left alone', async () => {
  clock.set('2026-03-10T12:00:00Z');
  living.add('DEAD').add('ALIVE');
  const [dead, alive] = [sinkAt('DEAD'), sinkAt('ALIVE')];
  await dead.send(batchOf('1', '2'));
  await alive.send(batchOf('3'));
  const torn = join(directory, 'requests-2026-03-10T12-DEAD.ndjson.partial');
  await writeFile(torn, '{"id":"torn', { flag: 'a' });
  living.delete('DEAD');
  clock.set('2026-03-10T14:00:00Z');
  const heir = sinkAt('HEIR');
  await heir.idle?.();
  expect((await readdir(directory)).sort()).toEqual([
    'requests-2026-03-10T12-ALIVE.ndjson.partial',
    'requests-2026-03-10T12-HEIR.ndjson.gz',
  ]);
  expect(await idsIn('requests-2026-03-10T12-HEIR.ndjson.gz')).toEqual(['1', '2']);
  // At its end it touches nothing that is not its own.
  await dead.close();
  await alive.close();
  expect((await readdir(directory)).sort()).toEqual([
    'requests-2026-03-10T12-ALIVE.ndjson.gz',
    'requests-2026-03-10T12-HEIR.ndjson.gz',
  ]);
});

it('that were taken over from a process that was only slow take nothing more of it: it is sent again', async () => {
  clock.set('2026-03-10T12:00:00Z');
  living.add('SLOW');
  const slow = sinkAt('SLOW');
  await slow.send(batchOf('1'));
  living.delete('SLOW');
  await sinkAt('HEIR').idle?.();
  await expect(slow.send(batchOf('2'))).rejects.toThrow('Another server has taken over');
  await slow.send(batchOf('2'));
  await slow.close();
  const names = (await readdir(directory)).sort();
  expect(names).toEqual(['requests-2026-03-10T12-HEIR.ndjson.gz', 'requests-2026-03-10T12-SLOW.ndjson.gz']);
  expect((await Promise.all(names.map(idsIn))).flat()).toEqual(['1', '2']);
});

it('end with whole lines where a write has failed half way', async () => {
  clock.set('2026-03-10T12:00:00Z');
  const sink = sinkAt('AA');
  await sink.send(batchOf('1'));
  // What a full disk leaves of a batch that was not taken.
  await writeFile(join(directory, 'requests-2026-03-10T12-AA.ndjson.partial'), '{"id":"ha', { flag: 'a' });
  await sink.send(batchOf('2'));
  await sink.close();
  expect(await idsIn('requests-2026-03-10T12-AA.ndjson.gz')).toEqual(['1', '2']);
});
