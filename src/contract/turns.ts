import type { Principal } from './registry.ts';

/** A request among all those that the process answers at a time. */
export interface Turn {
  /**
   * Resolves when the request may begin; null: it may at once. Rejects with `ServiceError('overloaded')` when that has taken
   * too long, and with the reason of its signal.
   */
  readonly begun: Promise<void> | null;
  /** Ends the turn: the request is over, or its client has left. Calls after the first do nothing. */
  end(): void;
}

/** Decides which requests begin, and in which order, where more want to than the process can answer well. */
export interface Turns {
  /**
   * Takes a turn for a caller's request; null for one that never waits: of the operator, or without a key.
   * Throws `ServiceError('overloaded')` when there is no room to wait in.
   * @param signal aborted when its client goes away
   */
  take(principal: Principal | null, signal: AbortSignal): Turn | null;
}
