import { expect, it } from 'vitest';
import { brotliIsSafe, nodeFault } from '../../../src/lib/node-faults.ts';

it.each([
  ['20.20.9', false],
  ['22.23.3', false],
  ['22.23.4', true],
  ['22.24.0', true],
  ['23.11.1', false],
  ['24.9.9', false],
  ['24.21.0', false],
  ['24.22.0', false],
  ['24.22.1', true],
  ['24.100.0', true],
  ['25.9.0', false],
  ['26.9.2', false],
  ['26.10.0', false],
  ['26.12.0', false],
  ['26.12.1-nightly20261015', false],
  ['26.12.1', true],
  ['v26.12.2-rc.1', true],
  ['26.13.0', true],
  ['27.0.0', true],
  ['100.0.0', true],
  ['', false],
  ['of tomorrow', false],
])('of Node.js %j Brotli is safe: %s', (version, safe) => {
  expect(brotliIsSafe(version)).toBe(safe);
  expect(nodeFault(version) === null).toBe(safe);
});

it('says which version has which fault, and what to run', () => {
  const { message = '', advice = '' } = nodeFault('26.10.0') ?? {};
  expect(message).toContain('Node.js 26.10.0 is open to CVE-2026-111497');
  expect(advice).toContain('26.12.1');
});
