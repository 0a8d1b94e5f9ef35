/**
 * The port of the queue: where tasks lie, and who holds which. `Queue` works on it; adapters are a table of our own, on
 * every database, and pg-boss on PostgreSQL. All methods reject with `StoreError` where the database fails.
 */
import type { Db, HeldTask, Task, TaskKind } from './task.ts';

/**
 * The advisory lock under which tasks of bounded groups are taken up on PostgreSQL: two processes that do so at once would
 * each not see yet what the other takes.
 */
export const takeLock = 7203483;

export interface TaskStore {
  /** Makes ready what tasks lie in; before everything else. */
  open(): Promise<void>;
  /** Prepares for the kinds that this process carries out, before anything is taken up. */
  prepare(kinds: readonly TaskKind[]): Promise<void>;
  /** Stores tasks; with `db` as part of its transaction. */
  add(tasks: readonly Task[], db?: Db): Promise<void>;
  /** Takes up what has waited longest and may begin now, at most so many. */
  take(kind: TaskKind, count: number): Promise<readonly HeldTask[]>;
  /** Shows that these are worked on. Gives those that are not this process's any more: cancelled, or given to another. */
  keep(held: readonly HeldTask[]): Promise<readonly HeldTask[]>;
  /** Ends one, with `db` as part of its transaction. False: it is not this process's any more. */
  end(held: HeldTask, db?: Db): Promise<boolean>;
  /** Lets one that failed wait again, for a time; or gives it up, for which it resolves with false. */
  retry(held: HeldTask, kind: TaskKind, error: unknown): Promise<boolean>;
  /** Lets one wait again, as this process ends. */
  giveBack(held: HeldTask): Promise<void>;
  /** Drops a task, whether it waits or runs: who carries it out learns from `keep` and `end` that it is lost. */
  cancel(name: string, key: string): Promise<void>;
  /**
   * Lets those wait again that nobody carries out.
   * @param isHere whether this process carries a task out
   */
  recover(isHere: (task: HeldTask) => boolean): Promise<void>;
  /** Calls `wake` with the name of what was added by any process; where that cannot be told, never. */
  listen(wake: (name: string) => void): Promise<void>;
  /** How many tasks of a kind wait and run. */
  counts(name: string): Promise<{ readonly waiting: number; readonly running: number }>;
  close(): Promise<void>;
}
