import { expect } from 'vitest';
import type { Queue, QueuePace } from '../../src/background/jobs/queue/queue.ts';
import { openQueue, type QueueSettings } from '../../src/background/jobs/queue/queue.ts';
import type { HeldTask, TaskKind } from '../../src/background/jobs/queue/task.ts';
import { Secret } from '../../src/lib/redact.ts';
import type { Signals } from '../../src/lib/signals.ts';
import type { Store } from '../../src/store/store.ts';
import { onPostgres, onSqlite, type StoreTests } from './store.ts';
import type { Database } from './test-database.ts';

export type Engine = QueueSettings['queue'];

/** Runs the same tests on every adapter of the queue, on the databases that it works with. */
export function onEveryQueue(name: string, tests: (on: StoreTests, engine: Engine) => void): void {
  onSqlite(`${name}, in a table`, (on) => tests(on, 'table'));
  onPostgres(`${name}, in a table`, (on) => tests(on, 'table'));
  onPostgres(`${name}, in pg-boss`, (on) => tests(on, 'pg-boss'));
}

const pace: QueuePace = { pollMs: 50, keepMs: 200, recoverMs: 200 };

/** Says in the database that a process lives until then, in milliseconds since the epoch. */
export async function present(
  { db }: Store,
  id: string,
  expires_at = Number.MAX_SAFE_INTEGER,
): Promise<void> {
  await db
    .insertInto('instances')
    .values({ id, host: 'elsewhere', pid: 1, started_at: 0, expires_at })
    .onConflict((conflict) => conflict.column('id').doUpdateSet({ expires_at }))
    .execute();
}

/**
 * A queue of its own, as a process has one; closed after the test.
 * @param kinds null: it is started by the test
 */
export async function queueAt(
  on: StoreTests,
  engine: Engine,
  database: Database,
  instanceId: string,
  kinds: readonly TaskKind[] | null = [],
): Promise<{ queue: Queue; store: Store; errors: [unknown, HeldTask | null][] }> {
  const store = await on.open(database);
  await present(store, instanceId);
  const errors: [unknown, HeldTask | null][] = [];
  const { databaseUrl } = database;
  const queue = await openQueue(store, {
    queue: engine,
    databaseUrl: databaseUrl === null ? null : new Secret(databaseUrl),
    instanceId,
    pace,
    onError: (error, task) => errors.push([error, task]),
  });
  on.cleanUp(() => queue.close());
  if (kinds === null) return { queue, store, errors };
  for (const kind of kinds) queue.handle(kind);
  await queue.start();
  return { queue, store, errors };
}

/**
 * Sends until it is heard: a signal that is sent while a connection is being made is lost, as any may be. Whoever begins to listen calls
 * all listeners, which says nothing of the one who sends.
 */
export async function heard(from: Signals, to: Signals, topic = 'probe'): Promise<void> {
  let called = 0;
  let begun = 0;
  const stops = [
    to.on(topic, () => {
      called += 1;
    }),
    to.on(`nobody sends this beside ${topic}`, () => {
      begun += 1;
    }),
  ];
  const send = () => {
    from.send(topic);
    return called - begun;
  };
  await expect.poll(send, { interval: 20 }).toBeGreaterThan(0);
  for (const stop of stops) stop();
}

/** The topics that were heard, each as often as it was. */
export function hearing(signals: Signals, topics: readonly string[]): string[] {
  const said: string[] = [];
  for (const topic of topics) signals.on(topic, () => said.push(topic));
  return said;
}
