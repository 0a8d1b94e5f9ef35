import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import { dayMs, startOfMonth } from '../../lib/utc.ts';
import { takeFunction } from '../postgres/take-function.ts';
import { isPostgres, run, script } from './0001-0010.ts';

/** The steps after `firstSteps`, by their names. */
export const laterSteps: Readonly<Record<string, Migration>> = {
  /**
   * The use of each limit, in place of a counter that all requests of a tenant share. The counts of days and months
   * continue; minutes begin with what the ledger says. Rows are locked in the order of their ids, which must be the same
   * everywhere.
   */
  '0011-limit-buckets': {
    async up(db) {
      const onPostgres = isPostgres(db);
      const list = onPostgres ? "bigint[] default '{}'" : "text default '[]'";
      await run(
        db,
        `create table limit_buckets (
          id text ${onPostgres ? 'collate "C"' : ''} not null, span text not null, at bigint default 0 not null,
          ends bigint default 0 not null, used bigint default 0 not null, untils ${list} not null,
          amounts ${list} not null, holders ${onPostgres ? 'jsonb' : 'text'} default '{}' not null, primary key (id))`,
      );
      if (onPostgres) {
        // Room for the next version of a row beside it, so that no update has to touch the index. And a row of 2 to 3 KB, as a
        // busy minute has it, is not compressed: that would cost each update more than the rest of it.
        await run(db, 'alter table limit_buckets set (fillfactor = 50, toast_tuple_target = 4080)');
        await sql.raw(takeFunction).execute(db);
      }
      const moved = (span: string, ends: string | number, where: string) => `
        insert into limit_buckets (id, span, at, ends, used)
        select tenant_id || '/requests/${span}', '${span}', last_at, ${ends}, ${span}_used from counters where ${where}`;
      await run(db, moved('day', `(day + 1) * cast(${dayMs} as bigint)`, 'day_used > 0'));
      const { rows } = await sql<{
        month: number;
      }>`select distinct month from counters where month_used > 0`.execute(db);
      for (const month of rows.map((row) => Number(row.month)))
        await run(db, moved('month', startOfMonth(month + 1), `month_used > 0 and month = ${month}`));
    },
  },

  /** Budgets, and which of their thresholds were reported in which day or month. */
  '0012-budgets': script(`
  create table budgets (
    id text primary key, tenant_id text not null, label text not null, key_id text, tag_name text,
    tag_value text, model text, unit text not null, span text not null, most bigint not null,
    hard integer not null, alerts_at text not null, created_at bigint not null);
  create index budgets_by_tenant on budgets (tenant_id, id);
  create table budget_alerts (
    budget_id text not null, period bigint not null, percent integer not null, tenant_id text not null,
    used bigint not null, most bigint not null, at bigint not null, primary key (budget_id, period, percent));
  create index budget_alerts_by_time on budget_alerts (tenant_id, at)`),

  /** Tags of keys, which their requests have, and those that a tenant asks for. */
  '0013-tags': script(`
  alter table keys add column tags text;
  alter table tenants add column required_tags text`),

  /** The prices by which requests are reckoned, so that their costs can be reckoned again. */
  '0014-prices': script(`
  create table prices (
    id text not null, provider text not null, model text not null, rates text not null,
    created_at bigint not null, primary key (id))`),

  /**
   * Tasks that wait for a process, and those that one has taken up; and what sinks of analytics have still to take, which stays
   * empty until a sink is set: then triggers are made that fill the outbox in the transaction that settles.
   */
  '0015-queue-and-analytics': script(
    (onPostgres) => `
  create table tasks (
    id text primary key, name text not null, key text, group_id text, payload text not null,
    attempt integer not null, run_at bigint not null, holder text);
  create index tasks_waiting on tasks (name, run_at, id) where holder is null;
  create index tasks_held on tasks (holder, name, group_id) where holder is not null;
  -- Of several with the same key one waits.
  create unique index tasks_by_key on tasks (name, key) where holder is null;
  create table analytics_sinks (name text primary key, holder text, seen_at bigint not null);
  create table analytics_outbox (
    id ${onPostgres ? 'bigint generated always as identity' : 'integer'} primary key, sink text not null,
    tenant_id text not null, created_at bigint not null, ledger_id text not null, settled_at bigint not null,
    batch text);
  create index analytics_outbox_waiting on analytics_outbox (sink, id) where batch is null;
  create index analytics_outbox_sent on analytics_outbox (sink, batch) where batch is not null`,
  ),

  /** The receivers of events, the events still to be delivered to each, and each attempt at it. */
  '0016-webhooks': script(`
  create table webhooks (
    id text primary key, tenant_id text, url text not null, label text not null, events text not null,
    secret bytea not null, old_secret bytea, old_secret_until bigint, failing_since bigint, disabled_at bigint,
    created_at bigint not null);
  create table webhook_deliveries (
    id text primary key, webhook_id text not null, event_id text not null, type text not null,
    payload text not null, state text not null, attempts integer not null, log text not null, due_at bigint,
    claimed_until bigint default 0 not null, created_at bigint not null,
    constraint webhook_deliveries_once unique (webhook_id, event_id));
  create index webhook_deliveries_due on webhook_deliveries (due_at) where due_at is not null`),

  /** Who is signed in by which issuer and as what, and which sign-ins by an issuer are over and cannot be used again. */
  '0017-sign-in': script(`
  ${['id', 'role', 'actor', 'issuer'].map((name) => `alter table sessions add column ${name} text;`).join('\n')}
  create table used_sign_ins (digest text primary key, expires_at bigint not null)`),

  /** Batches that the sandbox carries out, for whom, and the lines that are answered already. */
  '0018-open-batches': script(`
  create table open_batches (
    tenant_id text not null, id text not null, key_id text not null, scopes text not null, tags_header text,
    primary key (tenant_id, id));
  create table batch_lines (
    tenant_id text not null, batch_id text not null, line integer not null, ok integer not null,
    bytes bytea not null, primary key (tenant_id, batch_id, line))`),

  /** When a session was last used, and what the processes on the database report of themselves. */
  '0019-seen': script(`
  alter table sessions add column seen_at bigint;
  ${['name', 'version', 'state', 'config'].map((name) => `alter table instances add column ${name} text;`).join('\n')}`),

  /** Models' thinking before their calls of tools, sealed, for the processes that did not see it. */
  '0020-thoughts': script(`
  create table thoughts (name text primary key, sealed bytea not null, expires_at bigint not null);
  create index thoughts_by_end on thoughts (expires_at)`),

  /** How built apps look. */
  '0021-pictures': script('alter table factory_outputs add column picture bytea'),
};
