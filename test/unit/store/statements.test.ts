import { expect, it } from 'vitest';
import type { Settlement } from '../../../src/store/ledger.ts';
import { endNames, endOf } from '../../../src/store/sqlite/ledger.ts';

it('gives the values of a settlement in the order of the columns', () => {
  const named = new Proxy({}, { get: (_, name) => name }) as Settlement;
  expect(endOf(named, 'instance_id')).toEqual(endNames);
});
