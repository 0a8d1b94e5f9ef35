import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Counter, Registry } from 'prom-client';
import { describe, expect, it, onTestFinished } from 'vitest';
import { checkDisk } from '../../../src/observe/disk-check.ts';
import { Tally } from '../../../src/observe/metrics.ts';

it('hands each count over once, under its labels', async () => {
  const registry = new Registry();
  const tally = new Tally(['operation', 'status']);
  const counter = new Counter({
    name: 'requests_total',
    help: 'Requests.',
    labelNames: ['operation', 'status'],
    registers: [registry],
    collect() {
      tally.handOver(this);
    },
  });
  tally.add(1, 'createChat', 200);
  tally.add(2, 'createChat', 200);
  tally.add(1, 'createChat', 429);
  tally.add(5, 'none', 200);
  const read = async () => (await counter.get()).values.map(({ labels, value }) => [labels, value]);
  const expected = [
    [{ operation: 'createChat', status: 200 }, 3],
    [{ operation: 'createChat', status: 429 }, 1],
    [{ operation: 'none', status: 200 }, 5],
  ];
  expect(await read()).toEqual(expected);
  expect(await read()).toEqual(expected);
  tally.add(4, 'none', 200);
  expect((await read())[2]?.[1]).toBe(9);
  expect(await registry.metrics()).toContain('requests_total{operation="createChat",status="429"} 1');
});

it('counts without labels too', async () => {
  const tally = new Tally([]);
  const registers = [new Registry()];
  const counter = new Counter({ name: 'all_total', help: 'All.', registers });
  tally.add(3);
  tally.handOver(counter);
  expect((await counter.get()).values[0]?.value).toBe(3);
});

describe('the check of the disk', () => {
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
});
