import { type Clock, steady, systemClock } from '../../lib/clock.ts';
import { ConfigError } from '../../lib/config-error.ts';
import { storeError } from '../errors.ts';
import type { Tables } from '../schema.ts';
import type { Store } from '../store.ts';
import { TimeLine } from '../time-line.ts';
import { machineTime } from '../time-pieces.ts';
import { timeRecords } from '../time-records.ts';
import { PostgresAuthority } from './authority.ts';
import { Breaker } from './breaker.ts';
import type { PoolSettings } from './client.ts';
import { PostgresLedger } from './ledger.ts';
import { kyselyOn, Pool } from './pool.ts';
import { prepare, probe, requireWritable } from './start.ts';

/** Maximum wait of `ping`, in milliseconds. */
const pingMs = 2_000;

/**
 * How long a request waits for a database that is slow, in milliseconds: as long as an answer waits to be written (`conclude.ts`), and
 * a request for its turn.
 */
const patienceMs = 10_000;

/** For calls that every request waits for: a missing database is noticed while the client still waits. */
const short = { connectMs: 2_000, statementMs: 1_500, answerMs: 2_000, patienceMs };
const long = { connectMs: 5_000, statementMs: 8_000, answerMs: 10_000, patienceMs };

/**
 * Every row of the hot path is found by an index. The planner must not decide otherwise while the tables are small:
 * a prepared statement keeps its plan as they grow.
 */
export const indexOnly = '-c enable_seqscan=off -c enable_hashjoin=off -c enable_mergejoin=off';

/**
 * Opens a PostgreSQL database and brings its schema up to date. Throws a `ConfigError` when it cannot be used.
 * @param onWait called with why while the database is away; may wait
 */
export async function openPostgres(
  url: string,
  clock: Clock = systemClock,
  onWait?: (problem: string) => void,
): Promise<Store> {
  await prepare(url, onWait);
  const pools: Pool[] = [];
  const breaker = new Breaker({
    probe: () => probe(url),
    suspectAll: () => {
      for (const pool of pools) pool.suspectAll();
    },
  });
  const open = (settings: Omit<PoolSettings, 'url'>) => {
    const pool = new Pool({ url, ...settings }, breaker);
    pools.push(pool);
    return pool;
  };
  const ledgerPool = open({ ...short, max: 4, options: indexOnly });
  // One call at a time is under way. Apart, so that it never waits for what is written.
  const limitsPool = open({ ...short, max: 1, options: indexOnly });
  // Apart, so that a flood of keys, or many who read much, do not keep admissions waiting.
  const quick = kyselyOn<Tables>(open({ ...short, max: 3 }));
  const db = kyselyOn<Tables>(open({ ...long, max: 8 }));
  // Another clock than the system's is a test's.
  const line = clock === systemClock ? new TimeLine(timeRecords(quick, 'postgres'), machineTime) : null;
  const close = async () => {
    breaker.end();
    await Promise.all(pools.map((pool) => pool.end()));
  };
  try {
    await line?.synchronise();
  } catch (thrown) {
    await close();
    throw thrown;
  }
  return {
    dialect: 'postgres',
    db,
    quick,
    clock: line ?? steady(clock),
    ledger: new PostgresLedger(ledgerPool, db),
    authority: new PostgresAuthority(limitsPool, line ?? steady(clock), line),
    synchroniseClock: async () => line?.synchronise(),
    ping: () => inTime(requireWritable(ledgerPool)),
    async backup() {
      throw new ConfigError([
        'A PostgreSQL database is backed up by its own means; run pg_dump with DATABASE_URL.',
      ]);
    },
    close,
  };
}

async function inTime(work: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(storeError('slow')), pingMs);
  });
  await Promise.race([work, late]).finally(() => clearTimeout(timer));
}
