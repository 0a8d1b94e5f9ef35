import type {
  DemoHitRow,
  FactoryCheckpointRow,
  FactoryEventRow,
  FactoryJobRow,
  FactoryOutputRow,
  PlanHitRow,
} from './factory-schema.ts';
import type { SumColumn, TokenColumn } from './token-columns.ts';

/**
 * The tables. Times are whole milliseconds since the epoch, days and months those of `lib/utc.ts`, money is whole
 * millionths of a US dollar. JSON is kept as text: nothing searches in it.
 */
export interface Tables {
  tenants: TenantRow;
  keys: KeyRow;
  counters: CounterRow;
  token_seconds: TokenSecondRow;
  ledger: LedgerRow;
  usage_days: UsageDayRow;
  instances: InstanceRow;
  changes: ChangeRow;
  audit: AuditRow;
  sessions: SessionRow;
  login_links: LoginLinkRow;
  signups: SignupRow;
  attempts: AttemptRow;
  settings: SettingRow;
  agent_runs: AgentRunRow;
  agent_run_events: AgentRunEventRow;
  kept_objects: KeptObjectRow;
  kept_contents: KeptContentRow;
  factory_jobs: FactoryJobRow;
  factory_events: FactoryEventRow;
  factory_outputs: FactoryOutputRow;
  factory_checkpoints: FactoryCheckpointRow;
  demo_hits: DemoHitRow;
  plan_hits: PlanHitRow;
}

export interface TenantRow {
  id: string;
  name: string;
  plan: string;
  suspended_at: number | null;
  /** JSON object of the limits that differ from the plan's. */
  overrides: string;
  created_at: number;
}

export interface KeyRow {
  /** The public id in the key. */
  id: string;
  tenant_id: string;
  /** HMAC-SHA-256 of the whole key, hexadecimal. */
  digest: string;
  label: string;
  /** Separated by spaces. */
  scopes: string;
  created_at: number;
  expires_at: number | null;
  revoked_at: number | null;
  /** The key that this one replaces. */
  rotated_from: string | null;
  /** Until when a replaced key stays good. */
  grace_until: number | null;
  last_used_at: number | null;
}

/** One row a tenant, changed by admissions alone. */
export interface CounterRow {
  tenant_id: string;
  /** Admissions ever: whoever finds it changed knows that others have admitted. */
  seq: number;
  last_at: number;
  day: number;
  day_used: number;
  month: number;
  month_used: number;
}

/** Tokens by the second of their admission, for tenants with a token limit. */
export interface TokenSecondRow {
  tenant_id: string;
  second: number;
  tokens: number;
}

export type LedgerStatus = 'running' | 'succeeded' | 'failed' | 'cancelled' | 'interrupted';

/** One row an admitted request. A class of tokens is null where no model has counted. */
export interface LedgerRow extends Record<TokenColumn, number | null> {
  tenant_id: string;
  created_at: number;
  /** Number of the admission among the tenant's. */
  seq: number;
  id: string;
  request_id: string;
  key_id: string;
  operation: string;
  model_asked: string | null;
  /** The process that answers it. */
  instance_id: string;
  status: LedgerStatus;
  http_status: number | null;
  model: string | null;
  provider: string | null;
  usage_source: 'provider' | 'estimated' | null;
  /** Null where no price is known. */
  cost_micro_usd: number | null;
  error_code: string | null;
  finish_reason: string | null;
  queue_ms: number;
  first_byte_ms: number | null;
  total_ms: number | null;
  /** JSON array of the attempts. */
  attempts: string | null;
  /** JSON array of what was dropped, adapted or estimated; null: nothing was. */
  warnings: string | null;
  /** Null while it runs. */
  settled_at: number | null;
}

/** Sums of settled requests by the day of their admission; `unpriced` counts those with usage but without a price. */
export interface UsageDayRow extends Record<SumColumn, number> {
  tenant_id: string;
  day: number;
  operation: string;
  /** Empty for requests that no model served. */
  model: string;
}

/** A process that uses the database. It is taken for gone when it lets `expires_at` pass. */
export interface InstanceRow {
  id: string;
  host: string;
  pid: number;
  started_at: number;
  expires_at: number;
}

/** One row, counted up by everything that changes what a key may do. */
export interface ChangeRow {
  id: number;
  version: number;
}

export interface AuditRow {
  id: string;
  at: number;
  actor: string;
  action: string;
  target: string;
  tenant_id: string | null;
  /** JSON, without secrets. */
  before: string | null;
  after: string | null;
}

export interface SessionRow {
  /** HMAC-SHA-256 of the token, hexadecimal. */
  digest: string;
  /** Null for an admin. */
  tenant_id: string | null;
  created_at: number;
  expires_at: number;
}

export interface LoginLinkRow {
  digest: string;
  tenant_id: string;
  created_at: number;
  expires_at: number;
  used_at: number | null;
}

export interface SignupRow {
  id: string;
  email: string;
  org_name: string;
  tier: string;
  status: 'pending' | 'approved' | 'rejected';
  created_at: number;
  decided_at: number | null;
  tenant_id: string | null;
}

/** How often a client has tried what is limited. */
export interface AttemptRow {
  kind: string;
  /** A digest of its address. */
  client: string;
  /** JSON array of the latest attempts, oldest first. */
  times: string;
  /** The last of them. */
  latest: number;
}

export interface SettingRow {
  name: string;
  value: string;
}

export type AgentRunStatus = 'running' | 'succeeded' | 'failed' | 'cancelled' | 'interrupted';

/** One row a run of an agent. What happened in it stands in its events. */
export interface AgentRunRow {
  /** `run_` and a ULID, so that ids sort by time. */
  id: string;
  tenant_id: string;
  agent_id: string;
  request_id: string;
  /** The process that runs it. */
  instance_id: string;
  /** 0 or 1. */
  background: number;
  status: AgentRunStatus;
  /** How many events it has. */
  events: number;
  /** When another process was asked to cancel it. */
  cancel_requested_at: number | null;
  created_at: number;
  /** Null while it runs; set with its last event, in one step. */
  finished_at: number | null;
}

export interface AgentRunEventRow {
  run_id: string;
  /** From 1, without gaps. */
  seq: number;
  type: string;
  /** JSON of the event as it goes over the wire. */
  data: string;
}

export type KeptKind = 'response' | 'file' | 'batch';

/** Something that a vendor keeps for a tenant. */
export interface KeptObjectRow {
  tenant_id: string;
  kind: KeptKind;
  /** As the tenant names it. */
  id: string;
  /** The id of the provider, as the operator has it. */
  provider: string;
  /** The vendor's own name of the model that made it; null for what no model made. */
  model: string | null;
  vendor_id: string;
  /** JSON of what has to be known of it here; null for nothing. */
  data: string | null;
  /** When its usage came into the ledger; null: it has not, or there is none. */
  counted_at: number | null;
  created_at: number;
  /** When it is forgotten; null: not before it is deleted. */
  expires_at: number | null;
}

/** The bytes of a file that the sandbox keeps. */
export interface KeptContentRow {
  tenant_id: string;
  id: string;
  /** In bytes. */
  length: number;
  bytes: Uint8Array;
}
