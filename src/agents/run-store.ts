import type { AgentRunEvent } from '../../generated/types.gen.ts';
import { present } from '../metering/presence.ts';
import { type Page, type PageRequest, rowsFor, toPage } from '../store/page.ts';
import type { AgentRunRow, AgentRunStatus } from '../store/schema.ts';
import type { Store } from '../store/store.ts';

/** An event without its number, or a function of the run that gives it. */
export type UnnumberedEvent = {
  [Type in AgentRunEvent['type']]: Omit<Extract<AgentRunEvent, { type: Type }>, 'seq'>;
}[Exclude<AgentRunEvent['type'], 'error'>];

/** Which run is meant: of another tenant or agent it is not found. */
export interface RunKey {
  readonly tenantId: string;
  readonly agentId: string;
  readonly id: string;
}

/** How a run ends: with its last event, once. */
export interface RunEnd {
  readonly status: Exclude<AgentRunStatus, 'running'>;
  readonly finishedAt: number;
}

/** How long runs are kept, in milliseconds. */
const keepMs = 30 * 86_400_000;
/** Most runs that are deleted in one go. */
const deletedAtOnce = 200;

/**
 * Runs and their events in the database. A run takes events only as long as it has not ended, and its end is written with
 * the last of them, in one transaction: so there is exactly one, whoever writes it.
 */
export class RunStore {
  readonly #store: Store;
  readonly #instanceId: string;

  constructor(store: Store, instanceId: string) {
    this.#store = store;
    this.#instanceId = instanceId;
  }

  get now(): number {
    return this.#store.clock.now();
  }

  async begin(
    row: Omit<AgentRunRow, 'instance_id' | 'status' | 'events' | 'cancel_requested_at' | 'finished_at'>,
  ) {
    const values = { ...row, instance_id: this.#instanceId, status: 'running', events: 0 } as const;
    await this.#store.db
      .insertInto('agent_runs')
      .values({ ...values, cancel_requested_at: null, finished_at: null })
      .execute();
  }

  /**
   * Adds events to a run of this process, and ends it if told how. False when it has ended already, and nothing was
   * written.
   */
  append(id: string, events: readonly UnnumberedEvent[], end: RunEnd | null = null): Promise<boolean> {
    return this.#append(id, this.#instanceId, events, end);
  }

  /** The same for a run whose process is gone. */
  endLost(id: string, instanceId: string, event: UnnumberedEvent, end: RunEnd): Promise<boolean> {
    return this.#append(id, instanceId, [event], end);
  }

  async #append(
    id: string,
    instanceId: string,
    events: readonly UnnumberedEvent[],
    end: RunEnd | null,
  ): Promise<boolean> {
    return this.#store.db.transaction().execute(async (db) => {
      const row = await db
        .updateTable('agent_runs')
        .set((eb) => ({
          events: eb('events', '+', events.length),
          ...(end && { status: end.status, finished_at: end.finishedAt }),
        }))
        .where('id', '=', id)
        .where('instance_id', '=', instanceId)
        .where('finished_at', 'is', null)
        .returning('events')
        .executeTakeFirst();
      if (!row) return false;
      const first = row.events - events.length + 1;
      const rows = events.map((event, index) => {
        const { type, ...rest } = event;
        return {
          run_id: id,
          seq: first + index,
          type,
          data: JSON.stringify({ type, seq: first + index, ...rest }),
        };
      });
      await db.insertInto('agent_run_events').values(rows).execute();
      return true;
    });
  }

  async find({ tenantId, agentId, id }: RunKey): Promise<AgentRunRow | null> {
    const row = await this.#store.db
      .selectFrom('agent_runs')
      .selectAll()
      .where('id', '=', id)
      .where('tenant_id', '=', tenantId)
      .where('agent_id', '=', agentId)
      .executeTakeFirst();
    return row ?? null;
  }

  /** A tenant's runs of an agent, latest first. @param before the id that the page before ended with */
  async list(
    tenantId: string,
    agentId: string,
    request: PageRequest,
    before: string | null,
  ): Promise<Page<AgentRunRow>> {
    let query = this.#store.db
      .selectFrom('agent_runs')
      .selectAll()
      .where('tenant_id', '=', tenantId)
      .where('agent_id', '=', agentId)
      .orderBy('id', 'desc')
      .limit(rowsFor(request));
    if (before !== null) query = query.where('id', '<', before);
    return toPage(
      await query.execute(),
      request,
      ({ id }) => [id],
      (row) => row,
    );
  }

  /** Events after a number, in their order. @param types only those; null: all */
  async events(
    id: string,
    after: number,
    limit: number,
    types: readonly AgentRunEvent['type'][] | null = null,
  ): Promise<AgentRunEvent[]> {
    let query = this.#store.db
      .selectFrom('agent_run_events')
      .select('data')
      .where('run_id', '=', id)
      .where('seq', '>', after)
      .orderBy('seq')
      .limit(limit);
    if (types) query = query.where('type', 'in', types);
    return (await query.execute()).map(({ data }) => JSON.parse(data) as AgentRunEvent);
  }

  async requestCancel(id: string): Promise<void> {
    await this.#store.db
      .updateTable('agent_runs')
      .set({ cancel_requested_at: this.now })
      .where('id', '=', id)
      .where('finished_at', 'is', null)
      .execute();
  }

  /** The runs of this process that have not ended. */
  own(): Promise<AgentRunRow[]> {
    return this.#store.db
      .selectFrom('agent_runs')
      .selectAll()
      .where('instance_id', '=', this.#instanceId)
      .where('finished_at', 'is', null)
      .execute();
  }

  /** Runs whose process is gone. Whoever asks is not. */
  lost(): Promise<AgentRunRow[]> {
    return this.#store.db
      .selectFrom('agent_runs')
      .selectAll()
      .where('finished_at', 'is', null)
      .where('instance_id', 'not in', present(this.#store))
      .where('instance_id', '!=', this.#instanceId)
      .execute();
  }

  /** Deletes what ended more than 30 days ago, some of it at a time. */
  async forgetOld(): Promise<void> {
    const { db } = this.#store;
    const old = await db
      .selectFrom('agent_runs')
      .select('id')
      .where('finished_at', '<', this.now - keepMs)
      .limit(deletedAtOnce)
      .execute();
    if (old.length === 0) return;
    const ids = old.map(({ id }) => id);
    // Together, so that no run is ever without its events.
    await db.transaction().execute(async (trx) => {
      await trx.deleteFrom('agent_run_events').where('run_id', 'in', ids).execute();
      await trx.deleteFrom('agent_runs').where('id', 'in', ids).execute();
    });
  }
}
