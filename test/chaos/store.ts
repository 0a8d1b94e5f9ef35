import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { sumColumns, tokenColumns } from '../../src/store/token-columns.ts';
import { views } from '../../src/store/views.ts';
import type { Postgres } from './databases.ts';
import type { Evidence, Exposure, LedgerEntry, UsageSum, Work, WorkEvent } from './evidence.ts';
import { startTcpProxy, type TcpProxy } from './tcp-proxy.ts';

export type Dialect = 'sqlite' | 'postgres';

export const bothStores: readonly Dialect[] = ['sqlite', 'postgres'];

/** The database of a cluster, as the suite reads and breaks it. */
export interface StoreUnderTest {
  readonly dialect: Dialect;
  /** What a server is told of it. */
  environment(server: number): Readonly<Record<string, string>>;
  query<Row>(sql: string): Promise<Row[]>;
  /** What in a statement of this store gives a field of a JSON text. */
  field(column: string, name: string): string;
  /** Between each server and the database; none on SQLite. */
  readonly proxies: readonly TcpProxy[];
  readonly postgres: { readonly server: Postgres; readonly database: string } | null;
  /** Directory of the database's files. */
  readonly folder: string;
  close(): Promise<void>;
}

export function sqliteStore(folder: string): StoreUnderTest {
  const file = join(folder, 'switchyard.db');
  return {
    dialect: 'sqlite',
    environment: () => ({ DATA_DIR: folder }),
    async query<Row>(sql: string) {
      const database = new DatabaseSync(file, { readOnly: true, timeout: 5_000 });
      for (const [name, select] of views) database.exec(`create temp view ${name} as ${select}`);
      try {
        return database.prepare(sql).all() as Row[];
      } finally {
        database.close();
      }
    },
    field: (column, name) => `json_extract(${column}, '$.${name}')`,
    proxies: [],
    postgres: null,
    folder,
    close: async () => undefined,
  };
}

export async function postgresStore(
  server: Postgres,
  folder: string,
  servers: number,
): Promise<StoreUnderTest> {
  const database = await server.database();
  const proxies = await Promise.all(
    Array.from({ length: servers }, () => startTcpProxy({ host: '127.0.0.1', port: server.port })),
  );
  return {
    dialect: 'postgres',
    environment: (index) => ({
      DATA_DIR: join(folder, `server-${index}`),
      DATABASE_URL: `postgres://postgres@127.0.0.1:${proxies[index]?.port}/${database}`,
    }),
    query: async <Row>(sql: string) =>
      numbers(await server.query<Record<string, unknown>>(database, sql)) as Row[],
    field: (column, name) => `(${column}::json ->> '${name}')`,
    proxies,
    postgres: { server, database },
    folder,
    async close() {
      await Promise.all(proxies.map((proxy) => proxy.close()));
      await server.query('postgres', `drop database if exists ${database} with (force)`);
    },
  };
}

/** PostgreSQL gives 64-bit numbers and sums as text. */
function numbers(rows: readonly Record<string, unknown>[]): Record<string, unknown>[] {
  return rows.map((row) =>
    Object.fromEntries(
      Object.entries(row).map(([name, value]) => [
        name,
        typeof value === 'string' && /^-?\d{1,15}$/.test(value) ? Number(value) : value,
      ]),
    ),
  );
}

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
