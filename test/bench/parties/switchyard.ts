/** The stores behind servers, each restarted: none of their own for SQLite, PostgreSQL, Redis beside it. */
/** An MCP server of 2025-11-25 with one tool, which answers in JSON and costs as little as Node.js can. */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { DatabaseSync } from 'node:sqlite';
import { text } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { request } from 'undici';
import { startPostgres } from '../../chaos/databases.ts';
import { runFolder } from '../../chaos/proc.ts';
import { freePort, getsReady, startNode, stop, temporaryFolder, watch } from '../../lib/server.ts';
import { ANSWER } from '../answer.ts';
import { firstAnswer } from '../first-answer.ts';
import type { Party, Running } from '../party.ts';
import type { Dialect } from '../scenarios.ts';

/** Switchyard as users run it: in production mode, with stored keys, limits, a store and its log. */

const PASSWORD = 'bench-0123456789-abcdef';
/** For the first answer alone, as there is no stored key yet. */
const FIRST_KEY = 'sk-switchyard-bench-0123456789abcdef';
/** A limit that is on and never reached. */
const PER_MINUTE = 1_000_000_000;
/** So many keys are made at a time. */
const KEYS_AT_ONCE = 16;
const READY_MS = 30_000;

export interface Arrangement {
  readonly name: string;
  readonly dialect?: Dialect;
  readonly processes?: number;
  readonly store?: Stores;
  /** Whether each process has clients of tenants of its own, or all of them are of one. */
  readonly tenants?: 'own' | 'one';
  /** What is in the database before it is measured. */
  readonly filling?: Filling;
  /** For V8, which hold in place of those that the server would give itself. */
  readonly flags?: readonly string[];
  /** Settings besides. */
  readonly env?: Readonly<Record<string, string>>;
  /** The root of the checkout; this one if left out. */
  readonly root?: string;
}

const models: Readonly<Record<Dialect, string>> = {
  switchyard: 'gpt-4o',
  openai: 'gpt-4o',
  anthropic: 'claude-sonnet-4-5',
  gemini: 'gemini-2.5-flash',
  mcp: 'answer',
};

export function switchyard(arrangement: Arrangement): Party {
  const { name, dialect = 'switchyard' } = arrangement;
  return { name, dialect, start: (vendor, keys) => start(arrangement, vendor, keys) };
}

async function start(arrangement: Arrangement, vendor: string, keys: number): Promise<Running> {
  const {
    dialect = 'switchyard',
    processes = 1,
    store = 'sqlite',
    tenants = 'one',
    root = '.',
  } = arrangement;
  const stores = await startStores(store);
  const folder = temporaryFolder();
  const config = join(folder, 'switchyard.yaml');
  const tools = dialect === 'mcp' ? await startTools() : null;
  writeFileSync(config, configOf(vendor, tools?.url));
  const env = {
    NODE_ENV: 'production',
    HOST: '127.0.0.1',
    DRAIN_DELAY_MS: '0',
    ADMIN_PASSWORD: PASSWORD,
    API_KEYS: FIRST_KEY,
    DATA_DIR: join(folder, 'data'),
    SWITCHYARD_CONFIG: config,
    LOG_LEVEL: 'info',
    ...stores.env,
    ...arrangement.env,
  };
  const args = [...(arrangement.flags ?? []), ...startArguments(root)];
  const starts: Awaited<ReturnType<typeof startOne>>[] = [];
  // One after the other: the first makes the tables, and all cores are its own.
  while (starts.length < processes) starts.push(await startOne(args, env, root));
  const [first] = starts;
  if (!first) throw new Error('Switchyard needs a process.');
  if (arrangement.filling) await fill(arrangement.filling, env);
  const tenantIds = Array.from(
    { length: tenants === 'own' ? processes : 1 },
    (_, number) => `bench-${number}`,
  );
  const clients: Record<string, string>[] = [];
  for (const id of tenantIds) {
    await administer(first.origin, '/api/admin/tenants', {
      id,
      plan: 'enterprise',
      overrides: { requests_per_minute: PER_MINUTE },
    });
    for (let made = 0; made < keys; made += KEYS_AT_ONCE) {
      const count = Math.min(KEYS_AT_ONCE, keys - made);
      const some = Array.from({ length: count }, () =>
        administer(first.origin, '/api/admin/keys', { tenant_id: id }),
      );
      // As the official client of MCP asks.
      const accept = tools && { accept: 'application/json, text/event-stream' };
      for (const { secret } of await Promise.all(some))
        clients.push({ authorization: `Bearer ${secret}`, ...accept });
    }
  }
  await Promise.all(starts.map(({ origin }) => untilReady(origin)));
  return {
    origins: starts.map(({ origin }) => origin),
    model: models[dialect],
    clients,
    servers: starts.flatMap(({ child }) => withWorkers(child.pid as number)),
    stores: stores.processes,
    coldStartMs: first.answersMs,
    async stop() {
      await Promise.all(starts.map(({ child }) => stop(child)));
      await stores.stop();
      await tools?.stop();
    },
  };
}

async function startOne(args: readonly string[], env: Record<string, string>, root: string) {
  const port = await freePort();
  const startedAt = performance.now();
  const { child, logFile } = startNode(args, { ...env, PORT: String(port) }, root);
  const origin = `http://127.0.0.1:${port}`;
  const headers = { authorization: `Bearer ${FIRST_KEY}` };
  const asked = { origin, dialect: 'switchyard', model: models.switchyard, headers } as const;
  return { child, origin, answersMs: await firstAnswer(asked, child, logFile, startedAt) };
}

/** As a load balancer would: on a Redis that is new, nothing is decided for a while. */
async function untilReady(origin: string): Promise<void> {
  if (await getsReady(`${origin}/readyz`, READY_MS)) return;
  const { statusCode, body } = await request(`${origin}/readyz`);
  throw new Error(`/readyz still answers ${statusCode}: ${await body.text()}`);
}

async function administer(origin: string, path: string, body: object): Promise<Record<string, unknown>> {
  const reply = await request(origin + path, {
    method: 'POST',
    headers: { authorization: `Bearer ${PASSWORD}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const text = await reply.body.text();
  if (reply.statusCode !== 201) throw new Error(`${path} answers ${reply.statusCode}: ${text}`);
  return JSON.parse(text);
}

/** A process and those that it has started: with `PROCESSES`, they do the work. */
function withWorkers(pid: number): number[] {
  if (process.platform !== 'linux') return [pid];
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim();
  return [pid, ...(children === '' ? [] : children.split(' ').map(Number))];
}

/** The arguments of `npm start`, so that what is measured is what users run. */
function startArguments(root: string): string[] {
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    scripts: { start: string };
  };
  return scripts.start.split(' ').slice(1);
}

/** One provider for each vendor, all of them the mock, and an MCP server if there is one. */
function configOf(vendor: string, tools: string | undefined): string {
  return JSON.stringify({
    providers: {
      one: { base_url: `${vendor}/v1`, api_key: 'sk-bench', patterns: ['gpt-*'] },
      two: { base_url: vendor, api_key: 'sk-bench', wire: 'anthropic', patterns: ['claude-*'] },
      three: { base_url: `${vendor}/v1beta`, api_key: 'sk-bench', wire: 'gemini', patterns: ['gemini-*'] },
    },
    ...(tools && { mcp_servers: { tools: { url: tools } } }),
    prices: { 'one/gpt-4o': { prompt: 2.5, completion: 10 } },
  });
}

/** A database as it is after a year: tenants, and requests of theirs in the ledger. */

export interface Filling {
  readonly tenants: number;
  readonly requests: number;
}

/** Requests of the last days, five of a second, each settled; of the tenants in turn. */
function statements({ tenants, requests }: Filling, numbers: (count: number) => string, now: number) {
  const [every, last] = [200, now - 60_000];
  const at = `${last} - i * ${every}`;
  const id = (name: string) => `'${name}-' || i`;
  return [
    `insert into tenants (id, name, plan, overrides, created_at)
     select ${id('filled')}, ${id('Filled')}, 'pro', '{}', ${now} from ${numbers(tenants)}`,
    `insert into admitted (tenant_id, created_at, id, request_id, key_id, operation, model_asked, instance_id, queue_ms)
     select 'filled-' || (i % ${tenants}), ${at}, ${id('row')}, ${id('req')}, ${id('key')}, 'createChat', 'gpt-4o', 'filled', 0
     from ${numbers(requests)}`,
    `insert into settled (tenant_id, created_at, id, instance_id, sequence, status, http_status, model, provider, prompt_tokens,
       completion_tokens, cost_micro_usd, total_ms, settled_at)
     select 'filled-' || (i % ${tenants}), ${at}, ${id('row')}, 'filled', i, 'succeeded', 200, 'gpt-4o', 'one', 100, 20, 450, 900, ${at} + 900
     from ${numbers(requests)}`,
  ];
}

/** Fills the database of a server that runs, whose tables are there by then. */
export async function fill(filling: Filling, env: Readonly<Record<string, string>>): Promise<void> {
  const now = Date.now();
  const { DATABASE_URL: url, DATA_DIR: folder = '' } = env;
  if (url === undefined) {
    const database = new DatabaseSync(join(folder, 'switchyard.db'));
    database.exec('pragma busy_timeout = 60000');
    const numbers = (count: number) =>
      `(with recursive n(i) as (select 0 union all select i + 1 from n where i < ${count - 1}) select i from n)`;
    for (const statement of statements(filling, numbers, now)) database.exec(statement);
    // What grows bit by bit never has so long a log.
    database.exec('pragma wal_checkpoint(truncate)');
    database.close();
    return;
  }
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const numbers = (count: number) => `generate_series(0, ${count - 1}) as n(i)`;
  for (const statement of statements(filling, numbers, now)) await client.query(statement);
  await client.query('analyze');
  await client.end();
}

export type Stores = 'sqlite' | 'postgres' | 'redis';

export interface StartedStores {
  readonly env: Readonly<Record<string, string>>;
  /** Their processes, with those that serve connections. */
  readonly processes: readonly number[];
  stop(): Promise<void>;
}

/** `redis`: PostgreSQL keeps the book, Redis decides on limits. Throws where one is not installed. */
export async function startStores(stores: Stores): Promise<StartedStores> {
  if (stores === 'sqlite') return { env: {}, processes: [], stop: async () => undefined };
  const postgres = await startPostgres(runFolder(false), {
    fsync: 'on',
    shared_buffers: `'128MB'`,
    max_wal_size: `'1GB'`,
  });
  const database = await postgres.database();
  const env = { DATABASE_URL: `postgres://postgres@127.0.0.1:${postgres.port}/${database}` };
  if (stores === 'postgres') {
    return { env, processes: [postgres.pid()], stop: () => postgres.stop() };
  }
  const redis = await startRedis();
  return {
    env: { ...env, REDIS_URL: redis.url },
    processes: [postgres.pid(), redis.pid],
    async stop() {
      await Promise.all([postgres.stop(), redis.stop()]);
    },
  };
}

async function startRedis(): Promise<{ url: string; pid: number; stop: () => Promise<void> }> {
  const port = await freePort();
  const settings = ['--port', port, '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no'].map(String);
  const child = watch(
    spawn('redis-server', [...settings, '--maxmemory-policy', 'noeviction'], {
      cwd: temporaryFolder(),
      stdio: 'ignore',
    }),
  );
  child.once('error', () => undefined);
  for (let tries = 0; !(await listens(port)); tries += 1) {
    if (tries === 500 || child.pid === undefined)
      throw new Error('Redis does not start (`apt-get install redis-server`).');
    await pause(10);
  }
  return { url: `redis://127.0.0.1:${port}`, pid: child.pid as number, stop: () => stop(child) };
}

function listens(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
}

const initialized = {
  protocolVersion: '2025-11-25',
  capabilities: { tools: {} },
  serverInfo: { name: 'bench', version: '1' },
};
const results: Readonly<Record<string, string>> = {
  initialize: JSON.stringify(initialized),
  'tools/list': JSON.stringify({ tools: [{ name: 'answer', inputSchema: { type: 'object' } }] }),
  'tools/call': JSON.stringify({ content: [{ type: 'text', text: ANSWER }] }),
};

export async function startTools(): Promise<{ readonly url: string; stop(): Promise<void> }> {
  const server = createServer(async (request, reply) => {
    if (request.method !== 'POST') return reply.writeHead(405).end();
    const { id, method } = JSON.parse(await text(request)) as { id?: unknown; method: string };
    if (id === undefined) return reply.writeHead(202).end();
    const result = results[method];
    const outcome = result ? `"result":${result}` : '"error":{"code":-32601,"message":"Method not found"}';
    const headers = { 'content-type': 'application/json', 'mcp-session-id': 'bench' };
    return reply.writeHead(200, headers).end(`{"jsonrpc":"2.0","id":${JSON.stringify(id)},${outcome}}`);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/mcp`,
    async stop() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
