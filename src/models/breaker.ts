/** Attempts are judged together for this long. */
const windowMs = 30_000;
/** It opens when at least so many attempts failed, and half of all. */
const minFailures = 5;
const firstWaitMs = 5000;
const maxWaitMs = 60_000;
/** Of so many models of a provider it is known how they do. */
const maxModels = 1000;

/**
 * Leaves a model alone that fails again and again.
 *
 * Closed, it lets every attempt through. Open, it refuses all until its wait is over; then one attempt at a time goes
 * through as a probe, the others being refused at once, and the probe's outcome closes it or opens it for twice as
 * long. Waits only ever grow while it is open: the longest one wins.
 *
 * cockatiel's breaker is not used: in its half-open state other callers wait for the probe instead of being refused, a
 * probe that the client aborts counts as a success, and it does not tell how long it will stay open.
 */
export interface Breaker {
  /** A pass for one attempt, to be handed back with `leave`; null when it is refused. */
  enter(): Pass | null;
  /** How long it will refuse, in milliseconds, at least 1. */
  waitMs(): number;
  /**
   * `alive`: the provider answered, if only to refuse. `outage`: it failed, and may have said how long to stay away.
   * `unknown`: the attempt was given up before that showed. A stream that was alive may still turn into an outage.
   */
  leave(pass: Pass, outcome: 'alive' | 'outage' | 'unknown', waitMs?: number | null): void;
}

/** The breakers of a provider: one for each model, as one may be overloaded while the others work. */
export class Breakers {
  readonly #byModel = new Map<string, Breaker>();

  of(model: string): Breaker {
    const known = this.#byModel.get(model);
    if (known) return known;
    // Names come from clients, so there may be any number of them.
    const [oldest] = this.#byModel.keys();
    if (oldest !== undefined && this.#byModel.size >= maxModels) this.#byModel.delete(oldest);
    const made = createBreaker();
    this.#byModel.set(model, made);
    return made;
  }
}

export interface Pass {
  /** The breaker's state when the attempt began; what it learns later counts less. */
  readonly epoch: number;
}

export function createBreaker(now: () => number = performance.now.bind(performance)): Breaker {
  let state: 'closed' | 'open' | 'probing' = 'closed';
  let epoch = 0;
  let windowEnd = 0;
  let attempts = 0;
  let failures = 0;
  let wait = firstWaitMs;
  let openUntil = 0;

  const enterState = (next: typeof state) => {
    state = next;
    epoch += 1;
    attempts = failures = 0;
    windowEnd = now() + windowMs;
  };

  const open = (waitMs: number) => {
    openUntil = Math.max(openUntil, now() + waitMs);
    if (state !== 'open') enterState('open');
  };

  const judge = (failed: boolean, waitMs: number) => {
    if (now() >= windowEnd) {
      attempts = failures = 0;
      windowEnd = now() + windowMs;
    }
    attempts += 1;
    if (!failed) return;
    failures += 1;
    if (failures >= minFailures && failures * 2 >= attempts) open(Math.max(wait, waitMs));
  };

  return {
    enter() {
      if (state === 'open' && now() >= openUntil) enterState('probing');
      else if (state !== 'closed') return null;
      return { epoch };
    },
    waitMs: () => Math.max(1, Math.ceil(openUntil - now())),
    leave(pass, outcome, waitMs) {
      const asked = waitMs ?? 0;
      if (pass.epoch !== epoch) {
        // An attempt from before it opened. It cannot close it, but it may know of a longer wait.
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
      } else if (state === 'closed' && outcome !== 'unknown') judge(outcome === 'outage', asked);
    },
  };
}
