/** The Node.js that an install brings: the right one for each kind of machine, whatever machine the lock file was made on. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { brotliIsSafe } from '../../../src/lib/node-faults.ts';
import { nodeLine, nodePackages } from '../../../src/lib/node-lines.js';
import { root } from '../../helpers/contract.ts';
import { testEvery } from '../../helpers/test-every.ts';

const read = (name: string) => JSON.parse(readFileSync(path.join(root, name), 'utf8'));
const { optionalDependencies } = read('package.json') as { optionalDependencies: Record<string, string> };
const { packages } = read('package-lock.json') as { packages: Record<string, Record<string, unknown>> };

it('is an optional dependency for each kind of machine, and nothing else is', () => {
  expect(Object.keys(optionalDependencies).sort()).toEqual(Object.values(nodePackages).sort());
});

testEvery(
  'is locked for each kind of machine, for that one alone',
  Object.entries(nodePackages),
  ([kind, name]) => {
    const [os, cpu] = kind.split('-');
    const version = optionalDependencies[name];
    expect(packages[`node_modules/${name}`]).toMatchObject({ version, os, cpu, optional: true });
    expect(packages[`node_modules/${name}`]).not.toHaveProperty('hasInstallScript');
    expect(version).toMatch(new RegExp(`^${nodeLine}\\.\\d+\\.\\d+$`));
    // Where none without the fault is published yet, the server keeps away from Brotli.
    expect(brotliIsSafe(version ?? '') || os !== 'linux').toBe(true);
  },
  { idOf: ([kind]) => kind },
);

it('is locked without the addresses that packages came from', () => {
  expect(Object.keys(packages).filter((place) => packages[place]?.['resolved'] !== undefined)).toEqual([]);
});

it('runs this', () => {
  expect(process.versions.node.split('.')[0]).toBe(String(nodeLine));
});
