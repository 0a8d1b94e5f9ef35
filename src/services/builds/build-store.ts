import { sql, type Transaction } from 'kysely';
import type { TemplateId } from '../../../generated/types.gen.ts';
import { type BuildMode, type PlanOptions, type SentSpec, sentSpecProblems } from '../../factory/factory.ts';
import { ulid } from '../../lib/ids.ts';
import type { Tables } from '../../store/schema.ts';
import type { Store } from '../../store/store.ts';
import { type DemoAllowance, defaultPlans, plansOfClient } from './allowance.ts';
import { type Build, buildOf, columnsOf, rowOf } from './build.ts';
import { invalidSpec, promptOf } from './build-errors.ts';
import { eventView } from './build-events.ts';
import { BuildReader, type Db } from './build-reader.ts';
import { type Advanced, advance, advanceAll, type Step } from './transitions.ts';
import { inTurn, type Weights } from './turns.ts';
import type { WireContext } from './view.ts';

export interface Output {
  readonly zip: Uint8Array;
  readonly html: string;
  readonly picture: Uint8Array | null;
}

/**
 * Builds in the database. Every change is guarded by the state that it was decided on, so of two processes, or of a
 * build and its cancellation, one wins and the other learns that it came too late. All methods reject with `StoreError`.
 */
export class BuildStore extends BuildReader {
  readonly #context: WireContext;
  readonly #onWaiting: ((db: Db) => Promise<void>) | null;
  readonly #plans: DemoAllowance;

  /**
   * @param weights how tenants take turns
   * @param onWaiting called with each build that waits, in the transaction that makes it do so
   * @param plans how many plans a client of the demo may ask for
   */
  constructor(
    store: Store,
    context: WireContext,
    weights: Weights,
    onWaiting: ((db: Db) => Promise<void>) | null = null,
    plans: DemoAllowance = defaultPlans,
  ) {
    super(store, weights);
    this.#onWaiting = onWaiting;
    this.#plans = plans;
    this.#context = context;
  }

  /**
   * Runs what decides whether a build is accepted: one after the other, over all processes.
   */
  exclusively<T>(decide: (db: Transaction<Tables>) => Promise<T>): Promise<T> {
    return this.store.db.transaction().execute(async (db) => {
      // SQLite's transactions exclude each other as they are.
      if (this.store.dialect === 'postgres') await sql`select pg_advisory_xact_lock(7203481)`.execute(db);
      return decide(db);
    });
  }

  async insert(db: Db, build: Build, ticket: string | null): Promise<Build> {
    const accepted = advance(build, { type: 'accept' }, build.created_at);
    await db
      .insertInto('factory_jobs')
      .values({ ...rowOf(accepted.build), ticket })
      .execute();
    await this.#append(db, accepted, build.created_at);
    await this.#onWaiting?.(db);
    return accepted.build;
  }

  /**
   * Takes the build that has waited longest of the tenant whose turn it is; null when none waits. One process does so at
   * a time, or two of them would take the same turn.
   * @param begins called with its id before it is written; false: it is left to others
   */
  async claim(
    workerId: string,
    engine: BuildMode,
    begins: (id: string) => boolean = () => true,
  ): Promise<Build | null> {
    const any = await this.store.db
      .selectFrom('factory_jobs')
      .select('id')
      .where('status', '=', 'queued')
      .where('finished_at', 'is', null)
      .limit(1)
      .executeTakeFirst();
    // Looking costs less than a transaction, and most looks find nothing.
    if (!any) return null;
    return this.store.db.transaction().execute(async (db) => {
      if (this.store.dialect === 'postgres') await sql`select pg_advisory_xact_lock(7203482)`.execute(db);
      const [next] = await inTurn(db, this.weights);
      if (!next) return null;
      let oldest = db
        .selectFrom('factory_jobs')
        .selectAll()
        .where('status', '=', 'queued')
        .where('finished_at', 'is', null)
        .where('tenant_id', next.owner === null ? 'is' : '=', next.owner)
        .orderBy('created_at')
        .orderBy('id')
        .limit(1);
      // One that is just being cancelled is no reason to wait.
      if (this.store.dialect === 'postgres') oldest = oldest.forUpdate().skipLocked();
      const row = await oldest.executeTakeFirst();
      if (!row) return null;
      if (!begins(row.id)) return null;
      return this.#take(db, buildOf(row), [{ type: 'claim', workerId, engine }]);
    });
  }

  /**
   * Takes steps from a state of a build, and announces them. Null, and no change, when the build is no longer in that
   * state.
   */
  async take(build: Build, steps: readonly Step[], output?: Output): Promise<Build | null> {
    return this.store.db.transaction().execute((db) => this.#take(db, build, steps, output));
  }

  async #take(db: Db, build: Build, steps: readonly Step[], output?: Output): Promise<Build | null> {
    const now = this.now();
    const advanced = advanceAll(build, steps, now);
    const written = await db
      .updateTable('factory_jobs')
      .set(columnsOf(advanced.build))
      .where('id', '=', build.id)
      .where('status', '=', build.status)
      .where('attempt', '=', build.attempt)
      .where('last_seq', '=', build.last_seq)
      .where('worker_id', build.worker_id === null ? 'is' : '=', build.worker_id)
      .executeTakeFirst();
    if (written.numUpdatedRows === 0n) return null;
    if (steps.some(({ type }) => type === 'ask')) await this.#countAsPlan(db, build, now);
    if (output) {
      await db
        .insertInto('factory_outputs')
        .values({ job_id: build.id, ...output })
        .execute();
      await db.deleteFrom('factory_checkpoints').where('job_id', '=', build.id).execute();
    }
    await this.#append(db, advanced, now);
    if (advanced.build.status === 'queued') await this.#onWaiting?.(db);
    return advanced.build;
  }

  /** A demo build that only asks is a plan, as long as its client has plans left, and none of the builds. */
  async #countAsPlan(db: Db, { id, client }: Build, now: number): Promise<void> {
    if (client === null || (await plansOfClient(db, this, client, this.#plans)).remaining === 0) return;
    await db.deleteFrom('demo_hits').where('job_id', '=', id).execute();
    await db.insertInto('plan_hits').values({ id: ulid(), client, at: now }).execute();
  }

  async #append(db: Db, { build, events }: Advanced, now: number): Promise<void> {
    await this.table.append(db, build.last_seq, events, (one, seq) => ({
      job_id: build.id,
      seq,
      event: JSON.stringify(eventView(one, seq, build, now, this.#context)),
    }));
  }

  async checkpoint(id: string, name: string): Promise<string | null> {
    const row = await this.store.db
      .selectFrom('factory_checkpoints')
      .select('text')
      .where('job_id', '=', id)
      .where('name', '=', name)
      .executeTakeFirst();
    return row?.text ?? null;
  }

  async keepCheckpoint(id: string, name: string, text: string): Promise<void> {
    await this.store.db
      .insertInto('factory_checkpoints')
      .values({ job_id: id, name, text })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  }

  async settled(id: string): Promise<void> {
    await this.store.db.updateTable('factory_jobs').set({ ticket: null }).where('id', '=', id).execute();
  }
}

/** A request for a build: a prompt, a spec, or both. */
export interface BuildRequest {
  readonly prompt?: string;
  readonly spec?: SentSpec;
  readonly template_id?: TemplateId;
  readonly when_unsure?: 'build' | 'ask';
}

/** The same as it is kept. */
export interface Asked {
  /** Empty where a spec alone was sent. */
  readonly prompt: string;
  readonly options: PlanOptions;
}

/** Throws `ServiceError` for a prompt or a spec that cannot be built from. */
export function askedFor({ prompt, spec, template_id: kind, when_unsure }: BuildRequest): Asked {
  const options = { ...(kind && { kind }), ...(when_unsure === 'ask' && { whenUnsure: 'ask' as const }) };
  if (spec === undefined) return { prompt: promptOf(prompt ?? ''), options };
  const problems = sentSpecProblems(spec, { kind: kind ?? null, prompt: prompt !== undefined });
  if (problems.length > 0) throw invalidSpec(problems, 'spec');
  return { prompt: prompt === undefined ? '' : promptOf(prompt), options: { ...options, spec } };
}
