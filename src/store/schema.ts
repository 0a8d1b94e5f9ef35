// Over 300 lines: all tables of the database, which refer to each other.
import type { Generated } from 'kysely';
import type {
  AgentRunEventRow,
  AgentRunRow,
  AnalyticsOutboxRow,
  AnalyticsSinkRow,
  BatchLineRow,
  DeliveryRow,
  IdempotencyKeyRow,
  KeptContentRow,
  KeptObjectRow,
  OpenBatchRow,
  TaskRow,
  ThoughtRow,
  WebhookRow,
} from './background-schema.ts';
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
  tenants: Omit<TenantRow, 'idempotency' | 'required_tags'> & {
    idempotency: Generated<number>;
    required_tags: Generated<string | null>;
  };
  keys: KeyRow;
  counters: CounterRow;
  token_seconds: TokenSecondRow;
  limit_buckets: LimitBucketRow;
  budgets: BudgetRow;
  budget_alerts: BudgetAlertRow;
  webhooks: WebhookRow;
  webhook_deliveries: DeliveryRow;
  admitted: AdmittedRow;
  settled: SettledRow;
  /** A view: both of these, with what versions before wrote. Only to be read. */
  ledger_rows: LedgerRow;
  /** A view: those of these written by versions before. */
  older_rows: LedgerRow;
  usage_sums: UsageSumRow;
  usage_tag_days: UsageTagDayRow;
  /** Written by versions before. */
  usage_days: UsageDayRow;
  /** A view: `usage_sums` and `usage_days`. Only to be read. */
  usage_rows: UsageSumRow;
  sum_marks: SumMarkRow;
  instances: InstanceRow;
  changes: ChangeRow;
  audit: AuditRow;
  sessions: SessionRow;
  used_sign_ins: UsedSignInRow;
  login_links: LoginLinkRow;
  signups: SignupRow;
  attempts: AttemptRow;
  settings: SettingRow;
  agent_runs: AgentRunRow;
  agent_run_events: AgentRunEventRow;
  kept_objects: KeptObjectRow;
  kept_contents: KeptContentRow;
  open_batches: OpenBatchRow;
  batch_lines: BatchLineRow;
  thoughts: ThoughtRow;
  idempotency_keys: IdempotencyKeyRow;
  tasks: TaskRow;
  analytics_sinks: AnalyticsSinkRow;
  analytics_outbox: AnalyticsOutboxRow;
  prices: PriceRow;
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
  /** Whether its keys of idempotency are honoured: 0 or 1. */
  idempotency: number;
  /** JSON array of the names of tags that its requests need; null: none. */
  required_tags: string | null;
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
  /** JSON object of the tags of its requests, by their names; null: none. */
  tags: string | null;
}

/** One row a tenant, changed by admissions alone. */
interface CounterRow {
  tenant_id: string;
  /** Admissions ever: a change shows that others have admitted. */
  seq: number;
  last_at: number;
  day: number;
  day_used: number;
  month: number;
  month_used: number;
}

/** Tokens by the second of their admission, for tenants with a token limit. */
interface TokenSecondRow {
  tenant_id: string;
  second: number;
  tokens: number;
}

/** The use of a limit. Lists are arrays on PostgreSQL and JSON on SQLite. `limits/bucket-state.ts` has the rest. */
interface LimitBucketRow {
  id: string;
  span: 'minute' | 'day' | 'month' | 'ever' | 'running';
  at: number;
  ends: number;
  used: number;
  untils: string | number[];
  amounts: string | number[];
  holders: string | Record<string, number>;
}

/** A limit on the use of some of a tenant's requests. A scope of null covers all. */
export interface BudgetRow {
  id: string;
  tenant_id: string;
  label: string;
  key_id: string | null;
  tag_name: string | null;
  tag_value: string | null;
  model: string | null;
  unit: string;
  /** The window; its own name is a word of SQL. */
  span: string;
  /** The limit. */
  most: number;
  /** 0 or 1. */
  hard: number;
  /** JSON array of percents. */
  alerts_at: string;
  created_at: number;
}

/** That a budget has reached a threshold in a period. */
interface BudgetAlertRow {
  budget_id: string;
  /** When its day or month began; 0 for what has no end. */
  period: number;
  percent: number;
  tenant_id: string;
  used: number;
  most: number;
  at: number;
}

export type LedgerStatus = 'running' | 'succeeded' | 'failed' | 'cancelled' | 'interrupted';

/** A request began. Never changed. */
export interface AdmittedRow {
  tenant_id: string;
  created_at: number;
  id: string;
  request_id: string;
  key_id: string;
  operation: string;
  model_asked: string | null;
  /** The process that answers it. */
  instance_id: string;
  queue_ms: number;
  /** JSON object of its tags; null: it has none. */
  tags: string | null;
}

/**
 * A request ended. Never changed, except where a living process was considered dead: then the real outcome replaces
 * `interrupted`. A class of tokens is null where no model has counted.
 */
export interface SettledRow extends Record<TokenColumn, number | null> {
  tenant_id: string;
  created_at: number;
  id: string;
  /** The process that settled it; empty: its own has ended. */
  instance_id: string;
  /** Grows with every settlement of the process, in the order in which they come to be seen; 0: the process is dead. */
  sequence: number;
  /** When it was taken for interrupted, whatever became of it. */
  interrupted_at: number | null;
  status: Exclude<LedgerStatus, 'running'>;
  http_status: number | null;
  model: string | null;
  provider: string | null;
  usage_source: 'provider' | 'estimated' | null;
  /** Null where no price is known. */
  cost_micro_usd: number | null;
  /** Ids of the prices by which it was reckoned, one for each call of a model, with blanks between; null: by none. */
  price_versions: string | null;
  error_code: string | null;
  finish_reason: string | null;
  first_byte_ms: number | null;
  total_ms: number | null;
  /** JSON array of the attempts. */
  attempts: string | null;
  /** JSON array of what was dropped, adapted or estimated; null: nothing was. */
  warnings: string | null;
  settled_at: number;
}

/** One row an admitted request: its beginning with its end, which is null while there is none. */
export interface LedgerRow
  extends AdmittedRow,
    Omit<SettledRow, keyof AdmittedRow | 'sequence' | 'status' | 'settled_at'> {
  /** Of a row of a version before: number of the admission among the tenant's. */
  seq: number | null;
  status: LedgerStatus;
  settled_at: number | null;
  /** `SettledRow['instance_id']`. */
  settled_by: string | null;
  sequence: number | null;
}

/** A price by which requests are, were or will be reckoned. Rows are never changed nor deleted. */
interface PriceRow {
  /** Digest of the rest but the time. */
  id: string;
  provider: string;
  model: string;
  /** JSON of the rates in US dollars for a million tokens. */
  rates: string;
  /** When a server first had it. */
  created_at: number;
}

/** Sums of settled requests by the day of their admission; `unpriced` counts those with usage but without a price. */
export interface UsageDayRow extends Record<SumColumn, number> {
  tenant_id: string;
  day: number;
  operation: string;
  /** Empty for requests that no model served. */
  model: string;
}

export interface UsageSumRow extends UsageDayRow {
  key_id: string;
  /** Empty for requests that no model served. */
  provider: string;
}

/** The same by each tag of the requests: one with two tags counts under both. `sums/tag-bounds.ts` says how many there can be. */
export interface UsageTagDayRow extends Record<SumColumn, number> {
  tenant_id: string;
  day: number;
  tag: string;
  value: string;
  model: string;
}

/** How far the settlements of a process are in the sums. One row a process, which outlives it. */
interface SumMarkRow {
  instance_id: string;
  /** That of the last of its settlements that the sums hold. */
  sequence: number;
  /** It has admitted nothing before that is not settled. */
  open_since: number;
  /** When it was considered dead; null: it was not, or has renewed its row since. */
  buried_at: number | null;
}

/** A process that uses the database. It is considered dead when it lets `expires_at` pass. */
export interface InstanceRow {
  id: string;
  host: string;
  pid: number;
  started_at: number;
  expires_at: number;
  /** Its name as it reports it, for people; this and the columns below are null for an older server. */
  name: Generated<string | null>;
  version: Generated<string | null>;
  /** As `/readyz` has it. */
  state: Generated<string | null>;
  /** A digest of its configuration. */
  config: Generated<string | null>;
}

/** One row, counted up by everything that changes what a key may do. */
interface ChangeRow {
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

interface SessionRow {
  /** HMAC-SHA-256 of the token, hexadecimal. */
  digest: string;
  /** Null for an admin. */
  tenant_id: string | null;
  created_at: number;
  expires_at: number;
  /** Its name; this and the columns below are null for one that an older server has begun. */
  id: Generated<string | null>;
  /** Of an admin. */
  role: Generated<string | null>;
  /** Who the audit log names. */
  actor: Generated<string | null>;
  /** Id of the issuer that vouched for them; null: a password or a link did. */
  issuer: Generated<string | null>;
  /** When it was last used, to the minute; null: not since it was begun, or by an older server alone. */
  seen_at: Generated<number | null>;
}

/** A sign-in by an issuer that cannot be used again. */
interface UsedSignInRow {
  digest: string;
  expires_at: number;
}

interface LoginLinkRow {
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
interface AttemptRow {
  kind: string;
  /** A digest of its address. */
  client: string;
  /** JSON array of the latest attempts, oldest first. */
  times: string;
  /** The last of them. */
  latest: number;
}

interface SettingRow {
  name: string;
  value: string;
}
