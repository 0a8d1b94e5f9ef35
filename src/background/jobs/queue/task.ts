/** Work that waits until a process takes it up, and what it takes to carry it out. */
import type { Kysely } from 'kysely';
import type { Tables } from '../../../store/schema.ts';

/** A connection, or a transaction that is under way. */
export type Db = Kysely<Tables>;

/** What a task is about. It is stored as JSON, and lies in the database in clear: no prompts, no secrets. */
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
  /** Whose it is: `perGroup` bounds how many of one group run at a time. */
  readonly group?: string;
}

/** A task that a process has taken up. */
export interface HeldTask {
  readonly id: string;
  readonly name: string;
  readonly payload: Payload;
  readonly key: string | null;
  readonly group: string | null;
  /** How often it was begun, from 1. It tells one taking up from the next. */
  readonly attempt: number;
}

/** What a task ends with, in one transaction with its end: it happens once, however often the task was begun. */
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
   * Carries a task out; what it rejects with makes it be begun again later. It may be begun twice where a process was held
   * up, so what must happen once belongs into the `Finish` that it resolves with.
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
