import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { checkDisk } from '../../../src/observe/disk-check.ts';

it('a directory with room passes and is left as it was', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'switchyard-disk-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  expect(await checkDisk(folder, 1)).toMatch(/^\d+ MiB are free\.$/);
  expect(await readdir(folder)).toEqual([]);
});

it('too little room fails', async () => {
  await expect(checkDisk(tmpdir(), Number.MAX_SAFE_INTEGER)).rejects.toThrow(/^\d+ MiB are free, \d+ MiB/);
});

it('a directory fails that is not there, and one that takes no file', async () => {
  await expect(checkDisk(path.join(tmpdir(), 'not', 'there'))).rejects.toThrow('(ENOENT)');
  await expect(checkDisk('/proc/self', 0)).rejects.toThrow('Nothing can be written');
});
