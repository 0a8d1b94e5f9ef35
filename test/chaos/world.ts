import { cpSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort, nextMessage, startOwn, stop } from '../lib/server.ts';
import { type Account, createAccounts } from './client.ts';
import { type Postgres, type Redis, startPostgres, startRedis } from './databases.ts';
import type { Call, Life, Outage } from './evidence.ts';
import type { Canaries } from './invariants/service.ts';
import { mountSmall, unmount } from './proc.ts';
import { canStepClocks, Server } from './server.ts';
import { type Dialect, postgresStore, type StoreUnderTest, sqliteStore } from './store.ts';
import { startTcpProxy, type TcpProxy } from './tcp-proxy.ts';

/** What lasts from the first round on one store to the last. */
export interface Ground {
  readonly dialect: Dialect;
  readonly folder: string;
  readonly postgres: Postgres | null;
  /** What decides on limits; null: the database. */
  readonly redis: Redis | null;
  /** Whether the disk under the database can be filled. */
  readonly smallDisk: boolean;
  /** Whether the databases are wanted afterwards. */
  readonly keep: boolean;
  readonly vendor: { readonly port: number; readonly log: string; stop(): Promise<void> };
  /** Where an MCP server is looked for, which a fault starts. */
  readonly mcpPort: number;
  close(): Promise<void>;
}

/** Big enough for what a few rounds write, small enough to be filled in a moment. */
const diskMegabytes = { sqlite: 160, postgres: 500 } as const;

/** @param options `diskSize`: of the disk that can be filled, in MiB; 0: the database lies on the machine's own */
export async function prepareGround(
  dialect: Dialect,
  folder: string,
  {
    keep = false,
    diskSize = diskMegabytes[dialect],
    redis: withRedis = false,
  }: { keep?: boolean; diskSize?: number; redis?: boolean } = {},
): Promise<Ground> {
  const disk = join(folder, 'disk');
  mkdirSync(disk, { recursive: true });
  const smallDisk = diskSize > 0 && mountSmall(disk, diskSize);
  const postgres = dialect === 'postgres' ? await startPostgres(disk) : null;
  const redis = withRedis ? await startRedis(folder) : null;
  const log = join(folder, 'vendor.log');
  const child = startOwn(new URL('vendor.ts', import.meta.url), [log]);
  const { port } = await nextMessage<{ port: number }>(child);
  return {
    dialect,
    folder,
    postgres,
    redis,
    smallDisk,
    keep,
    vendor: { port, log, stop: () => stop(child) },
    mcpPort: await freePort(),
    async close() {
      await stop(child);
      await postgres?.stop();
      await redis?.stop();
      if (smallDisk) unmount(disk);
    },
  };
}

/** Servers on a database of their own, from its first start to its end. */
export interface World {
  readonly ground: Ground;
  readonly name: string;
  readonly store: StoreUnderTest;
  readonly servers: readonly Server[];
  /** Between each server and Redis; none where there is none. */
  readonly redisLines: readonly TcpProxy[];
  readonly lives: readonly Life[];
  readonly calls: Call[];
  readonly outages: Outage[];
  /** Where in the vendor's log its time begins. */
  readonly vendorLogStart: number;
  readonly canaries: Canaries;
  readonly adminPassword: string;
  readonly metricsToken: string;
  readonly launch: { readonly args: readonly string[]; environment(server: number): Record<string, string> };
  /** By their names; those of a round have its number. */
  readonly accounts: ReadonlyMap<string, Account>;
  account(name: string): Account;
  close(): Promise<void>;
}

export interface WorldOptions {
  readonly name: string;
  readonly servers: number;
  /** Rounds that it will see, which each have tenants of their own. */
  readonly rounds: readonly number[];
  readonly steppable: boolean;
  /** Further arguments of Node. */
  readonly nodeArgs?: readonly string[];
  /** Further settings. */
  readonly env?: Readonly<Record<string, string>>;
}

/** Starts a cluster. Throws when it does not come up: without any fault that is no finding but a broken suite. */
export async function createWorld(ground: Ground, options: WorldOptions): Promise<World> {
  const folder = join(ground.folder, 'disk', options.name);
  const store = ground.postgres
    ? await postgresStore(ground.postgres, folder, options.servers)
    : sqliteStore(folder);
  const redisLines = await linesTo(ground.redis, options.servers);
  const secrets = secretsOf(options.name);
  const { args: startArgs, settings } = launchOf(ground, secrets);
  const args = [...(options.nodeArgs ?? []), ...startArgs];
  const environment = (index: number) => ({
    ...settings,
    ...store.environment(index),
    ...(redisLines[index] && { REDIS_URL: `redis://127.0.0.1:${redisLines[index].port}` }),
    ...options.env,
  });
  const lives: Life[] = [];
  const servers: Server[] = [];
  for (let index = 0; index < options.servers; index += 1) {
    const launch = { args, env: environment(index) };
    const steppable = options.steppable && canStepClocks;
    servers.push(new Server(index, await freePort(), ground.folder, launch, { lives, steppable }));
  }
  await start(servers);
  const [first] = servers;
  if (!first) throw new Error('A cluster needs a server.');
  const accounts = await createAccounts(first, secrets.adminPassword, options.rounds);
  return {
    ground,
    name: options.name,
    store,
    servers,
    redisLines,
    lives,
    calls: [],
    outages: [],
    vendorLogStart: statSync(ground.vendor.log).size,
    canaries: {
      prompt: secrets.prompt,
      secrets: [
        ...Object.values(secrets).filter((secret) => secret !== secrets.prompt),
        ...[...accounts.values()].map(({ key }) => key),
      ],
    },
    adminPassword: secrets.adminPassword,
    metricsToken: secrets.metricsToken,
    launch: { args, environment },
    accounts,
    account(name) {
      const account = accounts.get(name);
      if (!account) throw new Error(`There is no tenant ${name}.`);
      return account;
    },
    async close() {
      await Promise.all(servers.map((server) => server.kill()));
      await store.close();
      await Promise.all(redisLines.map((line) => line.close()));
      // The disk is small; what is to be kept goes elsewhere.
      if (ground.keep && store.dialect === 'sqlite')
        cpSync(store.folder, join(ground.folder, options.name), { recursive: true });
      rmSync(store.folder, { recursive: true, force: true });
    },
  };
}

/** A line of each server's own to Redis, which knows nothing of the cluster before. */
async function linesTo(redis: Redis | null, servers: number): Promise<TcpProxy[]> {
  if (!redis) return [];
  await redis.forget();
  const target = { host: '127.0.0.1', port: redis.port };
  return Promise.all(Array.from({ length: servers }, () => startTcpProxy(target)));
}

/** The first makes the database; the others find it. */
async function start([first, ...others]: readonly Server[]): Promise<void> {
  for (const some of [first ? [first] : [], others]) {
    for (const server of some) server.start();
    for (const server of some) {
      if (!(await server.ready(60_000))) {
        throw new Error(`server ${server.index} does not start: ${server.life.lastWords}`);
      }
    }
  }
}

function secretsOf(name: string) {
  return {
    prompt: `canaryprompt${name.replaceAll(/\W/g, '')}`,
    adminPassword: `canary admin password of ${name}`,
    metricsToken: `canary-metrics-token-${name}`,
    keySecret: `canary key secret of ${name}, which is long enough`,
    apiKey: `canary-configured-key-${name}`,
    openai: `sk-canary-openai-${name}`,
    anthropic: `sk-ant-canary-${name}`,
    gemini: `AIza-canary-gemini-${name}`,
  };
}

/** As `npm start` runs it, in production, with time limits that fit a round. */
function launchOf({ vendor, mcpPort, folder }: Ground, secrets: ReturnType<typeof secretsOf>) {
  const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: { start: string } };
  const origin = `http://127.0.0.1:${vendor.port}`;
  const file = join(folder, 'switchyard.yaml');
  writeFileSync(file, `mcp_servers: { lab: { url: 'http://127.0.0.1:${mcpPort}/mcp', timeout_ms: 1000 } }\n`);
  return {
    args: scripts.start.split(' ').slice(1),
    settings: {
      PATH: process.env['PATH'] ?? '',
      HOST: '127.0.0.1',
      NODE_ENV: 'production',
      LOG_LEVEL: 'info',
      TRUST_PROXY: '1',
      BUFFER_MEMORY: '128MiB',
      DRAIN_DELAY_MS: '300',
      DRAIN_TIMEOUT_MS: '3000',
      ADMIN_PASSWORD: secrets.adminPassword,
      METRICS_TOKEN: secrets.metricsToken,
      KEY_SECRET: secrets.keySecret,
      API_KEYS: secrets.apiKey,
      OPENAI_API_KEY: secrets.openai,
      OPENAI_BASE_URL: `${origin}/openai/v1`,
      ANTHROPIC_API_KEY: secrets.anthropic,
      ANTHROPIC_BASE_URL: `${origin}/anthropic/v1`,
      GEMINI_API_KEY: secrets.gemini,
      GEMINI_BASE_URL: `${origin}/gemini/v1`,
      CONNECT_TIMEOUT_MS: '1000',
      FIRST_BYTE_TIMEOUT_MS: '2500',
      IDLE_TIMEOUT_MS: '1500',
      TOTAL_TIMEOUT_MS: '6000',
      MAX_ATTEMPTS: '2',
      RESPONSES_SOCKETS: '500',
      SWITCHYARD_CONFIG: file,
    },
  };
}
