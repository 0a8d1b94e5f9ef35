/** Idempotency keys when servers are killed, and when connections break under an SDK. */
import { createServer, connect as dial, type Socket } from 'node:net';
import Anthropic from '@anthropic-ai/sdk';
import OpenAI from 'openai';
import { expect, it } from 'vitest';
import { testKey } from '../helpers/app.ts';
import { ask } from '../helpers/http.ts';
import { type ServerProcess, startServer } from '../helpers/server-process.ts';
import { onEveryStore, type StoreTests } from '../helpers/store.ts';
import type { Database } from '../helpers/test-database.ts';
import { until, vendorFor } from '../helpers/vendor-gateway.ts';
import { answerText } from '../helpers/wire-clients.ts';
import type { ScriptedVendor, VendorReply } from '../lib/vendor.ts';

const question = { model: 'gpt-4o', message: 'Why is the sky blue?' };
const key = { 'idempotency-key': 'the-one' };

async function serverOn(
  on: StoreTests,
  { dataDir, databaseUrl }: Database,
  vendor: ScriptedVendor,
): Promise<ServerProcess> {
  const server = await startServer({
    DATA_DIR: dataDir,
    ...(databaseUrl !== null && { DATABASE_URL: databaseUrl }),
    API_KEYS: testKey,
    KEY_SECRET: 'a secret of the tests, long enough',
    OPENAI_API_KEY: 'sk-test',
    OPENAI_BASE_URL: vendor.baseUrl,
    ANTHROPIC_API_KEY: 'sk-test',
    ANTHROPIC_BASE_URL: vendor.baseUrl,
  });
  on.cleanUp(() => server.end('SIGKILL'));
  return server;
}

/** A way to a server that breaks off the first answers in the middle, as a bad network does. */
async function cutting(on: StoreTests, server: ServerProcess, cuts: number, after: number) {
  const { port } = new URL(server.url);
  const sockets = new Set<Socket>();
  let cut = 0;
  const way = createServer((client) => {
    const upstream = dial(Number(port), '127.0.0.1');
    sockets.add(client).add(upstream);
    client.on('error', () => upstream.destroy()).on('close', () => upstream.destroy());
    upstream.on('error', () => client.destroy()).on('close', () => client.destroy());
    client.pipe(upstream);
    upstream.on('data', (bytes: Buffer) => {
      if (cut >= cuts) return client.write(bytes);
      cut += 1;
      client.write(bytes.subarray(0, after));
      client.resetAndDestroy();
      return false;
    });
  });
  await new Promise<void>((resolve) => way.listen(0, '127.0.0.1', resolve));
  on.cleanUp(() => {
    for (const socket of sockets) socket.destroy();
    way.close();
  });
  const address = way.address();
  if (address === null || typeof address === 'string') throw new Error('no address');
  return { url: `http://127.0.0.1:${address.port}`, cuts: () => cut };
}

/** Asks until the key is not in use any more. */
async function askUntilFree(url: string, path: string, body: unknown) {
  for (;;) {
    const answer = await ask(url + path, { body, headers: key, direct: true });
    if (answer.status !== 409) return answer;
    expect(answer.error.code).toBe('idempotency_key_in_use');
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}

onEveryStore('an Idempotency-Key', (on) => {
  it('of a server that was killed in the middle is taken over by one of those that ask again', async () => {
    const database = await on.database();
    const held: VendorReply[] = [];
    let holding = true;
    const vendor = await vendorFor((reply) => {
      if (holding) held.push(reply);
      else return answerText(reply);
    });
    const [first, second] = [await serverOn(on, database, vendor), await serverOn(on, database, vendor)];
    const lost = ask(`${first.url}/v1/chat`, { body: question, headers: key, direct: true });
    lost.catch(() => undefined);
    await until(() => held.length === 1);
    holding = false;
    await first.end('SIGKILL');
    await expect(lost).rejects.toThrow();
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => askUntilFree(second.url, '/v1/chat', question)),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array(8).fill(200));
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    expect(vendor.requests).toHaveLength(2);
  });

  it('of a build or a revision finds what a killed server has made', async () => {
    const database = await on.database();
    const vendor = await vendorFor(answerText);
    let server = await serverOn(on, database, vendor);
    const store = await on.open(database);
    const apiKey = { 'x-api-key': testKey };
    const send = (path: string, body: object) =>
      ask(`${server.url}${path}`, {
        body,
        headers: { 'idempotency-key': path, ...apiKey },
        key: null,
        direct: true,
      });
    const madeTwice = async (path: string, body: object) => {
      const made = await send(path, body);
      expect(made.status).toBe(202);
      // As if it had died between the build and its answer.
      await store.db
        .updateTable('idempotency_keys')
        .set({ state: 'running', answer: null, answer_bytes: 0 })
        .execute();
      await server.end('SIGKILL');
      server = await serverOn(on, database, vendor);
      let again = await send(path, body);
      while (again.status === 409) {
        expect(again.error.code).toBe('idempotency_key_in_use');
        await new Promise((resolve) => setTimeout(resolve, 200));
        again = await send(path, body);
      }
      expect([again.status, again.json.id]).toEqual([202, made.json.id]);
      const self = { headers: apiKey, key: null };
      await expect
        .poll(
          async () =>
            (await ask(made.json.links.self.replace(/^http:..[^/]+/, server.url), self)).json.status,
          {
            timeout: 60_000,
          },
        )
        .toBe('succeeded');
      return made.json.id as string;
    };
    const build = await madeTwice('/api/v1/factory/jobs', { prompt: 'A to-do list for our garden' });
    const revision = await madeTwice(`/api/v1/factory/jobs/${build}/revisions`, {
      instruction: 'Call it Our green garden',
    });
    const jobs = await store.db.selectFrom('factory_jobs').select('id').execute();
    expect(jobs.map(({ id }) => id).sort()).toEqual([build, revision].sort());
    const rows = await store.db
      .selectFrom('ledger_rows')
      .select('operation')
      .where('operation', 'in', ['createFactoryJob', 'createFactoryRevision'])
      .execute();
    expect(rows).toHaveLength(2);
  });

  it('survives a stop of the server by SIGTERM after its client has left', async () => {
    const database = await on.database();
    const held: VendorReply[] = [];
    const vendor = await vendorFor((reply) => void held.push(reply));
    const first = await serverOn(on, database, vendor);
    const leaving = new AbortController();
    const left = ask(`${first.url}/v1/chat`, { body: question, headers: key, signal: leaving.signal });
    left.catch(() => undefined);
    await until(() => held.length === 1);
    leaving.abort();
    await expect(left).rejects.toThrow();
    const stopped = first.end('SIGTERM');
    await new Promise((resolve) => setTimeout(resolve, 500));
    await answerText(held[0] as VendorReply);
    expect(await stopped).toBe(0);
    const second = await serverOn(on, database, vendor);
    const answer = await ask(`${second.url}/v1/chat`, { body: question, headers: key, direct: true });
    expect([answer.status, answer.headers['idempotent-replayed']]).toEqual([200, 'true']);
    expect(vendor.requests).toHaveLength(1);
  });

  it('lets the SDKs of OpenAI and Anthropic repeat a request over a connection that broke, for one run', async () => {
    const vendor = await vendorFor(answerText);
    const server = await serverOn(on, await on.database(), vendor);
    const way = await cutting(on, server, 2, 40);
    const openai = new OpenAI({ baseURL: `${way.url}/v1`, apiKey: testKey, maxRetries: 5 });
    const messages = [{ role: 'user' as const, content: 'Why is the sky blue?' }];
    const completion = await openai.chat.completions.create(
      { model: 'gpt-4o', messages },
      { headers: { 'Idempotency-Key': 'openai' } },
    );
    expect(completion.choices[0]?.message.content).toBeTruthy();
    expect(way.cuts()).toBe(2);
    expect(vendor.requests).toHaveLength(1);

    const other = await cutting(on, server, 2, 40);
    const anthropic = new Anthropic({ baseURL: other.url, apiKey: testKey, maxRetries: 5 });
    const message = await anthropic.messages.create(
      { model: 'claude-sonnet-4-6', max_tokens: 50, messages },
      { headers: { 'Idempotency-Key': 'anthropic' } },
    );
    expect(message.content).not.toEqual([]);
    expect(other.cuts()).toBe(2);
    expect(vendor.requests).toHaveLength(2);
    const stream = await openai.chat.completions.create(
      { model: 'gpt-4o', messages, stream: true },
      { headers: { 'Idempotency-Key': 'stream' } },
    );
    let text = '';
    for await (const chunk of stream) text += chunk.choices[0]?.delta.content ?? '';
    expect(text).toBeTruthy();
  });
});
