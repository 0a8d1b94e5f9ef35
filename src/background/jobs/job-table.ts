import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { Tables } from '../../store/schema.ts';
import type { Store } from '../../store/store.ts';
import { present } from '../../store/store.ts';

/** The minimum columns of a table of jobs. A job is over when `finished_at` is set, which happens with its last event. */
interface JobColumns {
  id: string;
  cancel_requested_at: number | null;
  finished_at: number | null;
}

type TablesWith<Columns> = {
  [Name in keyof Tables]: Tables[Name] extends Columns ? Name : never;
}[keyof Tables];
type ColumnsOf<Name extends keyof Tables, Value> = {
  [Column in keyof Tables[Name]]: Tables[Name][Column] extends Value ? Column : never;
}[keyof Tables[Name]] &
  string;

type JobsName = TablesWith<JobColumns>;
type EventsName = TablesWith<{ seq: number }>;

/** Where the jobs of a domain and their events are. */
interface JobTables<Jobs extends JobsName, Events extends EventsName> {
  readonly jobs: Jobs;
  /** Who carries a job out, one of `instances`. */
  readonly owner: ColumnsOf<Jobs, string | null>;
  readonly events: Events;
  /** The job that an event is of. */
  readonly job: ColumnsOf<Events, string>;
  /** The event as it is sent, as JSON. */
  readonly json: ColumnsOf<Events, string>;
}

/** Maximum number of events that are read at once. */
export const eventsAtOnce = 200;
/** Maximum number of jobs that are deleted at once. */
const deletedAtOnce = 200;

/** Jobs and their numbered events in the database, as far as all domains treat them alike. Rejects with `StoreError`. */
export class JobTable<Jobs extends JobsName, Events extends EventsName, Event> {
  readonly #store: Store;
  readonly #tables: JobTables<Jobs, Events>;
  readonly #jobs: RawBuilder<unknown>;
  readonly #owner: RawBuilder<unknown>;
  readonly #events: RawBuilder<unknown>;
  readonly #job: RawBuilder<unknown>;

  constructor(store: Store, tables: JobTables<Jobs, Events>) {
    this.#store = store;
    this.#tables = tables;
    this.#jobs = sql.table(tables.jobs);
    this.#owner = sql.ref(tables.owner);
    this.#events = sql.table(tables.events);
    this.#job = sql.ref(tables.job);
  }

  /** Events after a number, in their order, at most `eventsAtOnce`. */
  async events(id: string, after: number): Promise<readonly Event[]> {
    const { rows } = await sql<{ json: string }>`
      select ${sql.ref(this.#tables.json)} as json from ${this.#events}
      where ${this.#job} = ${id} and seq > ${after} order by seq limit ${eventsAtOnce}`.execute(
      this.#store.db,
    );
    return rows.map(({ json }) => JSON.parse(json) as Event);
  }

  /**
   * Writes events with their numbers. To be called in the transaction that has counted them in the job's row, which locks
   * that row: so the numbers have no gaps.
   * @param last the number of the last one
   * @param row the row of one of them
   */
  async append<Entry>(
    db: Kysely<Tables>,
    last: number,
    added: readonly Entry[],
    row: (added: Entry, seq: number) => Tables[Events],
  ): Promise<void> {
    if (added.length === 0) return;
    const first = last - added.length + 1;
    const rows = added.map((one, index) => row(one, first + index));
    await db.insertInto<EventsName>(this.#tables.events).values(rows).execute();
  }

  /** Asks the process that carries a job out to cancel it. */
  async requestCancel(id: string): Promise<void> {
    await sql`
      update ${this.#jobs} set cancel_requested_at = ${this.#store.clock.now()}
      where id = ${id} and finished_at is null and ${this.#owner} is not null and cancel_requested_at is null
    `.execute(this.#store.db);
  }

  /** The jobs of a process that it is asked to cancel. */
  async toCancel(instanceId: string): Promise<readonly string[]> {
    const { rows } = await sql<{ id: string }>`
      select id from ${this.#jobs}
      where finished_at is null and ${this.#owner} = ${instanceId} and cancel_requested_at is not null
    `.execute(this.#store.db);
    return rows.map(({ id }) => id);
  }

  /** The jobs of a process that are not over. */
  heldBy(instanceId: string): Promise<readonly Tables[Jobs][]> {
    return this.#unfinished(sql`${this.#owner} = ${instanceId}`);
  }

  /** The jobs of dead processes. The caller's is alive. */
  lost(instanceId: string): Promise<readonly Tables[Jobs][]> {
    const owner = this.#owner;
    return this.#unfinished(sql`${owner} <> ${instanceId} and ${owner} not in ${present(this.#store)}`);
  }

  async #unfinished(where: RawBuilder<unknown>): Promise<readonly Tables[Jobs][]> {
    const found = sql<Tables[Jobs]>`select * from ${this.#jobs} where finished_at is null and ${where}`;
    return (await found.execute(this.#store.db)).rows;
  }

  /** Deletes the jobs of which a column says a time until then, with their events; some at a time, so that no statement runs long. */
  async forget(column: ColumnsOf<Jobs, number | null>, before: number): Promise<void> {
    const { db } = this.#store;
    for (let more = true; more; ) {
      const { rows } = await sql<{ id: string }>`
        select id from ${this.#jobs} where ${sql.ref(column)} <= ${before} limit ${deletedAtOnce}`.execute(
        db,
      );
      more = rows.length === deletedAtOnce;
      if (rows.length === 0) continue;
      const ids = sql.join(rows.map(({ id }) => id));
      // Together, so that no job is ever without its events.
      await db.transaction().execute(async (trx) => {
        await sql`delete from ${this.#events} where ${this.#job} in (${ids})`.execute(trx);
        await sql`delete from ${this.#jobs} where id in (${ids})`.execute(trx);
      });
    }
  }
}
