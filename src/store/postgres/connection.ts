import type pg from 'pg';
import { afterAwake } from '../../lib/timers.ts';
import { type StoreError, toStoreError } from '../errors.ts';
import type { Breaker } from './breaker.ts';
import { endedByItsTime, isAnswer, isSilence, silence } from './breaker.ts';
import { cut, type PoolSettings } from './client.ts';

/** The owner of a connection. */
export interface ConnectionOwner {
  readonly settings: Pick<PoolSettings, 'statementMs' | 'lockMs' | 'answerMs'>;
  readonly breaker: Breaker;
  /** Whether no connection has fallen silent since it was made. */
  trusts(client: pg.PoolClient): boolean;
  /** Called when it is given back. */
  left(): void;
}

type Result<Row> = pg.QueryResult<Row & pg.QueryResultRow>;

/** A connection in use. */
export class Connection {
  readonly #client: pg.PoolClient;
  readonly #owner: ConnectionOwner;
  readonly #until: number;
  /** Why it must not be used any more. */
  #broken: StoreError | null = null;

  /** @param until when a statement that was ended by its time is tried again, by `performance.now()` */
  constructor(client: pg.PoolClient, owner: ConnectionOwner, until: number) {
    this.#client = client;
    this.#owner = owner;
    this.#until = until;
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
      return await this.#ask(config, this.#owner.settings.answerMs);
    } catch (thrown) {
      const restMs = this.#restFor(thrown);
      if (restMs <= 0) throw this.#failure(thrown);
      return this.#askAgain(config, restMs);
    }
  }

  /** Gives it back; one that failed is destroyed, whether or not the caller knows of it. */
  release(destroy = false): void {
    const ended = destroy || this.#broken !== null || !this.#owner.trusts(this.#client);
    if (ended) cut(this.#client);
    this.#client.release(ended);
    this.#owner.left();
  }

  /** How long a statement may take that is asked once more, in milliseconds; 0: it has failed. */
  #restFor(thrown: unknown): number {
    if (!endedByItsTime(thrown)) return 0;
    // It is there, and says so.
    this.#owner.breaker.succeeded();
    // In a transaction others stand with it, which are undone as well.
    if (this.#client.getTransactionStatus() !== 'I') return 0;
    return Math.ceil(this.#until - performance.now());
  }

  /** With all the time that is left: the same short limit would fail again. */
  async #askAgain<Row>(config: pg.QueryConfig, restMs: number): Promise<Result<Row>> {
    const { answerMs, statementMs, lockMs = statementMs / 2 } = this.#owner.settings;
    try {
      await this.#limit(restMs, restMs);
      return await this.#ask(config, restMs + answerMs - statementMs);
    } catch (thrown) {
      throw this.#failure(thrown);
    } finally {
      if (this.#broken === null)
        await this.#limit(statementMs, lockMs).catch((thrown) => {
          // The query has its answer; the connection would give the next one too much time.
          this.#broken = toStoreError(thrown);
        });
    }
  }

  async #limit(statementMs: number, lockMs: number): Promise<void> {
    const text = `set statement_timeout = ${statementMs}; set lock_timeout = ${lockMs}`;
    await this.#ask({ text }, this.#owner.settings.answerMs);
  }

  /** Rejects with what the driver throws. */
  #ask<Row>(config: pg.QueryConfig, answerMs: number): Promise<Result<Row>> {
    return new Promise((resolve, reject) => {
      const cancel = afterAwake(answerMs, () => reject(silence()));
      this.#client.query<Row & pg.QueryResultRow>(config).then(
        (result) => {
          cancel();
          this.#owner.breaker.succeeded();
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
        this.#owner.breaker.demoted();
      }
      return error;
    }
    const error = toStoreError(thrown);
    this.#broken = error;
    // Others that were made before the last suspicion fail as it expects: they say nothing new.
    if (isSilence(thrown) && this.#owner.trusts(this.#client)) this.#owner.breaker.silent(error);
    return error;
  }
}
