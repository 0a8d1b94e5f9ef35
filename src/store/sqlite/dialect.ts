/**
 * Kysely over `node:sqlite`, through Kysely's own SQLite dialect: it is made for better-sqlite3, and differs in how
 * parameters are given, how transactions begin, and that we want errors as `StoreError`.
 */
import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';
import { setTimeout as delay } from 'node:timers/promises';
import {
  CompiledQuery,
  type DatabaseConnection,
  type DialectAdapter,
  type Driver,
  SqliteAdapter,
  SqliteDialect,
  type SqliteDialectConfig,
  SqliteDriver,
} from 'kysely';
import { StoreError, toStoreError } from '../errors.ts';

/** How long to try for the write lock that another process holds, in milliseconds. */
const patienceMs = 10_000;

export class NodeSqliteDialect extends SqliteDialect {
  readonly #config: SqliteDialectConfig;
  readonly #database: DatabaseSync;

  constructor(database: DatabaseSync) {
    const config = { database: adapt(database) };
    super(config);
    this.#config = config;
    this.#database = database;
  }

  override createDriver(): Driver {
    return new ImmediateDriver(this.#config, this.#database);
  }

  override createAdapter(): DialectAdapter {
    return new TransactionalAdapter();
  }
}

/** SQLite rolls back changes of the schema like any other; Kysely leaves that to be claimed. */
class TransactionalAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true;
  }
}

/**
 * Takes the write lock when a transaction begins. Taken at its first write, as SQLite does by default, it could not be
 * waited for: the transaction's reads may be out of date by then, and SQLite refuses at once. Waiting is ours
 * to do, as SQLite's own blocks the event loop.
 */
class ImmediateDriver extends SqliteDriver {
  readonly #database: DatabaseSync;

  constructor(config: SqliteDialectConfig, database: DatabaseSync) {
    super(config);
    this.#database = database;
  }

  override async acquireConnection(): Promise<DatabaseConnection> {
    const connection = await super.acquireConnection();
    return {
      executeQuery: (query) => untilUnlocked(() => connection.executeQuery(query)),
      streamQuery: () => {
        throw new StoreError('failed', 'Storage: SQLite queries are not streamed.');
      },
    };
  }

  override async beginTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw('begin immediate'));
  }

  override async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    // After some errors, that of a full disk for one, SQLite has rolled back by itself.
    if (this.#database.isTransaction) await super.rollbackTransaction(connection);
  }
}

/**
 * Repeats what fails for another process's lock, without blocking the event loop. Throws `StoreError('locked')` in the end.
 * @param patience how long it is tried, in milliseconds
 */
export async function untilUnlocked<T>(action: () => T | Promise<T>, patience = patienceMs): Promise<T> {
  const started = performance.now();
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await action();
    } catch (thrown) {
      const error = toStoreError(thrown);
      if (error.failure !== 'locked' || performance.now() - started > patience) throw error;
    }
    // Random, so that two processes do not keep meeting; short, because a batch holds the lock for about a millisecond.
    await delay(Math.random() * Math.min(2 + attempt, 20));
  }
}

function adapt(database: DatabaseSync): {
  close(): void;
  prepare(sql: string): ReturnType<typeof adaptStatement>;
} {
  return {
    close: () => database.close(),
    prepare: (sql) => adaptStatement(guarded(() => database.prepare(sql))),
  };
}

function adaptStatement(statement: StatementSync) {
  return {
    reader: statement.columns().length > 0,
    all: (parameters: readonly unknown[]): unknown[] =>
      guarded(() => statement.all(...(parameters as SQLInputValue[]))),
    run: (parameters: readonly unknown[]) => guarded(() => statement.run(...(parameters as SQLInputValue[]))),
    iterate: (): never => {
      throw new StoreError('failed', 'Storage: SQLite queries are not streamed.');
    },
  };
}

/** Throws `StoreError`. */
export function guarded<T>(action: () => T): T {
  try {
    return action();
  } catch (thrown) {
    throw toStoreError(thrown);
  }
}
