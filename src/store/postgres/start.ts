/** The start on a PostgreSQL database: waits for it if asked to, and brings its schema up to date. */
import { setTimeout as delay } from 'node:timers/promises';
import { ConfigError } from '../../lib/config-error.ts';
import { explain, mayPass, StoreError, toStoreError } from '../errors.ts';
import { isUpToDate } from '../migrate.ts';
import { Breaker } from './breaker.ts';
import { kyselyOn, Pool } from './pool.ts';
import { requireWritable } from './probe.ts';

/** What the database is called in messages: its address may hold a password. */
const where = 'The database of DATABASE_URL';

/** First and maximum pause between two attempts, in milliseconds. */
const firstPauseMs = 250;
const maxPauseMs = 2_000;

/**
 * A migration may have to make an index of millions of rows. For a lock it does not wait for long: whatever other servers ask for
 * would wait behind it, and after PostgreSQL's `deadlock_timeout` of a second it is their statement that is ended. It lets go of
 * what it has, and begins again after a pause of its own length.
 */
const limits = { connectMs: 5_000, statementMs: 0, lockMs: 300, answerMs: 600_000 };

/** So often it begins again before anybody is told; that takes some ten seconds. */
const quietTries = 20;
const lockedPauseMs = 200;

/**
 * Brings the database's schema up to date. Throws a `ConfigError` when it cannot be used.
 * @param onWait waits, for good, while it cannot be reached or written, and is told why; left out: it does not wait.
 */
export async function prepare(url: string, onWait?: (problem: string) => void): Promise<void> {
  let told = '';
  for (let pause = firstPauseMs; ; pause = Math.min(pause * 2, maxPauseMs)) {
    try {
      return await prepareWhenFree(url);
    } catch (thrown) {
      const error = unusable(thrown);
      if (!onWait || !(thrown instanceof StoreError && mayPass(thrown, 'postgres'))) throw error;
      const problem = error instanceof ConfigError ? error.problems.join(' ') : error.message;
      if (problem !== told) onWait(problem);
      told = problem;
    }
    await delay(pause);
  }
}

async function prepareWhenFree(url: string): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await prepareOnce(url);
    } catch (error) {
      if (!(error instanceof StoreError && error.failure === 'locked' && tries < quietTries)) throw error;
    }
    // Not in step with another server that does the same.
    await delay(lockedPauseMs * (0.5 + Math.random()));
  }
}

async function prepareOnce(url: string): Promise<void> {
  // Nothing opens this breaker: whether to try again is decided here.
  const breaker = new Breaker({ probe: async () => undefined, suspectAll: () => undefined });
  breaker.end();
  const pool = new Pool({ url, max: 2, ...limits }, breaker);
  try {
    await requireWritable(pool);
    const db = kyselyOn<unknown>(pool);
    if (!(await isUpToDate(db))) await (await import('../migrate.ts')).migrate(db, where);
  } finally {
    await pool.end();
  }
}

function unusable(thrown: unknown): Error {
  if (thrown instanceof ConfigError) return thrown;
  const { failure, cause } = toStoreError(thrown);
  if (failure === 'failed') return thrown as Error;
  return new ConfigError([`${where} cannot be used: ${explain(failure)}.`], { cause });
}
