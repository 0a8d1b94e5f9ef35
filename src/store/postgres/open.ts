import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import { type Clock, steady, systemClock } from '../../lib/clock.ts';
import { ConfigError } from '../../lib/config-error.ts';
import { explain, toStoreError } from '../errors.ts';
import { migrate } from '../migrate.ts';
import type { Tables } from '../schema.ts';
import type { Store } from '../store.ts';
import { TimeLine } from '../time-line.ts';
import { timeRecords } from '../time-records.ts';
import { machineTime } from '../time-source.ts';
import { PostgresLedger } from './ledger.ts';
import { guarded, guardedPool } from './pool.ts';

/** What the database is called in messages: its address may hold a password. */
const where = 'The database of DATABASE_URL';

/** All values of type `bigint` that we keep are below 2^53. */
const types = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') =>
    oid === pg.types.builtins.INT8 ? Number : pg.types.getTypeParser(oid, format as 'text'),
};

/** Opens a PostgreSQL database and brings its schema up to date. Throws a `ConfigError` when it cannot be used. */
export async function openPostgres(url: string, clock: Clock = systemClock): Promise<Store> {
  const pool = openPool(url, { max: 8 });
  // Every row of the hot path is found by an index. The planner must not decide otherwise while the tables are small:
  // a prepared statement keeps its plan as they grow.
  const indexOnly = '-c enable_seqscan=off -c enable_hashjoin=off -c enable_mergejoin=off';
  const hotPool = openPool(url, { max: 4, options: indexOnly });
  const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool: guardedPool(pool) }) });
  // Another clock than the system's is a test's.
  const line = clock === systemClock ? new TimeLine(timeRecords(db, 'postgres'), machineTime) : null;
  try {
    await migrate(db as Kysely<unknown>, where);
    await line?.synchronise();
  } catch (thrown) {
    await Promise.all([pool.end(), hotPool.end()]).catch(ignore);
    throw unusable(thrown);
  }
  return {
    kind: 'postgres',
    db,
    clock: line ?? steady(clock),
    ledger: new PostgresLedger(hotPool, line),
    synchroniseClock: async () => line?.synchronise(),
    async ping() {
      await guarded(() => hotPool.query('select 1'));
    },
    async backup() {
      throw new ConfigError([
        'A PostgreSQL database is backed up by its own means; run pg_dump with DATABASE_URL.',
      ]);
    },
    async close() {
      await Promise.all([pool.end(), hotPool.end()]);
    },
  };
}

function openPool(url: string, settings: pg.PoolConfig): pg.Pool {
  const pool = new pg.Pool({
    ...settings,
    connectionString: url,
    connectionTimeoutMillis: 5_000,
    // A server that is gone without a word must not hold a request for longer than its client waits.
    query_timeout: 30_000,
    keepAlive: true,
    application_name: 'switchyard',
    types: types as pg.CustomTypesConfig,
  });
  // Connections that break while idle are replaced when one is needed; unheard, the event would end the process.
  pool.on('error', ignore);
  return pool;
}

const ignore = () => undefined;

function unusable(thrown: unknown): Error {
  if (thrown instanceof ConfigError) return thrown;
  const { failure, cause } = toStoreError(thrown);
  if (failure === 'failed') return thrown as Error;
  return new ConfigError([`${where} cannot be used: ${explain(failure)}.`], { cause });
}
