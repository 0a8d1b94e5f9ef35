/** The tables of the build factory. Times, money and JSON are kept as in `schema.ts`. */

export type BuildStatus = 'queued' | 'running' | 'succeeded' | 'failed' | 'cancelled';

/** A build: columns hold what is searched for and guarded, `state` everything else. */
export interface FactoryJobRow {
  id: string;
  /** Null for a build of the public demo. */
  tenant_id: string | null;
  /** Of the request that started it. */
  request_id: string;
  prompt: string;
  /** JSON: `PlanOptions`. */
  options: string;
  status: BuildStatus;
  stage: string | null;
  /** How often it was begun. */
  attempt: number;
  /** The process that runs it, one of `instances`; null while it waits and after its end. */
  worker_id: string | null;
  /** `seq` of its latest event. */
  last_seq: number;
  cancel_requested_at: number | null;
  /** JSON: `JobState`. */
  state: string;
  /** JSON: the ticket that settles its row in the ledger; null once settled, and for the demo. */
  ticket: string | null;
  created_at: number;
  started_at: number | null;
  finished_at: number | null;
  expires_at: number;
  /** When prompt, files and events were deleted. */
  purged_at: number | null;
  /** The first build of its app; null for builds from before there were revisions, which are first ones. */
  root_id: string | null;
  /** The build that it changes; null for a first one. */
  base_id: string | null;
  /** Its number among the builds of its app, from 1; null as `root_id` is. */
  revision: number | null;
  /** JSON: `Change`; null for a first build. */
  change: string | null;
  /** HMAC of the network that asked for a build of the demo; null for tenants, from before, and once it was purged. */
  client: string | null;
}

export interface FactoryEventRow {
  job_id: string;
  seq: number;
  /** JSON: the event as it is sent. */
  event: string;
}

/** The output of a build that succeeded. */
export interface FactoryOutputRow {
  job_id: string;
  zip: Uint8Array;
  html: string;
  /** How the app looks, as PNG; null where no browser has opened it. */
  picture: Uint8Array | null;
}

/** Texts that a build must not have to pay for twice. */
export interface FactoryCheckpointRow {
  job_id: string;
  name: string;
  text: string;
}

/** Builds of the public demo by who started them, for as long as they count against the limit. */
export interface DemoHitRow {
  job_id: string;
  /** HMAC of the client's network. */
  client: string;
  /** Hash of the prompt and its options. */
  request: string;
  at: number;
}

/** Plans of the public demo by who asked for them, for as long as they count against the limit. */
export interface PlanHitRow {
  id: string;
  /** HMAC of the client's network. */
  client: string;
  at: number;
}
