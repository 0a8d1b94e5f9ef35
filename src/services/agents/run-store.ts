import type { AgentRunEvent } from '../../../generated/types.gen.ts';
import { JobTable } from '../../background/jobs/job-table.ts';
import type { AgentRunRow, AgentRunStatus } from '../../store/background-schema.ts';
import { type ListPage, type ListRequest, rowsFor, toListPage } from '../../store/list-page.ts';
import type { Store } from '../../store/store.ts';

/** An error ends a stream; it is not part of the run. */
type RunEvent = Exclude<AgentRunEvent, { type: 'error' }>;

/** An event without its number. */
export type UnnumberedEvent = {
  [Type in RunEvent['type']]: Omit<Extract<RunEvent, { type: Type }>, 'seq'>;
}[RunEvent['type']];

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
/** Maximum number of steps that are read for the record of a running run. */
const maxSteps = 2000;

/**
 * Runs and their events in the database. A run takes events only as long as it has not ended, and its end is written with
 * the last of them, in one transaction: so there is exactly one, whoever writes it.
 */
export class RunStore {
  readonly table: JobTable<'agent_runs', 'agent_run_events', RunEvent>;
  readonly #store: Store;
  readonly instanceId: string;

  constructor(store: Store, instanceId: string) {
    this.table = new JobTable(store, {
      jobs: 'agent_runs',
      owner: 'instance_id',
      events: 'agent_run_events',
      job: 'run_id',
      json: 'data',
    });
    this.#store = store;
    this.instanceId = instanceId;
  }

  get now(): number {
    return this.#store.clock.now();
  }

  /** Where it throws, there may be a record all the same: the database can fail between doing and saying so. */
  async begin(
    begun: Omit<AgentRunRow, 'instance_id' | 'status' | 'events' | 'cancel_requested_at' | 'finished_at'>,
  ): Promise<AgentRunRow> {
    const { instanceId: instance_id } = this;
    const row = { ...begun, instance_id, status: 'running', events: 0 } as const;
    const whole = { ...row, cancel_requested_at: null, finished_at: null };
    await this.#store.db.insertInto('agent_runs').values(whole).execute();
    return whole;
  }

  /**
   * Adds events to a run, and ends it if an end is given. False when it has ended already, and nothing was written.
   * @param instanceId the process that carries it out
   */
  async append(
    id: string,
    events: readonly UnnumberedEvent[],
    end: RunEnd | null = null,
    instanceId = this.instanceId,
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
      await this.table.append(db, row.events, events, ({ type, ...rest }, seq) => ({
        run_id: id,
        seq,
        type,
        data: JSON.stringify({ type, seq, ...rest }),
      }));
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

  /** A tenant's runs of an agent, latest first. @param before the id that the list page before ended with */
  async list(
    tenantId: string,
    agentId: string,
    request: ListRequest,
    before: string | null,
  ): Promise<ListPage<AgentRunRow>> {
    let query = this.#store.db
      .selectFrom('agent_runs')
      .selectAll()
      .where('tenant_id', '=', tenantId)
      .where('agent_id', '=', agentId)
      .orderBy('id', 'desc')
      .limit(rowsFor(request));
    if (before !== null) query = query.where('id', '<', before);
    return toListPage(
      await query.execute(),
      request,
      ({ id }) => [id],
      (row) => row,
    );
  }

  /** The steps of a run and its end, in their order, from which its record is made. */
  async steps(id: string): Promise<RunEvent[]> {
    const rows = await this.#store.db
      .selectFrom('agent_run_events')
      .select('data')
      .where('run_id', '=', id)
      .where('type', 'in', ['step', 'end'])
      .orderBy('seq')
      .limit(maxSteps)
      .execute();
    return rows.map(({ data }) => JSON.parse(data) as RunEvent);
  }

  forgetOld(): Promise<void> {
    return this.table.forget('finished_at', this.now - keepMs);
  }
}
