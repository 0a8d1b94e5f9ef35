/** Where the server stands between its start and its end. */
export interface Lifecycle {
  /** Whether it is stopping: what runs is finished, nothing new is taken. */
  draining: boolean;
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
}
