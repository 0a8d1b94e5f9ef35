import type { Limits } from '../accounts/plans.ts';
import type { StoreClock } from '../lib/clock.ts';
import { StoreError } from '../store/errors.ts';
import type { Ledger, TenantState } from '../store/ledger.ts';
import { windowMs } from './admission-window.ts';
import { livingUntil } from './life.ts';
import type { LimitState } from './limit-state.ts';
import type { Live } from './measures.ts';
import { firstTokenSecond, type Moment, momentOf, TenantLimiter } from './tenant-limiter.ts';

const idle: Live = { running: 0, tokens: [] };

/** What this process knows of the tenants that it serves, and how it is read. All methods reject with `StoreError`. */
export class Limiters {
  readonly #ledger: Ledger;
  readonly #clock: StoreClock;
  readonly #known = new Map<string, TenantLimiter>();

  constructor(ledger: Ledger, clock: StoreClock) {
    this.#ledger = ledger;
    this.#clock = clock;
  }

  get(tenantId: string): TenantLimiter | undefined {
    return this.#known.get(tenantId);
  }

  /** The tenant's limiter as it is known, read first if need be. */
  async of(tenantId: string, limits: Limits): Promise<TenantLimiter> {
    const known = this.#known.get(tenantId);
    return known === undefined || known.lacksWindow(limits) ? this.refresh(tenantId, limits) : known;
  }

  /** Reads what others have admitted. */
  async refresh(tenantId: string, { requestsPerMinute }: Limits): Promise<TenantLimiter> {
    const known = this.#known.get(tenantId);
    const moment = momentOf(this.#clock);
    const since = requestsPerMinute === null ? null : (known?.windowStart(moment) ?? moment.minuteAgo + 1);
    const state = await this.#read(tenantId, since);
    const limiter = known ?? new TenantLimiter(state.counters);
    limiter.update(state, since, moment.now);
    this.#known.set(tenantId, limiter);
    return limiter;
  }

  /** What only some limits need, read anew each time. */
  async live(tenantId: string, limits: Limits, moment: Moment): Promise<Live> {
    if (limits.concurrentRequests === null && limits.tokensPerMinute === null) return idle;
    return {
      running:
        limits.concurrentRequests === null
          ? 0
          : await this.#ledger.running(tenantId, livingUntil(this.#clock)),
      tokens:
        limits.tokensPerMinute === null ? [] : await this.#ledger.tokens(tenantId, firstTokenSecond(moment)),
    };
  }

  /** How a tenant's limits stand, read for itself: the limiter that decides must not change while a batch rests on it. */
  async state(tenantId: string, limits: Limits): Promise<LimitState> {
    const moment = momentOf(this.#clock);
    const limiter = await this.#readNew(tenantId, limits, moment);
    return limiter.state(moment, limits, await this.live(tenantId, limits, moment));
  }

  /**
   * The same as far as this process knows, which is a little out of date where others admit too. A tenant that it does
   * not know is read once, and known from then on.
   */
  async known(tenantId: string, limits: Limits): Promise<LimitState> {
    if (Object.values(limits).every((limit) => limit === null)) return [];
    const moment = momentOf(this.#clock);
    let limiter = this.#known.get(tenantId);
    if (limiter === undefined || limiter.lacksWindow(limits)) {
      limiter = await this.#readNew(tenantId, limits, moment);
      // Not in the place of one that came meanwhile, on which a batch may rest.
      if (!this.#known.has(tenantId)) this.#known.set(tenantId, limiter);
    }
    return limiter.state(moment, limits, await this.live(tenantId, limits, moment));
  }

  /** Forgets a tenant of which what is known may be wrong. */
  forget(tenantId: string): void {
    this.#known.delete(tenantId);
  }

  /** Forgets tenants that have admitted nothing for a minute: their windows are empty. */
  forgetIdle(): void {
    const minuteAgo = this.#clock.ago(windowMs);
    for (const [tenantId, limiter] of this.#known) {
      if (limiter.lastAt < minuteAgo) this.#known.delete(tenantId);
    }
  }

  async #readNew(tenantId: string, limits: Limits, { now, minuteAgo }: Moment): Promise<TenantLimiter> {
    const since = limits.requestsPerMinute === null ? null : minuteAgo + 1;
    const state = await this.#read(tenantId, since);
    const limiter = new TenantLimiter(state.counters);
    limiter.update(state, since, now);
    return limiter;
  }

  async #read(tenantId: string, since: number | null): Promise<TenantState> {
    const state = await this.#ledger.state(tenantId, since);
    if (state) return state;
    throw new StoreError('failed', `Storage: the tenant ${JSON.stringify(tenantId)} has no counters.`);
  }
}
