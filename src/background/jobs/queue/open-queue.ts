import type { Secret } from '../../../lib/redact.ts';
import type { Store } from '../../../store/store.ts';
import { Queue, type QueuePace } from './queue.ts';
import { TableTasks } from './table-tasks.ts';
import type { HeldTask } from './task.ts';
import type { TaskStore } from './task-store.ts';

export interface QueueSettings {
  /** `QUEUE`. */
  readonly queue: 'table' | 'pg-boss';
  readonly databaseUrl: Secret | null;
  /** This process among those on the database. */
  readonly instanceId: string;
  readonly pace?: QueuePace;
  /** Is told of what goes wrong, and of tasks that are given up. */
  readonly onError: (error: unknown, task: HeldTask | null) => void;
}

/** Makes the queue of this process, which takes tasks from now on; `start` begins its work. Rejects with `StoreError`. */
export async function openQueue(store: Store, settings: QueueSettings): Promise<Queue> {
  const { pace, onError } = settings;
  const tasks = await tasksOf(store, settings);
  await tasks.open();
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
