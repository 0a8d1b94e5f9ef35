import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { StoreClock } from '../../lib/clock.ts';
import type { Authority, Call, Reply, Window } from '../../limits/authority.ts';
import type { BucketState, Moment } from '../../limits/bucket-state.ts';
import { serve } from '../../limits/serve.ts';
import { toStoreError } from '../errors.ts';
import { aliveMs } from '../store.ts';
import { untilUnlocked } from './dialect.ts';

interface Row {
  readonly span: Window;
  readonly at: number;
  readonly ends: number;
  readonly used: number;
  readonly untils: string;
  readonly amounts: string;
  readonly holders: string;
}

/** The authority of the processes on one SQLite file: each call is a transaction. It has a connection of its own. */
export class SqliteAuthority implements Authority {
  readonly #database: DatabaseSync;
  readonly #clock: StoreClock;
  readonly #synchronise: () => Promise<void>;
  readonly #find: StatementSync;
  readonly #write: StatementSync;
  readonly #alive: StatementSync;
  readonly #begin: StatementSync;
  readonly #commit: StatementSync;

  constructor(database: DatabaseSync, clock: StoreClock, synchronise: () => Promise<void>) {
    this.#database = database;
    this.#clock = clock;
    this.#synchronise = synchronise;
    this.#begin = database.prepare('begin immediate');
    this.#commit = database.prepare('commit');
    this.#find = database.prepare(
      'select span, at, ends, used, untils, amounts, holders from limit_buckets where id = ?',
    );
    this.#alive = database.prepare('select 1 from instances where id = ? and expires_at > ?');
    this.#write =
      database.prepare(`insert into limit_buckets (id, span, at, ends, used, untils, amounts, holders)
      values (?, ?, ?, ?, ?, ?, ?, ?) on conflict do update set at = excluded.at, ends = excluded.ends,
      used = excluded.used, untils = excluded.untils, amounts = excluded.amounts, holders = excluded.holders`);
  }

  async take(call: Call): Promise<readonly Reply[]> {
    if (this.#clock.stale) await this.#synchronise();
    try {
      this.#begin.run();
    } catch {
      await untilUnlocked(() => this.#begin.run());
    }
    try {
      const replies = this.#serve(call);
      this.#commit.run();
      return replies;
    } catch (thrown) {
      // SQLite has rolled back by itself after some errors.
      if (this.#database.isTransaction) this.#database.exec('rollback');
      throw toStoreError(thrown);
    }
  }

  #serve(call: Call): readonly Reply[] {
    const clock = this.#clock;
    const moment: Moment = { elapsed: clock.elapsed(), stamp: clock.now(), doubtMs: 0 };
    const living = clock.ago(aliveMs) + aliveMs;
    const isAlive = (holder: string) =>
      holder === call.holder || this.#alive.get(holder, living) !== undefined;
    const states = new Map<string, BucketState>();
    const held = {
      get: (id: string) => {
        const known = states.get(id);
        if (known) return known;
        const row = this.#find.get(id) as unknown as Row | undefined;
        if (row === undefined) return undefined;
        const state = stateOf(row);
        states.set(id, state);
        return state;
      },
      set: (id: string, state: BucketState) => void states.set(id, state),
    };
    const replies = serve(call, held, { moment, isAlive });
    for (const [id, state] of states) this.#keep(id, state);
    return replies;
  }

  #keep(id: string, { window, at, end, used, untils, amounts, holders }: BucketState): void {
    const [ends, weights] = [JSON.stringify(untils), JSON.stringify(amounts)];
    this.#write.run(id, window, at, end, used, ends, weights, JSON.stringify(holders));
  }
}

function stateOf({ span, at, ends, used, untils, amounts, holders }: Row): BucketState {
  return {
    window: span,
    at,
    end: ends,
    used,
    untils: untils === '[]' ? [] : (JSON.parse(untils) as number[]),
    amounts: amounts === '[]' ? [] : (JSON.parse(amounts) as number[]),
    holders: holders === '{}' ? {} : (JSON.parse(holders) as Record<string, number>),
  };
}
