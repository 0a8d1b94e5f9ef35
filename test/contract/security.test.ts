/** SECURITY.md names the test of each promise: each must be there. */
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { root } from '../helpers/contract.ts';

const text = readFileSync(path.join(root, 'SECURITY.md'), 'utf8');
const named = [...text.matchAll(/`((?:test|src|openapi|\.ci)\/[^`\s]+)`/g)].map(([, file]) => file ?? '');

it('names files that exist', () => {
  expect(named.length).toBeGreaterThan(40);
  expect(named.filter((file) => !existsSync(path.join(root, file)))).toEqual([]);
});

it('has a test for every promise, and a line for every risk of OWASP', () => {
  const rows = text
    .split('\n')
    .filter((line) => line.startsWith('| ') && !/^\| (?:Promise|Risk) /.test(line));
  expect(rows.length).toBeGreaterThan(25);
  expect(rows.filter((row) => !/`(?:test\/|npm run chaos)/.test(row))).toEqual([]);
  for (let risk = 1; risk <= 10; risk += 1) expect(text).toContain(`| API${risk} `);
});
