import type { AgentRun, AgentRunEvent } from '../../../generated/types.gen.ts';
import { follow, Wakes } from '../../background/jobs/follow.ts';
import { LocalJobs } from '../../background/jobs/local-jobs.ts';
import { ServiceError } from '../../contract/errors.ts';
import type { Signals } from '../../lib/signals.ts';
import { type Repeated, repeat } from '../../lib/timers.ts';
import type { AgentRunRow } from '../../store/background-schema.ts';
import { cancelled, interrupted, LiveRun, type LiveRunParts } from './live-run.ts';
import type { RunKey, RunStore } from './run-store.ts';
import { runView } from './view.ts';

const notBegun = new ServiceError('run_interrupted', 'The run could not be started. Send it again.');

/** Maximum number of runs that one process carries out at once. */
const maxRuns = 256;
export interface RunsPace {
  /** For lost runs and requests to cancel. */
  readonly sweepMs: number;
  /** By a reader of a run of another process, for news. */
  readonly pollMs: number;
}

const defaultPace: RunsPace = { sweepMs: 2000, pollMs: 500 };
/** How often old runs are deleted, in milliseconds. */
const forgetMs = 600_000;

/** The runs that this process carries out, and the way to all others. */
export class Runs {
  readonly store: RunStore;
  readonly #onFault: LiveRunParts['onFault'];
  readonly #pollMs: number;
  readonly #local: LocalJobs<AgentRunRow, LiveRun>;
  readonly #wakes: Wakes;
  readonly #sweeping: Repeated;
  #forgottenAt = performance.now();
  #closed = false;

  constructor(store: RunStore, onFault: LiveRunParts['onFault'], pace = defaultPace, signals?: Signals) {
    this.store = store;
    this.#wakes = new Wakes(signals);
    this.#pollMs = pace.pollMs;
    this.#onFault = onFault;
    this.#local = new LocalJobs({
      table: store.table,
      instanceId: store.instanceId,
      cancelled,
      takeBack: (row, gone) => this.#endLost(row, gone ? interrupted : notBegun),
      onError: (error, id) => onFault(error, `the end of the lost run ${id}`),
    });
    this.#sweeping = repeat(pace.sweepMs, () => this.#sweep(), sweepFailed(onFault));
  }

  /**
   * Keeps room for a run; `start` or `abandon` has to follow. Throws `too_many_runs` or `shutting_down` when another one
   * cannot begin.
   */
  reserve(id: string): void {
    if (this.#closed)
      throw new ServiceError('shutting_down', 'The server is stopping and takes no new requests.');
    if (this.#local.sizeWithBeginning >= maxRuns) {
      const message = 'The server runs as many agents as it can at the moment.';
      throw new ServiceError('too_many_runs', message, { retryAfter: 5 });
    }
    this.#local.expect(id);
  }

  /** The run will not be carried out. A sweep ends its record, which may exist now or in a moment. */
  abandon(id: string): void {
    this.#local.abandon(id);
  }

  /** Carries a run out; where the server is ending meanwhile, it is interrupted at once. */
  start(parts: Omit<LiveRunParts, 'store' | 'onFault' | 'onWritten'>): LiveRun {
    const { id } = parts.row;
    const run = new LiveRun({
      ...parts,
      store: this.store,
      onFault: this.#onFault,
      onWritten: () => this.#wakes.wake(id),
    });
    this.#local.start(id, run);
    if (this.#closed) run.stop(interrupted);
    void run.done.then(() => {
      // One whose end could not be written is kept until it is.
      if (run.written) this.#local.end(id, run);
      this.#wakes.wake(id);
    });
    return run;
  }

  async find(key: RunKey): Promise<AgentRunRow> {
    const row = await this.store.find(key);
    if (!row) throw new ServiceError('not_found', 'There is no run of this id.');
    return row;
  }

  async record(key: RunKey): Promise<AgentRun> {
    const row = await this.find(key);
    return runView(row, await this.store.steps(row.id));
  }

  /** Ends a run, here at once, on other processes within moments. */
  async cancel(key: RunKey): Promise<AgentRun> {
    const row = await this.find(key);
    const run = this.#local.get(row.id);
    if (run) {
      run.stop(cancelled);
      await run.done;
    } else await this.store.table.requestCancel(row.id);
    return this.record(key);
  }

  /**
   * The events of a run after a number, up to its end; past it, the end once more.
   * @param signal a `ServiceError` as its reason is thrown; any other reason means that the reader has disconnected
   */
  follow(
    { id, events, finished_at }: AgentRunRow,
    after: number,
    signal: AbortSignal,
  ): AsyncGenerator<AgentRunEvent> {
    return follow(
      {
        id,
        last: events,
        over: finished_at !== null,
        wakes: this.#wakes,
        read: (seq) => this.store.table.events(id, seq),
        isEnd: ({ type }) => type === 'end',
        isTold: (reason) => reason instanceof ServiceError,
        pause: () => ({
          say: [],
          until: this.#local.get(id) ? Number.POSITIVE_INFINITY : performance.now() + this.#pollMs,
        }),
      },
      after,
      signal,
    );
  }

  /** Closes runs that no process carries out, and stops those that others have cancelled. Never rejects. */
  sweep(): Promise<void> {
    return this.#sweep().catch(sweepFailed(this.#onFault));
  }

  /** Interrupts what still runs and waits for it. */
  async close(): Promise<void> {
    this.#closed = true;
    const swept = this.#sweeping.stop();
    const runs = this.#local.all();
    await this.#local.stop(interrupted);
    await swept;
    await Promise.all(runs.map((run) => run.writeEnd().catch(() => undefined)));
  }

  async #sweep(): Promise<void> {
    await this.#local.recover();
    await this.#local.stopCancelled();
    for (const run of this.#local.all()) {
      if (!run.written) await this.#writeEnd(run);
    }
    if (performance.now() - this.#forgottenAt < forgetMs) return;
    this.#forgottenAt = performance.now();
    await this.store.forgetOld();
  }

  async #writeEnd(run: LiveRun): Promise<void> {
    try {
      await run.writeEnd();
      this.#local.end(run.id, run);
    } catch (error) {
      // One that can never be written must not keep the sweep from the others.
      this.#onFault(error, 'the end of a run');
    }
  }

  async #endLost(row: AgentRunRow, why: ServiceError): Promise<void> {
    const finishedAt = this.store.now;
    const soFar = runView(row, await this.store.steps(row.id));
    const { code, message, info } = why;
    const run: AgentRun = {
      ...soFar,
      status: 'interrupted',
      error: { code, message, retryable: info.retryable },
      finished_at: new Date(finishedAt).toISOString(),
    };
    const end = { status: 'interrupted', finishedAt } as const;
    await this.store.append(row.id, [{ type: 'end', run }], end, row.instance_id);
    this.#wakes.wake(row.id);
  }
}

function sweepFailed(onFault: LiveRunParts['onFault']): (error: unknown) => void {
  return (error) => onFault(error, 'looking for lost runs');
}

/**
 * A run that has begun, for the client that has asked for it.
 * @param row as it was written when the run began
 */
export function startedRun(runs: Runs, run: LiveRun, row: AgentRunRow) {
  const key: RunKey = { tenantId: row.tenant_id, agentId: row.agent_id, id: row.id };
  return {
    key,
    /** Its record at its beginning. */
    record: runView(row, []),
    /**
     * Its events, for the one who asked for them in place of the record: the run stops when the reader leaves.
     * @param signal the one that the run was begun with
     */
    events: (signal: AbortSignal): AsyncIterable<AgentRunEvent> =>
      stoppedWithItsReader(run, runs.follow(row, 0, afterItsEnd(run, signal))),
    /** Its record when it is over. Throws `StoreError` where its end could not be written, nor its record be read. */
    ended: async () => (await run.done) ?? runs.record(key),
  };
}

/** A failure is passed on when the run is settled. */
async function* stoppedWithItsReader(
  run: LiveRun,
  events: AsyncIterable<AgentRunEvent>,
): AsyncGenerator<AgentRunEvent> {
  let reason: unknown = cancelled;
  try {
    yield* events;
  } catch (thrown) {
    reason = thrown;
    throw thrown;
  } finally {
    // After its end this does nothing.
    run.stop(reason);
    await run.done;
  }
}

/**
 * Aborted as the signal is. A `ServiceError` as the reason also ends the run, whose end the reader should get: then it is
 * aborted only after the run.
 */
function afterItsEnd(run: LiveRun, signal: AbortSignal): AbortSignal {
  const reader = new AbortController();
  const abort = async () => {
    if (signal.reason instanceof ServiceError) await run.done;
    reader.abort(signal.reason);
  };
  if (signal.aborted) void abort();
  else signal.addEventListener('abort', () => void abort(), { once: true });
  return reader.signal;
}
