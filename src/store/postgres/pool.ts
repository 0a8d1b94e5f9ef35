import { Kysely, PostgresDialect, type PostgresPool } from 'kysely';
import pg from 'pg';
import { afterAwake } from '../../lib/timers.ts';
import { storeError, toStoreError } from '../errors.ts';
import type { Breaker } from './breaker.ts';
import { isAnswer, isDeadlock, isLate } from './breaker.ts';
import { clientConfig, clientThatConnectsWithin, cut, type PoolSettings } from './client.ts';
import { Connection, type ConnectionOwner } from './connection.ts';

/** Maximum number of those that wait: as many as requests that a process answers at a time. */
const maxWaiting = 10_000;
/** How often a statement is tried that the server chooses to end a deadlock by. */
const maxAttempts = 3;

/** The connections that a pool may have in use; who finds none free waits for one, first come, first served. */
export class Places {
  #free: number;
  readonly #waiting = new Set<() => void>();

  constructor(count: number) {
    this.#free = count;
  }

  /** Takes a place that is free, to be given back with `leave`. */
  takeFree(): boolean {
    if (this.#free === 0) return false;
    this.#free -= 1;
    return true;
  }

  /** Waits for a place, to be given back with `leave`. Rejects with `StoreError` when there was none in time, or too many wait. */
  async take(maxWaitMs: number): Promise<void> {
    if (this.takeFree()) return;
    if (this.#waiting.size >= maxWaiting) throw storeError('slow', { mayBeDone: false });
    await new Promise<void>((resolve, reject) => {
      const cancel = afterAwake(maxWaitMs, () => {
        this.#waiting.delete(enter);
        reject(storeError('slow', { mayBeDone: false }));
      });
      const enter = () => {
        cancel();
        resolve();
      };
      this.#waiting.add(enter);
    });
  }

  leave(): void {
    const [next] = this.#waiting;
    if (next === undefined) {
      this.#free += 1;
      return;
    }
    this.#waiting.delete(next);
    next();
  }
}

/** Kysely on a pool. */
export function kyselyOn<Tables>(pool: Pool): Kysely<Tables> {
  // The commands that it knows by type are in the driver's types just strings.
  return new Kysely<Tables>({ dialect: new PostgresDialect({ pool: pool as unknown as PostgresPool }) });
}

/**
 * Connections to the database, for Kysely and for us. Errors are `StoreError`s; a connection that broke or went silent
 * is never used again; and once one went silent, none that is as old as it is.
 */
export class Pool {
  readonly #settings: PoolSettings;
  readonly #pool: pg.Pool;
  readonly #places: Places;
  readonly #breaker: Breaker;
  readonly #owner: ConnectionOwner;
  /** Suspicions so far, and at which count each connection was made: it is trusted while no other came after. */
  #suspicions = 0;
  readonly #madeAt = new Map<pg.Client, number>();
  readonly #busy = new Set<pg.Client>();

  constructor(settings: PoolSettings, breaker: Breaker) {
    this.#settings = settings;
    this.#breaker = breaker;
    this.#places = new Places(settings.max);
    this.#owner = {
      settings,
      breaker,
      trusts: (client) => this.trusts(client),
      left: () => this.#places.leave(),
    };
    // Its own timers would take a process that was held up for a database that is away.
    const timeless = clientConfig({ ...settings, connectMs: 0, answerMs: 0 });
    this.#pool = new pg.Pool({
      max: settings.max,
      ...timeless,
      Client: clientThatConnectsWithin(settings.connectMs),
    });
    // A connection that breaks while idle is replaced when needed; without a listener the event would end the process.
    this.#pool.on('error', ignore);
    this.#pool.on('connect', (client) => {
      // The pool listens only while a connection is idle; while one is in use, its query rejects as well.
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
  async connect(patienceMs = this.#settings.patienceMs ?? 0): Promise<Connection> {
    this.#breaker.check();
    const began = performance.now();
    const maxWaitMs = Math.max(patienceMs, this.#settings.connectMs);
    if (!this.#places.takeFree()) await this.#places.take(maxWaitMs);
    try {
      for (;;) {
        this.#breaker.check();
        const tried = performance.now();
        let client: pg.PoolClient;
        try {
          client = await this.#pool.connect();
        } catch (thrown) {
          this.#apply(thrown, tried, began + maxWaitMs);
          continue;
        }
        if (this.trusts(client)) return new Connection(client, this.#owner, began + patienceMs);
        cut(client);
        client.release(true);
      }
    } catch (thrown) {
      this.#places.leave();
      throw thrown;
    }
  }

  /**
   * One statement, outside any transaction; again where it was undone to end a deadlock. Rejects with `StoreError`.
   * @param patienceMs in place of that of the settings
   */
  async query<Row>(query: pg.QueryConfig, patienceMs?: number): Promise<Row[]> {
    for (let attempt = 1; ; attempt += 1) {
      const connection = await this.connect(patienceMs);
      try {
        return (await connection.query<Row>(query)).rows;
      } catch (error) {
        if (!isDeadlock(error) || attempt === maxAttempts) throw error;
      } finally {
        connection.release();
      }
    }
  }

  /** Whether no connection has fallen silent since this one was made. */
  trusts(client: pg.Client): boolean {
    return this.#madeAt.get(client) === this.#suspicions;
  }

  /** Uses none of the connections again that there are now; calls under way on them may still succeed. */
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

  /** Hears why a connection did not come about. Throws a `StoreError`, unless it only was not in time, and there is time for another. */
  #apply(thrown: unknown, began: number, until: number): void {
    const late = isLate(thrown);
    const undone = { mayBeDone: false, cause: thrown };
    const error = late ? storeError('slow', undone) : toStoreError(thrown, undone);
    // That there may be no more says nothing about the database.
    if (late || (!isAnswer(thrown) && error.failure === 'unreachable')) this.#breaker.failed(error, began);
    if (!late || performance.now() >= until) throw error;
  }
}

const ignore = () => undefined;
