import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import { root } from '../helpers/contract.ts';
import { eventually } from '../helpers/factory.ts';
import { ask } from '../helpers/http.ts';
import { type ServerProcess, startServer } from '../helpers/server-process.ts';
import { onEveryStore } from '../helpers/store.ts';
import { type Database, openDatabase } from '../helpers/test-database.ts';
import { openAiFixture } from '../helpers/vendor-fixtures.ts';
import { questionIn, until, vendorFor } from '../helpers/vendor-gateway.ts';

/** The server as a process: its start, its end, and its sudden end. */

const key = 'process-test-key-0123456789';

async function emptyDirectory(): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'switchyard-process-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  return folder;
}

/** As `npm start` runs it, below a shell that ends by the signal that the whole group gets, as from a terminal. */
it('stops in good order where its shell ends by the same signal', async () => {
  const DATA_DIR = await emptyDirectory();
  const { PATH } = process.env;
  const child = spawn('sh', ['-c', `"${process.execPath}" src/start.js; exit $?`], {
    cwd: root,
    detached: true,
    env: {
      PATH,
      DATA_DIR,
      PORT: '0',
      NODE_ENV: 'test',
      DRAIN_DELAY_MS: '2000',
      npm_lifecycle_event: 'start',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => {
    output += chunk;
  });
  await until(() => output.includes('Switchyard listens on'));
  process.kill(-(child.pid ?? 0), 'SIGTERM');
  // The output is the server's, which outlives the shell.
  await once(child.stdout, 'close');
  expect(output).toContain('"msg":"stopped"');
  expect(await readdir(DATA_DIR)).toContain('switchyard.db-clean');
});

it('names the command that takes the right Node.js where another one runs it', async () => {
  const old = 'Object.defineProperty(process.features, "typescript", { value: false })';
  const child = spawn(process.execPath, ['--import', `data:text/javascript,${old}`, 'src/start.js'], {
    cwd: root,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let errors = '';
  child.stderr.on('data', (chunk: Buffer) => {
    errors += chunk;
  });
  const [code] = await once(child, 'close');
  expect(code).toBe(1);
  expect(errors).toMatch(/^Switchyard runs on Node\.js 26, and on 24; this is .*Run "npm start"/);
});

describe('the first start', () => {
  it('makes a key and a password, shows them this once, and the line that it prints works', async () => {
    const DATA_DIR = await emptyDirectory();
    const first = await startServer({ DATA_DIR });
    await until(() => first.output().includes('Hello!'));
    const made = /Bearer (sw_live_\w+)/.exec(first.output())?.[1] ?? '';
    expect(first.output()).toMatch(/Admin password {2}\S{12,}/);
    for (const path of ['/', '/playground', '/docs', '/admin/factory/settings/api-keys'])
      expect(first.output()).toContain(` ${first.url}${path}\n`);
    const answer = await ask(`${first.url}/v1/chat`, { key: made, body: { message: 'Hello!' } });
    expect(answer.status).toBe(200);
    expect(await first.end('SIGTERM')).toBe(0);
    expect(first.output()).toContain('"msg":"stopped"');

    const second = await startServer({ DATA_DIR });
    expect((await ask(`${second.url}/v1/usage`, { key: made })).json.total.requests).toBe(1);
    expect(second.output()).not.toContain('first start');
    expect(second.output()).toContain(`${second.url}/admin/factory/settings/api-keys`);
    expect(await second.end('SIGTERM')).toBe(0);
  });

  it('makes nothing when its port is taken, so that what it makes is shown by the one that listens', async () => {
    const DATA_DIR = await emptyDirectory();
    const other = createServer();
    await once(other.listen(0, '127.0.0.1'), 'listening');
    const PORT = String((other.address() as AddressInfo).port);
    const failure = await startServer({ DATA_DIR, PORT }).catch((error: Error) => error.message);
    other.close();
    expect(failure).toContain(`PORT is ${PORT}, which another program listens on`);
    expect(await readdir(DATA_DIR)).toEqual([]);
    const server = await startServer({ DATA_DIR, PORT });
    await until(() => server.output().includes('Hello!'));
    expect(await server.end('SIGTERM')).toBe(0);
  });

  it('says when links will lead nowhere for others', async () => {
    const DATA_DIR = await emptyDirectory();
    const open = { DATA_DIR, HOST: '0.0.0.0', ADMIN_PASSWORD: 'process-test-password' };
    const guessing = await startServer(open);
    expect(await guessing.end('SIGTERM')).toBe(0);
    expect(guessing.output()).toContain('PUBLIC_URL is not set');
    const told = await startServer({ ...open, PUBLIC_URL: 'https://gateway.example' });
    expect(await told.end('SIGTERM')).toBe(0);
    expect(told.output()).not.toContain('PUBLIC_URL is not set');
  });

  it('is refused with what is wrong, and with nothing else', async () => {
    const failure = await startServer({ PORT: 'x', TYPO: '1', LIMITS_VARIANT: 'C' }).catch(
      (error: Error) => error.message,
    );
    expect(failure).toContain('PORT');
    expect(failure).toContain('LIMITS_VARIANT');
    expect(failure).not.toContain('    at ');
    const refusal = (env: Record<string, string>) => startServer(env).catch((error: Error) => error.message);
    expect(await refusal({ HOST: '0.0.0.0' })).toContain('ADMIN_PASSWORD');
    const ADMIN_PASSWORD = 'process-test-password';
    expect(await refusal({ HOST: '999.1.1.1', ADMIN_PASSWORD })).toContain(
      'HOST is "999.1.1.1", which is no',
    );
    expect(await refusal({ HOST: '192.0.2.1', ADMIN_PASSWORD })).toContain(
      'HOST is "192.0.2.1", which is no',
    );
  });
});

it('SIGTERM lets a running request finish and settles it', async () => {
  const DATA_DIR = await emptyDirectory();
  const vendor = await vendorFor(async (reply) => {
    await sleep(300);
    reply.json(openAiFixture.reply);
  });
  const env = { DATA_DIR, API_KEYS: key, OPENAI_API_KEY: 'sk-test', OPENAI_BASE_URL: vendor.baseUrl };
  const server = await startServer(env);
  const running = ask(`${server.url}/v1/chat`, {
    key,
    body: { model: 'gpt-4o', message: 'last' },
    headers: { 'x-request-id': 'last' },
  });
  await until(() => vendor.requests.length === 1);
  expect(await server.end('SIGTERM')).toBe(0);
  expect((await running).status).toBe(200);
  const next = await startServer(env);
  expect((await ask(`${next.url}/v1/requests/last`, { key })).json).toMatchObject({ status: 'succeeded' });
  await next.end('SIGTERM');
});

describe('a server that is told to stop', () => {
  const slow = { DRAIN_DELAY_MS: '60000' };

  it('keeps taking and answering requests while it says that it is not ready, and waits for nothing at a second signal', async () => {
    const DATA_DIR = await emptyDirectory();
    const server = await startServer({ DATA_DIR, API_KEYS: key, ...slow });
    expect((await ask(`${server.url}/readyz`)).status).toBe(200);
    void server.end('SIGTERM');
    await until(() => server.output().includes('"msg":"stopping"'));
    // Each on a connection of its own.
    const headers = { connection: 'close' };
    const { status, json } = await ask(`${server.url}/readyz`, { key: null, headers });
    expect([status, json.status, json.checks.accepting.status]).toEqual([503, 'draining', 'failed']);
    expect((await ask(`${server.url}/livez`, { key: null, headers })).status).toBe(200);
    const chat = { key, headers, body: { message: 'still there?' } };
    expect((await ask(`${server.url}/v1/chat`, chat)).status).toBe(200);
    expect(await server.end('SIGTERM')).toBe(1);
  });

  it('stops when balancers have had their time, and by SIGINT at once', async () => {
    const DATA_DIR = await emptyDirectory();
    const server = await startServer({ DATA_DIR, DRAIN_DELAY_MS: '500' });
    expect(await server.end('SIGTERM')).toBe(0);
    expect(server.output()).toContain('"msg":"stopped"');
    await expect(ask(`${server.url}/livez`, { key: null })).rejects.toThrow();
    const interrupted = await startServer({ DATA_DIR, ...slow });
    expect(await interrupted.end('SIGINT')).toBe(0);
  });
});

/** Fewer on a developer's machine: each costs a start of the server. */
const kills = process.env['CI'] ? 20 : 3;

it(`after ${kills} sudden ends under load the ledger has every request that the vendor saw, once`, async () => {
  const DATA_DIR = await emptyDirectory();
  const vendor = await vendorFor(async (reply) => {
    await sleep(Math.random() * 20);
    reply.json(openAiFixture.reply);
  });
  const env = {
    DATA_DIR,
    API_KEYS: key,
    OPENAI_API_KEY: 'sk-test',
    OPENAI_BASE_URL: vendor.baseUrl,
    LOG_LEVEL: 'error',
  };
  const answered = new Set<string>();
  let asked = 0;
  for (let n = 0; n < kills; n += 1) {
    const server = await startServer(env);
    let going = true;
    const load = Array.from({ length: 8 }, async () => {
      while (going) {
        asked += 1;
        const id = `load-${asked}`;
        const headers = { 'x-request-id': id };
        const answer = await ask(`${server.url}/v1/chat`, {
          key,
          headers,
          body: { model: 'gpt-4o', message: id },
        }).catch(() => null);
        if (answer?.status === 200) answered.add(id);
        if (answer === null) return;
      }
    });
    // However slow the machine is, there is something to lose.
    const before = vendor.requests.length;
    while (vendor.requests.length < before + 2) await sleep(5);
    await sleep(Math.random() * 250);
    await server.end('SIGKILL');
    going = false;
    await Promise.all(load);
  }

  const server = await startServer(env);
  const rows: { request_id: string; status: string }[] = [];
  for (let cursor: string | null = ''; cursor !== null; ) {
    const { json } = await ask(`${server.url}/v1/requests?limit=100${cursor && `&cursor=${cursor}`}`, {
      key,
    });
    rows.push(...json.data);
    cursor = json.next_cursor;
  }
  const ids = rows.map((row) => row.request_id);
  const seen = new Set(vendor.requests.map((request) => questionIn(request)));
  expect(seen.size).toBeGreaterThan(kills);
  expect(new Set(ids).size).toBe(ids.length);
  expect([...seen].filter((id) => !ids.includes(id))).toEqual([]);
  expect([...answered].filter((id) => !ids.includes(id))).toEqual([]);
  // What was admitted and never reached the vendor, or lost its answer, counts as interrupted.
  expect(
    rows
      .filter(({ request_id, status }) => status !== 'succeeded' && answered.has(request_id))
      .every(({ status }) => status === 'interrupted'),
  ).toBe(true);
  expect(rows.filter(({ status }) => status === 'running')).toEqual([]);
  const { json } = await ask(`${server.url}/v1/usage`, { key });
  expect(json.total.requests).toBe(rows.length);
  await server.end('SIGTERM');
});

/** A server is killed at random moments under load: the ledger has the answers that its clients got, whatever ends then. */
describe('settlements', () => {
  const key = 'settled-test-key-0123456789';
  /** Fewer on a developer's machine: each costs a start of the server. */
  const kills = Number(process.env['KILLS'] ?? (process.env['CI'] ? 21 : 4));
  const workers = 16;

  /** One thing that a client asks for, and what the row of its answer must have. */
  interface Kind {
    readonly path: string;
    readonly body: object;
    /** The end that a whole body shows; null: none. */
    readonly end: (status: number, text: string) => 'succeeded' | 'failed' | null;
    readonly usage: boolean;
  }

  const chat = { model: 'sandbox/echo', message: 'Say this back to me, word by word, as it is.' };
  const whole = (status: number) => (status === 200 ? 'succeeded' : status === 502 ? 'failed' : null);
  const streamed = (_: number, text: string) => {
    const last = text.trimEnd().split('\n\n').at(-1) ?? '';
    return /^(id: \d+\n)?event: end\n/m.test(last)
      ? 'succeeded'
      : last.startsWith('event: error')
        ? 'failed'
        : null;
  };
  const kinds: readonly Kind[] = [
    { path: '/v1/chat', body: chat, end: whole, usage: true },
    { path: '/v1/chat', body: { ...chat, stream: true }, end: streamed, usage: true },
    { path: '/v1/chat', body: { ...chat, model: 'sandbox/error' }, end: whole, usage: false },
    {
      path: '/v1/chat',
      body: { ...chat, model: 'sandbox/cut-stream', stream: true },
      end: streamed,
      usage: true,
    },
    { path: '/v1/agents/assistant/run', body: { input: 'Hello!' }, end: whole, usage: true },
    { path: '/v1/agents/assistant/run', body: { input: 'Hello!', stream: true }, end: streamed, usage: true },
    { path: '/v1/ai/summarize', body: { input: { text: 'One. Two.' } }, end: whole, usage: false },
  ];

  interface Told {
    readonly kind: Kind;
    readonly end: 'succeeded' | 'failed';
  }

  onEveryStore('a server that is killed under load', (on) => {
    it(`has the end of every answer in the ledger, after ${kills} kills`, {
      timeout: 300_000 + kills * 15_000,
    }, async () => {
      const database = await on.database();
      const config = path.join(database.dataDir, 'settled.yaml');
      const price = '{ prompt: 1, completion: 2, cached_prompt: 1 }';
      await writeFile(
        config,
        `prices:\n${['sandbox', 'sandbox/echo', 'sandbox/cut-stream'].map((name) => `  sandbox/${name}: ${price}\n`).join('')}`,
      );
      const told = new Map<string, Told>();
      for (let round = 0; round < kills; round += 1) {
        const server = await startServer(envOf(database, config));
        const loads = Array.from({ length: workers }, (_, n) => load(server, `r${round}w${n}`, told));
        // Each life lasts until another kind of answer was given in it.
        const next = kinds[round % kinds.length];
        await eventually(() =>
          [...told].some(([id, { kind }]) => id.startsWith(`r${round}w`) && kind === next),
        );
        await sleep(Math.random() * 500);
        await server.end('SIGKILL');
        await Promise.all(loads);
      }
      // The next server closes what the last one left open.
      const server = await startServer(envOf(database, config));
      expect(await server.end('SIGTERM')).toBe(0);

      const store = await openDatabase(database);
      on.cleanUp(() => store.close());
      const rows = new Map(
        (await store.db.selectFrom('ledger_rows').selectAll().execute()).map((row) => [row.request_id, row]),
      );
      const wrong: string[] = [];
      for (const [id, { kind, end }] of told) {
        const row = rows.get(id);
        const priced = !kind.usage || (row?.usage_source !== null && row?.cost_micro_usd !== null);
        if (row?.status !== end || !priced) wrong.push(`${kind.path} ${end}, in the ledger ${row?.status}`);
      }
      expect(wrong, `of ${told.size} answers`).toEqual([]);
      expect(told.size).toBeGreaterThan(kills * 5);
    });
  });

  function envOf({ dataDir, databaseUrl }: Database, config: string): Record<string, string> {
    return {
      DATA_DIR: dataDir,
      ...(databaseUrl !== null && { DATABASE_URL: databaseUrl }),
      SWITCHYARD_CONFIG: config,
      API_KEYS: key,
      LOG_LEVEL: 'silent',
    };
  }

  /** Asks one after the other until the server has ended, and notes the ends that it got. */
  async function load(server: ServerProcess, name: string, told: Map<string, Told>): Promise<void> {
    for (let n = 0; ; n += 1) {
      const kind = kinds[Math.floor(Math.random() * kinds.length)] as Kind;
      const id = `${name}n${n}`;
      const answer = await answerOf(server, kind, id).catch(() => null);
      if (answer === null) return;
      const end = kind.end(answer.status, answer.text);
      if (end !== null) told.set(id, { kind, end });
    }
  }

  async function answerOf({ url }: ServerProcess, { path, body }: Kind, id: string) {
    const response = await fetch(url + path, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', 'x-request-id': id },
      body: JSON.stringify(body),
    });
    return { status: response.status, text: await response.text() };
  }
});
