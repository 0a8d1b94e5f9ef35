/** What is known at the end of a round, as plain data: the invariants judge nothing else. */
import type { SumColumn, TokenColumn } from '../../src/store/token-columns.ts';

/** Milliseconds of this process's monotonic clock, which no fault touches. Other processes' are converted to it. */
export type Instant = number;

/** One request that a client of the suite has sent. */
export interface Call {
  /** Its `x-request-id`, which is also in the prompt, so that the vendor's log and the ledger can be told by it. */
  readonly id: string;
  readonly round: number;
  readonly tenant: string;
  readonly kind: 'chat' | 'stream' | 'feature' | 'agent' | 'build' | 'demo' | 'socket' | 'other';
  /** The process that was asked. */
  readonly life: number;
  readonly from: Instant;
  /** When the client was done with it. */
  readonly to: Instant;
  /**
   * `success`: a whole answer that says so. `refused`: a whole answer that says it failed. `unsure`: the connection
   * broke, or the client left or gave up waiting.
   */
  readonly outcome: 'success' | 'refused' | 'unsure';
  readonly status: number | null;
  /** The error's code, of a refusal. */
  readonly code: string | null;
  readonly usage: Usage | null;
  /** The build or run that was started. */
  readonly started: string | null;
}

export interface Usage {
  readonly prompt: number;
  readonly completion: number;
}

export interface LedgerEntry extends Readonly<Record<TokenColumn, number | null>> {
  readonly tenant_id: string;
  readonly id: string;
  readonly request_id: string;
  readonly operation: string;
  readonly status: string;
  readonly provider: string | null;
  readonly usage_source: string | null;
  readonly cost_micro_usd: number | null;
  /** How many attempts it tells of; null: none are recorded. */
  readonly attempts: number | null;
  readonly settled_at: number | null;
  /** The status under which the sums hold it; null: they do not yet. */
  readonly summed_as: string | null;
}

export interface UsageSum extends Readonly<Record<SumColumn, number>> {
  readonly tenant_id: string;
  readonly operation: string;
}

/** A build, or a run of an agent. */
export interface Work {
  readonly id: string;
  readonly kind: 'build' | 'run';
  readonly request_id: string;
  readonly status: string;
  /** How often it was begun; of a run 1. */
  readonly attempt: number;
  /** How many events its row says it has. */
  readonly count: number;
  readonly finished_at: number | null;
}

export interface WorkEvent {
  readonly work: string;
  readonly seq: number;
  readonly type: string;
}

/** One request as it reached the vendor. */
export interface VendorCall {
  readonly id: string;
  readonly from: Instant;
  /** Null while it is under way. */
  readonly to: Instant | null;
  /** Whether the vendor has sent the whole of a good answer. */
  readonly whole: boolean;
  /** What it said it took; null where a byte of the answer was garbled, which may be one of that. */
  readonly usage: Usage | null;
}

export interface Tenant {
  readonly id: string;
  readonly perMinute: number | null;
  readonly concurrent: number | null;
}

/** One process of a server, from its start to its end. */
export interface Life {
  readonly id: number;
  readonly server: number;
  readonly from: Instant;
  readonly to: Instant | null;
  /** Why it ended; `itself`: nobody asked it to. */
  readonly end: 'killed' | 'drained' | 'itself' | null;
  /** The end of what it has printed, for `itself`. */
  readonly lastWords: string;
}

export interface Outage {
  readonly from: Instant;
  readonly to: Instant;
}

/** What a process holds, in calm. */
export interface Holding {
  readonly life: number;
  readonly server: number;
  /** Resident memory in MB (10^6 bytes). */
  readonly rss: number;
  readonly threads: number;
  /** Open descriptors but for connections to vendors, of which a pool keeps some. */
  readonly descriptors: number;
  /** Connections of clients; in calm the suite has none. */
  readonly inbound: number;
}

/** A text in which secrets are looked for. */
export interface Exposure {
  readonly where: string;
  readonly text: string;
  /** Whether prompts are at home here. */
  readonly holdsPrompts: boolean;
}

export interface Evidence {
  readonly now: Instant;
  readonly calls: readonly Call[];
  readonly ledger: readonly LedgerEntry[];
  readonly sums: readonly UsageSum[];
  readonly work: readonly Work[];
  readonly events: readonly WorkEvent[];
  readonly vendor: readonly VendorCall[];
  readonly tenants: readonly Tenant[];
  readonly lives: readonly Life[];
  /** When the database could not be used, or not well. */
  readonly outages: readonly Outage[];
  /** The tenant of clients that keep no account of what they send. */
  readonly unaccounted: string;
  /** The tenant of clients that ask over sockets: its rows are known by their tokens, not by ids of its clients. */
  readonly onSockets: string;
}

/**
 * Maximum time that a dead process's requests, builds and runs may stay open: its lease of 15 s, a sweep, a minute in the queue,
 * and the work itself.
 */
export const graceMs = 90_000;
