import type { Secret } from '../../../lib/redact.ts';
import { type Repeated, repeat } from '../../../lib/timers.ts';
import type { Store } from '../../../store/store.ts';
import { LostJobError } from '../recorder.ts';
import { TableTasks } from './table-tasks.ts';
import type { Db, HeldTask, Task, TaskKind, TaskStore } from './task.ts';

/** How often what waits is looked for, tasks that run are shown to be alive, and those of lost processes are sought, in milliseconds. */
export interface QueuePace {
  readonly pollMs: number;
  readonly keepMs: number;
  readonly recoverMs: number;
}

const defaultPace: QueuePace = { pollMs: 1_000, keepMs: 5_000, recoverMs: 5_000 };
/** Maximum number of tasks that are taken up at once. */
const takenAtOnce = 20;

interface QueueParts {
  readonly store: Pick<Store, 'db'>;
  readonly tasks: TaskStore;
  readonly pace?: QueuePace;
  /** Called with errors, and with tasks that are given up. */
  readonly onError: (error: unknown, task: HeldTask | null) => void;
}

interface Running {
  readonly task: HeldTask;
  readonly abort: AbortController;
  readonly done: Promise<void>;
}

/** The reason why a task that is carried out here should end. */
class TaskStopped extends Error {
  override readonly name = 'TaskStopped';
  readonly reason: 'lost' | 'shutdown';

  constructor(reason: TaskStopped['reason']) {
    super(
      reason === 'lost' ? 'the task was cancelled or given to another process' : 'the server is stopping',
    );
    this.reason = reason;
  }
}

/** Claims and runs tasks of its kinds; each ends exactly once over all processes. */
export class Queue {
  readonly #parts: QueueParts;
  readonly #kinds = new Map<string, TaskKind>();
  readonly #running = new Map<string, Running>();
  /** Kinds that are being looked for; true: to be looked for once more. */
  readonly #filling = new Map<string, boolean>();
  readonly #fills = new Set<Promise<void>>();
  #duties: Repeated[] = [];
  #closing = false;

  constructor(parts: QueueParts) {
    this.#parts = parts;
  }

  /** Says how tasks of a name are carried out; before `start`. */
  handle(kind: TaskKind): void {
    this.#kinds.set(kind.name, kind);
  }

  /** Begins to work. Rejects with `StoreError`. */
  async start(): Promise<void> {
    const { tasks, pace = defaultPace, onError } = this.#parts;
    await tasks.prepare?.([...this.#kinds.values()]);
    await tasks.listen?.((name) => this.kick(name));
    await this.#recover();
    const failed = (error: unknown) => onError(error, null);
    this.#duties = [
      repeat(pace.pollMs, async () => this.#kickAll(), failed),
      repeat(pace.keepMs, () => this.#keep(), failed),
      repeat(pace.recoverMs, () => this.#recover(), failed),
    ];
    this.#kickAll();
  }

  /** Adds tasks; with `db` as part of its transaction, after which `kick` saves them the wait for the next look. */
  async add(tasks: readonly Task[], db?: Db): Promise<void> {
    await this.#parts.tasks.add(tasks, db);
    if (!db) for (const { name } of tasks) this.kick(name);
  }

  /** Drops a task that waits, and stops it within moments where it runs. */
  async cancel(name: string, key: string): Promise<void> {
    await this.#parts.tasks.cancel(name, key);
    const here = [...this.#running.values()].some(({ task }) => task.name === name && task.key === key);
    if (here) await this.#keep();
  }

  counts(name: string): ReturnType<TaskStore['counts']> {
    return this.#parts.tasks.counts(name);
  }

  /** Says that there may be something to do, or room for it. */
  kick(name: string): void {
    const kind = this.#kinds.get(name);
    if (!kind || this.#closing) return;
    if (this.#filling.has(name)) {
      this.#filling.set(name, true);
      return;
    }
    this.#filling.set(name, false);
    const fill = this.#fill(kind)
      .catch((error: unknown) => this.#parts.onError(error, null))
      .finally(() => {
        this.#fills.delete(fill);
        const again = this.#filling.get(name);
        this.#filling.delete(name);
        if (again) this.kick(name);
      });
    this.#fills.add(fill);
  }

  /** Takes up nothing more, and gives back what runs. */
  async close(): Promise<void> {
    this.#closing = true;
    await Promise.all(this.#duties.map((duty) => duty.stop()));
    this.#stopAll();
    await Promise.all(this.#fills);
    // Also tasks taken up meanwhile.
    this.#stopAll();
    await Promise.all([...this.#running.values()].map(({ done }) => done));
    await this.#parts.tasks.close?.();
  }

  #kickAll(): void {
    for (const name of this.#kinds.keys()) this.kick(name);
  }

  #stopAll(): void {
    for (const { abort } of this.#running.values()) abort.abort(new TaskStopped('shutdown'));
  }

  async #fill(kind: TaskKind): Promise<void> {
    while (!this.#closing) {
      const count = Math.min(
        kind.concurrency - this.#runningOf(kind.name),
        kind.room?.() ?? takenAtOnce,
        takenAtOnce,
      );
      if (count <= 0) return;
      const taken = await this.#parts.tasks.take(kind, count);
      for (const task of taken) this.#begin(kind, task);
      if (taken.length < count) return;
    }
  }

  #runningOf(name: string): number {
    let count = 0;
    for (const { task } of this.#running.values()) if (task.name === name) count += 1;
    return count;
  }

  #begin(kind: TaskKind, task: HeldTask): void {
    const abort = new AbortController();
    const name = `${task.id} ${task.attempt}`;
    // Not at once: when it ends, it has to be among those that run.
    const done = Promise.resolve()
      .then(() => this.#carryOut(kind, task, abort.signal))
      .catch((error: unknown) => this.#parts.onError(error, task))
      .finally(() => {
        this.#running.delete(name);
        this.kick(kind.name);
      });
    this.#running.set(name, { task, abort, done });
    if (this.#closing) abort.abort(new TaskStopped('shutdown'));
  }

  async #carryOut(kind: TaskKind, task: HeldTask, signal: AbortSignal): Promise<void> {
    const { tasks, onError } = this.#parts;
    try {
      signal.throwIfAborted();
      await this.#end(task, await kind.run(task, signal));
    } catch (error) {
      if (error instanceof LostJobError) return;
      const reason: unknown = signal.aborted ? signal.reason : null;
      if (reason instanceof TaskStopped && reason.reason === 'lost') return;
      if (reason instanceof TaskStopped) return tasks.giveBack(task);
      if (!(await tasks.retry(task, kind, error))) onError(error, task);
    }
  }

  async #end(task: HeldTask, finish: ((db: Db) => Promise<void>) | undefined): Promise<void> {
    const { store, tasks } = this.#parts;
    if (!finish) {
      await tasks.end(task);
      return;
    }
    await store.db.transaction().execute(async (db) => {
      // First: it holds the task, so that no other process ends it meanwhile.
      if (!(await tasks.end(task, db))) throw new LostJobError();
      await finish(db);
    });
  }

  async #recover(): Promise<void> {
    await this.#parts.tasks.recover?.(({ id, attempt }) => this.#running.has(`${id} ${attempt}`));
  }

  async #keep(): Promise<void> {
    if (this.#running.size === 0) return;
    const lost = await this.#parts.tasks.keep([...this.#running.values()].map(({ task }) => task));
    for (const { id, attempt } of lost)
      this.#running.get(`${id} ${attempt}`)?.abort.abort(new TaskStopped('lost'));
  }
}

export interface QueueSettings {
  /** `QUEUE`. */
  readonly queue: 'table' | 'pg-boss';
  readonly databaseUrl: Secret | null;
  /** This process among those on the database. */
  readonly instanceId: string;
  readonly pace?: QueuePace;
  /** Called with errors, and with tasks that are given up. */
  readonly onError: (error: unknown, task: HeldTask | null) => void;
}

/** Makes the queue of this process, which takes tasks from now on; `start` begins its work. Rejects with `StoreError`. */
export async function openQueue(store: Store, settings: QueueSettings): Promise<Queue> {
  const { pace, onError } = settings;
  const tasks = await tasksOf(store, settings);
  await tasks.open?.();
  return new Queue({ store, tasks, onError, ...(pace && { pace }) });
}

async function tasksOf(
  store: Store,
  { queue, databaseUrl: url, instanceId, onError }: QueueSettings,
): Promise<TaskStore> {
  if (queue === 'table' || url === null) return new TableTasks(store, instanceId);
  const { BossTasks } = await import('./boss-tasks.ts');
  return new BossTasks({ store, url, onError: (error) => onError(error, null) });
}
