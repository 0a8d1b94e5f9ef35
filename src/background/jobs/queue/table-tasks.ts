/** Tasks in a table of our own, on every database. Who holds one is known from `instances`, as with builds and runs. */
import { type RawBuilder, sql } from 'kysely';
import { ascendingUlid } from '../../../lib/ids.ts';
import { StoreError } from '../../../store/errors.ts';
import type { TaskRow } from '../../../store/schema.ts';
import type { Store } from '../../../store/store.ts';
import { present } from '../../../store/store.ts';
import {
  type Db,
  defaultMaxAttempts,
  type HeldTask,
  type Payload,
  retryDelayMs,
  type Task,
  type TaskKind,
  type TaskStore,
  takeLock,
} from './task.ts';

export class TableTasks implements TaskStore {
  readonly #store: Store;
  readonly #holder: string;
  /** What this process held, without carrying it out, when that was last looked at. */
  #suspects = new Set<string>();

  /** @param holder this process among those on the database */
  constructor(store: Store, holder: string) {
    this.#store = store;
    this.#holder = holder;
  }

  async add(tasks: readonly Task[], db: Db = this.#store.db): Promise<void> {
    if (tasks.length === 0) return;
    const now = this.#store.clock.now();
    const rows = tasks.map(({ name, payload = {}, runAt = now, key = null, group = null }) => ({
      id: ascendingUlid(now),
      name,
      key,
      group_id: group,
      payload: JSON.stringify(payload),
      attempt: 0,
      run_at: runAt,
      holder: null,
    }));
    await db
      .insertInto('tasks')
      .values(rows)
      .onConflict((conflict) => conflict.columns(['name', 'key']).where('holder', 'is', null).doNothing())
      .execute();
  }

  async take(kind: TaskKind, count: number): Promise<readonly HeldTask[]> {
    const { perGroup } = kind;
    if (!(await this.#anyWaits(kind.name))) return [];
    if (perGroup === undefined) return this.#take(this.#store.db, kind.name, count, sql``);
    const hasRoom = sql`and (group_id is null or group_id not in (
      select group_id from tasks where holder is not null and name = ${kind.name} and group_id is not null
      group by group_id having count(*) >= ${perGroup}))`;
    return this.#store.db.transaction().execute(async (db) => {
      if (this.#store.dialect === 'postgres')
        await sql`select pg_advisory_xact_lock(${takeLock})`.execute(db);
      const taken: HeldTask[] = [];
      while (taken.length < count) {
        const [next] = await this.#take(db, kind.name, 1, hasRoom);
        if (!next) break;
        taken.push(next);
      }
      return taken;
    });
  }

  async #take(db: Db, name: string, count: number, where: RawBuilder<unknown>): Promise<HeldTask[]> {
    const skipLocked = this.#store.dialect === 'postgres' ? sql`for update skip locked` : sql``;
    const { rows } = await sql<TaskRow>`
      update tasks set holder = ${this.#holder}, attempt = attempt + 1 where id in (
        select id from tasks where name = ${name} and holder is null and run_at <= ${this.#store.clock.now()} ${where}
        order by run_at, id limit ${count} ${skipLocked})
      returning *`.execute(db);
    // What an update returns has no order.
    return rows.sort((one, other) => one.run_at - other.run_at || (one.id < other.id ? -1 : 1)).map(heldOf);
  }

  /** Looking costs less than writing, and most looks find nothing. */
  async #anyWaits(name: string): Promise<boolean> {
    const row = await this.#store.db
      .selectFrom('tasks')
      .select('id')
      .where('name', '=', name)
      .where('holder', 'is', null)
      .where('run_at', '<=', this.#store.clock.now())
      .limit(1)
      .executeTakeFirst();
    return row !== undefined;
  }

  async keep(held: readonly HeldTask[]): Promise<readonly HeldTask[]> {
    const rows = await this.#store.db
      .selectFrom('tasks')
      .select(['id', 'attempt'])
      .where('holder', '=', this.#holder)
      .execute();
    const own = new Map(rows.map(({ id, attempt }) => [id, attempt]));
    return held.filter(({ id, attempt }) => own.get(id) !== attempt);
  }

  async end(held: HeldTask, db: Db = this.#store.db): Promise<boolean> {
    const { numDeletedRows } = await this.#drop(held, db);
    return numDeletedRows === 1n;
  }

  async retry(held: HeldTask, { maxAttempts = defaultMaxAttempts }: TaskKind): Promise<boolean> {
    if (held.attempt >= maxAttempts) {
      await this.#drop(held, this.#store.db);
      return false;
    }
    await this.#waitAgain(held, this.#holder, this.#store.clock.now() + retryDelayMs(held.attempt));
    return true;
  }

  giveBack(held: HeldTask): Promise<void> {
    return this.#waitAgain(held, this.#holder, null);
  }

  async cancel(name: string, key: string): Promise<void> {
    await this.#store.db.deleteFrom('tasks').where('name', '=', name).where('key', '=', key).execute();
  }

  async recover(isHere: (task: HeldTask) => boolean): Promise<void> {
    const { db } = this.#store;
    const rows = await db
      .selectFrom('tasks')
      .selectAll()
      .where('holder', 'is not', null)
      .where((eb) => eb.or([eb('holder', '=', this.#holder), eb('holder', 'not in', present(this.#store))]))
      .execute();
    const suspects = new Set<string>();
    for (const row of rows) {
      const task = heldOf(row);
      const name = `${task.id} ${task.attempt}`;
      if (row.holder === this.#holder) {
        // It is taken up at this moment, or the database has failed between doing so and saying so: then it stays.
        if (isHere(task)) continue;
        if (!this.#suspects.has(name)) {
          suspects.add(name);
          continue;
        }
      }
      await this.#waitAgain(task, row.holder ?? '', null);
    }
    this.#suspects = suspects;
  }

  async counts(name: string): Promise<{ waiting: number; running: number }> {
    const { waiting, running } = await this.#store.db
      .selectFrom('tasks')
      .select((eb) => [
        sql<number>`count(*) - count(holder)`.as('waiting'),
        eb.fn.count<number>('holder').as('running'),
      ])
      .where('name', '=', name)
      .executeTakeFirstOrThrow();
    return { waiting: Number(waiting), running: Number(running) };
  }

  /** @param runAt when; null: as it was */
  async #waitAgain(held: HeldTask, holder: string, runAt: number | null): Promise<void> {
    const { db } = this.#store;
    try {
      await db
        .updateTable('tasks')
        .set({ holder: null, ...(runAt !== null && { run_at: runAt }) })
        .where((eb) => eb.and({ id: held.id, holder, attempt: held.attempt }))
        .execute();
    } catch (error) {
      if (!(error instanceof StoreError && error.failure === 'conflict')) throw error;
      // Another of its key waits by now: that one stands for both.
      await db.deleteFrom('tasks').where('id', '=', held.id).where('holder', '=', holder).execute();
    }
  }

  #drop({ id, attempt }: HeldTask, db: Db) {
    return db
      .deleteFrom('tasks')
      .where((eb) => eb.and({ id, holder: this.#holder, attempt }))
      .executeTakeFirst();
  }
}

function heldOf({ id, name, payload, key, group_id, attempt }: TaskRow): HeldTask {
  return { id, name, payload: JSON.parse(payload) as Payload, key, group: group_id, attempt };
}
