import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { ServiceError } from '../../../src/contract/errors.ts';
import { FaultLog } from '../../../src/observe/fault-log.ts';
import { createLog } from '../../../src/observe/log.ts';
import { toStoreError } from '../../../src/store/errors.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function faultLog() {
  const lines: Record<string, unknown>[] = [];
  const faults = new FaultLog(
    createLog('info', { destination: { write: (line) => lines.push(JSON.parse(line)) } }),
  );
  return { faults, lines };
}

const refused = () =>
  toStoreError(Object.assign(new Error('connect ECONNREFUSED 127.0.0.1:5432'), { code: 'ECONNREFUSED' }));

it('writes a line of a kind at once, then one a second with how many there were', () => {
  const { faults, lines } = faultLog();
  for (let n = 0; n < 1_000; n += 1) {
    // As a request reports it: the error that the client is told, around the store's.
    const error = new ServiceError('storage_unavailable', 'later', { cause: refused() });
    faults.report(error, 'createChat', { request_id: `req_${n}` });
  }
  faults.report(refused(), 'factory');
  expect(lines).toMatchObject([
    { where: 'createChat', failure: 'unreachable', code: 'ECONNREFUSED', count: 1, request_id: 'req_0' },
    { where: 'factory', failure: 'unreachable', count: 1 },
  ]);
  vi.advanceTimersByTime(1_000);
  expect(lines.slice(2)).toMatchObject([{ where: 'createChat', count: 999, request_id: 'req_999' }]);
  faults.report(refused(), 'createChat');
  faults.report(refused(), 'createChat');
  expect(lines).toHaveLength(3);
  vi.advanceTimersByTime(1_000);
  expect(lines.slice(3)).toMatchObject([{ where: 'createChat', count: 2 }]);
  vi.advanceTimersByTime(5_000);
  expect(lines).toHaveLength(4);
  expect(JSON.stringify(lines)).not.toContain('    at ');
});

it('writes at the end what is only counted yet, once', () => {
  const { faults, lines } = faultLog();
  for (let n = 0; n < 5; n += 1) faults.report(refused(), 'createChat');
  faults.flush();
  faults.flush();
  vi.advanceTimersByTime(5_000);
  expect(lines.map(({ count }) => count)).toEqual([1, 4]);
});

it('writes every other fault with its stack, and masks what looks like a key in both', () => {
  const { faults, lines } = faultLog();
  faults.report(new Error('a bug with sk-canary-0123456789abcdef'), 'createChat');
  faults.report(new Error('a bug'), 'createChat');
  faults.report(toStoreError(new Error('sk-canary-0123456789abcdef')), 'createChat');
  expect(lines).toHaveLength(3);
  expect(lines[0]).toMatchObject({ err: { stack: expect.stringContaining('    at ') } });
  expect(JSON.stringify(lines)).not.toContain('canary');
});
