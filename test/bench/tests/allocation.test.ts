/** What a request of each lane allocates, which no other work on the machine moves. */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { allocatedBy, LANES } from '../allocation.ts';

const able = Boolean(process.env['CI']) || spawnSync('sh', ['-c', 'command -v cc']).status === 0;
const most = parse(readFileSync(new URL('../allocation.yaml', import.meta.url), 'utf8')) as Readonly<
  Record<string, number>
>;

it.runIf(able).each(Object.keys(LANES))('%s allocates no more than its bound', async (lane) => {
  const { bytes } = await allocatedBy(lane);
  expect(bytes).toBeGreaterThan(10_000);
  expect(bytes / 1000).toBeLessThanOrEqual(most[lane] ?? 0);
});
