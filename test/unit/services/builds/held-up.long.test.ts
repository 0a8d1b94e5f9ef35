/** A real process that is stopped for longer than its lease, and continues after others have taken over. */
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as delay } from 'node:timers/promises';
import { sql } from 'kysely';
import { expect, it } from 'vitest';
import type { RunKey } from '../../../../src/services/agents/run-store.ts';
import type { Store } from '../../../../src/store/store.ts';
import { eventually, scripted } from '../../../helpers/factory.ts';
import { onEveryStore, type StoreTests } from '../../../helpers/store.ts';
import { ledgerRows, type TestAccounts, tenantOn, testAccounts } from '../../../helpers/store-accounts.ts';
import { accept, buildsOn, openTestAgents } from '../../../helpers/store-agents.ts';
import { type StoreProcess, startProcess } from '../../../helpers/store-process.ts';
import type { Database } from '../../../helpers/test-database.ts';

/** Longer than a lease, and than its renewal after that. */
const heldUpMs = 21_000;

const numbers = (count: number) => Array.from({ length: count }, (_, index) => index + 1);

/** Whether no transaction is open: a process that is stopped in one keeps its locks. */
async function nobodyWrites({ dataDir, databaseUrl }: Database, { db }: Store): Promise<boolean> {
  if (databaseUrl !== null) {
    const { rows } = await sql`select 1 from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid() and state <> 'idle'`.execute(db);
    return rows.length === 0;
  }
  using database = new DatabaseSync(join(dataDir, 'switchyard.db'));
  try {
    database.exec('begin immediate; rollback');
    return true;
  } catch {
    return false;
  }
}

async function heldUp(
  { child }: StoreProcess,
  database: Database,
  { store }: TestAccounts,
  whileStopped: () => Promise<unknown>,
): Promise<void> {
  child.kill('SIGSTOP');
  while (!(await nobodyWrites(database, store))) {
    child.kill('SIGCONT');
    await delay(50);
    child.kill('SIGSTOP');
  }
  await Promise.all([delay(heldUpMs), whileStopped()]);
  child.kill('SIGCONT');
}

async function aBuild(on: StoreTests, database: Database): Promise<void> {
  const accounts = await testAccounts(on, {}, database);
  const { builds, runner, errors } = buildsOn(accounts.store, accounts.instanceId, async () => scripted());
  on.cleanUp(() => runner.close());
  const id = await accept(builds);
  const slow = await startProcess(on, database, 'build');
  const worker = await slow.next();
  expect(await builds.find(id)).toMatchObject({ status: 'running', worker_id: worker, attempt: 1 });
  await runner.start();
  await heldUp(slow, database, accounts, async () => {
    await eventually(async () => (await builds.find(id))?.status === 'succeeded');
  });
  const done = await builds.find(id);
  expect(done).toMatchObject({ status: 'succeeded', attempt: 2 });
  slow.say('go');
  expect(await slow.next()).toBe('[]');
  expect(await builds.find(id)).toEqual(done);
  const events = await builds.table.events(id, 0);
  expect(events.map(({ seq }) => seq)).toEqual(numbers(events.length));
  expect(events.filter((event) => 'final' in event)).toHaveLength(1);
  expect(errors).toEqual([]);
  // It is one of those that live again.
  await eventually(async () => {
    const rows = await accounts.store.db.selectFrom('instances').select('id').execute();
    return rows.some((row) => row.id === worker);
  });
}

async function aRun(on: StoreTests, database: Database): Promise<void> {
  const accounts = await testAccounts(on, {}, database);
  await tenantOn(accounts, 'acme', 'enterprise');
  const agents = await openTestAgents(accounts);
  on.cleanUp(() => agents.close());
  const slow = await startProcess(on, database, 'agent');
  slow.say('go');
  const key: RunKey = { tenantId: 'acme', agentId: 'slow', id: await slow.next() };
  await heldUp(slow, database, accounts, async () => {
    await eventually(async () => (await agents.record(key)).status === 'interrupted');
  });
  const rowsOfRun = () => ledgerRows(accounts, 'acme');
  // The process itself says what became of the request, once it continues.
  await eventually(async () => (await rowsOfRun())[0]?.status === 'failed');
  const events = [];
  const { signal } = new AbortController();
  for await (const event of await agents.events(key, 0, signal)) events.push(event);
  expect(events.map((event) => ('seq' in event ? event.seq : 0))).toEqual(numbers(events.length));
  expect(events.filter(({ type }) => type === 'end')).toHaveLength(1);
  expect(await agents.record(key)).toMatchObject({ status: 'interrupted' });
  expect(await rowsOfRun()).toHaveLength(1);
}

onEveryStore('a process that was held up', (on) => {
  it('writes nothing over what others have taken over', async () => {
    await Promise.all([aBuild(on, await on.database()), aRun(on, await on.database())]);
  });
});
