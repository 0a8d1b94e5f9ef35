/** What an `Idempotency-Key` names. */
export interface Work {
  /** 26 characters that nobody guesses: the name of what the work makes, the same whoever does it. */
  readonly id: string;
  /** Whether another process began it, which is gone: what it makes may be there already. */
  readonly resumed: boolean;
}
