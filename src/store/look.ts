/** A look at the database that changes nothing in it: it makes no file and takes no step of the schema. */
import { existsSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import type { Secret } from '../lib/redact.ts';
import { toStoreError } from './errors.ts';
import { migrations } from './migrate.ts';
import { pathOf } from './sqlite/entry.ts';

export interface DatabaseLook {
  /** For example `PostgreSQL 17.6`; null: there is no database yet. */
  readonly product: string | null;
  /** Steps of the schema that the next start takes, and those that this version does not know. */
  readonly missing: readonly string[];
  readonly unknown: readonly string[];
  /** Whether it can be written. */
  readonly writable: boolean;
  /** Servers that use it now. */
  readonly servers: number;
  /** How far this machine's clock is ahead of the database's, in milliseconds; null: it is the same. */
  readonly clockAheadMs: number | null;
}

const connectMs = 5_000;

/** Rejects with a `StoreError` when the database cannot be asked. */
export async function lookAtDatabase(settings: {
  readonly dataDir: string;
  readonly databaseUrl: Secret | null;
}): Promise<DatabaseLook> {
  try {
    return settings.databaseUrl === null
      ? lookAtSqlite(pathOf(settings.dataDir))
      : await lookAtPostgres(settings.databaseUrl.reveal());
  } catch (thrown) {
    throw toStoreError(thrown);
  }
}

function lookAtSqlite(path: string): DatabaseLook {
  const none = { missing: [], unknown: [], writable: true, servers: 0, clockAheadMs: null };
  if (!existsSync(path)) return { product: null, ...none };
  const database = new DatabaseSync(path, { readOnly: true, timeout: 5_000 });
  try {
    const names = (query: string) => database.prepare(query).all();
    const version = String(names('select sqlite_version() as version')[0]?.['version']);
    const product = `SQLite ${version}`;
    if (names("select 1 from sqlite_schema where name = 'kysely_migration'").length === 0)
      return { product, ...none, missing: Object.keys(migrations) };
    const done = names('select name from kysely_migration').map(({ name }) => String(name));
    const counted = database
      .prepare('select count(*) as n from instances where expires_at > ?')
      .get(Date.now());
    return { ...none, product, ...stepsOf(done), servers: Number(counted?.['n'] ?? 0) };
  } finally {
    database.close();
  }
}

async function lookAtPostgres(url: string): Promise<DatabaseLook> {
  const { default: pg } = await import('pg');
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: connectMs,
    query_timeout: connectMs,
    application_name: 'switchyard doctor',
  });
  client.on('error', () => undefined);
  await client.connect();
  try {
    const askedAt = Date.now();
    const { rows } = await client.query(`select current_setting('server_version') as version,
      extract(epoch from clock_timestamp()) * 1000 as now, to_regclass('kysely_migration') is not null as known,
      pg_is_in_recovery() or current_setting('transaction_read_only')::boolean as read_only`);
    const middle = (askedAt + Date.now()) / 2;
    const { version, now, known, read_only } = rows[0] as Record<string, unknown>;
    const look = {
      product: `PostgreSQL ${String(version).split(' ')[0]}`,
      writable: read_only === false,
      clockAheadMs: Math.round(middle - Number(now)),
    };
    if (known !== true) return { ...look, missing: Object.keys(migrations), unknown: [], servers: 0 };
    const steps = await client.query('select name from kysely_migration');
    const servers = await client.query('select count(*) as n from instances where expires_at > $1', [
      Math.floor(Number(now)),
    ]);
    const done = steps.rows.map(({ name }: { name: string }) => name);
    return { ...look, ...stepsOf(done), servers: Number(servers.rows[0]?.n ?? 0) };
  } finally {
    await client.end().catch(() => undefined);
  }
}

function stepsOf(done: readonly string[]): Pick<DatabaseLook, 'missing' | 'unknown'> {
  const known = Object.keys(migrations);
  return {
    missing: known.filter((name) => !done.includes(name)),
    unknown: done.filter((name) => !known.includes(name)),
  };
}
