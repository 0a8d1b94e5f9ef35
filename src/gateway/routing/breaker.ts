/** Requests are judged together for this long. */
const windowMs = 30_000;
/** It opens when at least so many requests failed, and half of all. */
const minFailures = 5;
const firstWaitMs = 5000;
const maxWaitMs = 60_000;

/**
 * Leaves alone what fails again and again. It counts requests, whatever attempts each of them takes.
 *
 * Closed, it lets every request through. Open, it refuses all until its wait is over; then one request at a time goes
 * through as a probe, the others being refused at once, and the probe's outcome closes it or opens it for twice as
 * long. Waits only ever grow while it is open: the longest one wins.
 *
 * cockatiel's breaker is not used: in its half-open state other callers wait for the probe instead of being refused, a
 * probe that the client aborts counts as a success, and it does not tell how long it will stay open.
 */
export interface Breaker {
  /** A pass for one request, to be handed back with `leave`; null when it is refused. */
  enter(of?: string | null): Pass | null;
  /** Whether a request that is on its way may try once more: not as the probe, and not once it has opened. */
  mayRetry(): boolean;
  /** How long it will refuse, in milliseconds, at least 1. */
  waitMs(): number;
  /**
   * `alive`: the provider answered, if only to refuse. `outage`: it failed, and may have said how long to stay away.
   * `unknown`: the request was given up before that showed. A stream that was alive may still turn into an outage.
   */
  leave(pass: Pass, outcome: Outcome, waitMs?: number | null): void;
}

export type Outcome = 'alive' | 'outage' | 'unknown';

export interface Pass {
  /** The breaker's state when the request began; what it learns later counts less. */
  readonly epoch: number;
  /** Whose request it is. */
  readonly of?: string | null;
}

export interface BreakerOptions {
  readonly now?: () => number;
  /** Whether it opens only when the requests of several have failed: those of one may all have the same fault. */
  readonly forSeveral?: boolean;
}

export function createBreaker({
  now = performance.now.bind(performance),
  forSeveral = false,
}: BreakerOptions = {}): Breaker {
  let state: 'closed' | 'open' | 'probing' = 'closed';
  let epoch = 0;
  let windowEnd = 0;
  let requests = 0;
  let failures = 0;
  /** Whose requests have failed; undefined: nobody's. */
  let failed: string | null | undefined;
  let several = false;
  let wait = firstWaitMs;
  let openUntil = 0;

  const forget = () => {
    requests = failures = 0;
    failed = undefined;
    several = false;
    windowEnd = now() + windowMs;
  };

  const enterState = (next: typeof state) => {
    state = next;
    epoch += 1;
    forget();
  };

  const open = (waitMs: number) => {
    openUntil = Math.max(openUntil, now() + waitMs);
    if (state !== 'open') enterState('open');
  };

  const judge = (of: string | null, outage: boolean, waitMs: number) => {
    if (now() >= windowEnd) forget();
    requests += 1;
    if (!outage) return;
    failures += 1;
    several ||= failed !== undefined && failed !== of;
    failed = of;
    if (forSeveral && !several) return;
    if (failures >= minFailures && failures * 2 >= requests) open(Math.max(wait, waitMs));
  };

  return {
    enter(of = null) {
      if (state === 'open' && now() >= openUntil) enterState('probing');
      else if (state !== 'closed') return null;
      return { epoch, of };
    },
    mayRetry: () => state === 'closed',
    waitMs: () => Math.max(1, Math.ceil(openUntil - now())),
    leave(pass, outcome, waitMs) {
      const asked = waitMs ?? 0;
      if (pass.epoch !== epoch) {
        // A request from before it opened. It cannot close it, but it may know of a longer wait.
        if (state === 'open' && outcome === 'outage') open(asked);
      } else if (state === 'probing') {
        if (outcome === 'outage') {
          wait = Math.min(wait * 2, maxWaitMs);
          open(Math.max(wait, asked));
        } else {
          // Given up, it has shown nothing: the next one is the probe.
          enterState(outcome === 'alive' ? 'closed' : 'open');
          if (outcome === 'alive') wait = firstWaitMs;
        }
      } else if (state === 'closed' && outcome !== 'unknown')
        judge(pass.of ?? null, outcome === 'outage', asked);
    },
  };
}
