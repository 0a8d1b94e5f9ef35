import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { Spool } from '../../../src/lib/spool.ts';

test('a spool says whether it can be written, and why not', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'switchyard-spool-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  expect(await new Spool(join(folder, 'uploads'), 1000).check()).toBeNull();
  expect(await readdir(folder)).toEqual([]);
  await writeFile(join(folder, 'file'), '');
  expect(await new Spool(join(folder, 'file'), 1000).check()).toMatch(/^(EEXIST|ENOTDIR)$/);
});
