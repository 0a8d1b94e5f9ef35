import { byName, tokenColumns } from '../../../src/store/token-columns.ts';
import type { Call, Evidence, LedgerEntry, Life, VendorCall, Work, WorkEvent } from '../evidence.ts';

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
  ...change,
});
