import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { views } from '../../src/store/views.ts';
import type { Postgres } from './postgres.ts';
import { startTcpProxy, type TcpProxy } from './tcp-proxy.ts';

export type Dialect = 'sqlite' | 'postgres';

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
