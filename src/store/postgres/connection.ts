import type pg from 'pg';
import { afterAwake } from '../../lib/awake-timer.ts';
import { type StoreError, toStoreError } from '../errors.ts';
import type { Breaker } from './breaker.ts';
import { cut, type PoolSettings } from './client.ts';
import { endedByItsTime, isAnswer, isSilence, silence } from './failures.ts';

export interface ConnectionParts {
  readonly settings: Pick<PoolSettings, 'statementMs' | 'lockMs' | 'answerMs'>;
  readonly breaker: Breaker;
  /** Until when a statement that was ended by its time is tried again, by `performance.now()`. */
  readonly until: number;
  /** Whether nothing has gone silent since it was made. */
  readonly trusts: () => boolean;
  /** Is told when it is given back. */
  readonly left: () => void;
}

type Result<Row> = pg.QueryResult<Row & pg.QueryResultRow>;

/** A connection in use. */
export class Connection {
  readonly #client: pg.PoolClient;
  readonly #parts: ConnectionParts;
  /** Why it must not be used any more. */
  #broken: StoreError | null = null;

  constructor(client: pg.PoolClient, parts: ConnectionParts) {
    this.#client = client;
    this.#parts = parts;
  }

  get processID(): number | null {
    return (this.#client as { processID?: number }).processID ?? null;
  }

  /** Rejects with `StoreError`; at once when the connection has failed before, as the end of a transaction then does. */
  async query<Row>(query: string | pg.QueryConfig, values?: readonly unknown[]): Promise<Result<Row>> {
    // The same error, as it takes the place of the first one where a transaction is rolled back whose commit got no answer.
    if (this.#broken) throw this.#broken;
    const config = typeof query === 'string' ? { text: query, values: values as unknown[] } : query;
    try {
      return await this.#askPatiently<Row>(config);
    } catch (thrown) {
      throw this.#failure(thrown);
    }
  }

  /** Gives it back; one that failed is destroyed, whether or not the caller knows of it. */
  release(destroy = false): void {
    const ended = destroy || this.#broken !== null || !this.#parts.trusts();
    if (ended) cut(this.#client);
    this.#client.release(ended);
    this.#parts.left();
  }

  /**
   * A statement that the server has ended by its time was undone, unless others stand with it in a transaction. It is asked once more,
   * with all the time that is left: a busy server shows that it is there by saying so, and less would be too little again.
   */
  async #askPatiently<Row>(config: pg.QueryConfig): Promise<Result<Row>> {
    const { answerMs, statementMs } = this.#parts.settings;
    try {
      return await this.#ask(config, answerMs);
    } catch (thrown) {
      if (!endedByItsTime(thrown)) throw thrown;
      this.#parts.breaker.succeeded();
      const restMs = Math.ceil(this.#parts.until - performance.now());
      if (restMs <= 0 || this.#client.getTransactionStatus() !== 'I') throw thrown;
      await this.#limit(restMs, restMs);
      try {
        return await this.#ask(config, restMs + answerMs - statementMs);
      } finally {
        await this.#limit(statementMs, this.#parts.settings.lockMs ?? statementMs / 2).catch((thrown) => {
          // What was asked has its answer; the connection would give the next one too much time.
          this.#broken ??= toStoreError(thrown);
        });
      }
    }
  }

  async #limit(statementMs: number, lockMs: number): Promise<void> {
    const text = `set statement_timeout = ${statementMs}; set lock_timeout = ${lockMs}`;
    await this.#ask({ text }, this.#parts.settings.answerMs);
  }

  /** Rejects with what the driver throws. */
  #ask<Row>(config: pg.QueryConfig, answerMs: number): Promise<Result<Row>> {
    return new Promise((resolve, reject) => {
      const cancel = afterAwake(answerMs, () => reject(silence()));
      this.#client.query<Row & pg.QueryResultRow>(config).then(
        (result) => {
          cancel();
          this.#parts.breaker.succeeded();
          resolve(result);
        },
        (thrown) => {
          cancel();
          reject(thrown);
        },
      );
    });
  }

  #failure(thrown: unknown): StoreError {
    if (isAnswer(thrown)) {
      const error = toStoreError(thrown, { mayBeDone: false });
      // It may have been the primary once, and another has taken its place: new connections find that one.
      if (error.failure === 'read_only') {
        this.#broken = error;
        this.#parts.breaker.demoted();
      }
      return error;
    }
    const error = toStoreError(thrown);
    this.#broken = error;
    // Others that were made before the last suspicion fail as it expects: they say nothing new.
    if (isSilence(thrown) && this.#parts.trusts()) this.#parts.breaker.silent(error);
    return error;
  }
}
