import type { Principal, WatchKey } from '../../contract/registry.ts';

/** How often it is looked whether keys have changed, in milliseconds. */
const everyMs = 250;
/** How long after a change this process may still take what was for true, in milliseconds. */
const doubtMs = 1_000;

export interface KeyWatchParts {
  /** Counts the changes of keys and tenants, in all processes. */
  readonly version: () => Promise<number>;
  /** Whether a key is still good for what it was. */
  readonly isGood: (principal: Principal) => Promise<boolean>;
  readonly onError: (error: unknown) => void;
}

interface Watched {
  readonly principal: Principal;
  readonly onRevoked: () => void;
}

/** Watches keys: `onRevoked` is called at most a second and a quarter after the change. */
export function keyWatch({ version, isGood, onError }: KeyWatchParts): WatchKey {
  const watchedKeys = new Set<Watched>();
  let known: number | null = null;
  /** Until when keys are looked at whether or not something has changed, on the clock of `performance.now()`. */
  let doubtUntil = 0;
  let timer: NodeJS.Timeout | null = null;
  let looking = false;

  async function lookAtKeys(): Promise<void> {
    const now = await version();
    if (now !== known) doubtUntil = performance.now() + doubtMs;
    known = now;
    if (performance.now() > doubtUntil) return;
    for (const watched of [...watchedKeys]) {
      if (await isGood(watched.principal)) continue;
      if (watchedKeys.has(watched)) watched.onRevoked();
    }
  }

  async function look(): Promise<void> {
    if (looking) return;
    looking = true;
    await lookAtKeys().catch((error) => {
      // At the end of the server its database may close under the last look, which concerns no key any more.
      if (watchedKeys.size > 0) onError(error);
    });
    looking = false;
  }

  return (principal, onRevoked) => {
    const watched = { principal, onRevoked };
    watchedKeys.add(watched);
    doubtUntil = performance.now() + doubtMs;
    timer ??= setInterval(look, everyMs).unref();
    return () => {
      watchedKeys.delete(watched);
      if (watchedKeys.size > 0 || !timer) return;
      clearInterval(timer);
      timer = null;
    };
  };
}
