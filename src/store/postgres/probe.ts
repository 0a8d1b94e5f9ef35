import pg from 'pg';
import { afterAwake } from '../../lib/awake-timer.ts';
import { storeError, toStoreError } from '../errors.ts';
import { isAnswer } from './breaker.ts';
import { clientConfig, cut } from './client.ts';
import type { Pool } from './pool.ts';

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
