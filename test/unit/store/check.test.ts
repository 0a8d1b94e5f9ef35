import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { checkStore } from '../../../src/store/check/check-store.ts';
import type { Store } from '../../../src/store/store.ts';
import { sweepLedger } from '../../../src/tenants/metering/ledger-retention.ts';
import { onEveryStore, type StoreTests } from '../../helpers/store.ts';
import { admitted, success, tenantOn, testAccounts } from '../../helpers/store-accounts.ts';
import { TestClock } from '../../helpers/test-database.ts';

const second = '(select min(id) from settled where id > (select min(id) from settled))';

/** A row as the version before writes it, of a request that has ended. */
function olderRow(status: string, settledAt: number | null, later = 0): string {
  return `insert into ledger (tenant_id, created_at, seq, id, request_id, key_id, operation, instance_id, status, queue_ms,
      settled_at)
    select tenant_id, created_at + ${later}, 1, id, 'b', 'c', 'd', 'e', '${status}', 0, ${settledAt} from settled
    where id = ${second}`;
}

/** What breaks each rule, on a database in which all of them hold. */
const breaches: Readonly<Record<string, readonly string[]>> = {
  keys_name_existing_tenants: [
    `alter table keys rename to sound_keys`,
    `create table keys as select * from sound_keys`,
    `update keys set tenant_id = 'nobody'`,
  ],
  ledger_rows_name_existing_tenants: [
    `insert into admitted (tenant_id, created_at, id, request_id, key_id, operation, instance_id, queue_ms)
      values ('nobody', 1, 'a', 'b', 'c', 'd', 'e', 0)`,
  ],
  agent_run_events_name_existing_agent_runs: [
    `insert into agent_run_events values ('run_none', 1, 'start', '{}')`,
  ],
  factory_outputs_name_existing_factory_jobs: [
    `insert into factory_outputs (job_id, zip, html) values ('job_none', '', '')`,
  ],
  idempotency_keys_name_existing_tenants: [
    `insert into idempotency_keys values ('nobody', 'a', 'b', 'running', 'c', 'd', 'e', null, 0, 1, 2)`,
  ],
  idempotency_keys_have_answers_when_answered: [
    `insert into idempotency_keys values ('acme', 'a', 'b', 'answered', 'c', 'd', 'e', null, 0, 1, 2)`,
  ],
  changes_has_one_row: [`delete from changes`],
  ledger_rows_run_or_are_settled: [`update settled set status = 'running' where id = ${second}`],
  ledger_tokens_are_within_their_whole: [
    `update settled set cache_write_1h_tokens = prompt_tokens where id = ${second}`,
  ],
  ends_have_a_beginning: [`delete from admitted where id = ${second}`],
  requests_begin_and_end_once: [olderRow('succeeded', 2)],
  ledger_numbers_have_no_doubles: [olderRow('running', null), olderRow('running', null, 1)],
  sums_hold_what_the_gone_have_settled: [
    `update settled set sequence = sequence + 1000000000, instance_id = 'gone' where id = ${second}`,
    `insert into sum_marks values ('gone', 1, 1, 2)`,
  ],
  usage_days_add_up: [`update usage_sums set failed = failed + 1`],
  usage_tag_days_add_up: [
    `insert into usage_tag_days (tenant_id, day, tag, value, model, failed) values ('acme', 1, 'a', 'b', 'c', 1)`,
  ],
  usage_days_match_the_ledger: [`update usage_sums set prompt_tokens = prompt_tokens + 1`],
  runs_have_all_events: [`delete from agent_run_events where run_id = 'run_ended' and seq = 2`],
  runs_end_once: [`update agent_run_events set type = 'end' where run_id = 'run_ended' and seq = 2`],
  builds_have_all_events: [`delete from factory_events where job_id = 'job_ended' and seq = 1`],
  builds_end_once: [
    `update factory_events set event = '{"type":"job.failed"}' where job_id = 'job_ended' and seq = 3`,
  ],
  builds_have_a_worker_while_they_run: [`update factory_jobs set worker_id = null where id = 'job_running'`],
  builds_that_succeeded_have_output: [`delete from factory_outputs`],
};

onEveryStore('the check of a database', (on) => {
  it('finds nothing in one that is in use', async () => {
    const store = await usedStore(on);
    expect(await checkStore(store)).toEqual([]);
  });

  for (const [rule, statements] of Object.entries(breaches)) {
    it(`finds what breaks the rule ${rule}`, async () => {
      const store = await usedStore(on);
      for (const statement of statements) await sql.raw(statement).execute(store.db);
      const findings = await checkStore(store);
      expect(findings.map((finding) => finding.rule)).toContain(rule);
      for (const { count, examples } of findings) {
        expect(count).toBeGreaterThanOrEqual(examples.length);
        expect(examples).not.toEqual([]);
      }
    });
  }

  it('says where, and how often', async () => {
    const store = await usedStore(on);
    await sql`update usage_sums set requests = requests + 1, succeeded = succeeded + 1`.execute(store.db);
    expect(await checkStore(store)).toEqual([
      {
        rule: 'usage_days_match_the_ledger',
        message: expect.any(String),
        count: 1,
        examples: ['acme 2026-03-10 createChat gpt-4o'],
      },
    ]);
  });

  it('says that a rule cannot be checked', async () => {
    const store = await usedStore(on);
    await sql`drop table demo_hits`.execute(store.db);
    await sql`drop table factory_checkpoints`.execute(store.db);
    const [finding, ...others] = await checkStore(store);
    expect(others).toEqual([]);
    expect(finding).toMatchObject({ rule: 'factory_checkpoints_name_existing_factory_jobs', count: 1 });
    expect(finding?.message).toMatch(/cannot be checked: .*factory_checkpoints/);
  });

  it('knows what retention has deleted, and finds what else is missing', async () => {
    const clock = new TestClock('2026-03-10T12:00:00Z');
    const store = await usedStore(on, clock);
    clock.set('2026-03-11T12:00:00Z');
    expect(await sweepLedger(store, 1, new AbortController().signal)).toBe(0);
    clock.set('2026-03-12T12:00:00Z');
    expect(await sweepLedger(store, 1, new AbortController().signal)).toBe(4);
    expect(await checkStore(store)).toEqual([]);
    await sql`update usage_sums set requests = requests - 1`.execute(store.db);
    expect((await checkStore(store)).map(({ rule }) => rule)).toEqual(['usage_days_add_up']);
  });
});

/** A database with something in every table that a rule is about. */
async function usedStore(on: StoreTests, clock = new TestClock('2026-03-10T12:00:00Z')): Promise<Store> {
  const accounts = await testAccounts(on, { clock });
  const ask = await tenantOn(accounts, 'acme', 'enterprise');
  await accounts.storedKeys.create({ tenantId: 'acme', label: 'one' }, 'test');
  for (let request = 0; request < 4; request += 1) await admitted(await ask()).settle(success);
  // One that still runs.
  admitted(await ask());
  await accounts.admissions.flush();
  await accounts.store.ledger.sum(clock.now());
  const { db } = accounts.store;
  const run = {
    tenant_id: 'acme',
    agent_id: 'a',
    request_id: 'r',
    instance_id: 'i',
    background: 0,
    created_at: 1,
  };
  const none = { cancel_requested_at: null, finished_at: null };
  await db
    .insertInto('agent_runs')
    .values([
      { id: 'run_ended', status: 'succeeded', events: 3, ...run, ...none, finished_at: 2 },
      { id: 'run_running', status: 'running', events: 1, ...run, ...none },
      { id: 'run_new', status: 'running', events: 0, ...run, ...none },
    ])
    .execute();
  await db
    .insertInto('agent_run_events')
    .values([
      { run_id: 'run_ended', seq: 1, type: 'start', data: '{}' },
      { run_id: 'run_ended', seq: 2, type: 'step', data: '{}' },
      { run_id: 'run_ended', seq: 3, type: 'end', data: '{}' },
      { run_id: 'run_running', seq: 1, type: 'start', data: '{}' },
    ])
    .execute();
  const build = { tenant_id: 'acme', request_id: 'r', prompt: '', options: '{}', attempt: 1, state: '{}' };
  const open = {
    ...build,
    ...none,
    stage: null,
    worker_id: null,
    ticket: null,
    created_at: 1,
    started_at: 1,
  };
  const job = { ...open, expires_at: 10, purged_at: null };
  await db
    .insertInto('factory_jobs')
    .values([
      { ...job, id: 'job_ended', status: 'succeeded', last_seq: 3, finished_at: 2 },
      { ...job, id: 'job_purged', status: 'failed', last_seq: 3, finished_at: 2, purged_at: 11 },
      { ...job, id: 'job_running', status: 'running', last_seq: 2, worker_id: 'i' },
    ])
    .execute();
  const events = (job_id: string, ...types: string[]) =>
    types.map((type, index) => ({ job_id, seq: index + 1, event: JSON.stringify({ seq: index + 1, type }) }));
  await db
    .insertInto('factory_events')
    .values([
      ...events('job_ended', 'job.queued', 'job.started', 'job.succeeded'),
      ...events('job_running', 'job.queued', 'job.started'),
    ])
    .execute();
  await db
    .insertInto('factory_outputs')
    .values({ job_id: 'job_ended', zip: new Uint8Array(10), html: '<p>' })
    .execute();
  return accounts.store;
}
