/** Builds of version 1.0, which knew of no revisions and kept no specs, on a server of this version. */

import { unzipSync } from 'fflate';
import { sql } from 'kysely';
import { expect, it } from 'vitest';
import type { BuildEvent } from '../../../generated/types.gen.ts';
import { embeddedBuilder } from '../../../src/factory/embedded-builder.ts';
import type { Store } from '../../../src/store/store.ts';
import { startApp } from '../../helpers/app.ts';
import { askJobs, eventsIn, eventually, faultsOf, finalJob, gate, postDemo } from '../../helpers/factory.ts';
import { ask } from '../../helpers/http.ts';
import { onEveryStore } from '../../helpers/store.ts';
import { openDatabase } from '../../helpers/test-database.ts';

type Json = Record<string, unknown>;
const ofRevisions = ['root_id', 'base_id', 'change', 'client', 'revision'];

onEveryStore('an upgrade from version 1.0', (on) => {
  /** A database as version 1.0 has left it, with a build of each sort, and this version's server on it. */
  async function upgraded() {
    const database = await on.database();
    const held = gate();
    const old = await startApp({
      database,
      errorsExpected: true,
      factory: {
        loadBuilder: async () => async (context) => {
          if (context.prompt === 'a build that fails') throw new Error('It fails.');
          if (context.prompt === 'a list that goes on') {
            await context.report({ type: 'stage', stage: 'planning' });
            held.open();
            await new Promise((_, reject) => context.signal.addEventListener('abort', reject));
          }
          return embeddedBuilder(context);
        },
      },
    });
    const asked = async (prompt: string) => (await askJobs(old, '', { body: { prompt } })).json.id as string;
    const finished = await asked('a list of books with author and rating');
    const failed = await asked('a build that fails');
    for (const id of [finished, failed]) await askJobs(old, `/${id}/events`);
    const demo = finalJob(eventsIn((await postDemo(old, 'a list of plants with a date')).text)).id;
    const running = await asked('a list that goes on');
    await held.opened;
    await old.close();
    const store = await openDatabase(database);
    await sql`update factory_jobs set status = 'running', worker_id = 'inst_gone' where id = ${running}`.execute(
      store.db,
    );
    await forget(store);
    await store.close();
    const app = await startApp({ database });
    on.cleanUp(() => app.close());
    return { app, finished, failed, running, demo };
  }

  it('lists and shows its builds as first ones of their apps, without a spec', async () => {
    const { app, finished, failed, running } = await upgraded();
    const { json } = await askJobs(app, '');
    expect(json.data.map(({ id }: { id: string }) => id).toSorted()).toEqual(
      [finished, failed, running].toSorted(),
    );
    const { json: record } = await askJobs(app, `/${finished}`);
    expect(record).toMatchObject({
      status: 'succeeded',
      revision: { number: 1, root_id: finished, base_id: null, change: { type: 'first' } },
      plan: { kind: 'tracker', spec: null, not_taken_up: [], unserved: null },
    });
    expect((await askJobs(app, `/${failed}`)).json).toMatchObject({
      status: 'failed',
      error: { code: 'build_failed' },
      revision: { number: 1 },
    });
    const revisions = await askJobs(app, `/${finished}/revisions`);
    expect(revisions.json.data.map(({ id }: { id: string }) => id)).toEqual([finished]);
    expect((await askJobs(app, `/${finished}/newest`)).json.id).toBe(finished);
  });

  it('hands out archive, preview and files', async () => {
    const { app, finished } = await upgraded();
    const { json } = await askJobs(app, `/${finished}`);
    const response = await fetch(json.artifact.url, { headers: { 'x-api-key': 'test-key-with-all-scopes' } });
    const archive = unzipSync(new Uint8Array(await response.arrayBuffer()));
    expect(Object.keys(archive)).toContain('index.html');
    expect((await ask(json.preview.url, { key: null })).status).toBe(200);
    const files = await askJobs(app, `/${finished}/files`);
    expect(files.json.data.map(({ path }: { path: string }) => path)).toContain('src/index.html');
  });

  it('says why they cannot be revised, and finishes those that were running', async () => {
    const { app, finished, failed, running } = await upgraded();
    for (const body of [
      { instruction: 'call it Zap' },
      { patch: { name: 'Zap' } },
      { spec: { name: 'Zap' } },
    ]) {
      const { status, error } = await askJobs(app, `/${finished}/revisions`, { body });
      expect([status, error.message]).toEqual([409, expect.stringContaining('version 1.0')]);
    }
    expect((await askJobs(app, `/${failed}/revisions`, { body: { patch: { name: 'Zap' } } })).status).toBe(
      409,
    );
    const { json } = await eventually(async () => {
      const answer = await askJobs(app, `/${running}`);
      return answer.json.status === 'succeeded' && answer;
    });
    expect(json).toMatchObject({ attempt: 2, plan: { spec: { kind: 'tracker' } } });
    const next = await askJobs(app, `/${running}/revisions`, { body: { patch: { name: 'Zap' } } });
    expect([next.status, next.json.revision.number]).toEqual([202, 2]);
  });

  it('replays their events with what the contract promises today', async () => {
    const { app, finished, failed, demo } = await upgraded();
    for (const [id, path] of [finished, failed].map((id) => [id, `/${id}/events`] as const)) {
      const events = eventsIn((await askJobs(app, path)).text, true);
      expect(faultsOf(events)).toEqual([]);
      await holdsPromises(id, events, (await askJobs(app, `/${id}`)).json);
    }
    const shown = await ask(`${app.url}/api/factory/public-demo/${demo}/events`, { key: null });
    const record = await ask(`${app.url}/api/factory/public-demo/${demo}`, { key: null });
    await holdsPromises(demo, eventsIn(shown.text, true), record.json);
  });
});

async function holdsPromises(id: string, events: readonly BuildEvent[], record: Json) {
  const records = events.flatMap((event) => ('job' in event ? [event.job] : []));
  expect(records.length).toBe(2);
  for (const job of records)
    expect(job).toMatchObject({
      id,
      revision: { number: 1, root_id: id, change: { type: 'first' }, understood: [] },
      links: {
        revisions: (record['links'] as Json)['revisions'],
        newest: (record['links'] as Json)['newest'],
      },
    });
  // Each server has a port of its own, which its answers contain.
  const portless = (job: unknown) =>
    JSON.parse(JSON.stringify(job).replace(/(127\.0\.0\.1|localhost):\d+/g, '$1'));
  expect(portless(records.at(-1))).toEqual(portless(record));
  for (const event of events)
    if (event.type === 'plan.ready')
      expect(event.plan).toMatchObject({ spec: null, not_taken_up: [], unserved: null });
}

/** Takes out of a database what version 1.0 did not know. */
async function forget({ db, dialect }: Store): Promise<void> {
  const plan = (of: Json, ...names: string[]) => {
    const there = of['plan'] as Json | null | undefined;
    for (const name of names) if (there) delete there[name];
  };
  for (const { id, state } of await db.selectFrom('factory_jobs').select(['id', 'state']).execute()) {
    const kept = JSON.parse(state);
    plan(kept, 'spec', 'notTakenUp', 'unserved');
    await db
      .updateTable('factory_jobs')
      .set({ state: JSON.stringify(kept) })
      .where('id', '=', id)
      .execute();
  }
  for (const row of await db.selectFrom('factory_events').selectAll().execute()) {
    const event = JSON.parse(row.event);
    plan(event, 'spec', 'not_taken_up', 'unserved');
    if (event.job) {
      plan(event.job, 'spec', 'not_taken_up', 'unserved');
      delete event.job.revision;
      for (const name of ['revisions', 'newest']) delete event.job.links[name];
    }
    await db
      .updateTable('factory_events')
      .set({ event: JSON.stringify(event) })
      .where('job_id', '=', row.job_id)
      .where('seq', '=', row.seq)
      .execute();
  }
  for (const index of ['factory_jobs_revisions', 'factory_jobs_changed'])
    await sql`drop index ${sql.ref(index)}`.execute(db);
  for (const column of ofRevisions)
    await sql`alter table factory_jobs drop column ${sql.ref(column)}`.execute(db);
  for (const view of ['ledger_rows', 'older_rows', 'usage_rows'])
    await sql`drop view ${sql.ref(view)}`.execute(db);
  const later = ['admitted', 'settled', 'usage_sums', 'usage_tag_days', 'sum_marks', 'idempotency_keys'];
  for (const table of ['plan_hits', ...later]) await sql`drop table ${sql.ref(table)}`.execute(db);
  for (const [table, column] of [
    ['factory_outputs', 'picture'],
    ['tenants', 'idempotency'],
    ['tenants', 'required_tags'],
    ['keys', 'tags'],
    ['sessions', 'id'],
    ['sessions', 'role'],
    ['sessions', 'actor'],
    ['sessions', 'issuer'],
    ['sessions', 'seen_at'],
    ['instances', 'name'],
    ['instances', 'version'],
    ['instances', 'state'],
    ['instances', 'config'],
  ] as const)
    await sql`alter table ${sql.ref(table)} drop column ${sql.ref(column)}`.execute(db);
  if (dialect === 'postgres') await sql`drop function take_limits`.execute(db);
  const tables = [
    'tasks',
    'analytics_sinks',
    'analytics_outbox',
    'limit_buckets',
    'budgets',
    'budget_alerts',
    'prices',
  ];
  const ofBatches = ['open_batches', 'batch_lines'];
  for (const table of [
    ...tables,
    ...ofBatches,
    'webhooks',
    'webhook_deliveries',
    'used_sign_ins',
    'thoughts',
  ])
    await sql`drop table ${sql.ref(table)}`.execute(db);
  await sql`delete from kysely_migration where name >= '0008'`.execute(db);
}
