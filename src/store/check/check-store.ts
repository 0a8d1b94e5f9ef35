import { type RawBuilder, sql } from 'kysely';
import { dayName } from '../../lib/utc.ts';
import { type StoreError, toStoreError } from '../errors.ts';
import type { Tables } from '../schema.ts';
import type { Store } from '../store.ts';
import { ledgerRules, type Rule } from './ledger-rules.ts';

/** A rule of the database that does not hold. */
export interface Finding {
  /** Name of the rule, as `usage_days_match_the_ledger`. */
  readonly rule: string;
  /** The violated rule, or why it could not be checked. */
  readonly message: string;
  /** How often it is broken. */
  readonly count: number;
  /** Where, for the first ten: ids and days, no contents. */
  readonly examples: readonly string[];
}

const maxExamples = 10;

/**
 * Holds the database against what is always true of it: on SQLite every page of the file, and on both stores that the
 * tables agree with each other. Changes nothing, but that what this process has settled goes into the sums, and takes no lock that a writer would wait for; each rule is one
 * statement, which sees one moment, so it can run beside servers. On SQLite a statement blocks the event loop of
 * this process: about fifteen seconds a million requests. Rejects with `StoreError` where the database cannot be
 * reached.
 */
export async function checkStore(store: Store): Promise<readonly Finding[]> {
  const findings: Finding[] = [];
  await store.ledger.sum(store.clock.now());
  for (const rule of store.dialect === 'sqlite' ? [soundPages, ...rules(store)] : rules(store)) {
    const finding = await checkRule(store, rule);
    if (finding !== null) findings.push(finding);
  }
  return findings;
}

/** It names a hundred at most (https://sqlite.org/pragma.html#pragma_integrity_check). */
const soundPages: Rule = {
  name: 'pages_are_sound',
  holds: 'Every page of the file is whole and every index has the rows of its table.',
  broken: sql`select integrity_check as problem from pragma_integrity_check
    where integrity_check <> 'ok'`,
};

async function checkRule({ db }: Store, { name, holds, broken }: Rule): Promise<Finding | null> {
  try {
    const { rows } = await sql<Record<string, string | number>>`
      select broken.*, count(*) over () as breaches from (${broken}) as broken
      limit ${sql.lit(maxExamples)}`.execute(db);
    const [first] = rows;
    if (first === undefined) return null;
    return { rule: name, message: holds, count: Number(first['breaches']), examples: rows.map(example) };
  } catch (thrown) {
    const error = toStoreError(thrown);
    if (error.failure !== 'damaged' && error.failure !== 'failed') throw error;
    return {
      rule: name,
      message: `${holds} It cannot be checked: ${reasonOf(error)}`,
      count: 1,
      examples: [],
    };
  }
}

/** The columns that locate a row. */
function example({ breaches: _, ...row }: Record<string, string | number>): string {
  return Object.entries(row)
    .map(([column, value]) => (column === 'day' ? dayName(Number(value)) : String(value)))
    .join(' ')
    .trimEnd();
}

function reasonOf({ message, cause }: StoreError): string {
  return cause instanceof Error ? `${message} (${cause.message})` : message;
}

/** The rules of all tables. */
function rules({ dialect }: Store): readonly Rule[] {
  const eventType =
    dialect === 'sqlite' ? sql<string>`event ->> 'type'` : sql<string>`cast(event as json) ->> 'type'`;
  return [
    ...references.map(reference),
    ...singleRules,
    ...ledgerRules,
    ...runRules,
    ...buildRules(eventType),
  ];
}

type Reference = {
  [Child in keyof Tables]: readonly [Child, keyof Tables[Child] & string, keyof Tables];
}[keyof Tables];

/** Who names whom by its id. Not all of these are foreign keys of the schema, as each check would cost a request. */
const references: readonly Reference[] = [
  ['keys', 'tenant_id', 'tenants'],
  ['counters', 'tenant_id', 'tenants'],
  ['token_seconds', 'tenant_id', 'tenants'],
  ['ledger_rows', 'tenant_id', 'tenants'],
  ['usage_rows', 'tenant_id', 'tenants'],
  ['usage_tag_days', 'tenant_id', 'tenants'],
  ['sessions', 'tenant_id', 'tenants'],
  ['login_links', 'tenant_id', 'tenants'],
  ['signups', 'tenant_id', 'tenants'],
  ['agent_runs', 'tenant_id', 'tenants'],
  ['agent_run_events', 'run_id', 'agent_runs'],
  ['factory_jobs', 'tenant_id', 'tenants'],
  ['factory_events', 'job_id', 'factory_jobs'],
  ['factory_outputs', 'job_id', 'factory_jobs'],
  ['factory_checkpoints', 'job_id', 'factory_jobs'],
];

function reference([child, column, parent]: Reference): Rule {
  const [table, name] = [sql.table(child), sql.ref(column)];
  return {
    name: `${child}_name_existing_${parent}`,
    holds: `Every row of ${child} belongs to a row of ${parent}.`,
    broken: sql`select distinct ${name} from ${table} where ${name} is not null
      and not exists (select 1 from ${sql.table(parent)} as owner where owner.id = ${table}.${name})`,
  };
}

const singleRules: readonly Rule[] = [
  {
    name: 'idempotency_keys_name_existing_tenants',
    holds: 'Every Idempotency-Key belongs to a tenant or to the administrators.',
    broken: sql`select distinct owner from idempotency_keys where owner <> '@admin'
      and not exists (select 1 from tenants where tenants.id = idempotency_keys.owner)`,
  },
  {
    name: 'idempotency_keys_have_answers_when_answered',
    holds:
      'An Idempotency-Key has an answer when its request is answered, of the size that its row says, and no other has.',
    broken: sql`select key_digest from idempotency_keys
      where (state = 'answered') <> (answer is not null) or answer_bytes <> coalesce(length(answer), 0)`,
  },
  {
    name: 'changes_has_one_row',
    holds: 'The count of changes has one row.',
    broken: sql`select count(*) from changes having count(*) <> 1 or min(id) <> 1`,
  },
];

const runRules: readonly Rule[] = [
  {
    name: 'runs_have_all_events',
    holds: 'The events of a run of an agent are numbered from 1 without gaps, as many as its row says.',
    broken: sql`select r.id from agent_runs r left join (
        select run_id, count(*) as events, min(seq) as first, max(seq) as last from agent_run_events group by run_id
      ) e on e.run_id = r.id
      where coalesce(e.events, 0) <> r.events or e.first <> 1 or e.last <> e.events`,
  },
  {
    name: 'runs_end_once',
    holds: 'A run of an agent that has ended has one event `end`, its last; another has none.',
    broken: sql`select r.id from agent_runs r left join (
        select run_id, count(*) as ends, max(seq) as last from agent_run_events where type = 'end' group by run_id
      ) e on e.run_id = r.id
      where (r.status = 'running') <> (r.finished_at is null)
        or coalesce(e.ends, 0) <> case when r.finished_at is null then 0 else 1 end or e.last <> r.events`,
  },
];

/** Events and output of a build are deleted when it expires, as its row says. */
function buildRules(eventType: RawBuilder<string>): readonly Rule[] {
  return [
    {
      name: 'builds_have_all_events',
      holds: 'The events of a build are numbered from 1 without gaps, as many as its row says.',
      broken: sql`select j.id from factory_jobs j left join (
          select job_id, count(*) as events, min(seq) as first, max(seq) as last from factory_events group by job_id
        ) e on e.job_id = j.id
        where coalesce(e.events, 0) <> case when j.purged_at is null then j.last_seq else 0 end
          or e.first <> 1 or e.last <> e.events`,
    },
    {
      name: 'builds_end_once',
      holds: 'A build that has ended has one terminal event, its last, of its status; another has none.',
      broken: sql`select j.id from factory_jobs j left join (
          select job_id, count(*) as ends, max(seq) as last, max(type) as type from (
            select job_id, seq, ${eventType} as type from factory_events
          ) t where type in ('job.succeeded', 'job.failed', 'job.unsure', 'job.cancelled') group by job_id
        ) e on e.job_id = j.id
        where (j.status in ('queued', 'running')) <> (j.finished_at is null)
          or coalesce(e.ends, 0) <> case when j.finished_at is null or j.purged_at is not null then 0 else 1 end
          or e.last <> j.last_seq or e.type <> 'job.' || j.status`,
    },
    {
      name: 'builds_have_a_worker_while_they_run',
      holds: 'A build names a process while it runs, and only then.',
      broken: sql`select id from factory_jobs where (status = 'running') <> (worker_id is not null)`,
    },
    {
      name: 'builds_that_succeeded_have_output',
      holds: 'A build that succeeded has its files until its time is over, and no other has.',
      broken: sql`select j.id from factory_jobs j
        where (j.status = 'succeeded' and j.purged_at is null)
          <> exists (select 1 from factory_outputs o where o.job_id = j.id)`,
    },
  ];
}
