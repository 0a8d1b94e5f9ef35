/** Work that waits until a process takes it up, and what it takes to carry it out. */

import type { Db } from '../../../store/rows.ts';

export type { Db } from '../../../store/rows.ts';

/** The data of a task. It is stored as JSON, in clear: no prompts, no secrets. */
export type Payload = Readonly<Record<string, unknown>>;

/** Something to be done once, by any process. */
export interface Task {
  /** Its kind. */
  readonly name: string;
  readonly payload?: Payload;
  /** Milliseconds since the epoch by the store's clock before which it is not begun; left out: at once. */
  readonly runAt?: number;
  /** Of several tasks of a kind with the same key one waits: those that are added beside it are dropped. */
  readonly key?: string;
  /** Its owner: `perGroup` bounds how many of one group run at a time. */
  readonly group?: string;
}

/** A task that a process has taken up. */
export interface HeldTask {
  readonly id: string;
  readonly name: string;
  readonly payload: Payload;
  readonly key: string | null;
  readonly group: string | null;
  /** Number of the attempt, from 1; it distinguishes attempts. */
  readonly attempt: number;
}

/** The last write of a task, in one transaction with its end: it happens once, however often the task was begun. */
export type Finish = (db: Db) => Promise<void>;

/** Tasks of one name, and how they are carried out. */
export interface TaskKind {
  readonly name: string;
  /** Maximum number that run at a time in this process. */
  readonly concurrency: number;
  /** How many more this process has room for now, where that is not known from what runs alone. */
  readonly room?: () => number;
  /** Maximum number of one group that run at a time, in all processes together; left out: no bound. */
  readonly perGroup?: number;
  /** How often a task is begun before it is given up; left out: 10. */
  readonly maxAttempts?: number;
  /**
   * Carries a task out; if it rejects, the task is begun again later. It may be begun twice where a process was held up, so
   * work that must happen once belongs into the `Finish` that it resolves with.
   * @param signal aborted when the task is cancelled, was given to another process, or is to be given back
   */
  readonly run: (task: HeldTask, signal: AbortSignal) => Promise<Finish | undefined>;
}

/** How often a task is begun where its kind does not say. */
export const defaultMaxAttempts = 10;

/** Pause before a task that failed is begun again, in milliseconds: a second at first, doubling to five minutes. */
export function retryDelayMs(attempt: number): number {
  return Math.min(300_000, 1000 * 2 ** Math.min(attempt - 1, 16));
}

/**
 * The advisory lock under which tasks of bounded groups are taken up on PostgreSQL: two processes that do so at once would
 * each not see yet what the other takes.
 */
export const takeLock = 7203483;

/** A method that is left out has nothing to do. */
export interface TaskStore {
  /** Makes ready what tasks lie in; before everything else. */
  open?(): Promise<void>;
  /** Prepares for the kinds that this process carries out, before anything is taken up. */
  prepare?(kinds: readonly TaskKind[]): Promise<void>;
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
   * Lets those wait again that no process carries out; left out: it does so by itself.
   * @param isHere whether this process carries a task out
   */
  recover?(isHere: (task: HeldTask) => boolean): Promise<void>;
  /** Calls `wake` with the name of a task that any process added; never where that cannot be detected. */
  listen?(wake: (name: string) => void): Promise<void>;
  /** How many tasks of a kind wait and run. */
  counts(name: string): Promise<{ readonly waiting: number; readonly running: number }>;
  close?(): Promise<void>;
}
