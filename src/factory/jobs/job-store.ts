import { type Kysely, sql, type Transaction } from 'kysely';
import type { BuildEvent } from '../../../generated/types.gen.ts';
import { rowsFor } from '../../store/page.ts';
import type { Tables } from '../../store/schema.ts';
import type { Store } from '../../store/store.ts';
import type { Engine } from '../builder.ts';
import { type Advanced, advance, advanceAll, type Step } from './advance.ts';
import { columnsOf, isOver, type Job, jobOf } from './job.ts';
import { eventOnWire, type WireContext } from './wire.ts';

type Db = Kysely<Tables> | Transaction<Tables>;

/** How many events are read at a time. */
const batch = 100;

/** The contents of what a build has made. */
export interface Output {
  readonly zip: Uint8Array;
  readonly html: string;
}

/**
 * Builds in the database. Every change is guarded by the state that it was decided on, so of two processes, or of a
 * build and its cancellation, one wins and the other learns that it came too late. All methods reject with `StoreError`.
 */
export class JobStore {
  readonly #store: Store;
  readonly #context: WireContext;

  constructor(store: Store, context: WireContext) {
    this.#store = store;
    this.#context = context;
  }

  now(): number {
    return this.#store.clock.now();
  }

  /**
   * Runs what decides whether a build is accepted: one after the other, over all processes.
   */
  exclusively<T>(decide: (db: Transaction<Tables>) => Promise<T>): Promise<T> {
    return this.#store.db.transaction().execute(async (db) => {
      // SQLite's transactions exclude each other as they are.
      if (this.#store.kind === 'postgres') await sql`select pg_advisory_xact_lock(7203481)`.execute(db);
      return decide(db);
    });
  }

  /** Writes a new build with its first event. */
  async insert(db: Db, job: Job, ticket: string | null): Promise<Job> {
    const accepted = advance(job, { type: 'accept' }, job.createdAt);
    const { id, tenantId, requestId, prompt, options, createdAt, expiresAt } = job;
    await db
      .insertInto('factory_jobs')
      .values({
        ...columnsOf(accepted.job),
        id,
        tenant_id: tenantId,
        request_id: requestId,
        prompt,
        options: JSON.stringify(options),
        cancel_requested_at: null,
        ticket,
        created_at: createdAt,
        expires_at: expiresAt,
        purged_at: null,
      })
      .execute();
    await this.#tell(db, accepted, createdAt);
    return accepted.job;
  }

  async find(id: string, db: Db = this.#store.db): Promise<Job | null> {
    const row = await db.selectFrom('factory_jobs').selectAll().where('id', '=', id).executeTakeFirst();
    return row ? jobOf(row) : null;
  }

  /** How many builds wait before this one; null when it does not wait. */
  async ahead(job: Job, db: Db = this.#store.db): Promise<number | null> {
    if (job.status !== 'queued') return null;
    const { count } = await db
      .selectFrom('factory_jobs')
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .where('status', '=', 'queued')
      .where('finished_at', 'is', null)
      .where((eb) =>
        eb.or([
          eb('created_at', '<', job.createdAt),
          eb.and([eb('created_at', '=', job.createdAt), eb('id', '<', job.id)]),
        ]),
      )
      .executeTakeFirstOrThrow();
    return Number(count);
  }

  /** Builds that wait and that run; those that wait apart for the demo and for tenants. */
  async counts(db: Db = this.#store.db) {
    const rows = await db
      .selectFrom('factory_jobs')
      .select((eb) => [
        'status',
        eb.case().when('tenant_id', 'is', null).then(1).else(0).end().as('demo'),
        eb.fn.countAll<number>().as('count'),
      ])
      .where('finished_at', 'is', null)
      .groupBy(['status', 'demo'])
      .execute();
    const sum = (status: string, demo: readonly number[]) =>
      rows
        .filter((row) => row.status === status && demo.includes(Number(row.demo)))
        .reduce((total, row) => total + Number(row.count), 0);
    return {
      running: sum('running', [0, 1]),
      waiting: sum('queued', [0, 1]),
      demoWaiting: sum('queued', [1]),
      tenantWaiting: sum('queued', [0]),
    };
  }

  /** Rows of a tenant's builds for a page, latest first. */
  async page(
    tenantId: string,
    place: readonly [number, string] | null,
    limit: number | undefined,
  ): Promise<readonly Job[]> {
    let query = this.#store.db
      .selectFrom('factory_jobs')
      .selectAll()
      .where('tenant_id', '=', tenantId)
      .orderBy('created_at', 'desc')
      .orderBy('id', 'desc')
      .limit(rowsFor(limit === undefined ? {} : { limit }));
    if (place) {
      const [createdAt, id] = place;
      query = query
        .where('created_at', '<=', createdAt)
        .where((eb) => eb.or([eb('created_at', '<', createdAt), eb('id', '<', id)]));
    }
    return (await query.execute()).map(jobOf);
  }

  /** Takes the build that has waited longest; null when none waits. */
  async claim(workerId: string, engine: Engine): Promise<Job | null> {
    const any = await this.#store.db
      .selectFrom('factory_jobs')
      .select('id')
      .where('status', '=', 'queued')
      .where('finished_at', 'is', null)
      .limit(1)
      .executeTakeFirst();
    // Looking costs less than a transaction, and most looks find nothing.
    if (!any) return null;
    return this.#store.db.transaction().execute(async (db) => {
      let oldest = db
        .selectFrom('factory_jobs')
        .selectAll()
        .where('status', '=', 'queued')
        .where('finished_at', 'is', null)
        .orderBy('created_at')
        .orderBy('id')
        .limit(1);
      if (this.#store.kind === 'postgres') oldest = oldest.forUpdate().skipLocked();
      const row = await oldest.executeTakeFirst();
      return row ? this.#take(db, jobOf(row), [{ type: 'claim', workerId, engine }]) : null;
    });
  }

  /**
   * Takes steps from a state of a build, and tells of them. Null when the build is not in that state any more: nothing
   * has happened then.
   */
  async take(job: Job, steps: readonly Step[], output?: Output): Promise<Job | null> {
    return this.#store.db.transaction().execute((db) => this.#take(db, job, steps, output));
  }

  async #take(db: Db, job: Job, steps: readonly Step[], output?: Output): Promise<Job | null> {
    const now = this.now();
    const advanced = advanceAll(job, steps, now);
    const written = await db
      .updateTable('factory_jobs')
      .set(columnsOf(advanced.job))
      .where('id', '=', job.id)
      .where('status', '=', job.status)
      .where('attempt', '=', job.attempt)
      .where('last_seq', '=', job.lastSeq)
      .where('worker_id', job.workerId === null ? 'is' : '=', job.workerId)
      .executeTakeFirst();
    if (written.numUpdatedRows === 0n) return null;
    if (output) {
      await db
        .insertInto('factory_outputs')
        .values({ job_id: job.id, ...output })
        .execute();
      await db.deleteFrom('factory_checkpoints').where('job_id', '=', job.id).execute();
    }
    await this.#tell(db, advanced, now);
    return advanced.job;
  }

  async #tell(db: Db, { job, told }: Advanced, now: number): Promise<void> {
    if (told.length === 0) return;
    const first = job.lastSeq - told.length + 1;
    const rows = told.map((one, index) => ({
      job_id: job.id,
      seq: first + index,
      event: JSON.stringify(eventOnWire(one, first + index, job, now, this.#context)),
    }));
    await db.insertInto('factory_events').values(rows).execute();
  }

  /** Notes that somebody wants a running build cancelled. */
  async requestCancel(id: string): Promise<void> {
    await this.#store.db
      .updateTable('factory_jobs')
      .set({ cancel_requested_at: this.now() })
      .where('id', '=', id)
      .where('status', '=', 'running')
      .where('cancel_requested_at', 'is', null)
      .execute();
  }

  /** The builds of a process that somebody wants cancelled. */
  async toCancel(workerId: string): Promise<readonly string[]> {
    const rows = await this.#store.db
      .selectFrom('factory_jobs')
      .select('id')
      .where('status', '=', 'running')
      .where('finished_at', 'is', null)
      .where('worker_id', '=', workerId)
      .where('cancel_requested_at', 'is not', null)
      .execute();
    return rows.map(({ id }) => id);
  }

  /** Builds that run in a process that is gone. */
  async orphans(): Promise<readonly Job[]> {
    const rows = await this.#store.db
      .selectFrom('factory_jobs')
      .selectAll()
      .where('status', '=', 'running')
      .where('finished_at', 'is', null)
      .where('worker_id', 'not in', (eb) =>
        eb.selectFrom('instances').select('instances.id').where('expires_at', '>', this.now()),
      )
      .execute();
    return rows.map(jobOf);
  }

  /** Builds that have waited since before `since` and were never begun. */
  async overdue(since: number): Promise<readonly Job[]> {
    const rows = await this.#store.db
      .selectFrom('factory_jobs')
      .selectAll()
      .where('status', '=', 'queued')
      .where('finished_at', 'is', null)
      .where('created_at', '<', since)
      .where('attempt', '=', 0)
      .limit(batch)
      .execute();
    return rows.map(jobOf);
  }

  /** Events after a number, oldest first, at most a hundred. */
  async events(id: string, after: number): Promise<readonly BuildEvent[]> {
    const rows = await this.#store.db
      .selectFrom('factory_events')
      .select('event')
      .where('job_id', '=', id)
      .where('seq', '>', after)
      .orderBy('seq')
      .limit(batch)
      .execute();
    return rows.map(({ event }) => JSON.parse(event) as BuildEvent);
  }

  async zip(id: string): Promise<Uint8Array | null> {
    const row = await this.#store.db
      .selectFrom('factory_outputs')
      .select('zip')
      .where('job_id', '=', id)
      .executeTakeFirst();
    return row?.zip ?? null;
  }

  async html(id: string): Promise<string | null> {
    const row = await this.#store.db
      .selectFrom('factory_outputs')
      .select('html')
      .where('job_id', '=', id)
      .executeTakeFirst();
    return row?.html ?? null;
  }

  async checkpoint(id: string, name: string): Promise<string | null> {
    const row = await this.#store.db
      .selectFrom('factory_checkpoints')
      .select('text')
      .where('job_id', '=', id)
      .where('name', '=', name)
      .executeTakeFirst();
    return row?.text ?? null;
  }

  async keepCheckpoint(id: string, name: string, text: string): Promise<void> {
    await this.#store.db
      .insertInto('factory_checkpoints')
      .values({ job_id: id, name, text })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  }

  /** Builds that are over and whose row in the ledger is not settled, as far as nobody alive is about to. */
  async unsettled(id?: string): Promise<readonly { job: Job; ticket: string }[]> {
    let query = this.#store.db
      .selectFrom('factory_jobs')
      .selectAll()
      .where('ticket', 'is not', null)
      .where('finished_at', 'is not', null)
      .limit(batch);
    if (id !== undefined) query = query.where('id', '=', id);
    const rows = await query.execute();
    return rows
      .map((row) => ({ job: jobOf(row), ticket: row.ticket ?? '' }))
      .filter(({ job }) => isOver(job));
  }

  async settled(id: string): Promise<void> {
    await this.#store.db.updateTable('factory_jobs').set({ ticket: null }).where('id', '=', id).execute();
  }
}
