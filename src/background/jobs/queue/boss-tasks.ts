/**
 * Tasks in pg-boss (https://pgboss.io), in a schema of its own in the same PostgreSQL database, so that a task can be added
 * and ended in a transaction with what belongs to it. It keeps them, their holders, heartbeats, retries and its own
 * migrations; `Queue` fetches the tasks, as its own workers take one task and then wait for the next look.
 */
import { sql } from 'kysely';
import { fromKysely, type JobWithMetadata, PgBoss } from 'pg-boss';
import type { Secret } from '../../../lib/redact.ts';
import { toStoreError } from '../../../store/errors.ts';
import type { Store } from '../../../store/store.ts';
import {
  type Db,
  defaultMaxAttempts,
  type HeldTask,
  type Payload,
  type Task,
  type TaskKind,
  type TaskStore,
  takeLock,
} from './task.ts';

interface BossSettings {
  readonly store: Pick<Store, 'db' | 'clock'>;
  /** `DATABASE_URL`. */
  readonly url: Secret;
  /** Called with errors of background work. */
  readonly onError: (error: unknown) => void;
}

/** A task whose process has not shown for so long that it is alive waits again, in seconds: the least that pg-boss takes. */
const heartbeatSeconds = 10;
/** How often one process looks for such tasks, in seconds. */
const superviseSeconds = 5;
/** Maximum time that a task runs, in seconds: its heartbeat shows earlier whether it still runs. */
const maxRunSeconds = 24 * 3600;
/** How long tasks that have ended, or failed for good, stay to be looked at, in seconds. */
const keptSeconds = 24 * 3600;
/** Maximum number of connections of its own, beside the one that listens. */
const connections = 4;
const channel = 'switchyard_tasks';
/** The prefixes of generated keys, and of keys that a task has. */
const noKey = '-';
const ownKey = '+';

/** The answer of pg-boss about jobs that were to change; its types leave it empty. */
interface Changed {
  readonly affected?: number;
  readonly settled?: readonly string[];
}

export class BossTasks implements TaskStore {
  readonly #settings: BossSettings;
  readonly #boss: PgBoss;
  readonly #known = new Map<string, Promise<void>>();
  #listening: { close(): Promise<void> } | null = null;

  constructor(settings: BossSettings) {
    this.#settings = settings;
    this.#boss = new PgBoss({
      connectionString: settings.url.reveal(),
      application_name: 'switchyard',
      max: connections,
      schema: 'pgboss',
      schedule: false,
      superviseIntervalSeconds: superviseSeconds,
      monitorIntervalSeconds: superviseSeconds,
    });
    this.#boss.on('error', (error) => settings.onError(toStoreError(error)));
  }

  async open(): Promise<void> {
    await asked(() => this.#boss.start());
  }

  async prepare(kinds: readonly TaskKind[]): Promise<void> {
    for (const { name, maxAttempts } of kinds) await this.#know(name, maxAttempts);
  }

  async add(tasks: readonly Task[], db: Db = this.#settings.store.db): Promise<void> {
    if (tasks.length === 0) return;
    const byName = Map.groupBy(tasks, ({ name }) => name);
    for (const name of byName.keys()) await this.#know(name);
    await asked(async () => {
      for (const [name, given] of byName) {
        const jobs = given.map((task) => this.#jobOf(task));
        await this.#boss.insert(name, jobs, { db: fromKysely(db) });
        await sql`select pg_notify(${channel}, ${name})`.execute(db);
      }
    });
  }

  #jobOf({ payload = {}, runAt, key, group }: Task) {
    return {
      data: payload,
      // Of jobs without a key as well only one would wait.
      singletonKey: key === undefined ? `${noKey}${crypto.randomUUID()}` : `${ownKey}${key}`,
      ...(runAt !== undefined && { startAfter: new Date(runAt) }),
      ...(group !== undefined && { group: { id: group } }),
    };
  }

  async take({ name, perGroup }: TaskKind, count: number): Promise<readonly HeldTask[]> {
    const options = { batchSize: count, includeMetadata: true } as const;
    const jobs = await asked(() => {
      if (perGroup === undefined) return this.#boss.fetch<Payload>(name, options);
      // It counts what runs of a group, but two processes that do so at once both find room.
      return this.#settings.store.db.transaction().execute(async (db) => {
        await sql`select pg_advisory_xact_lock(${takeLock})`.execute(db);
        return this.#boss.fetch<Payload>(name, {
          ...options,
          groupConcurrency: perGroup,
          db: fromKysely(db),
        });
      });
    });
    return jobs.map((job) => heldOf(job));
  }

  async keep(held: readonly HeldTask[]): Promise<readonly HeldTask[]> {
    const lost: HeldTask[] = [];
    for (const [name, tasks] of Map.groupBy(held, ({ name }) => name)) {
      const answer: Changed = await asked(() => this.#boss.touch(name, tasks.map(attemptOf)));
      const alive = new Set(answer.settled);
      lost.push(...tasks.filter(({ id }) => !alive.has(id)));
    }
    return lost;
  }

  async end(held: HeldTask, db: Db = this.#settings.store.db): Promise<boolean> {
    const options = { db: fromKysely(db) };
    const answer: Changed = await asked(() => this.#boss.complete(held.name, attemptOf(held), null, options));
    return answer.affected === 1;
  }

  async retry(
    held: HeldTask,
    { maxAttempts = defaultMaxAttempts }: TaskKind,
    error: unknown,
  ): Promise<boolean> {
    // The error is stored for the operator, by its name only: errors may quote a client's data.
    const said = { error: error instanceof Error ? error.name : 'error' };
    await asked(() => this.#boss.fail(held.name, attemptOf(held), said));
    return held.attempt < maxAttempts;
  }

  async giveBack(held: HeldTask): Promise<void> {
    await asked(() => this.#boss.fail(held.name, attemptOf(held), { error: 'shutdown' }));
  }

  async cancel(name: string, key: string): Promise<void> {
    await asked(async () => {
      const jobs = await this.#boss.findJobs(name, { key: `${ownKey}${key}` });
      const open = jobs.filter(({ state }) => state === 'created' || state === 'retry' || state === 'active');
      if (open.length > 0)
        await this.#boss.cancel(
          name,
          open.map(({ id }) => id),
        );
    });
  }

  async listen(wake: (name: string) => void): Promise<void> {
    const wakeAll = () => {
      for (const name of this.#known.keys()) wake(name);
    };
    this.#listening = (await asked(async () => this.#boss.getDb().listen?.(channel, wake, wakeAll))) ?? null;
  }

  async counts(name: string): Promise<{ waiting: number; running: number }> {
    const [stats] = await asked(() => this.#boss.getQueueStats(name, { force: true }));
    return { waiting: stats?.queuedCount ?? 0, running: stats?.activeCount ?? 0 };
  }

  async close(): Promise<void> {
    await this.#listening?.close();
    await this.#boss.stop({ graceful: false });
  }

  /** Makes its queue for a kind; one that is there is left as it is. */
  #know(name: string, maxAttempts = defaultMaxAttempts): Promise<void> {
    const known = this.#known.get(name);
    if (known) return known;
    const made = asked(() =>
      this.#boss.createQueue(name, {
        policy: 'short',
        heartbeatSeconds,
        expireInSeconds: maxRunSeconds,
        deleteAfterSeconds: keptSeconds,
        retryLimit: maxAttempts - 1,
        retryDelay: 1,
        retryBackoff: true,
        retryDelayMax: 300,
      }),
    );
    made.catch(() => this.#known.delete(name));
    this.#known.set(name, made);
    return made;
  }
}

function heldOf(job: JobWithMetadata<Payload>): HeldTask {
  const { id, name, data, singletonKey, groupId, retryCount } = job;
  const key = singletonKey?.startsWith(ownKey) ? singletonKey.slice(ownKey.length) : null;
  return { id, name, payload: data, key, group: groupId ?? null, attempt: retryCount + 1 };
}

/** Fences a call to its attempt of the task. */
function attemptOf({ id, attempt }: HeldTask) {
  return { id, retryCount: attempt - 1 };
}

async function asked<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    throw toStoreError(error);
  }
}
