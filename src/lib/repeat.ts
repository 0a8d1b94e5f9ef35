export interface Repeated {
  /** Ends the repetition; waits for the action that runs, whose signal is aborted. */
  stop(): Promise<void>;
}

/**
 * Runs an action every so many milliseconds, one at a time, until it is stopped. It keeps no process alive.
 * @param onError is told of what the action rejects with.
 */
export function repeat(
  everyMs: number,
  action: (signal: AbortSignal) => Promise<unknown>,
  onError: (error: unknown) => void,
): Repeated {
  const abort = new AbortController();
  let running: Promise<unknown> | null = null;
  const timer = setInterval(() => {
    running ??= action(abort.signal)
      .catch(onError)
      .finally(() => {
        running = null;
      });
  }, everyMs);
  timer.unref();
  return {
    async stop() {
      clearInterval(timer);
      abort.abort();
      await running;
    },
  };
}
