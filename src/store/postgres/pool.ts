import { Kysely, PostgresDialect, type PostgresPool } from 'kysely';
import pg from 'pg';
import { type StoreError, toStoreError } from '../errors.ts';
import type { Breaker } from './breaker.ts';
import { isAnswer, isSilence } from './failures.ts';

export interface PoolSettings {
  readonly url: string;
  /** Maximum number of connections. */
  readonly max: number;
  /** Maximum wait for a connection, new or in use, in milliseconds. */
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

/** What a connection of a pool is made with. */
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

/** Kysely on a pool. */
export function kyselyOn<Tables>(pool: Pool): Kysely<Tables> {
  // The commands that it knows by type are in the driver's types just strings.
  return new Kysely<Tables>({ dialect: new PostgresDialect({ pool: pool as unknown as PostgresPool }) });
}

/** Cuts a connection without a goodbye, for which a dead one would wait. */
export function cut(client: pg.Client): void {
  (client.connection as unknown as { stream: { destroy(): void } }).stream.destroy();
}

/**
 * Connections to the database, for Kysely and for us. Errors are `StoreError`s; a connection that broke or went silent
 * is never used again; and once one went silent, none that is as old as it is.
 */
export class Pool {
  readonly #pool: pg.Pool;
  readonly #breaker: Breaker;
  /** Suspicions so far, and at which count each connection was made: it is trusted while no other came after. */
  #suspicions = 0;
  readonly #madeAt = new Map<pg.Client, number>();
  readonly #busy = new Set<pg.Client>();

  constructor(settings: PoolSettings, breaker: Breaker) {
    this.#breaker = breaker;
    this.#pool = new pg.Pool({ max: settings.max, ...clientConfig(settings) });
    // What breaks while idle is replaced when it is needed; unheard, the event would end the process.
    this.#pool.on('error', ignore);
    this.#pool.on('connect', (client) => {
      // The pool listens only while a connection is idle; while one is in use, its query is told as well.
      client.on('error', ignore);
      this.#madeAt.set(client as pg.PoolClient, this.#suspicions);
    });
    this.#pool.on('acquire', (client) => this.#busy.add(client));
    this.#pool.on('release', (_error, client) => this.#busy.delete(client));
    this.#pool.on('remove', (client) => this.#madeAt.delete(client as pg.PoolClient));
  }

  get options(): object {
    return this.#pool.options;
  }

  /** A connection, to be released. Rejects with `StoreError`, at once while the breaker is open. */
  async connect(): Promise<Connection> {
    for (;;) {
      this.#breaker.check();
      const client = await this.#take();
      if (this.trusts(client)) return new Connection(client, this, this.#breaker);
      cut(client);
      client.release(true);
    }
  }

  /** One statement, outside any transaction. Rejects with `StoreError`. */
  async query<Row>(query: pg.QueryConfig): Promise<Row[]> {
    const connection = await this.connect();
    try {
      return (await connection.query<Row>(query)).rows;
    } finally {
      connection.release();
    }
  }

  /** Whether nothing has gone silent since the connection was made. */
  trusts(client: pg.Client): boolean {
    return this.#madeAt.get(client) === this.#suspicions;
  }

  /** Uses none of the connections again that there are now; what is under way on them may still end well. */
  suspectAll(): void {
    this.#suspicions += 1;
    for (const client of this.#madeAt.keys()) if (!this.#busy.has(client)) cut(client);
  }

  /** The database can only be read: new connections may lead to another, which is the primary now. */
  demoted(): void {
    this.#breaker.demoted();
  }

  end(): Promise<void> {
    return this.#pool.end();
  }

  async #take(): Promise<pg.PoolClient> {
    try {
      return await this.#pool.connect();
    } catch (thrown) {
      const error = toStoreError(thrown, { mayBeDone: false });
      // That all are in use, or that there may be no more, says nothing about the database.
      if (!isAnswer(thrown) && error.failure === 'unreachable') this.#breaker.failed(error);
      throw error;
    }
  }
}

/** A connection in use. */
export class Connection {
  readonly #client: pg.PoolClient;
  readonly #pool: Pool;
  readonly #breaker: Breaker;
  /** Why it must not be used any more. */
  #broken: StoreError | null = null;

  constructor(client: pg.PoolClient, pool: Pool, breaker: Breaker) {
    this.#client = client;
    this.#pool = pool;
    this.#breaker = breaker;
  }

  get processID(): number | null {
    return (this.#client as { processID?: number }).processID ?? null;
  }

  /** Rejects with `StoreError`; at once when the connection has failed before, as the end of a transaction then does. */
  async query<Row>(
    query: string | pg.QueryConfig,
    values?: readonly unknown[],
  ): Promise<pg.QueryResult<Row & pg.QueryResultRow>> {
    // The same error, as it takes the place of the first one where a transaction is rolled back whose commit got no answer.
    if (this.#broken) throw this.#broken;
    try {
      const config = typeof query === 'string' ? { text: query, values: values as unknown[] } : query;
      const result = await this.#client.query<Row & pg.QueryResultRow>(config);
      this.#breaker.succeeded();
      return result;
    } catch (thrown) {
      throw this.#failure(thrown);
    }
  }

  /** Gives it back; one that failed is destroyed, whether or not the caller knows of it. */
  release(destroy = false): void {
    const ended = destroy || this.#broken !== null || !this.#pool.trusts(this.#client);
    if (ended) cut(this.#client);
    this.#client.release(ended);
  }

  #failure(thrown: unknown): StoreError {
    if (isAnswer(thrown)) {
      const error = toStoreError(thrown, { mayBeDone: false });
      // It may have been the primary once, and another has taken its place: new connections find that one.
      if (error.failure === 'read_only') {
        this.#broken = error;
        this.#breaker.demoted();
      }
      return error;
    }
    const error = toStoreError(thrown);
    this.#broken = error;
    // Others that were made before the last suspicion fail as it expects: they say nothing new.
    if (isSilence(thrown) && this.#pool.trusts(this.#client)) this.#breaker.silent(error);
    return error;
  }
}

const ignore = () => undefined;
