import { type Kysely, PostgresAdapter, sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import { views } from '../views.ts';

const classes = ['cache_write_5m_tokens', 'cache_write_1h_tokens', 'audio_prompt_tokens'].concat([
  'audio_completion_tokens',
  'image_prompt_tokens',
  'image_completion_tokens',
]);
const tokens = ['prompt_tokens', 'completion_tokens', 'cached_tokens', 'reasoning_tokens', ...classes];
const sums = ['requests', 'succeeded', 'failed', 'cancelled', 'interrupted', ...tokens]
  .concat(['cost_micro_usd', 'unpriced'])
  .map((name) => `${name} bigint default 0 not null`)
  .join(', ');

const eventsOnPostgres = `
  create index admitted_by_time on admitted using brin (created_at) with (pages_per_range = 32, autosummarize = on);
  create table admitted_other partition of admitted default;
  create table settled_other partition of settled default;
  ${views.map(([name, select]) => `create view ${name} as ${select};`).join('\n')}`;

/**
 * The first steps, by their names. SQLite takes any name of a type and keeps `bytea` as it is. PostgreSQL calls primary keys
 * `…_pkey`, which nothing may change.
 */
export const firstSteps: Readonly<Record<string, Migration>> = {
  /** Tenants, keys, limits, ledger, and what their administration needs. */
  '0001-accounts': script(`
  create table tenants (
    id text not null, name text not null, plan text not null, suspended_at bigint, overrides text not null,
    created_at bigint not null, primary key (id));
  create table keys (
    id text not null, tenant_id text not null references tenants (id), digest text not null, label text not null,
    scopes text not null, created_at bigint not null, expires_at bigint, revoked_at bigint, rotated_from text,
    grace_until bigint, last_used_at bigint, primary key (id));
  create index keys_by_tenant on keys (tenant_id, created_at, id);
  create table changes (id integer not null, version bigint not null, primary key (id));
  insert into changes (id, version) values (1, 1);
  create table counters (
    tenant_id text not null references tenants (id), seq bigint not null, last_at bigint not null,
    day integer not null, day_used bigint not null, month integer not null, month_used bigint not null,
    primary key (tenant_id));
  create table token_seconds (
    tenant_id text not null, second bigint not null, tokens bigint not null, primary key (tenant_id, second));
  create table instances (
    id text not null, host text not null, pid integer not null, started_at bigint not null,
    expires_at bigint not null, primary key (id));
  -- The primary key orders a tenant's requests by time, so it also finds those of the last minute and pages through
  -- them. No foreign keys here: tenants are never deleted, and each check would cost every request.
  create table ledger (
    tenant_id text not null, created_at bigint not null, seq bigint not null, id text not null,
    request_id text not null, key_id text not null, operation text not null, model_asked text,
    instance_id text not null, status text not null, http_status integer, model text, provider text,
    prompt_tokens bigint, completion_tokens bigint, cached_tokens bigint, reasoning_tokens bigint,
    usage_source text, cost_micro_usd bigint, error_code text, finish_reason text, queue_ms bigint not null,
    first_byte_ms bigint, total_ms bigint, attempts text, settled_at bigint,
    primary key (tenant_id, created_at, seq));
  create index ledger_by_request on ledger (request_id, tenant_id);
  -- Holds only what runs at the moment, so it stays small however long the ledger grows.
  create index ledger_running on ledger (instance_id, tenant_id) where settled_at is null;
  create table usage_days (
    tenant_id text not null, day integer not null, operation text not null, model text not null,
    requests bigint not null, succeeded bigint not null, failed bigint not null, cancelled bigint not null,
    interrupted bigint not null, prompt_tokens bigint not null, completion_tokens bigint not null,
    cached_tokens bigint not null, reasoning_tokens bigint not null, cost_micro_usd bigint not null,
    unpriced bigint not null, primary key (tenant_id, day, operation, model));
  create table audit (
    id text not null, at bigint not null, actor text not null, action text not null, target text not null,
    tenant_id text, before text, after text, primary key (id));
  create table sessions (
    digest text not null, tenant_id text references tenants (id), created_at bigint not null,
    expires_at bigint not null, primary key (digest));
  create table login_links (
    digest text not null, tenant_id text not null references tenants (id), created_at bigint not null,
    expires_at bigint not null, used_at bigint, primary key (digest));
  create table signups (
    id text not null, email text not null, org_name text not null, tier text not null, status text not null,
    created_at bigint not null, decided_at bigint, tenant_id text references tenants (id), primary key (id));
  create table settings (name text not null, value text not null, primary key (name))`),

  /** Builds with their events and files, and who has started demo builds. */
  '0002-factory': script(`
  create table factory_jobs (
    id text not null, tenant_id text references tenants (id), request_id text not null, prompt text not null,
    options text not null, status text not null, stage text, attempt integer not null, worker_id text,
    last_seq bigint not null, cancel_requested_at bigint, state text not null, ticket text,
    created_at bigint not null, started_at bigint, finished_at bigint, expires_at bigint not null,
    purged_at bigint, primary key (id));
  create index factory_jobs_by_tenant on factory_jobs (tenant_id, created_at, id);
  -- These hold only what waits, runs, is unsettled or not yet deleted, so they stay small.
  create index factory_jobs_open on factory_jobs (status, created_at, id) where finished_at is null;
  create index factory_jobs_unsettled on factory_jobs (id) where ticket is not null;
  create index factory_jobs_by_expiry on factory_jobs (purged_at, expires_at);
  create table factory_events (
    job_id text not null, seq bigint not null, event text not null, primary key (job_id, seq));
  create table factory_outputs (job_id text not null, zip bytea not null, html text not null, primary key (job_id));
  create table factory_checkpoints (
    job_id text not null, name text not null, text text not null, primary key (job_id, name));
  create table demo_hits (
    job_id text not null, client text not null, request text not null, at bigint not null, primary key (job_id));
  create index demo_hits_by_client on demo_hits (client, at)`),

  /** Sign-ups that are listed by their status, one pending an address; and how often clients have tried what is limited. */
  '0003-signups': script(`
  create index signups_by_status on signups (status, id);
  create unique index signups_pending on signups (email) where status = 'pending';
  create table attempts (
    kind text not null, client text not null, times text not null, latest bigint not null,
    primary key (kind, client))`),

  /** Runs of agents and their events. */
  '0004-agents': script(`
  create table agent_runs (
    id text not null primary key, tenant_id text not null, agent_id text not null, request_id text not null,
    instance_id text not null, background integer not null, status text not null, events integer not null,
    cancel_requested_at bigint, created_at bigint not null, finished_at bigint);
  create index agent_runs_by_agent on agent_runs (tenant_id, agent_id, id);
  create index agent_runs_by_end on agent_runs (finished_at);
  -- Holds only what runs at the moment.
  create index agent_runs_running on agent_runs (instance_id) where finished_at is null;
  create table agent_run_events (
    run_id text not null, seq integer not null, type text not null, data text not null,
    primary key (run_id, seq))`),

  /** The order of the queue of builds: who waits and runs, and when each tenant's builds were begun. */
  '0005-turns': script(`
  create index factory_jobs_turns on factory_jobs (status, tenant_id, created_at, id) where finished_at is null;
  create index factory_jobs_begun on factory_jobs (tenant_id, started_at) where started_at is not null`),

  /**
   * Each class of tokens that can have a price of its own, and what requests were warned of. In older rows the part of the
   * prompt that was not read from a cache stays undivided: no cache writes, audio or images.
   */
  '0006-token-classes': script(`
  ${classes.map((name) => `alter table ledger add column ${name} bigint; alter table usage_days add column ${name} bigint default 0 not null;`).join('\n')}
  alter table ledger add column warnings text`),

  /** The objects that vendors keep for tenants, so that only their owner can name them, and the files that the sandbox keeps. */
  '0007-kept-objects': script(`
  create table kept_objects (
    tenant_id text not null, kind text not null, id text not null, provider text not null, model text,
    vendor_id text not null, data text, counted_at bigint, created_at bigint not null, expires_at bigint,
    primary key (tenant_id, kind, id));
  create index kept_objects_by_end on kept_objects (expires_at);
  create table kept_contents (
    tenant_id text not null, id text not null, length integer not null, bytes bytea not null,
    primary key (tenant_id, id))`),

  /**
   * Builds that change an earlier one, and what the demo's limits of revisions and plans are counted by. A build from before
   * stands for itself: it has none of this and is the first of its app.
   */
  '0008-revisions': script(`
  ${['root_id', 'base_id', 'change', 'client'].map((name) => `alter table factory_jobs add column ${name} text;`).join('\n')}
  alter table factory_jobs add column revision integer;
  -- Of two revisions that are asked for at once, one gets the number.
  create unique index factory_jobs_revisions on factory_jobs (root_id, revision) where root_id is not null;
  create index factory_jobs_changed on factory_jobs (client, created_at)
    where client is not null and base_id is not null;
  create table plan_hits (id text primary key, client text not null, at bigint not null);
  create index plan_hits_by_client on plan_hits (client, at)`),

  /**
   * Which requests were sent with an `Idempotency-Key`, and what they were answered with; a tenant may want none of it. The
   * primary key decides who of several does the work.
   */
  '0009-idempotency': script(`
  alter table tenants add column idempotency integer default 1 not null;
  create table idempotency_keys (
    owner text not null, key_digest text not null, fingerprint text not null, state text not null,
    claim text not null, instance_id text not null, work_id text not null, answer bytea,
    answer_bytes integer not null, claimed_at bigint not null, expires_at bigint not null,
    primary key (owner, key_digest));
  create index idempotency_keys_by_end on idempotency_keys (expires_at);
  -- What a tenant holds is read from the index alone.
  create index idempotency_keys_held on idempotency_keys (owner, answer_bytes)`),

  /**
   * The ledger as events that are only added: `admitted` when a request begins, `settled` when it ends. `ledger` and
   * `usage_days` stay what they were, for the rows that are in them and for processes of the version before, which go on
   * writing there; nothing is copied, so this takes no longer on a large database. `views.ts` shows both together.
   *
   * On PostgreSQL they have range partitions by the day of admission, which `prepareDays` makes ahead; the default one takes what
   * has none. Rows that a process left open are looked up there by time, which gives their place on disk; on SQLite tenant
   * by tenant, which takes no index of its own. No foreign keys here: tenants are never deleted, and each check would cost
   * every request.
   */
  '0010-events': script(
    (onPostgres) => `
  create table admitted (
    tenant_id text not null, created_at bigint not null, id text not null, request_id text not null,
    key_id text not null, operation text not null, model_asked text, instance_id text not null,
    queue_ms bigint not null, tags text, primary key (tenant_id, created_at, id))
    ${onPostgres ? 'partition by range (created_at)' : ''};
  create index admitted_by_request on admitted (request_id, tenant_id);
  -- By time first: what ends now began a short while ago, so that it comes to be near the end of the index.
  create table settled (
    tenant_id text not null, created_at bigint not null, id text not null, instance_id text not null,
    sequence bigint not null, interrupted_at bigint, status text not null, http_status integer, model text,
    provider text, ${tokens.map((name) => `${name} bigint`).join(', ')}, usage_source text, cost_micro_usd bigint,
    price_versions text, error_code text, finish_reason text, first_byte_ms bigint, total_ms bigint,
    attempts text, warnings text, settled_at bigint not null, primary key (created_at, id))
    ${onPostgres ? 'partition by range (created_at)' : 'without rowid'};
  create table usage_sums (
    tenant_id text not null, day integer not null, key_id text not null, operation text not null,
    provider text not null, model text not null, ${sums},
    primary key (tenant_id, day, key_id, operation, provider, model));
  create table usage_tag_days (
    tenant_id text not null, day integer not null, tag text not null, value text not null, model text not null,
    ${sums}, primary key (tenant_id, day, tag, value, model));
  create table sum_marks (
    instance_id text not null, sequence bigint not null, open_since bigint not null, buried_at bigint,
    primary key (instance_id));
  ${onPostgres ? eventsOnPostgres : ''}`,
  ),
};

/** A step of statements separated by `;`, which may differ between PostgreSQL and SQLite. */
export function script(text: string | ((onPostgres: boolean) => string)): Migration {
  return { up: (db) => run(db, typeof text === 'string' ? text : text(isPostgres(db))) };
}

export async function run(db: Kysely<unknown>, text: string): Promise<void> {
  const statements = text.replaceAll(/--.*/g, '').split(';');
  for (const one of statements) if (one.trim() !== '') await sql.raw(one).execute(db);
}

export function isPostgres(db: Kysely<unknown>): boolean {
  return db.getExecutor().adapter instanceof PostgresAdapter;
}
