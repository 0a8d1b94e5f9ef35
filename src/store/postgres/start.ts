/** The start on a PostgreSQL database: waits for it if asked to, and brings its schema up to date. */

import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { ConfigError } from '../../lib/config-error.ts';
import { afterAwake } from '../../lib/timers.ts';
import { explain, mayPass, StoreError, storeError, toStoreError } from '../errors.ts';
import { isUpToDate } from '../migrate.ts';
import { Breaker, isAnswer } from './breaker.ts';
import { clientConfig, cut } from './client.ts';
import { kyselyOn, Pool } from './pool.ts';

/** The database's name in messages: its address may hold a password. */
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

/** Number of silent retries; they take some ten seconds. */
const quietTries = 20;
const lockedPauseMs = 200;

/**
 * Brings the database's schema up to date. Throws a `ConfigError` when it cannot be used.
 * @param onWait called with the reason while the database cannot be reached or written, for which this waits for good; left
 * out: it does not wait
 */
export async function prepare(url: string, onWait?: (problem: string) => void): Promise<void> {
  let reported = '';
  for (let pause = firstPauseMs; ; pause = Math.min(pause * 2, maxPauseMs)) {
    try {
      return await prepareWhenFree(url);
    } catch (thrown) {
      const error = unusable(thrown);
      if (!onWait || !(thrown instanceof StoreError && mayPass(thrown, 'postgres'))) throw error;
      const problem = error instanceof ConfigError ? error.problems.join(' ') : error.message;
      if (problem !== reported) onWait(problem);
      reported = problem;
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

/** Maximum wait for the answer to a probe, in milliseconds. */
const probeMs = 1_500;

/**
 * Asks the database over a new connection. Resolves when it answers in any way, so also when it has no place for one
 * more; rejects with `StoreError` when it does not within that time, of which this process was awake: `slow`, as it may only be busy.
 */
export async function probe(url: string): Promise<void> {
  const limits = { connectMs: 0, statementMs: probeMs, answerMs: 0 };
  const client = new pg.Client(clientConfig({ url, max: 1, ...limits }));
  client.on('error', () => undefined);
  let late = false;
  const cancel = afterAwake(probeMs, () => {
    late = true;
    cut(client);
  });
  try {
    await client.connect();
    await client.query('select 1');
  } catch (thrown) {
    if (late) throw storeError('slow', { cause: thrown });
    if (!isAnswer(thrown)) throw toStoreError(thrown);
  } finally {
    cancel();
    cut(client);
  }
}

/** Rejects with a `StoreError` when the database cannot be asked, or only be read: it is a standby, or was made so. */
export async function requireWritable(pool: Pool): Promise<void> {
  const [row] = await pool.query<{ read_only: boolean }>({
    text: `select pg_is_in_recovery() or current_setting('transaction_read_only')::boolean as read_only`,
  });
  if (row?.read_only === false) return;
  pool.demoted();
  throw storeError('read_only');
}
