import { describe, expect, it } from 'vitest';
import { checkMemory, checkNode, checkNodeFaults } from '../../../../src/cli/doctor/machine-checks.ts';
import { judgeClock, judgeDatabase } from '../../../../src/cli/doctor/service-checks.ts';
import { judge } from '../../../../src/cli/doctor/setting-checks.ts';

const day = 86_400_000;
const look = {
  product: 'PostgreSQL 17.6',
  missing: [],
  unknown: [],
  writable: true,
  servers: 1,
  clockAheadMs: 0,
};

describe('doctor', () => {
  it.each([
    [judgeDatabase(look), 'ok'],
    [judgeDatabase({ ...look, missing: ['0017-x'] }), 'warn'],
    [judgeDatabase({ ...look, unknown: ['9999-x'] }), 'fail'],
    [judgeDatabase({ ...look, writable: false }), 'fail'],
    [judgeClock(900), 'ok'],
    [judgeClock(-5_000), 'warn'],
    [judgeClock(120_000), 'fail'],
    [judge('example.com', null, 60 * day, 0), 'ok'],
    [judge('example.com', null, 3 * day, 0), 'warn'],
    [judge('example.com', 'CERT_HAS_EXPIRED', 60 * day, 0), 'fail'],
    [checkNode('24.1.0'), 'ok'],
    [checkNode('22.1.0'), 'fail'],
    [checkNode('25.9.0'), 'warn'],
    [checkNode('26.12.1'), 'ok'],
    [checkNode('27.0.0'), 'warn'],
    [checkNodeFaults('24.22.1'), 'ok'],
    [checkNodeFaults('26.12.1'), 'ok'],
    [checkNodeFaults('24.22.0'), 'warn'],
    [checkNodeFaults('26.10.0'), 'warn'],
    [checkMemory(1024 * 2 ** 20, 8 * 2 ** 30), 'ok'],
    [checkMemory(256 * 2 ** 20, 8 * 2 ** 30), 'warn'],
    [checkMemory(128 * 2 ** 20, 8 * 2 ** 30), 'fail'],
    [checkMemory(0, 8 * 2 ** 30), 'ok'],
  ])('judges %j', (result, state) => {
    expect(result.state).toBe(state);
    expect(result.advice === null).toBe(state === 'ok');
  });
});
