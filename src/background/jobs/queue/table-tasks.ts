/** Tasks in a table of our own, on every database. Who holds one is known from `instances`, as with builds and runs. */
import { type RawBuilder, sql } from 'kysely';
import { ascendingUlid } from '../../../lib/ids.ts';
import type { TaskRow } from '../../../store/background-schema.ts';
import { StoreError } from '../../../store/errors.ts';
import { addRows, changeRows, deleteRows, findRow, findRows } from '../../../store/rows.ts';
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
  /** The tasks that this process held without carrying them out, at the last look. */
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
    await addRows(db, 'tasks', rows, { unlessThere: true });
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
    // The rows of an update have no order.
    return rows.sort((one, other) => one.run_at - other.run_at || (one.id < other.id ? -1 : 1)).map(heldOf);
  }

  /** Looking costs less than writing, and most looks find nothing. */
  async #anyWaits(name: string): Promise<boolean> {
    const due = sql`and run_at <= ${this.#store.clock.now()}`;
    return (await findRow(this.#store.db, 'tasks', { name, holder: null }, due)) !== undefined;
  }

  async keep(held: readonly HeldTask[]): Promise<readonly HeldTask[]> {
    const rows = await findRows(this.#store.db, 'tasks', { holder: this.#holder });
    const own = new Map(rows.map(({ id, attempt }) => [id, attempt]));
    return held.filter(({ id, attempt }) => own.get(id) !== attempt);
  }

  async end(held: HeldTask, db: Db = this.#store.db): Promise<boolean> {
    return (await this.#drop(held, db)) === 1;
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
    await deleteRows(this.#store.db, 'tasks', { name, key });
  }

  async recover(isHere: (task: HeldTask) => boolean): Promise<void> {
    const toTakeBack = sql`and holder is not null
      and (holder = ${this.#holder} or holder not in ${present(this.#store)})`;
    const rows = await findRows(this.#store.db, 'tasks', {}, toTakeBack);
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
    const { rows } = await sql<{ waiting: number; running: number }>`select
      count(*) - count(holder) as waiting, count(holder) as running from tasks where name = ${name}`.execute(
      this.#store.db,
    );
    return rows[0] ?? { waiting: 0, running: 0 };
  }

  /** @param runAt when; null: as it was */
  async #waitAgain(held: HeldTask, holder: string, runAt: number | null): Promise<void> {
    const { db } = this.#store;
    try {
      const { id, attempt } = held;
      const values = { holder: null, ...(runAt !== null && { run_at: runAt }) };
      await changeRows(db, 'tasks', { id, holder, attempt }, values);
    } catch (error) {
      if (!(error instanceof StoreError && error.failure === 'conflict')) throw error;
      // Another of its key waits by now: that one stands for both.
      await deleteRows(db, 'tasks', { id: held.id, holder });
    }
  }

  #drop({ id, attempt }: HeldTask, db: Db) {
    return deleteRows(db, 'tasks', { id, holder: this.#holder, attempt });
  }
}

function heldOf({ id, name, payload, key, group_id, attempt }: TaskRow): HeldTask {
  return { id, name, payload: JSON.parse(payload) as Payload, key, group: group_id, attempt };
}
