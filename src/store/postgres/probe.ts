import pg from 'pg';
import { storeError, toStoreError } from '../errors.ts';
import { isAnswer } from './failures.ts';
import { clientConfig, cut, type Pool } from './pool.ts';

/** Maximum wait for the answer to a probe, in milliseconds. */
const probeMs = 1_500;

/**
 * Asks the database over a new connection. Resolves when it answers in any way, so also when it has no place for one
 * more; rejects with `StoreError` when it does not, within that time.
 */
export async function probe(url: string): Promise<void> {
  const limits = { connectMs: probeMs, statementMs: probeMs, answerMs: probeMs };
  const client = new pg.Client(clientConfig({ url, max: 1, ...limits }));
  client.on('error', () => undefined);
  const timer = setTimeout(() => cut(client), probeMs);
  try {
    await client.connect();
    await client.query('select 1');
  } catch (thrown) {
    if (!isAnswer(thrown)) throw toStoreError(thrown);
  } finally {
    clearTimeout(timer);
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
