/** Batches that the sandbox carries out, with OpenAI's official client. */
import { expect, it } from 'vitest';
import type { Limits } from '../../src/tenants/accounts/plans.ts';
import { startApp, type TestApp } from '../helpers/app.ts';
import {
  beginBatch,
  chats,
  clientOf,
  endOf,
  type HoldingVendor,
  holdingVendor,
  resultsIn,
} from '../helpers/media-vendor.ts';
import { onEveryStore, onSqlite } from '../helpers/store.ts';
import { type Database, openDatabase } from '../helpers/test-database.ts';
import { providerOf } from '../helpers/vendor-gateway.ts';

function appOn(database: Database, vendor: HoldingVendor, limits: Partial<Limits> = {}): Promise<TestApp> {
  return startApp({
    database,
    limits,
    models: {
      providers: [providerOf('openai', vendor.baseUrl)],
      models: [],
      timeLimits: { connect: 5_000, firstByte: 60_000, idle: 60_000, total: 60_000 },
    },
  });
}

interface LedgerRow {
  readonly status: string;
  readonly key_id: string;
  readonly tags: string | null;
}

/** What the ledger has of the chats of a tenant. */
async function chatsIn(database: Database): Promise<LedgerRow[]> {
  const store = await openDatabase(database);
  const rows = await store.db
    .selectFrom('ledger_rows')
    .select(['status', 'key_id', 'tags'])
    .where('operation', '=', 'createChatCompletion')
    .execute();
  await store.close();
  return rows as unknown as LedgerRow[];
}

const ids = (lines: readonly { custom_id: string }[]) => lines.map(({ custom_id: id }) => id);

onEveryStore('a batch of the sandbox', (on) => {
  async function world(limits: Partial<Limits> = {}) {
    const [database, vendor] = await Promise.all([on.database(), holdingVendor()]);
    const app = await appOn(database, vendor, limits);
    on.cleanUp(async () => {
      vendor.release();
      await app.close();
    });
    return { app, database, vendor, client: clientOf(app) };
  }

  it('is answered at once, tells how far it is, and is accounted for as requests of its key', async () => {
    const { database, vendor, client } = await world();
    const headers = { 'x-switchyard-tags': 'team=a' };
    const text = chats('now 1', 'now 2', 'slow 3', 'slow 4', 'slow 5', 'slow 6', 'slow 7');
    const made = await beginBatch(client, text, { headers });
    expect(made).toMatchObject({ status: 'validating', request_counts: { total: 0 } });
    const now = () => client.batches.retrieve(made.id);
    await expect.poll(() => vendor.asked.length).toBe(6);
    expect(await now()).toMatchObject({
      status: 'in_progress',
      request_counts: { total: 7, completed: 2, failed: 0 },
    });
    expect((await client.batches.list()).data).toEqual([await now()]);
    vendor.release();
    const ended = await endOf(client, made.id);
    expect(ended).toMatchObject({
      status: 'completed',
      error_file_id: null,
      request_counts: { total: 7, completed: 7, failed: 0 },
    });
    const results = await resultsIn(client, ended.output_file_id);
    expect(ids(results)).toEqual(['c0', 'c1', 'c2', 'c3', 'c4', 'c5', 'c6']);
    expect(results[6]?.response?.body).toMatchObject({ choices: [{ message: { content: 'To slow 7' } }] });
    const rows = await chatsIn(database);
    expect(rows).toHaveLength(7);
    expect(new Set(rows.map(({ status }) => status))).toEqual(new Set(['succeeded']));
    expect(new Set(rows.map(({ tags }) => tags))).toEqual(new Set(['{"team":"a"}']));
  });

  it('asks models only for a key that may do so itself', async () => {
    const { app, vendor } = await world();
    const keyWith = async (...scopes: string[]) =>
      (await app.accounts.storedKeys.create({ tenantId: 'local', scopes }, 'test')).text;
    const begun = async (key: string) => beginBatch(clientOf(app, key), chats('now 1'));
    await expect(begun(await keyWith('files'))).rejects.toMatchObject({
      status: 403,
      message: expect.stringContaining('"chat"'),
    });
    const both = clientOf(app, await keyWith('files', 'chat'));
    const { id } = await beginBatch(both, chats('now 1'));
    expect((await endOf(both, id)).status).toBe('completed');
    expect(vendor.asked).toHaveLength(1);
  });

  it('begins nothing more when it is cancelled, and keeps what is answered', async () => {
    const { vendor, client } = await world();
    const made = await beginBatch(
      client,
      chats('now 1', ...Array.from({ length: 8 }, (_, n) => `slow ${n}`)),
    );
    await expect.poll(() => vendor.asked.length).toBe(5);
    expect((await client.batches.cancel(made.id)).status).toBe('cancelling');
    expect((await client.batches.cancel(made.id)).status).toBe('cancelling');
    vendor.release();
    const ended = await endOf(client, made.id);
    expect(ended).toMatchObject({
      status: 'cancelled',
      request_counts: { total: 9, completed: 5, failed: 0 },
    });
    expect(ids(await resultsIn(client, ended.output_file_id))).toEqual(['c0', 'c1', 'c2', 'c3', 'c4']);
    expect(vendor.asked).toHaveLength(5);
  });

  it('is cancelled at once while it waits for others of its tenant', async () => {
    const { vendor, client } = await world();
    for (const name of ['one', 'two']) await beginBatch(client, chats(`slow ${name}`));
    await expect.poll(() => vendor.asked.length).toBe(2);
    const third = await beginBatch(client, chats('slow three'));
    const fourth = await beginBatch(client, chats('now four'));
    expect(await client.batches.cancel(third.id)).toMatchObject({
      status: 'cancelled',
      output_file_id: null,
    });
    vendor.release();
    await endOf(client, fourth.id);
    expect(vendor.asked).not.toContain('slow three');
    expect((await client.batches.retrieve(third.id)).status).toBe('cancelled');
  });

  it('fails with what it has when its key is revoked', async () => {
    const { app, vendor, client } = await world();
    const { key, text } = await app.accounts.storedKeys.create({ tenantId: 'local' }, 'test');
    const made = await beginBatch(clientOf(app, text), chats('a', 'b', 'c', 'd', 'never'));
    await expect.poll(() => vendor.asked.length).toBe(4);
    await app.accounts.storedKeys.revoke({ id: key.id, tenantId: 'local' }, 'test');
    vendor.release();
    const ended = await endOf(client, made.id);
    expect(ended).toMatchObject({
      status: 'failed',
      errors: { data: [{ code: 'invalid_api_key', line: null }] },
      request_counts: { total: 5, completed: 4, failed: 0 },
    });
    expect(await resultsIn(client, ended.output_file_id)).toHaveLength(4);
    expect(vendor.asked).not.toContain('never');
  });

  it('waits for a limit that has room again soon', async () => {
    const { vendor, client } = await world({ concurrentRequests: 1 });
    const made = await beginBatch(client, chats('slow 1', 'now 2', 'now 3'));
    await expect.poll(() => vendor.asked.length).toBe(1);
    // It holds the only turn, which a request for it needs as well.
    await expect(client.batches.retrieve(made.id)).rejects.toMatchObject({ status: 429 });
    vendor.release();
    expect(await endOf(client, made.id)).toMatchObject({
      status: 'completed',
      request_counts: { total: 3, completed: 3, failed: 0 },
    });
  });

  it('does not wait for one that has not', async () => {
    const { app, database, vendor, client } = await world();
    const scope = { keyId: null, tag: null, model: 'gpt-4o' };
    const budget = { label: 'three', scope, unit: 'requests', window: 'day', limit: 3, hard: true } as const;
    await app.accounts.budgets.create({ tenantId: 'local', ...budget, alertsAt: [] }, 'test');
    const made = await beginBatch(client, chats('now 1', 'now 2', 'now 3', 'now 4', 'now 5'));
    const ended = await endOf(client, made.id);
    expect(ended).toMatchObject({
      status: 'completed',
      request_counts: { total: 5, completed: 3, failed: 2 },
    });
    const errors = await resultsIn(client, ended.error_file_id);
    expect(errors.map(({ response }) => response?.status_code)).toEqual([429, 429]);
    expect(vendor.asked).toHaveLength(3);
    expect(await chatsIn(database)).toHaveLength(3);
  });

  it('expires, and says which requests were not carried out', async () => {
    const { database, vendor, client } = await world();
    const made = await beginBatch(client, chats('a', 'b', 'c', 'd', 'late'));
    await expect.poll(() => vendor.asked.length).toBe(4);
    const store = await openDatabase(database);
    const row = store.db.selectFrom('kept_objects').select('data').where('id', '=', made.id);
    const { data } = await row.executeTakeFirstOrThrow();
    const expired = JSON.stringify({ ...JSON.parse(data ?? ''), expires_at: 1 });
    await store.db.updateTable('kept_objects').set({ data: expired }).where('id', '=', made.id).execute();
    await store.close();
    vendor.release();
    const ended = await endOf(client, made.id);
    expect(ended).toMatchObject({ status: 'expired', request_counts: { total: 5, completed: 4, failed: 1 } });
    expect(await resultsIn(client, ended.error_file_id)).toMatchObject([
      { custom_id: 'c4', response: null, error: { code: 'batch_expired' } },
    ]);
  });

  it('ends long after its time also where its task is lost', async () => {
    const { app, database, vendor, client } = await world();
    for (const name of ['one', 'two']) await beginBatch(client, chats(`slow ${name}`));
    await expect.poll(() => vendor.asked.length).toBe(2);
    const lost = await beginBatch(client, chats('lost'));
    const store = await openDatabase(database);
    await store.db.deleteFrom('tasks').where('key', '=', lost.id).execute();
    const set = async (values: object) =>
      store.db.updateTable('kept_objects').set(values).where('id', '=', lost.id).execute();
    await app.batches.sweep();
    const tasks = () => store.db.selectFrom('tasks').select('key').where('key', '=', lost.id).execute();
    expect(await tasks()).toEqual([]);
    await set({ created_at: Date.now() - 25 * 3_600_000, data: JSON.stringify({ ...lost, expires_at: 1 }) });
    await app.batches.sweep();
    await app.batches.sweep();
    expect(await tasks()).toEqual([{ key: lost.id }]);
    await store.close();
    vendor.release();
    expect(await endOf(client, lost.id)).toMatchObject({
      status: 'expired',
      request_counts: { total: 1, completed: 0, failed: 1 },
    });
    expect(vendor.asked).not.toContain('lost');
  });

  it('goes on at another server when its own stops, with what is not answered', async () => {
    const [database, vendor] = await Promise.all([on.database(), holdingVendor()]);
    const first = await appOn(database, vendor);
    const text = chats('now 1', 'now 2', 'slow 3', 'now 4', 'now 5');
    const made = await beginBatch(clientOf(first), text);
    const counts = async () => (await clientOf(first).batches.retrieve(made.id)).request_counts?.completed;
    await expect.poll(counts).toBe(4);
    // The vendor holds what is under way until this server has ended.
    await expect.poll(() => vendor.asked).toContain('slow 3');
    await first.close();
    vendor.release();
    const second = await appOn(database, vendor);
    on.cleanUp(() => second.close());
    const client = clientOf(second);
    const ended = await endOf(client, made.id);
    expect(ended).toMatchObject({ status: 'completed', request_counts: { total: 5, completed: 5 } });
    expect(ids(await resultsIn(client, ended.output_file_id))).toEqual(['c0', 'c1', 'c2', 'c3', 'c4']);
    expect(vendor.asked.toSorted()).toEqual(['now 1', 'now 2', 'now 4', 'now 5', 'slow 3', 'slow 3']);
    const statuses = (await chatsIn(database)).map(({ status }) => status).toSorted();
    expect(statuses).toEqual(['cancelled', ...Array.from({ length: 5 }, () => 'succeeded')]);
    const store = await openDatabase(database);
    expect(await store.db.selectFrom('batch_lines').selectAll().execute()).toEqual([]);
    expect(await store.db.selectFrom('open_batches').selectAll().execute()).toEqual([]);
    await store.close();
  });
});

onSqlite('a batch of a tenant whose files fill its room', (on) => {
  it('is not begun; one that has begun keeps its results', async () => {
    const [database, vendor] = await Promise.all([on.database(), holdingVendor()]);
    const app = await appOn(database, vendor);
    on.cleanUp(async () => {
      vendor.release();
      await app.close();
    });
    const client = clientOf(app);
    const begun = await beginBatch(client, chats('slow 1'));
    await expect.poll(() => vendor.asked.length).toBe(1);
    const input = (await client.files.list()).data[0]?.id ?? '';
    const store = await openDatabase(database);
    const full = { tenant_id: 'local', id: 'full', length: 64 * 1024 * 1024, bytes: Buffer.alloc(1) };
    await store.db.insertInto('kept_contents').values(full).execute();
    await store.close();
    const late = await client.batches.create({
      input_file_id: input,
      endpoint: '/v1/chat/completions',
      completion_window: '24h',
    });
    expect(await endOf(client, late.id)).toMatchObject({
      status: 'failed',
      errors: { data: [{ code: 'no_room' }] },
    });
    vendor.release();
    const ended = await endOf(client, begun.id);
    expect(ended.status).toBe('completed');
    expect(await resultsIn(client, ended.output_file_id)).toHaveLength(1);
    expect(vendor.asked).toEqual(['slow 1']);
  });
});
