import type { Generated } from 'kysely';

/** The tables of what goes on in the background, or outlives a request. Times and JSON are kept as in `schema.ts`. */

/** An address that receives events. */
export interface WebhookRow {
  id: string;
  /** Null: the operator's, for those of all tenants. */
  tenant_id: string | null;
  url: string;
  label: string;
  /** JSON array of types. */
  events: string;
  /** Encrypted. */
  secret: Uint8Array;
  old_secret: Uint8Array | null;
  old_secret_until: number | null;
  failing_since: number | null;
  disabled_at: number | null;
  created_at: number;
}

/** One event for one webhook. */
export interface DeliveryRow {
  id: string;
  webhook_id: string;
  event_id: string;
  type: string;
  payload: string;
  state: string;
  attempts: number;
  /** JSON array of the last attempts. */
  log: string;
  /** Null: it is over. */
  due_at: number | null;
  /** Until when it is left to a process that tries it; 0: to none. */
  claimed_until: number;
  created_at: number;
}

export type AgentRunStatus = 'running' | 'succeeded' | 'failed' | 'cancelled' | 'interrupted';

/** One row a run of an agent. Its events say what happened. */
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

/** A model's thinking before a call of a tool. */
export interface ThoughtRow {
  /** A digest of the tenant and the id of the call. */
  name: string;
  sealed: Uint8Array;
  expires_at: number;
}

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

/** A batch that the sandbox carries out and has not ended, and for whom. */
export interface OpenBatchRow {
  tenant_id: string;
  id: string;
  /** The public id of the key that made it. */
  key_id: string;
  /** The scopes of that key, separated by spaces. */
  scopes: string;
  /** The header of the request that made it; null: it had none. */
  tags_header: string | null;
}

/** The answer to a line of a batch that has not ended. */
export interface BatchLineRow {
  tenant_id: string;
  batch_id: string;
  /** From 0. */
  line: number;
  /** 1: it succeeded. */
  ok: number;
  /** A line of the results. */
  bytes: Uint8Array;
}

/** `unkept`: it was carried out, and its answer is not here. */
type IdempotencyState = 'running' | 'answered' | 'unkept';

/** One row an `Idempotency-Key` of a caller. */
export interface IdempotencyKeyRow {
  /** A tenant's id, or `@admin`. */
  owner: string;
  /** HMAC-SHA-256, base64url. */
  key_digest: string;
  /** HMAC-SHA-256 of the request, base64url. */
  fingerprint: string;
  state: IdempotencyState;
  /** Changes with whoever does the work: who no longer has it can neither end nor free it. */
  claim: string;
  /** The process that does the work. */
  instance_id: string;
  /** A name for what the work makes; stays when another process takes the work over. */
  work_id: string;
  /** Sealed; null: there is none. */
  answer: Uint8Array | null;
  answer_bytes: number;
  claimed_at: number;
  expires_at: number;
}

/** Something to be done once, by any process. */
export interface TaskRow {
  id: string;
  /** Its kind. */
  name: string;
  /** Of several of a kind with the same key one waits; null: as many as there are. */
  key: string | null;
  group_id: string | null;
  /** JSON. */
  payload: string;
  /** How often it was begun. */
  attempt: number;
  /** It is not begun before. */
  run_at: number;
  /** The process that carries it out, one of `instances`; null while it waits. */
  holder: string | null;
}

/** Where settled requests go for analytics. While there is none, nothing is written for it. */
export interface AnalyticsSinkRow {
  name: string;
  /** The process that feeds it, one of `instances`; null: none does. */
  holder: string | null;
  /** When a process that has it among its settings last said so. */
  seen_at: number;
}

/** A settled request that a sink has not taken yet. */
export interface AnalyticsOutboxRow {
  id: Generated<number>;
  sink: string;
  tenant_id: string;
  created_at: number;
  ledger_id: string;
  settled_at: number;
  /** The batch that it was sent with; the same again if the arrival of that is unknown. Null: it was never sent. */
  batch: string | null;
}
