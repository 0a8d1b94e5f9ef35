import type { PostgresPool, PostgresPoolClient } from 'kysely';
import type pg from 'pg';
import { toStoreError } from '../errors.ts';

/** The pool as Kysely uses it, with errors as `StoreError`. */
export function guardedPool(pool: pg.Pool): PostgresPool {
  return {
    options: pool.options,
    end: () => pool.end(),
    async connect() {
      const client = await guarded(() => pool.connect());
      return {
        processID: (client as { processID?: number }).processID,
        query: (sql: string, parameters: readonly unknown[]) =>
          guarded(() => client.query(sql, parameters as unknown[])),
        release: (destroy?: boolean) => client.release(destroy),
      } as unknown as PostgresPoolClient;
    },
  };
}

export async function guarded<T>(action: () => Promise<T>): Promise<T> {
  try {
    return await action();
  } catch (thrown) {
    throw toStoreError(thrown);
  }
}
