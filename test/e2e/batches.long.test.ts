/** Batches of servers that are killed in the middle of them: another server carries them out. */
import OpenAI from 'openai';
import { expect, it, onTestFinished } from 'vitest';
import { appForThisTest, testKey } from '../helpers/app.ts';
import { beginBatch, chats, endOf, holdingVendor, resultsIn } from '../helpers/media-vendor.ts';
import { type Engine, onEveryQueue } from '../helpers/queues.ts';
import { type ServerProcess, startServer } from '../helpers/server-process.ts';
import type { StoreTests } from '../helpers/store.ts';
import { type Database, openDatabase } from '../helpers/test-database.ts';
import { providerOf } from '../helpers/vendor-gateway.ts';

const key = 'key-of-tests-0123456789';

async function world(on: StoreTests, engine: Engine) {
  const [database, vendor] = await Promise.all([on.database(), holdingVendor()]);
  const server = async () => {
    const started = await startServer({
      DATA_DIR: database.dataDir,
      ...(database.databaseUrl && { DATABASE_URL: database.databaseUrl }),
      API_KEYS: key,
      QUEUE: engine,
      OPENAI_API_KEY: 'sk-of-tests',
      OPENAI_BASE_URL: vendor.baseUrl,
    });
    onTestFinished(() => started.end('SIGKILL').then(() => undefined));
    return started;
  };
  return { database, vendor, server };
}

const clientOf = ({ url }: ServerProcess) =>
  new OpenAI({ baseURL: `${url}/v1`, apiKey: key, maxRetries: 2, timeout: 20_000 });

/** How the chats stand that the ledger knows of. */
async function chatsIn(database: Database): Promise<string[]> {
  const store = await openDatabase(database);
  const rows = await store.db
    .selectFrom('ledger_rows')
    .select('status')
    .where('operation', '=', 'createChatCompletion')
    .execute();
  await store.close();
  return rows.map(({ status }) => String(status)).toSorted();
}

onEveryQueue('batches of servers', (on, engine) => {
  it('that are killed go on at others, without asking again for what is answered', async () => {
    const { database, vendor, server } = await world(on, engine);
    const first = await server();
    const made = await beginBatch(
      clientOf(first),
      chats('now 1', 'now 2', 'slow 3', 'now 4', 'slow 5', 'now 6'),
    );
    const answered = async () => {
      const { request_counts: counts } = await clientOf(first).batches.retrieve(made.id);
      return counts?.completed;
    };
    await expect.poll(answered, { interval: 200 }).toBe(4);
    await first.end('SIGKILL');
    vendor.release();
    const client = clientOf(await server());
    const ended = await endOf(client, made.id, 120_000);
    expect(ended).toMatchObject({
      status: 'completed',
      error_file_id: null,
      request_counts: { total: 6, completed: 6, failed: 0 },
    });
    const results = await resultsIn(client, ended.output_file_id);
    expect(results.map(({ custom_id: id }) => id)).toEqual(['c0', 'c1', 'c2', 'c3', 'c4', 'c5']);
    expect(vendor.asked.toSorted()).toEqual(
      ['now 1', 'now 2', 'now 4', 'now 6', 'slow 3', 'slow 3', 'slow 5', 'slow 5'].toSorted(),
    );
    const again = Array.from({ length: 6 }, () => 'succeeded');
    await expect
      .poll(() => chatsIn(database), { interval: 500 })
      .toEqual(['interrupted', 'interrupted', ...again]);
  });

  it('that stop while others go on are carried out there', async () => {
    const { vendor, server } = await world(on, engine);
    const [one, two] = [await server(), await server()];
    const made = await beginBatch(clientOf(one), chats('slow 1', 'now 2', 'slow 3'));
    await expect.poll(() => vendor.asked.length, { interval: 200 }).toBe(3);
    // Whichever has it: each of them is stopped once.
    expect(await one.end('SIGTERM')).toBe(0);
    const three = await server();
    expect(await two.end('SIGTERM')).toBe(0);
    vendor.release();
    const client = clientOf(three);
    const ended = await endOf(client, made.id, 120_000);
    expect(ended).toMatchObject({ status: 'completed', request_counts: { total: 3, completed: 3 } });
    expect(await resultsIn(client, ended.output_file_id)).toHaveLength(3);
  });
});

it('a request of a batch waits for room in a minute that is full', async () => {
  const vendor = await holdingVendor();
  const app = await appForThisTest({
    models: { providers: [providerOf('openai', vendor.baseUrl)], models: [] },
  });
  const scope = { keyId: null, tag: null, model: 'gpt-4o' };
  const budget = { label: 'two', scope, unit: 'requests', window: 'minute', limit: 2, hard: true } as const;
  await app.accounts.budgets.create({ tenantId: 'local', ...budget, alertsAt: [] }, 'test');
  const client = new OpenAI({ baseURL: `${app.url}/v1`, apiKey: testKey, maxRetries: 0 });
  const made = await beginBatch(client, chats('now 1', 'now 2', 'now 3'));
  await expect.poll(() => vendor.asked.length).toBe(2);
  const counts = async () => (await client.batches.retrieve(made.id)).request_counts;
  await expect.poll(counts).toEqual({ total: 3, completed: 2, failed: 0 });
  const ended = await endOf(client, made.id, 150_000);
  expect(ended).toMatchObject({
    status: 'completed',
    request_counts: { total: 3, completed: 3, failed: 0 },
  });
});
