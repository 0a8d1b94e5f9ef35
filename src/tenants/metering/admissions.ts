// Over 300 lines: one state machine, from an admission to its settlement.
/**
 * Admission and settlement, which every request passes. Whether a request may run is decided by what is leased to this process, or by
 * the authority of limits (`limits/`); `LedgerBatches` writes down who may, and how it ended.
 */
import type { ServiceError } from '../../contract/errors.ts';
import type { StoreClock } from '../../lib/clock.ts';
import { PassingSet } from '../../lib/placed.ts';
import { type Attributes, currentSpan } from '../../lib/trace.ts';
import type {
  Authority,
  BucketStatus,
  Need,
  Reservation,
  ReservationResult,
  Return,
} from '../../limits/authority.ts';
import { LeaseHolder } from '../../limits/lease-holder.ts';
import type { SeedSource } from '../../limits/seeding.ts';
import { costBound, type PriceOf, type TargetsOf, type Unpriced } from '../../model/usage.ts';
import { StoreError } from '../../store/errors.ts';
import type { AdmissionRow, HotLedger, Settlement } from '../../store/ledger.ts';
import type { Budget } from '../accounts/budgets.ts';
import type { Limits } from '../accounts/plans.ts';
import {
  Admission,
  type AdmissionContext,
  type AdmissionObserver,
  type AdmissionRequest,
  type AdmissionResult,
  type Outcome,
  type StatusOf,
  type Ticket,
} from './admission.ts';
import { budgetExceeded, budgetIdOf, type CanonicalOf, type TokenBound } from './budget-needs.ts';
import { type BatchParts, type Granted, LedgerBatches, type LoopIsBusy } from './ledger-batches.ts';
import type { LimitState, Rejection } from './limit-state.ts';
import { planLimitOf, planNeeds, planState, seedSource, uncountedBuckets } from './plan-needs.ts';
import { rateLimited, rejectionOf } from './rejections.ts';
import { abandoned } from './settlements.ts';

interface AdmissionsParts {
  readonly ledger: HotLedger;
  readonly authority: Authority;
  readonly clock: StoreClock;
  /** Brings the clock up to date. */
  readonly synchroniseClock: () => Promise<void>;
  readonly instanceId: string;
  readonly priceOf: PriceOf;
  readonly statusOf: StatusOf;
  /** Who may answer a request that names a model: each provider with its own name of the model. Throws for one without a provider. */
  readonly targetsOf?: TargetsOf | undefined;
  /** Maps the names of a model to its canonical one; each name is a model of its own if left out. */
  readonly canonicalOf?: CanonicalOf | undefined;
  /** The use of buckets that are not of a plan. */
  readonly seedsOf?: SeedSource | undefined;
  /** Whether requests are admitted while it is unknown how much of their limits is left; else they fail. */
  readonly admitsWhenAway?: boolean | undefined;
  readonly observer?: AdmissionObserver | undefined;
  /** By the use of the event loop if left out. */
  readonly isBusy?: LoopIsBusy | undefined;
}

const itself: CanonicalOf = (name) => name;

/** The verdict of the limits on a request. */
export interface Preview {
  readonly state: LimitState;
  /** Null: it would be admitted. */
  readonly rejection: Rejection | null;
}

export class Admissions {
  readonly #parts: AdmissionsParts;
  readonly #context: AdmissionContext;
  readonly #leaseHolder: LeaseHolder;
  readonly #batches: LedgerBatches;
  readonly #open = new PassingSet<Admission>();
  /** Tokens and money that requests under way here have set aside, by the ids of the buckets. */
  readonly #setAside = new Map<string, number>();
  /** Ids of the budgets that requests have counted for. */
  #touched = new Set<string>();
  /** When budgets were too far used up for a request, the last time, by their ids. */
  #refused = new Map<string, number>();

  constructor(parts: AdmissionsParts) {
    const { ledger, clock, authority, instanceId, observer, admitsWhenAway = false } = parts;
    this.#parts = parts;
    this.#leaseHolder = new LeaseHolder({
      authority,
      holder: instanceId,
      clock,
      seedsOf: seedSource(ledger, clock, parts.seedsOf),
      admitsWhenAway,
      mayBeDone: (error) => !(error instanceof StoreError) || error.mayBeDone,
      onAway: (away) => observer?.limitsAway?.(away),
    });
    this.#context = {
      now: () => clock.now(),
      priceOf: parts.priceOf,
      statusOf: parts.statusOf,
      settle: (admission, settlement, outcome) => this.#settle(admission, settlement, outcome),
      amend: (settlement, by) => this.#batches.settlements.amend(settlement, by),
      giveBack: (taken, unused) => {
        for (const one of taken) this.#touch(one.bucketId);
        this.#giveBack(taken, unused);
      },
    };
    const batches: BatchParts = {
      ledger,
      clock,
      instanceId,
      synchroniseClock: parts.synchroniseClock,
      abandonedStatus: parts.statusOf(abandoned),
      open: this.#open,
      onAdmitted: (granted, key) => this.#resolve(granted, key),
      giveBack: (taken, unused = taken) => this.#giveBack(taken, unused),
    };
    this.#batches = new LedgerBatches(batches, parts.isBusy);
  }

  /**
   * Admits the request or refuses it, as its caller's limits demand. When it resolves with an admission, the row is on
   * disk and the limits have counted it; a refused request uses up nothing. Rejects with a `StoreError` when the
   * database fails, and with the reason of the signal when that is aborted first.
   */
  admit(request: AdmissionRequest): Promise<AdmissionResult> {
    return new Promise((resolve, reject) => {
      const receivedAt = this.#parts.clock.now();
      if (request.signal?.aborted) {
        reject(request.signal.reason);
        return;
      }
      const needs = needsOf(request);
      const asked = { request, receivedAt, setAside: this.#setAsideOf(needs), resolve, reject };
      const taking = needs.length === 0 ? unlimited : this.#leaseHolder.take(needs, request.signal);
      if (taking instanceof Promise) taking.then((late) => this.#apply(asked, needs, late), reject);
      else this.#apply(asked, needs, taking);
    });
  }

  /** The most that a request may cost, in millionths of a US dollar: at the dearest of who may answer it. */
  costBound(model: string | null, tokens: TokenBound): number | Unpriced {
    return costBound(this.#parts, model, tokens);
  }

  /** The client's error when a limit refuses its request. */
  refusalOf(rejection: Rejection, budgets: readonly Budget[]): ServiceError {
    return budgetExceeded(rejection, budgets, this.#parts.clock.now()) ?? rateLimited(rejection, budgets);
  }

  /** Ids of the budgets that requests have counted for since this was last called. */
  takeTouched(): ReadonlySet<string> {
    const touched = this.#touched;
    this.#touched = new Set();
    return touched;
  }

  /**
   * Ids of the budgets that were too far used up for a request, which all of them would have had room for, since this was last called,
   * with when they were last, in milliseconds since the epoch.
   */
  takeRefused(): ReadonlyMap<string, number> {
    const refused = this.#refused;
    this.#refused = new Map();
    return refused;
  }

  /** Tokens or micro US dollars of a bucket that requests under way in this process have set aside. */
  setAsideOf(bucketId: string): number {
    return this.#setAside.get(bucketId) ?? 0;
  }

  /** The same of each need, in their order; undefined: nothing of any. */
  #setAsideOf(needs: readonly Need[]): readonly number[] | undefined {
    return this.#setAside.size === 0 ? undefined : needs.map(({ bucket }) => this.setAsideOf(bucket.id));
  }

  #hold(taken: readonly Reservation[], sign: 1 | -1): void {
    for (const { bucketId, unit, amount } of taken) {
      if (unit !== 'tokens' && unit !== 'micro_usd') continue;
      const sum = this.setAsideOf(bucketId) + sign * amount;
      if (sum > 0) this.#setAside.set(bucketId, sum);
      else this.#setAside.delete(bucketId);
    }
  }

  #giveBack(taken: readonly Reservation[], unused: readonly Return[]): void {
    this.#hold(taken, -1);
    this.#leaseHolder.giveBack(unused);
  }

  #touch(bucketId: string): void {
    const id = budgetIdOf(bucketId);
    if (id !== null) this.#touched.add(id);
  }

  /** Leaves a request to the holder of its ticket: it may end in another process, or after this one. */
  handOver(admission: Admission): void {
    this.#open.delete(admission);
    this.#hold(admission.taken, -1);
    this.#leaseHolder.handOver(admission.taken);
  }

  /** The admission of a request that was handed over, to be settled. */
  takeOver({ key, request, receivedAt, taken = [] }: Ticket): Admission {
    this.#hold(taken, 1);
    this.#leaseHolder.takeOver(taken);
    return new Admission(this.#context, key, request, { state: [], standings: [], taken }, receivedAt);
  }

  /** How a tenant's limits stand, by the authority. Rejects with `StoreError`. */
  async limitState(tenantId: string, limits: Limits): Promise<LimitState> {
    const needs = planNeeds(tenantId, limits);
    if (needs.length === 0) return [];
    return planState(needs, await this.#leaseHolder.ask(needs), this.#parts.clock.now(), false);
  }

  /** The same as far as this process knows, mostly without asking the authority. Rejects with `StoreError`. */
  async knownLimitState(tenantId: string, limits: Limits): Promise<LimitState> {
    const needs = planNeeds(tenantId, limits);
    if (needs.length === 0) return [];
    const standings = this.#leaseHolder.known(needs) ?? (await this.#leaseHolder.ask(needs));
    return planState(needs, standings, this.#parts.clock.now(), false);
  }

  /** How buckets stand, by the authority. Rejects with `StoreError`. */
  standings(needs: readonly Need[]): Promise<readonly BucketStatus[]> {
    return this.#leaseHolder.ask(needs);
  }

  /** Whether it is unknown at the moment how much of the limits is left. */
  get limitsAway(): boolean {
    return this.#leaseHolder.away;
  }

  /** Whether a request would be admitted now. Nothing is used up. Rejects with `StoreError`. */
  async preview(request: AdmissionRequest): Promise<Preview> {
    const needs = needsOf(request);
    if (needs.length === 0) return { state: [], rejection: null };
    const standings = await this.#leaseHolder.ask(needs);
    const now = this.#parts.clock.now();
    const state = planState(needs, standings, now, false);
    const fits = needs.every(({ bucket: { limit }, amount }, index) => {
      return limit === null || (standings[index]?.used ?? 0) + amount <= limit;
    });
    if (fits) return { state, rejection: null };
    // The authority says how long it takes. Reservations that have room by now are given back at once.
    const setAside = this.#setAsideOf(needs);
    const taking = await this.#leaseHolder.take(needs);
    if (!taking.granted) {
      return { state, rejection: rejectionOf(needs, taking, now, setAside?.[taking.index]) };
    }
    this.#leaseHolder.giveBack(taking.taken);
    return { state, rejection: null };
  }

  /** Maps the names of a model to its canonical one. */
  get canonicalOf(): CanonicalOf {
    return this.#parts.canonicalOf ?? itself;
  }

  /** The prices of requests. */
  get priceOf(): PriceOf {
    return this.#parts.priceOf;
  }

  /** Admitted requests that are not settled yet. */
  get open(): PassingSet<Admission> {
    return this.#open;
  }

  /** Requests whose admission is not decided yet, and whose batch is not under way. */
  get waitingAdmissions(): number {
    return this.#batches.waitingAdmissions;
  }

  /** How many settlements are not on disk yet. */
  get waitingSettlements(): number {
    return this.#batches.settlements.waiting;
  }

  /** Resolves when everything that was settled is on disk, or cannot be brought there for now. */
  async flush(): Promise<void> {
    await this.#batches.settlements.flush();
  }

  /** Forgets unused buckets. Call it every few seconds. */
  forgetIdle(): void {
    this.#leaseHolder.forgetIdle();
  }

  /** Flushes settlements and returns leases. Call it last. */
  async close(): Promise<void> {
    await this.flush();
    await this.#leaseHolder.close();
  }

  #apply(
    asked: Pick<Granted, 'request' | 'receivedAt' | 'resolve' | 'reject'> & {
      /** The amounts set aside when it asked: the answer does not know those that have come back since. */
      readonly setAside: readonly number[] | undefined;
    },
    needs: readonly Need[],
    taking: ReservationResult,
  ): void {
    const { request, receivedAt, resolve, reject } = asked;
    const now = this.#parts.clock.now();
    if (!taking.granted) {
      const refused = needs[taking.index] as Need;
      const { id, limit } = refused.bucket;
      const setAside = Math.max(asked.setAside?.[taking.index] ?? 0, this.setAsideOf(id));
      const rejection = rejectionOf(needs, taking, now, setAside);
      const budgetId = budgetIdOf(id);
      // A budget is not used up by a request that all of it would be too little for, or that has only to wait for others.
      const isSpent = rejection.setAside === undefined && refused.amount <= (limit ?? 0);
      if (budgetId !== null && isSpent) this.#refused.set(budgetId, now);
      this.#parts.observer?.admissionDecided(planLimitOf(refused) ?? refused.unit);
      resolve({ admitted: false, rejection });
      return;
    }
    const { taken, at } = taking;
    this.#hold(taken, 1);
    const standings = withoutNothing(request, needs, taking.standings);
    for (const { bucket } of request.needs ?? []) this.#touch(bucket.id);
    this.#noteUnlimited(request);
    const since = performance.now();
    this.#batches.admit({
      request,
      receivedAt,
      since,
      at: at ?? now,
      needs,
      taken,
      standings,
      resolve,
      reject,
    });
  }

  /** Requests admitted without a limit are not counted: when there is one again, the ledger has to say how much they used. */
  #noteUnlimited({ caller: { tenantId, limits } }: AdmissionRequest): void {
    for (const id of uncountedBuckets(tenantId, limits)) this.#leaseHolder.invalidate(id);
  }

  #resolve({ request, receivedAt, at, needs, taken, standings, resolve }: Granted, key: AdmissionRow): void {
    this.#parts.observer?.admissionDecided(null);
    const state = planState(needs, standings, at, true);
    const admission = new Admission(this.#context, key, request, { state, standings, taken }, receivedAt);
    this.#open.add(admission);
    resolve({ admitted: true, admission });
  }

  #settle(admission: Admission, settlement: Settlement, outcome: Outcome): Promise<void> {
    this.#open.delete(admission);
    this.#parts.observer?.admissionSettled(outcome);
    currentSpan()?.set(settledAttributes(settlement));
    return this.#batches.settlements.add(settlement);
  }
}

/** The attributes of a request's span that describe its settlement. */
function settledAttributes({ tenant_id, provider, model, cost_micro_usd }: Settlement): Attributes {
  return {
    'switchyard.tenant': tenant_id,
    'switchyard.provider': provider ?? undefined,
    'switchyard.model': model ?? undefined,
    'switchyard.cost_usd': cost_micro_usd === null ? undefined : cost_micro_usd / 1e6,
  };
}

const unlimited: ReservationResult = { granted: true, taken: [], standings: [], at: null };

/** The needs of the request by its plan and beyond, in the order of the buckets' ids. */
function needsOf({ caller: { tenantId, limits }, tokens, needs }: AdmissionRequest): readonly Need[] {
  const plan = planNeeds(tenantId, limits, tokens);
  if (needs === undefined || needs.length === 0) return plan;
  return [...plan, ...needs].sort((one, other) => (one.bucket.id < other.bucket.id ? -1 : 1));
}

/** A request that names no tokens takes one to find out whether there is any; its limit state does not show it. */
function withoutNothing(
  { tokens = 0 }: AdmissionRequest,
  needs: readonly Need[],
  standings: readonly BucketStatus[],
): readonly BucketStatus[] {
  if (tokens > 0 || !needs.some(({ unit }) => unit === 'tokens')) return standings;
  return standings.map((standing, index) => {
    const { unit, amount } = needs[index] as Need;
    return unit === 'tokens' ? { ...standing, used: standing.used - amount } : standing;
  });
}
