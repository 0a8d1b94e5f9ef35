import type { ExpressionBuilder, Kysely, Selectable, Transaction } from 'kysely';
import type { BuildEvent } from '../../../generated/types.gen.ts';
import { JobTable } from '../../background/jobs/job-table.ts';
import { dayOf, startOfDay } from '../../lib/utc.ts';
import { rowsFor } from '../../store/list-page.ts';
import type { Tables } from '../../store/schema.ts';
import type { Store } from '../../store/store.ts';
import { type Build, buildOf, isOver } from './build.ts';
import { countAhead, type InTurn, inTurn, type Weights } from './turns.ts';

export type Db = Kysely<Tables> | Transaction<Tables>;

function acceptedBefore({ created_at: createdAt, id }: Pick<Build, 'created_at' | 'id'>) {
  return (eb: ExpressionBuilder<Tables, 'factory_jobs'>) =>
    eb.or([eb('created_at', '<', createdAt), eb.and([eb('created_at', '=', createdAt), eb('id', '<', id)])]);
}

const batch = 100;
/** How long the order of the queue is reused, in milliseconds. */
const freshMs = 200;

type BuildTable = JobTable<'factory_jobs', 'factory_events', BuildEvent>;

export function buildTable(store: Store): BuildTable {
  return new JobTable(store, {
    jobs: 'factory_jobs',
    owner: 'worker_id',
    events: 'factory_events',
    job: 'job_id',
    json: 'event',
  });
}

/** Reads builds from the database. All methods reject with `StoreError`. */
export class BuildReader {
  readonly table: BuildTable;
  protected readonly store: Store;
  protected readonly weights: Weights;
  #turns: { readonly readAt: number; readonly promise: Promise<readonly InTurn[]> } | null = null;

  constructor(store: Store, weights: Weights) {
    this.table = buildTable(store);
    this.store = store;
    this.weights = weights;
  }

  get db(): Db {
    return this.store.db;
  }

  /** The time of the database. */
  now(): number {
    return this.store.clock.now();
  }

  /** A stamp of then or before is at least so many milliseconds old. */
  ago(milliseconds: number): number {
    return this.store.clock.ago(milliseconds);
  }

  async find(id: string, db: Db = this.store.db): Promise<Build | null> {
    const row = await db.selectFrom('factory_jobs').selectAll().where('id', '=', id).executeTakeFirst();
    return row ? buildOf(row) : null;
  }

  /** How many builds are begun before this one, as turns stand now; null when it does not wait. */
  async ahead(build: Build, db: Db = this.store.db): Promise<number | null> {
    if (build.status !== 'queued') return null;
    const { count } = await db
      .selectFrom('factory_jobs')
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .where('status', '=', 'queued')
      .where('finished_at', 'is', null)
      .where('tenant_id', build.tenant_id === null ? 'is' : '=', build.tenant_id)
      .where(acceptedBefore(build))
      .executeTakeFirstOrThrow();
    return countAhead(await this.#recentTurns(), build.tenant_id, Number(count));
  }

  /** Many readers want to know their position whenever a build begins, so they share what was read. */
  #recentTurns(): Promise<readonly InTurn[]> {
    const now = performance.now();
    if (this.#turns === null || now - this.#turns.readAt > freshMs) {
      const turns = { readAt: now, promise: inTurn(this.store.db, this.weights) };
      this.#turns = turns;
      turns.promise.catch(() => {
        if (this.#turns === turns) this.#turns = null;
      });
    }
    return this.#turns.promise;
  }

  /** How many demo builds of the same day, in UTC, were accepted before this one. */
  async demoBuildsBefore(build: Build): Promise<number> {
    const { count } = await this.store.db
      .selectFrom('factory_jobs')
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .where('tenant_id', 'is', null)
      .where('created_at', '>=', startOfDay(dayOf(build.created_at)))
      .where(acceptedBefore(build))
      .executeTakeFirstOrThrow();
    return Number(count);
  }

  /** Builds that wait and that run; those that wait apart for the demo, for tenants, and for one of them. */
  async counts(db: Db = this.store.db, tenantId = '') {
    const rows = await db
      .selectFrom('factory_jobs')
      .select((eb) => [
        'status',
        eb
          .case()
          .when('tenant_id', 'is', null)
          .then('demo')
          .when('tenant_id', '=', tenantId)
          .then('own')
          .else('other')
          .end()
          .as('owner'),
        eb.fn.countAll<number>().as('count'),
      ])
      .where('finished_at', 'is', null)
      .groupBy(['status', 'owner'])
      .execute();
    const sum = (status: string, ...owners: readonly string[]) =>
      rows
        .filter((row) => row.status === status && owners.includes(row.owner))
        .reduce((total, row) => total + Number(row.count), 0);
    return {
      running: sum('running', 'demo', 'own', 'other'),
      waiting: sum('queued', 'demo', 'own', 'other'),
      demoWaiting: sum('queued', 'demo'),
      tenantWaiting: sum('queued', 'own', 'other'),
      ownWaiting: sum('queued', 'own'),
    };
  }

  /** Rows of a tenant's builds for a list page, latest first. */
  async list(
    tenantId: string,
    cursor: readonly [number, string] | null,
    limit: number | undefined,
  ): Promise<readonly Build[]> {
    let query = this.store.db
      .selectFrom('factory_jobs')
      .selectAll()
      .where('tenant_id', '=', tenantId)
      .orderBy('created_at', 'desc')
      .orderBy('id', 'desc')
      .limit(rowsFor(limit === undefined ? {} : { limit }));
    if (cursor) {
      const [createdAt, id] = cursor;
      query = query
        .where('created_at', '<=', createdAt)
        .where((eb) => eb.or([eb('created_at', '<', createdAt), eb('id', '<', id)]));
    }
    return (await query.execute()).map(buildOf);
  }

  /** Builds that have waited since before `since` and were never begun. */
  async overdue(since: number): Promise<readonly Build[]> {
    const rows = await this.store.db
      .selectFrom('factory_jobs')
      .selectAll()
      .where('status', '=', 'queued')
      .where('finished_at', 'is', null)
      .where('created_at', '<', since)
      .where('attempt', '=', 0)
      .limit(batch)
      .execute();
    return rows.map(buildOf);
  }

  /** When the build was accepted that has waited longest; null when none waits. */
  async waitingSince(): Promise<number | null> {
    const row = await this.store.db
      .selectFrom('factory_jobs')
      .select('created_at')
      .where('status', '=', 'queued')
      .where('finished_at', 'is', null)
      .orderBy('created_at')
      .limit(1)
      .executeTakeFirst();
    return row?.created_at ?? null;
  }

  /** One of the contents of a build that succeeded: all are large. */
  async output<Column extends 'zip' | 'html' | 'picture'>(id: string, column: Column) {
    const row = await this.store.db
      .selectFrom('factory_outputs')
      .select(column)
      .where('job_id', '=', id)
      .executeTakeFirst();
    return (row as Selectable<Tables['factory_outputs']> | undefined)?.[column] ?? null;
  }

  /** Builds that are over and whose row in the ledger is not settled, as far as no living process is about to. */
  async unsettled(id?: string): Promise<readonly Build[]> {
    let query = this.store.db
      .selectFrom('factory_jobs')
      .selectAll()
      .where('ticket', 'is not', null)
      .where('finished_at', 'is not', null)
      .limit(batch);
    if (id !== undefined) query = query.where('id', '=', id);
    return (await query.execute()).map(buildOf).filter(isOver);
  }
}
