import type { Ability } from '../../model/port.ts';
import type { ProviderError } from '../upstream/provider-error.ts';

/** Requests are judged together for this long. */
const windowMs = 30_000;

/** It opens when at least so many requests failed, and half of all. */
const minFailures = 5;

const firstWaitMs = 5000;

const maxWaitMs = 60_000;

/** Of so many things it is known how they do. */
const maxBreakers = 1000;

/** Which requests are judged together, beside those of the same model, and whose this one is. */
export interface Asking {
  readonly ability: Ability;
  /** The tenant; null: the server itself. */
  readonly of: string | null;
}

/**
 * The breakers of a provider. A model that fails for several tenants is avoided by all. One that fails for a single tenant
 * is avoided by that one: its requests may be the cause, and those of the others must not suffer.
 */
export class Breakers {
  readonly #shared = new Bounded<Breaker>();
  /** Only of those that have seen a failure. */
  readonly #own = new Bounded<Breaker>();
  readonly #now: (() => number) | undefined;

  constructor(now?: () => number) {
    this.#now = now;
  }

  /** A passage for one request with all its attempts, which is to be closed; a number: it is refused, for so many milliseconds. */
  enter(model: string, ability: Ability, of: string | null): Passage | number {
    const name = `${ability} ${model}`;
    const ownName = `${of} ${name}`;
    const shared = this.#shared.get(name) ?? this.#shared.set(name, this.#made(true));
    const own = this.#own.get(ownName);
    const ownPass = own?.enter(of);
    if (own && !ownPass) return own.waitMs();
    const pass = shared.enter(of);
    if (!pass) {
      if (own && ownPass) own.leave(ownPass, 'unknown');
      return shared.waitMs();
    }
    const firstFailure = () => this.#own.get(ownName) ?? this.#own.set(ownName, this.#made(false));
    return new Passage(
      of,
      { breaker: shared, pass },
      own && ownPass ? { breaker: own, pass: ownPass } : null,
      firstFailure,
    );
  }

  #made(forSeveral: boolean): Breaker {
    return createBreaker({ forSeveral, ...(this.#now && { now: this.#now }) });
  }
}

interface Entered {
  readonly breaker: Breaker;
  readonly pass: Pass;
}

/** A request on its way, whatever attempts it takes: the last of them that showed something decides. */
export class Passage {
  readonly #of: string | null;
  readonly #shared: Entered;
  #own: Entered | null;
  readonly #firstFailure: () => Breaker;
  #judged = false;
  #outcome: Outcome = 'unknown';
  #waitMs: number | null = null;

  constructor(of: string | null, shared: Entered, own: Entered | null, firstFailure: () => Breaker) {
    this.#of = of;
    this.#shared = shared;
    this.#own = own;
    this.#firstFailure = firstFailure;
  }

  /** The provider has begun to answer. */
  answered(): void {
    if (!this.#judged) this.#leave('alive', null);
    this.#judged = true;
  }

  /** An attempt has failed; of a stream that had begun, also after that. */
  failed({ outage, waitMs }: ProviderError): void {
    const outcome = outage ? 'outage' : 'alive';
    if (this.#judged) {
      this.#leave(outcome, waitMs);
      return;
    }
    this.#outcome = outcome;
    if (waitMs !== null) this.#waitMs = Math.max(waitMs, this.#waitMs ?? 0);
  }

  /** Whether another attempt may be made. */
  mayRetry(): boolean {
    return this.#shared.breaker.mayRetry() && (this.#own?.breaker.mayRetry() ?? true);
  }

  /** No attempt follows. */
  close(): void {
    if (!this.#judged) this.#leave(this.#outcome, this.#waitMs);
    this.#judged = true;
  }

  #leave(outcome: Outcome, waitMs: number | null): void {
    this.#shared.breaker.leave(this.#shared.pass, outcome, waitMs);
    if (this.#own === null && outcome === 'outage') {
      const breaker = this.#firstFailure();
      const pass = breaker.enter(this.#of);
      if (pass) this.#own = { breaker, pass };
    }
    this.#own?.breaker.leave(this.#own.pass, outcome, waitMs);
  }
}

/** Names come from clients, so there may be any number of them: the one that was made first goes. */
class Bounded<T> {
  readonly #byName = new Map<string, T>();

  get(name: string): T | undefined {
    return this.#byName.get(name);
  }

  set(name: string, value: T): T {
    const [oldest] = this.#byName.keys();
    if (oldest !== undefined && this.#byName.size >= maxBreakers) this.#byName.delete(oldest);
    this.#byName.set(name, value);
    return value;
  }
}

/**
 * Avoids a target that fails repeatedly. It counts requests, whatever attempts each of them takes.
 *
 * Closed, it lets every request through. Open, it refuses all until its wait is over; then one request at a time goes
 * through as a probe, the others being refused at once, and the probe's outcome closes it or opens it for twice as
 * long. Waits only ever grow while it is open: the longest one wins.
 *
 * cockatiel's breaker is not used: in its half-open state other callers wait for the probe instead of being refused, a
 * probe that the client aborts counts as a success, and it does not say how long it will stay open.
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

type Outcome = 'alive' | 'outage' | 'unknown';

export interface Pass {
  /** The breaker's state when the request began; outcomes after a change of state count less. */
  readonly epoch: number;
  /** The tenant of the request. */
  readonly of?: string | null;
}

interface BreakerOptions {
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
  /** The tenant whose requests have failed; undefined: none. */
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
