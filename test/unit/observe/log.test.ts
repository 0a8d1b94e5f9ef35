import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ServiceError } from '../../../src/contract/errors.ts';
import { FaultLog } from '../../../src/observe/fault-log.ts';
import {
  createLog,
  GatheredLines,
  type GatheringOptions,
  type LogOptions,
  logRequest,
} from '../../../src/observe/log.ts';
import { toStoreError } from '../../../src/store/errors.ts';

/** Of a request, with what has to be escaped, and a field that is left out. */
const fields = {
  request_id: 'req_1',
  operation: null,
  status: 200,
  duration_ms: 1.5,
  key_id: undefined,
  attempts: [{ model: 'a "model"\n\u0007', errorCode: null }],
};

function logged(level: string, options: LogOptions, write: (log: ReturnType<typeof createLog>) => void) {
  const lines: string[] = [];
  write(createLog(level, { ...options, destination: { write: (line) => lines.push(line) } }));
  return lines.map((line) => line.replace(/"time":"[^"]+"/, '"time"'));
}

it.each([{}, { process: 2 }])('writes the line of a request as pino does, with %j', (options) => {
  const lines = logged('info', options, (log) => logRequest(log, fields));
  expect(lines).toEqual(logged('info', options, (log) => log.info(fields, 'request')));
  expect(lines).toHaveLength(1);
});

it('writes no line of a request above the level of information', () => {
  expect(logged('warn', {}, (log) => logRequest(log, fields))).toEqual([]);
});

describe('gathered lines', () => {
  function gathered(options: GatheringOptions) {
    const written: string[] = [];
    const lines = new GatheredLines(
      {
        write: (text) => written.push(text),
        flush: (done) => done?.(),
        flushSync: () => written.push('flushed'),
      },
      options,
    );
    return { lines, written };
  }

  afterEach(() => {
    vi.useRealTimers();
  });

  it('writes lines together once they are enough, in their order', () => {
    const { lines, written } = gathered({ enough: 10, withinMs: 60_000 });
    for (const line of ['one\n', 'two\n', 'three\n', 'four\n']) lines.write(line);
    expect(written).toEqual(['one\ntwo\nthree\n']);
    lines.flush();
    expect(written).toEqual(['one\ntwo\nthree\n', 'four\n']);
    lines.flush();
    expect(written).toHaveLength(2);
  });

  it('writes no piece of several lines that is longer than it may be, in bytes', () => {
    const { lines, written } = gathered({ enough: 12, most: 16, withinMs: 60_000 });
    for (const line of ['ü'.repeat(5), 'ä'.repeat(4), 'ö'.repeat(30), 'end']) lines.write(line);
    lines.flush();
    expect(written).toEqual(['ü'.repeat(5), 'ä'.repeat(4), 'ö'.repeat(30), 'end']);
  });

  it('has a line wait for others for a while only', () => {
    vi.useFakeTimers();
    const { lines, written } = gathered({ enough: 1_000, withinMs: 100 });
    lines.write('one\n');
    vi.advanceTimersByTime(60);
    lines.write('two\n');
    vi.advanceTimersByTime(39);
    expect(written).toEqual([]);
    vi.advanceTimersByTime(1);
    expect(written).toEqual(['one\ntwo\n']);
    lines.write('three\n');
    vi.advanceTimersByTime(100);
    expect(written).toEqual(['one\ntwo\n', 'three\n']);
  });

  it('writes what waits at the end of the process, and tells when it is out', () => {
    const { lines, written } = gathered({ enough: 1_000, withinMs: 60_000 });
    lines.write('one\n');
    lines.flushSync();
    expect(written).toEqual(['one\n', 'flushed']);
    lines.write('two\n');
    const done = vi.fn();
    lines.flush(done);
    expect(written.at(-1)).toBe('two\n');
    expect(done).toHaveBeenCalledTimes(1);
  });
});

describe('the log of faults', () => {
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
      // As a request reports it: the client's error, around the store's.
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
});
