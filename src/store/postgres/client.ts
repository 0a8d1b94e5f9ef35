import pg from 'pg';
import { afterAwake } from '../../lib/timers.ts';

export interface PoolSettings {
  readonly url: string;
  /** Maximum number of connections. */
  readonly max: number;
  /** Maximum wait for a new connection, in milliseconds. */
  readonly connectMs: number;
  /**
   * How long the server works on a statement before it gives up and says so, and twice as long as it waits for a lock,
   * in milliseconds; 0: without end.
   */
  readonly statementMs: number;
  /** How long the server waits for a lock where that is less than it works on a statement, in milliseconds. */
  readonly lockMs?: number;
  /**
   * Maximum wait for an answer, in milliseconds. It is longer than `statementMs`: when it is over, the connection is
   * dead, or the server would have said something.
   */
  readonly answerMs: number;
  /**
   * How long what the database is too busy for is waited for all together, in milliseconds: for a connection, new or in use, and for a
   * statement that was ended by its time. 0, which is `connectMs` for a connection, if left out.
   */
  readonly patienceMs?: number;
  /** Further settings of the sessions, as PostgreSQL takes them on its command line. */
  readonly options?: string;
}

/** A pause in which a connection shows by itself that it is dead, and a transaction that holds locks is given up. */
const keepAliveMs = 5_000;
const idleTransactionMs = 10_000;

/**
 * Statements are not compiled to machine code. The server decides on that by a plan's cost, which is beyond all measure where a
 * kind of plan is forbidden (`open.ts`): 180 ms for what takes 1 ms, which no `statement_timeout` ends (PostgreSQL 15, 2026-11-26).
 * https://www.postgresql.org/docs/current/jit-decision.html
 */
const interpreted = '-c jit=off';

/** The settings of a pool's connections. */
export function clientConfig({ url, connectMs, statementMs, lockMs, answerMs, options }: PoolSettings) {
  return {
    connectionString: url,
    connectionTimeoutMillis: connectMs,
    query_timeout: answerMs,
    ...(statementMs === 0 ? {} : { statement_timeout: statementMs, lock_timeout: statementMs / 2 }),
    ...(lockMs === undefined ? {} : { lock_timeout: lockMs }),
    idle_in_transaction_session_timeout: idleTransactionMs,
    keepAlive: true,
    keepAliveInitialDelayMillis: keepAliveMs,
    application_name: 'switchyard',
    types: types as pg.CustomTypesConfig,
    options: options === undefined ? interpreted : `${interpreted} ${options}`,
  };
}

/** All values of type `bigint` that we keep are below 2^53. */
const types = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') =>
    oid === pg.types.builtins.INT8 ? Number : pg.types.getTypeParser(oid, format as 'text'),
};

/** Cuts a connection without a goodbye, for which a dead one would wait. */
export function cut(client: pg.Client): void {
  (client.connection as unknown as { stream: { destroy(): void } }).stream.destroy();
}

/** Clients that give up when they are not connected in time, of which this process was awake. */
export function clientThatConnectsWithin(milliseconds: number): typeof pg.Client {
  return class extends pg.Client {
    override connect(): Promise<pg.Client>;
    override connect(callback: (error: Error | null) => void): void;
    override connect(callback?: (error: Error | null) => void): unknown {
      if (callback === undefined) {
        return new Promise<pg.Client>((resolve, reject) => {
          this.connect((error) => (error ? reject(error) : resolve(this)));
        });
      }
      let late = false;
      const cancel = afterAwake(milliseconds, () => {
        late = true;
        cut(this);
      });
      // At once, and not by a promise: its goodbye may come with the greeting, and has to find who listens.
      super.connect((error: Error | null) => {
        cancel();
        callback(error && late ? new Error('timeout expired', { cause: error }) : error);
      });
      return undefined;
    }
  };
}
