/**
 * Decides whose request begins, where more want to than may run.
 *
 * A tenant may have as many requests running as there are free places, times the weight of its plan: the dynamic threshold
 * of Choudhury and Hahne, by which queues share the memory of a switch (IEEE/ACM Transactions on Networking 6(2), 1998). One
 * that takes all it can get so leaves places free for those that come after it, several share alike, and nothing is
 * reckoned but the tenant's own count. A request that may not begin waits in its tenant's queue, for which the same rule
 * shares the places to wait; one that finds none is refused, and so is one that has waited too long. Of those that wait,
 * the tenant begins that has the fewest running for its weight.
 */

import { ServiceError } from '../../contract/errors.ts';
import type { Principal } from '../../contract/registry.ts';
import type { Turn, Turns } from '../../contract/turns.ts';
import { IndexedHeap, type Placed } from '../../lib/placed.ts';
import { type Caller, isCaller } from '../accounts/caller.ts';
import type { LoadState } from './pressure.ts';

export type Refusal = 'no_room' | 'waited_too_long';

export interface TurnsSettings {
  /** Requests that may wait in all. */
  readonly maxWaiting: number;
  /** How long one may wait, in milliseconds; half of that while requests are shed. */
  readonly maxWaitMs: number;
}

export interface RequestTurnsParts {
  readonly settings: TurnsSettings;
  /** How many requests a plan's tenant may have running for each one of weight 1; from 1. */
  readonly weightOf: (plan: Caller['plan']) => number;
  /** The monotonic clock, in milliseconds. */
  readonly now: () => number;
  /** From 0 to 1, never 1. */
  readonly random: () => number;
  /** Called with each request that is refused. Must not throw. */
  readonly onRefused?: (reason: Refusal, plan: Caller['plan']) => void;
}

interface Tenant extends Placed {
  readonly id: string;
  readonly plan: Caller['plan'];
  readonly weight: number;
  running: number;
  /** In the order of their arrival. */
  readonly waiting: Set<WaitingTurn>;
  /** When the first of them came, in the order of all. */
  since: number;
}

/** Beyond the limit, so many of it are for tenants of which nothing runs: they would wait for what others hold. */
const reserve = 1 / 8;

export class RequestTurns implements Turns {
  readonly #parts: RequestTurnsParts;
  readonly #tenants = new Map<string, Tenant>();
  /** Tenants with requests that wait. */
  readonly #queue = new IndexedHeap<Tenant>((a, b) => {
    const [left, right] = [a.running * b.weight, b.running * a.weight];
    return left < right || (left === right && a.since < b.since);
  });
  /** All that wait, in the order of their arrival. */
  readonly #waiting = new Set<WaitingTurn>();
  #limit: number;
  #state: LoadState = 'normal';
  #running = 0;
  #arrivals = 0;

  /** @param limit requests that may run */
  constructor(parts: RequestTurnsParts, limit: number) {
    this.#parts = parts;
    this.#limit = limit;
  }

  get running(): number {
    return this.#running;
  }

  get waiting(): number {
    return this.#waiting.size;
  }

  /** How many requests of each plan wait. */
  waitingByPlan(): ReadonlyMap<Caller['plan'], number> {
    const counts = new Map<Caller['plan'], number>();
    for (const { tenant } of this.#waiting) counts.set(tenant.plan, (counts.get(tenant.plan) ?? 0) + 1);
    return counts;
  }

  take(principal: Principal | null, signal: AbortSignal): Turn | null {
    if (!isCaller(principal)) return null;
    const tenant = this.#tenants.get(principal.tenantId) ?? this.#tenantOf(principal);
    if (tenant.waiting.size === 0 && this.#mayBegin(tenant)) {
      this.#begin(tenant);
      let isOver = false;
      const end = () => {
        if (!isOver) this.#end(tenant);
        isOver = true;
      };
      return { begun: null, end };
    }
    const places = this.#parts.settings.maxWaiting - this.#waiting.size;
    if (tenant.waiting.size >= tenant.weight * places) {
      this.#forgetIdle(tenant);
      throw this.#refusal('no_room', tenant);
    }
    return this.#wait(tenant, signal);
  }

  /** Sets how many requests may run, and whether any are shed; running ones continue. Refuses what has waited too long. */
  adapt(limit: number, state: LoadState): void {
    this.#limit = limit;
    this.#state = state;
    this.#beginWaiting();
    this.#refuseLate();
  }

  #tenantOf({ tenantId, plan }: Caller): Tenant {
    const weight = this.#parts.weightOf(plan);
    const tenant = {
      id: tenantId,
      plan,
      weight,
      running: 0,
      waiting: new Set<WaitingTurn>(),
      since: 0,
      place: -1,
    };
    this.#tenants.set(tenantId, tenant);
    return tenant;
  }

  /** Holds for every tenant that waits if it holds for any after the first in the queue. */
  #mayBegin({ running, weight }: Tenant): boolean {
    if (running < weight * (this.#limit - this.#running)) return true;
    return running === 0 && this.#running < this.#limit * (1 + reserve);
  }

  #begin(tenant: Tenant): void {
    tenant.running += 1;
    this.#running += 1;
  }

  #end(tenant: Tenant): void {
    tenant.running -= 1;
    this.#running -= 1;
    this.#queue.moved(tenant);
    this.#forgetIdle(tenant);
    if (this.#waiting.size > 0) this.#beginWaiting();
  }

  #wait(tenant: Tenant, signal: AbortSignal): Turn {
    const turn = new WaitingTurn(tenant, this.#parts.now(), ++this.#arrivals, signal, {
      leave: () => this.#leave(turn),
      end: () => this.#end(tenant),
    });
    this.#waiting.add(turn);
    tenant.waiting.add(turn);
    if (tenant.waiting.size === 1) {
      tenant.since = turn.arrival;
      this.#queue.add(tenant);
    }
    return turn;
  }

  #leave(turn: WaitingTurn): void {
    const { tenant } = turn;
    this.#waiting.delete(turn);
    tenant.waiting.delete(turn);
    const [next] = tenant.waiting;
    if (next === undefined) this.#queue.remove(tenant);
    else if (next.arrival !== tenant.since) {
      tenant.since = next.arrival;
      this.#queue.moved(tenant);
    }
    this.#forgetIdle(tenant);
  }

  #beginWaiting(): void {
    for (let tenant = this.#queue.first; tenant && this.#mayBegin(tenant); tenant = this.#queue.first) {
      const [turn] = tenant.waiting as Iterable<WaitingTurn> as [WaitingTurn];
      this.#begin(tenant);
      this.#leave(turn);
      this.#queue.moved(tenant);
      turn.begin();
    }
  }

  #refuseLate(): void {
    const { maxWaitMs } = this.#parts.settings;
    const since = this.#parts.now() - (this.#state === 'shedding' ? maxWaitMs / 2 : maxWaitMs);
    for (const turn of this.#waiting) {
      if (turn.since > since) return;
      this.#leave(turn);
      turn.refuse(this.#refusal('waited_too_long', turn.tenant));
    }
  }

  #forgetIdle(tenant: Tenant): void {
    if (tenant.running === 0 && tenant.waiting.size === 0) this.#tenants.delete(tenant.id);
  }

  /** Clients that are refused at once do not come back at once: `Retry-After` has whole seconds (RFC 9110 section 10.2.3). */
  #refusal(reason: Refusal, { plan }: Tenant): ServiceError {
    this.#parts.onRefused?.(reason, plan);
    const retryAfter = 1 + Math.floor(this.#parts.random() * (this.#state === 'shedding' ? 8 : 4));
    const message = 'The server has more requests than it can answer at the moment. Try again in a moment.';
    return new ServiceError('overloaded', message, { retryAfter });
  }
}

class WaitingTurn implements Turn {
  readonly begun: Promise<void>;
  readonly tenant: Tenant;
  /** When it came, by the monotonic clock. */
  readonly since: number;
  /** Its number in the order of all. */
  readonly arrival: number;
  readonly #signal: AbortSignal;
  readonly #calls: { readonly leave: () => void; readonly end: () => void };
  readonly #settle: PromiseWithResolvers<void>;
  #state: 'waiting' | 'begun' | 'over' = 'waiting';

  constructor(
    tenant: Tenant,
    since: number,
    arrival: number,
    signal: AbortSignal,
    calls: { readonly leave: () => void; readonly end: () => void },
  ) {
    this.tenant = tenant;
    this.since = since;
    this.arrival = arrival;
    this.#signal = signal;
    this.#calls = calls;
    this.#settle = Promise.withResolvers();
    this.begun = this.#settle.promise;
    // The request that waits for it may have ended.
    this.begun.catch(() => undefined);
    signal.addEventListener('abort', this.#leave);
  }

  begin(): void {
    this.#over('begun');
    this.#settle.resolve();
  }

  refuse(refusal: ServiceError): void {
    this.#over('over');
    this.#settle.reject(refusal);
  }

  end(): void {
    if (this.#state === 'waiting') this.#leave();
    if (this.#state !== 'begun') return;
    this.#state = 'over';
    this.#calls.end();
  }

  readonly #leave = (): void => {
    this.#over('over');
    this.#calls.leave();
    this.#settle.reject(this.#signal.reason ?? new DOMException('Nobody waits for it.', 'AbortError'));
  };

  #over(state: 'begun' | 'over'): void {
    this.#state = state;
    this.#signal.removeEventListener('abort', this.#leave);
  }
}
