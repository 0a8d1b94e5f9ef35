import type { Ability } from '../../model/port.ts';
import type { ProviderError } from '../upstream/provider-error.ts';
import { type Breaker, createBreaker, type Outcome, type Pass } from './breaker.ts';

/** Of so many things it is known how they do. */
const maxBreakers = 1000;

/** Which requests are judged together, and whose this one is. */
export interface Asking {
  readonly model: string;
  readonly ability: Ability;
  /** The tenant; null: the server itself. */
  readonly of: string | null;
}

/**
 * The breakers of a provider. What fails for several tenants is left alone by all. What fails for one tenant is left alone by
 * that one: it may be its requests that a model chokes on, and those of the others are not to suffer from them.
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
  enter({ model, ability, of }: Asking): Passage | number {
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
