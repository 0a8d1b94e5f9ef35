import { sumColumns, tokenColumns } from '../../src/store/token-columns.ts';
import type { Evidence, Exposure, LedgerEntry, UsageSum, Work, WorkEvent } from './evidence.ts';
import type { StoreUnderTest } from './store.ts';

/** What stands in the database, as far as the invariants judge it. */
export async function readStore(
  store: StoreUnderTest,
): Promise<Pick<Evidence, 'ledger' | 'sums' | 'work' | 'events'>> {
  const ledger = await store.query<Omit<LedgerEntry, 'attempts'> & { attempts: string | null }>(
    `select l.tenant_id, l.id, l.request_id, l.operation, l.status, l.provider,
       ${tokenColumns.map((name) => `l.${name}`).join(', ')}, l.usage_source, l.cost_micro_usd, l.attempts,
       l.settled_at, case when l.settled_at is null then null
         when coalesce(l.sequence, 0) <= coalesce(m.sequence, 0) then l.status
         when l.interrupted_at is not null then 'interrupted' end as summed_as
     from ledger_rows l left join sum_marks m on m.instance_id = l.settled_by`,
  );
  const sums = await store.query<UsageSum>(
    `select tenant_id, operation, ${sumColumns.map((name) => `sum(${name}) as ${name}`).join(', ')}
     from usage_rows group by tenant_id, operation`,
  );
  const builds = await store.query<Work>(
    `select id, 'build' as kind, request_id, status, attempt, last_seq as count, finished_at from factory_jobs`,
  );
  const runs = await store.query<Work>(
    `select id, 'run' as kind, request_id, status, 1 as attempt, events as count, finished_at from agent_runs`,
  );
  const buildEvents = await store.query<WorkEvent>(
    `select job_id as work, seq, ${store.field('event', 'type')} as type from factory_events`,
  );
  const runEvents = await store.query<WorkEvent>('select run_id as work, seq, type from agent_run_events');
  return {
    ledger: ledger.map((row) => ({ ...row, attempts: attemptsIn(row.attempts) })),
    sums,
    work: [...builds, ...runs],
    events: [...buildEvents, ...runEvents],
  };
}

/** Attempts that were not skipped, so that they may have reached a vendor. */
function attemptsIn(json: string | null): number | null {
  if (json === null) return null;
  const attempts = JSON.parse(json) as { outcome?: string }[];
  return attempts.filter(({ outcome }) => outcome !== 'skipped').length;
}

/** Tables that hold what users wrote. */
const withPrompts = /^(factory_|agent_)/;

/** All text of every table, to look for secrets in. */
export async function storeTexts(store: StoreUnderTest): Promise<Exposure[]> {
  const tables = await store.query<{ name: string }>(
    store.dialect === 'sqlite'
      ? `select name from sqlite_master where type = 'table' and name not like 'sqlite_%'`
      : `select table_name as name from information_schema.tables where table_schema = 'public'`,
  );
  return Promise.all(
    tables.map(async ({ name }) => ({
      where: `table ${name}`,
      text: (await store.query(`select * from ${name}`)).map((row) => JSON.stringify(row)).join('\n'),
      holdsPrompts: withPrompts.test(name),
    })),
  );
}
