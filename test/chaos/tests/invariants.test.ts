import { describe, expect, it } from 'vitest';
import { byName, sumColumns, tokenColumns } from '../../../src/store/token-columns.ts';
import {
  type Call,
  type Evidence,
  graceMs,
  type Holding,
  type LedgerEntry,
  type Life,
  type VendorCall,
  type Work,
  type WorkEvent,
} from '../evidence.ts';
import { ledgerIsTrue, limitsHold, socketsAgree, sumsAreRight } from '../invariants/ledger.ts';
import {
  answersAreForeseen,
  logIsReadable,
  nothingExposed,
  nothingHeld,
  processesLive,
  workEndsOnce,
} from '../invariants/service.ts';

/** Each invariant lets through what is right and catches what is wrong: a suite that never fails proves nothing. */

describe('limits', () => {
  const calls = (count: number, everyMs: number) =>
    Array.from({ length: count }, (_, n) => call({ id: `r${n}`, from: n * everyMs, to: n * everyMs + 10 }));
  const at = (count: number, everyMs: number, change: Partial<Evidence> = {}) =>
    limitsHold(
      evidence({
        calls: calls(count, everyMs),
        ledger: calls(count, everyMs).map(({ id }) => row({ request_id: id })),
        tenants: [{ id: 'acme', perMinute: 10, concurrent: null }],
        vendor: [],
        ...change,
      }),
    );

  it('are met by 10 in 60 s, and by 20 in a longer time', () => {
    expect(at(10, 1)).toEqual([]);
    expect(at(20, 6_001)).toEqual([]);
  });
  it('are broken by 11, in the ledger or in the hands of clients', () => {
    expect(at(11, 1)).toHaveLength(1);
    expect(at(11, 5_900)).toHaveLength(1);
    expect(at(11, 1, { ledger: [] })).toHaveLength(1);
    const unsure = calls(11, 1).map((each) => ({ ...each, outcome: 'unsure' as const }));
    const vendor = unsure.map(({ id, from }) => reached({ id, from: from + 5 }));
    expect(at(11, 1, { calls: unsure, vendor })).toHaveLength(1);
  });
  it('count one whose client has left by when it reached the vendor, not by when the client left', () => {
    const left = calls(11, 5_990).map((each, n) =>
      n === 10 ? { ...each, outcome: 'unsure' as const } : each,
    );
    expect(at(11, 5_990, { calls: left, vendor: [reached({ id: 'r10', from: 59_990 })] })).toHaveLength(1);
    expect(at(11, 5_990, { calls: left, vendor: [reached({ id: 'r10', from: 60_010 })] })).toEqual([]);
    expect(at(11, 5_990, { calls: left })).toEqual([]);
  });

  const together = (gapMs: number) => {
    const vendor = ['a', 'b', 'c', 'd'].map((id, n) => reached({ id, from: n * gapMs, to: n * gapMs + 100 }));
    const tenants = [{ id: 'acme', perMinute: null, concurrent: 3 }];
    return limitsHold(evidence({ calls: vendor.map(({ id }) => call({ id })), vendor, tenants, ledger: [] }));
  };
  it('count those that run at the same time', () => {
    expect(together(34)).toEqual([]);
    expect(together(10)).toHaveLength(1);
  });
  it('do not count what the vendor still does for an attempt that was given up', () => {
    const vendor = ['a', 'b', 'c', 'c'].map((id, n) => reached({ id, from: n, to: 100 }));
    const tenants = [{ id: 'acme', perMinute: null, concurrent: 2 }];
    const asked = ['a', 'b', 'c'].map((id) => call({ id }));
    expect(limitsHold(evidence({ calls: asked, vendor, tenants, ledger: [] }))).toEqual([]);
    expect(
      limitsHold(evidence({ calls: asked, vendor: vendor.slice(0, 3), tenants, ledger: [] })),
    ).toHaveLength(1);
  });
});

describe('the ledger', () => {
  const faults = (change: Partial<Evidence>) => ledgerIsTrue(evidence(change));

  it('is true where all three agree', () => {
    expect(faults({})).toEqual([]);
  });
  it('may have a success that no client holds when its connection broke', () => {
    expect(faults({ calls: [call({ outcome: 'unsure' })] })).toEqual([]);
  });
  it('may have an estimate, or what a garbled answer said', () => {
    const told = call({ usage: { prompt: 1, completion: 1 } });
    const said = { prompt_tokens: 1, completion_tokens: 1 };
    expect(faults({ calls: [told], ledger: [row({ ...said, usage_source: 'estimated' })] })).toEqual([]);
    expect(faults({ calls: [told], ledger: [row(said)], vendor: [reached({ usage: null })] })).toEqual([]);
  });
  it.each<[string, Partial<Evidence>]>([
    ['the vendor never finished', { vendor: [reached({ whole: false })] }],
    ['a success is missing', { ledger: [] }],
    ['a request of the vendor is missing', { ledger: [], calls: [call({ outcome: 'unsure' })] }],
    ['a request stands twice', { ledger: [row(), row({ id: '01B' })] }],
    [
      'a success is interrupted',
      { ledger: [row({ status: 'interrupted' })], lives: [life({ end: 'killed', to: 1_200 })] },
    ],
    ['a success failed', { ledger: [row({ status: 'failed' })] }],
    ['usage is not what the client was told', { ledger: [row({ completion_tokens: 6 })], vendor: [] }],
    [
      'usage is not what the vendor said',
      { calls: [call({ outcome: 'unsure' })], ledger: [row({ prompt_tokens: 1 })] },
    ],
    ['a refusal succeeded', { calls: [call({ outcome: 'refused', status: 502 })] }],
    ['nobody sent it', { ledger: [row(), row({ request_id: 'other' })] }],
    ['its server lives', { calls: [call({ outcome: 'unsure' })], ledger: [row({ status: 'interrupted' })] }],
    ['it stays open', { ledger: [row({ settled_at: null, status: 'running' })], now: 1_100 + graceMs + 1 }],
    ['an answered one stays open', { ledger: [row({ settled_at: null, status: 'running' })], now: 7_000 }],
    ['an attempt is not told of', { vendor: [reached(), reached({ whole: false })] }],
  ])('is not when %s', (_, change) => {
    expect(faults(change)).toHaveLength(1);
  });
});

describe('requests over sockets', () => {
  const asked = call({ id: 'a', kind: 'socket', tenant: 'sockets' });
  const unsure = { ...asked, outcome: 'unsure' as const, usage: null };
  const mine = (change: Partial<LedgerEntry> = {}) =>
    row({ tenant_id: 'sockets', request_id: '01C', ...change });
  const faults = (change: Partial<Evidence>) =>
    socketsAgree(evidence({ calls: [asked], ledger: [mine()], vendor: [reached({ id: 'a' })], ...change }));
  it.each<[string, Partial<Evidence>, number]>([
    ['all three agree', {}, 0],
    ['its client left', { calls: [unsure] }, 0],
    [
      'its server was killed',
      { calls: [unsure], ledger: [mine({ status: 'interrupted' })], lives: [life({ end: 'killed', to: 1 })] },
      0,
    ],
    ['its server lives', { calls: [unsure], ledger: [mine({ status: 'interrupted' })] }, 1],
    ['it stands twice', { calls: [unsure], ledger: [mine(), mine()] }, 2],
    ['it is missing', { calls: [unsure], ledger: [] }, 1],
    ['its tokens are others', { ledger: [mine({ completion_tokens: 6 })] }, 2],
    ['a refusal succeeded', { calls: [{ ...unsure, outcome: 'refused' }] }, 1],
    [
      'it stays open',
      { calls: [unsure], ledger: [mine({ settled_at: null, status: 'running' })], now: 2_000 + graceMs },
      1,
    ],
  ])('agree with the ledger, or not: %s', (_, change, problems) => {
    expect(faults(change)).toHaveLength(problems);
  });
});

describe('daily sums', () => {
  const sum = {
    tenant_id: 'acme',
    operation: 'createChat',
    ...byName(sumColumns, () => 0),
    requests: 1,
    succeeded: 1,
    prompt_tokens: 20,
    completion_tokens: 5,
    cost_micro_usd: 7,
  };
  it('are those of the settled rows', () => {
    const open = row({ id: '01B', settled_at: null, summed_as: null, status: 'running' });
    expect(sumsAreRight(evidence({ sums: [sum], ledger: [row(), open] }))).toEqual([]);
  });
  it('are wrong when one differs, or is missing', () => {
    expect(sumsAreRight(evidence({ sums: [{ ...sum, completion_tokens: 6 }] }))).toHaveLength(1);
    expect(sumsAreRight(evidence({ sums: [{ ...sum, cache_write_1h_tokens: 1 }] }))).toHaveLength(1);
    expect(sumsAreRight(evidence({ sums: [{ ...sum, unpriced: 1 }] }))).toHaveLength(1);
    expect(sumsAreRight(evidence({ sums: [{ ...sum, requests: 2, interrupted: 1 }] }))).toHaveLength(2);
    expect(sumsAreRight(evidence({ sums: [] }))).toHaveLength(1);
  });
});

describe('builds and runs', () => {
  const whole = jobEvents('job.queued', 'job.started', 'job.succeeded');
  const faults = (change: Partial<Evidence>) =>
    workEndsOnce(
      evidence({
        calls: [call({ kind: 'build', started: 'job_1' })],
        work: [job()],
        events: whole,
        ...change,
      }),
    );

  it('end once', () => {
    expect(faults({})).toEqual([]);
    expect(faults({ work: [job({ attempt: 2 })], lives: [life({ end: 'killed', to: 1_050 })] })).toEqual([]);
    expect(faults({ work: [job({ attempt: 2 })], outages: [{ from: 900, to: 1_050 }] })).toEqual([]);
  });
  it.each<[string, Partial<Evidence>]>([
    ['one is gone', { work: [], events: [] }],
    ['an event is missing', { events: whole.filter(({ seq }) => seq !== 2), work: [job({ count: 2 })] }],
    ['the row counts wrong', { work: [job({ count: 4 })] }],
    ['there is no end', { events: jobEvents('job.queued', 'job.started', 'notice') }],
    ['there are two ends', { events: jobEvents('job.queued', 'job.failed', 'job.succeeded') }],
    ['something comes after the end', { events: jobEvents('job.queued', 'job.succeeded', 'notice') }],
    ['row and event differ', { work: [job({ status: 'failed' })] }],
    ['it ended and goes on', { work: [job({ finished_at: null })] }],
    [
      'it never ends',
      { work: [job({ finished_at: null })], events: jobEvents('a', 'b', 'c'), now: 1_100 + graceMs + 1 },
    ],
    ['it was begun twice for nothing', { work: [job({ attempt: 2 })] }],
    [
      'it was begun twice long after an outage',
      { work: [job({ attempt: 2 })], outages: [{ from: 1, to: 2 }] },
    ],
    [
      'a run is interrupted under a server that lives',
      { work: [job({ kind: 'run', status: 'interrupted' })], events: jobEvents('start', 'delta', 'end') },
    ],
  ])('do not when %s', (_, change) => {
    expect(faults(change)).toHaveLength(1);
  });
});

describe('processes', () => {
  const holding: Holding = { life: 1, server: 0, rss: 120, threads: 11, descriptors: 40, inbound: 0 };

  it('end when they are ended, not by themselves', () => {
    expect(processesLive({ lives: [life(), life({ end: 'killed' }), life({ end: 'drained' })] })).toEqual([]);
    expect(processesLive({ lives: [life({ end: 'itself', lastWords: 'code 1' })] })).toHaveLength(1);
  });
  it.each<Partial<Holding>>([{ rss: 900 }, { threads: 90 }, { descriptors: 400 }, { inbound: 1 }])(
    'give back what they held: not with %o',
    (change) => {
      expect(nothingHeld(holding, { ...holding, rss: 200, threads: 14, descriptors: 50 })).toEqual([]);
      expect(nothingHeld(holding, { ...holding, ...change })).toHaveLength(1);
    },
  );
});

it('a 500 is seen, a 503 is none', () => {
  expect(answersAreForeseen([call(), call({ status: 503, code: 'storage_unavailable' })])).toEqual([]);
  expect(answersAreForeseen([call({ status: 500, code: 'internal_error' })])).toHaveLength(1);
  expect(answersAreForeseen([call({ status: 200, code: 'internal_error' })])).toHaveLength(1);
});

it('secrets are seen anywhere, prompts where they do not belong', () => {
  const canaries = { prompt: 'canaryprompt', secrets: ['sk-canary'] };
  const faults = (text: string, holdsPrompts: boolean) =>
    nothingExposed(canaries, [{ where: 'the log', text, holdsPrompts }]);
  expect(faults('nothing', false)).toEqual([]);
  expect(faults('a canaryprompt', true)).toEqual([]);
  expect(faults('a canaryprompt', false)).toHaveLength(1);
  expect(faults('key=sk-canary', true)).toHaveLength(1);
});

it('a log is readable until one kind of line floods it, or stacks do', () => {
  const line = (msg: string, more = {}) =>
    JSON.stringify({ level: 50, time: '2026-11-22T04:00:00.100Z', msg, ...more });
  const times = (count: number, text: string) => Array.from({ length: count }, () => text).join('\n');
  expect(logIsReadable('server 0', times(500, line('request')))).toEqual([]);
  expect(logIsReadable('server 0', times(5, line('failed')))).toEqual([]);
  expect(logIsReadable('server 0', times(6, line('failed')))).toHaveLength(1);
  expect(logIsReadable('server 0', times(11, '    at thing (file.ts:1:2)'))).toHaveLength(1);
  const failed = (where: string) => line('Storage: away', { where });
  const places = ['queue', 'metering', 'factory', 'telling', 'a run', 'the end of a run'];
  expect(logIsReadable('server 0', places.map(failed).join('\n'))).toEqual([]);
  expect(logIsReadable('server 0', times(3, failed('queue')))).toEqual([]);
  expect(logIsReadable('server 0', times(4, failed('queue')))).toHaveLength(1);
});

/** Pieces of evidence that break nothing, for tests to change. */
export const usage = { prompt: 20, completion: 5 } as const;

export const call = (change: Partial<Call> = {}): Call => ({
  id: 'r1',
  round: 1,
  tenant: 'acme',
  kind: 'chat',
  life: 1,
  from: 1_000,
  to: 1_100,
  outcome: 'success',
  status: 200,
  code: null,
  usage,
  started: null,
  ...change,
});

export const row = (change: Partial<LedgerEntry> = {}): LedgerEntry => ({
  tenant_id: 'acme',
  id: '01A',
  request_id: 'r1',
  operation: 'createChat',
  status: 'succeeded',
  provider: 'openai',
  ...byName(tokenColumns, () => 0),
  prompt_tokens: 20,
  completion_tokens: 5,
  usage_source: 'provider',
  cost_micro_usd: 7,
  attempts: 1,
  settled_at: 5,
  summed_as: change.status ?? 'succeeded',
  ...change,
});

export const reached = (change: Partial<VendorCall> = {}): VendorCall => ({
  id: 'r1',
  from: 1_010,
  to: 1_090,
  whole: true,
  usage,
  ...change,
});

export const life = (change: Partial<Life> = {}): Life => ({
  id: 1,
  server: 0,
  from: 0,
  to: null,
  end: null,
  lastWords: '',
  ...change,
});

export const job = (change: Partial<Work> = {}): Work => ({
  id: 'job_1',
  kind: 'build',
  request_id: 'r1',
  status: 'succeeded',
  attempt: 1,
  count: 3,
  finished_at: 9,
  ...change,
});

export const jobEvents = (...types: string[]): WorkEvent[] =>
  types.map((type, index) => ({ work: 'job_1', seq: index + 1, type }));

export const evidence = (change: Partial<Evidence> = {}): Evidence => ({
  now: 2_000,
  calls: [call()],
  ledger: [row()],
  sums: [],
  work: [],
  events: [],
  vendor: [reached()],
  tenants: [],
  lives: [life()],
  outages: [],
  unaccounted: 'anonymous',
  onSockets: 'sockets',
  ...change,
});
