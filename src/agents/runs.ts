import type { AgentRun, AgentRunEvent } from '../../generated/types.gen.ts';
import { ServiceError } from '../contract/errors.ts';
import type { AgentRunRow } from '../store/schema.ts';
import { cancelled, interrupted, LiveRun, type LiveRunParts } from './live-run.ts';
import type { RunKey, RunStore } from './run-store.ts';
import { runOnWire } from './wire.ts';

const notBegun = new ServiceError('run_interrupted', 'The run could not be begun. Send it again.');

/** Most runs that one process carries out at once. */
const mostRuns = 256;
/** How often the database is asked, in milliseconds. */
export interface RunsPace {
  /** For lost runs and requests to cancel. */
  readonly sweepMs: number;
  /** By a reader of a run of another process, for news. */
  readonly pollMs: number;
}

const usualPace: RunsPace = { sweepMs: 2000, pollMs: 500 };
/** How often old runs are deleted, in milliseconds. */
const forgetMs = 600_000;
/** Most events that are read at once. */
const pageSize = 200;
/** Most steps that are read for the record of a run that goes on. */
const mostSteps = 2000;

/** The runs that this process carries out, and the way to all others. */
export class Runs {
  readonly store: RunStore;
  readonly #onFault: LiveRunParts['onFault'];
  readonly #pollMs: number;
  /** Those whose record is being made: nobody carries them out yet. */
  readonly #beginning = new Set<string>();
  readonly #live = new Map<string, LiveRun>();
  /** Readers that wait for news of a run. */
  readonly #waiting = new Map<string, Set<() => void>>();
  readonly #timer: NodeJS.Timeout;
  #sweeping: Promise<void> | null = null;
  #forgottenAt = performance.now();
  #closed = false;

  constructor(store: RunStore, onFault: LiveRunParts['onFault'], pace = usualPace) {
    this.store = store;
    this.#pollMs = pace.pollMs;
    this.#onFault = onFault;
    this.#timer = setInterval(() => void this.sweep(), pace.sweepMs).unref();
  }

  /** Throws `too_many_runs` or `shutting_down` when another run cannot begin. */
  checkRoom(): void {
    if (this.#closed)
      throw new ServiceError('shutting_down', 'The server is stopping and takes no new requests.');
    if (this.#live.size < mostRuns) return;
    const message = 'The server runs as many agents as it can at the moment.';
    throw new ServiceError('too_many_runs', message, { retryAfter: 5 });
  }

  /**
   * Makes the record of a run; `start` or `abandon` has to follow. Where it throws, there may be a record all the same:
   * the database can fail between doing and saying so.
   */
  async begin(row: Parameters<RunStore['begin']>[0]): Promise<void> {
    this.#beginning.add(row.id);
    await this.store.begin(row);
  }

  /** The run will not be carried out. What record there is, now or in a moment, is ended by a sweep. */
  abandon(id: string): void {
    this.#beginning.delete(id);
  }

  start(parts: Omit<LiveRunParts, 'store' | 'onFault' | 'onWritten'>): LiveRun {
    const { id } = parts.row;
    const run = new LiveRun({
      ...parts,
      store: this.store,
      onFault: this.#onFault,
      onWritten: () => this.#wake(id),
    });
    this.#live.set(id, run);
    this.#beginning.delete(id);
    void run.done.then(() => {
      // One whose end could not be written is kept until it is.
      if (run.written) this.#live.delete(id);
      this.#wake(id);
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
    return runOnWire(row, await this.store.events(row.id, 0, mostSteps, ['step', 'end']));
  }

  /** Ends a run that goes on, here at once, elsewhere within moments. */
  async cancel(key: RunKey): Promise<AgentRun> {
    const row = await this.find(key);
    const run = this.#live.get(row.id);
    if (run) {
      run.stop(cancelled);
      await run.done;
    } else if (row.finished_at === null) await this.store.requestCancel(row.id);
    return this.record(key);
  }

  /** The events of a run after a number, up to its end; past it, the end once more. Throws `ServiceError`. */
  async *follow(row: AgentRunRow, after: number, signal: AbortSignal): AsyncGenerator<AgentRunEvent> {
    let seq = after;
    for (let first = true; ; first = false) {
      const news = this.#news(row.id, signal);
      try {
        for (;;) {
          const events = await this.#read(row.id, seq);
          for (const event of events) {
            if (signal.aborted) return;
            if ('seq' in event) seq = event.seq;
            yield event;
            if (event.type === 'end') return;
          }
          if (events.length < pageSize) break;
        }
        if (first) {
          const end = await this.#endBefore(row.id, seq);
          if (end) return yield end;
        }
        await news.arrived;
        if (signal.aborted) return;
      } finally {
        news.forget();
      }
    }
  }

  /** Closes runs that nobody carries out, and does what others have asked for. Never rejects. */
  sweep(): Promise<void> {
    this.#sweeping ??= this.#sweep()
      .catch((error: unknown) => this.#onFault(error, 'looking for lost runs'))
      .finally(() => {
        this.#sweeping = null;
      });
    return this.#sweeping;
  }

  /** Interrupts what still runs and waits for it. */
  async close(): Promise<void> {
    this.#closed = true;
    clearInterval(this.#timer);
    const live = [...this.#live.values()];
    for (const run of live) run.stop(interrupted);
    await Promise.all(live.map((run) => run.done));
    await this.#sweeping;
    await Promise.all(live.map((run) => run.writeEnd().catch(() => undefined)));
  }

  async #sweep(): Promise<void> {
    for (const row of await this.store.lost()) await this.#endLost(row, interrupted);
    for (const row of await this.store.own()) {
      const run = this.#live.get(row.id);
      if (!run && !this.#beginning.has(row.id)) await this.#endLost(row, notBegun);
      else if (row.cancel_requested_at !== null) run?.stop(cancelled);
    }
    for (const [id, run] of this.#live) {
      if (run.written) continue;
      await run.writeEnd();
      this.#live.delete(id);
    }
    if (performance.now() - this.#forgottenAt < forgetMs) return;
    this.#forgottenAt = performance.now();
    await this.store.forgetOld();
  }

  async #endLost(row: AgentRunRow, why: ServiceError): Promise<void> {
    const finishedAt = this.store.now;
    const soFar = runOnWire(row, await this.store.events(row.id, 0, mostSteps, ['step', 'end']));
    const { code, message, info } = why;
    const run: AgentRun = {
      ...soFar,
      status: 'interrupted',
      error: { code, message, retryable: info.retryable },
      finished_at: new Date(finishedAt).toISOString(),
    };
    await this.store.endLost(
      row.id,
      row.instance_id,
      { type: 'end', run },
      { status: 'interrupted', finishedAt },
    );
    this.#wake(row.id);
  }

  async #read(id: string, after: number): Promise<AgentRunEvent[]> {
    return this.store.events(id, after, pageSize);
  }

  async #endBefore(id: string, seq: number): Promise<AgentRunEvent | null> {
    const [end] = await this.store.events(id, 0, 1, ['end']);
    return end && 'seq' in end && end.seq <= seq ? end : null;
  }

  /** Resolves when there may be something new of a run, or when the signal is aborted. */
  #news(id: string, signal: AbortSignal): { readonly arrived: Promise<void>; forget(): void } {
    const { promise, resolve } = Promise.withResolvers<void>();
    const arrived = () => resolve();
    const readers = this.#waiting.get(id) ?? new Set();
    this.#waiting.set(id, readers.add(arrived));
    signal.addEventListener('abort', arrived, { once: true });
    const timer = this.#live.has(id) ? undefined : setTimeout(arrived, this.#pollMs);
    return {
      arrived: promise,
      forget: () => {
        clearTimeout(timer);
        signal.removeEventListener('abort', arrived);
        readers.delete(arrived);
        if (readers.size === 0 && this.#waiting.get(id) === readers) this.#waiting.delete(id);
      },
    };
  }

  #wake(id: string): void {
    const readers = this.#waiting.get(id);
    if (!readers) return;
    for (const arrived of [...readers]) arrived();
  }
}
