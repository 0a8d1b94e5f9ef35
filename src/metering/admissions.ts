/**
 * Admission and settlement, which every request passes.
 *
 * All that arrives and ends in one turn of the event loop is decided and written together, in one transaction, as its
 * cost is mostly that of the transaction: an answer goes out when its end is on disk. Only one batch is under way at a
 * time, so a slow database makes larger batches.
 *
 * Exactness comes from one compare-and-swap: a tenant's counters carry a number that grows with every admission. A
 * decision is made in memory, on what this process knows, and written on condition that the number is still the one
 * it rests on. Alone on a tenant, a process thus admits with a single write and no read; when others have admitted in
 * between, nothing is written, it reads what they did, and decides again.
 */
import { setTimeout as delay } from 'node:timers/promises';
import type { Limits } from '../accounts/plans.ts';
import type { StoreClock } from '../lib/clock.ts';
import { StoreError } from '../store/errors.ts';
import type { AdmissionRow, CounterMove, Ledger, LedgerKey, Settlement } from '../store/ledger.ts';
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
import type { LimitState } from './limit-state.ts';
import { Limiters } from './limiters.ts';
import type { PriceOf } from './prices.ts';
import { abandoned, Settlements } from './settlements.ts';
import { type Ask, limitsOf, rowOf, type Share, share } from './shares.ts';
import { momentOf } from './tenant-limiter.ts';

/** Maximum number of admissions of one batch: its transaction runs on the event loop, for about 10 microseconds each. */
const batchSize = 500;
/** How much a batch waits for while more keeps coming; each of it waits for a few turns of the event loop. */
const gatherMost = 32;
/** How often a batch is decided anew before its requests fail. */
const patience = 200;

export interface AdmissionsParts {
  readonly ledger: Ledger;
  readonly clock: StoreClock;
  /** Brings the clock up to date. */
  readonly synchroniseClock: () => Promise<void>;
  readonly instanceId: string;
  readonly priceOf: PriceOf;
  readonly statusOf: StatusOf;
  readonly observer?: AdmissionObserver | undefined;
}

export class Admissions {
  readonly #parts: AdmissionsParts;
  readonly #context: AdmissionContext;
  readonly #limiters: Limiters;
  readonly #settlements: Settlements;
  readonly #open = new Set<Admission>();
  #waiting: Ask[] = [];
  #running = false;
  #scheduled = false;

  constructor(parts: AdmissionsParts) {
    this.#parts = parts;
    this.#limiters = new Limiters(parts.ledger, parts.clock);
    this.#context = {
      now: () => parts.clock.now(),
      priceOf: parts.priceOf,
      statusOf: parts.statusOf,
      settle: (admission, settlement, outcome) => this.#settle(admission, settlement, outcome),
      amend: (settlement, by) => this.#settlements.amend(settlement, by),
    };
    this.#settlements = new Settlements(() => this.#schedule(), parts.statusOf(abandoned));
  }

  /**
   * Admits the request or refuses it, as its caller's limits demand. When it resolves with an admission, the row is on
   * disk and the limits have counted it; a refused request uses up nothing. Rejects with a `StoreError` when the
   * database fails, and with the reason of the signal when that is aborted first.
   */
  admit(request: AdmissionRequest): Promise<AdmissionResult> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ request, receivedAt: this.#parts.clock.now(), resolve, reject });
      this.#schedule();
    });
  }

  /** Leaves a request to whoever has its ticket: it may end in another process, or after this one. */
  handOver(admission: Admission): void {
    this.#open.delete(admission);
  }

  /** The admission of a request that was handed over, to be settled. */
  takeOver({ key, request, receivedAt }: Ticket): Admission {
    return new Admission(this.#context, key, request, [], receivedAt);
  }

  /** How a tenant's limits stand. Rejects with `StoreError`. */
  limitState(tenantId: string, limits: Limits): Promise<LimitState> {
    return this.#limiters.state(tenantId, limits);
  }

  /** The same as far as this process knows, mostly without asking the database. Rejects with `StoreError`. */
  knownLimitState(tenantId: string, limits: Limits): Promise<LimitState> {
    return this.#limiters.known(tenantId, limits);
  }

  /** Admitted requests that are not settled yet, oldest first. */
  get open(): ReadonlySet<Admission> {
    return this.#open;
  }

  /** How many settlements are not on disk yet. */
  get waitingSettlements(): number {
    return this.#settlements.waiting;
  }

  /** Resolves when everything that was settled is on disk, or cannot be brought there for now. */
  async flush(): Promise<void> {
    await this.#settlements.flush();
  }

  /** Forgets tenants that are idle. Call it every few seconds. */
  forgetIdle(): void {
    if (!this.#running) this.#limiters.forgetIdle();
  }

  #schedule(): void {
    if (this.#scheduled || this.#running) return;
    // The end of the only request there is: nothing else can come to share its transaction.
    if (this.#waiting.length === 0 && this.#open.size === 0) {
      void this.#run();
      return;
    }
    this.#scheduled = true;
    setImmediate(() => this.#gather(0));
  }

  /** Goes on for as long as every turn of the event loop brings more: under load batches grow, at rest they are sent at once. */
  #gather(before: number): void {
    const count = this.#waiting.length + this.#settlements.waiting;
    const alone = count === 1 && this.#open.size === 0;
    if (count > before && count < gatherMost && !alone) setImmediate(() => this.#gather(count));
    else void this.#run();
  }

  async #run(): Promise<void> {
    this.#scheduled = false;
    this.#running = true;
    while (this.#waiting.length > 0 || this.#settlements.due) {
      const asks = this.#waiting.length > batchSize ? this.#waiting.splice(0, batchSize) : this.#waiting;
      if (asks === this.#waiting) this.#waiting = [];
      const shares = share(asks);
      try {
        await this.#answer(shares);
      } catch (error) {
        this.#fail(shares, error);
      }
    }
    this.#running = false;
  }

  async #answer(shares: Map<string, Share>): Promise<void> {
    // What ends makes room for what begins, where that is limited.
    const dependent = [...shares.values()].some(({ asks }) => limitsOf(asks).concurrentRequests !== null);
    if (dependent) await this.#commit([], []);
    for (let attempt = 1; ; attempt += 1) {
      // What ends needs no time: without the database it must get to its pause, or this would go round for ever.
      if (shares.size > 0 && this.#parts.clock.stale) await this.#parts.synchroniseClock();
      const { moves, rows } = await this.#decide(shares);
      const conflicts = await this.#commit(moves, rows);
      for (const [tenantId, share] of shares) {
        if (conflicts.has(tenantId)) continue;
        this.#resolve(tenantId, share);
        shares.delete(tenantId);
      }
      if (shares.size === 0) return;
      if (attempt === patience) {
        throw new StoreError('locked', 'Storage: other processes keep changing the same limits.');
      }
      for (const [tenantId, { asks }] of shares) {
        await this.#limiters.refresh(tenantId, limitsOf(asks));
      }
      if (attempt > 3) await delay(Math.random() * Math.min(attempt, 20));
    }
  }

  async #decide(shares: Map<string, Share>): Promise<{ moves: CounterMove[]; rows: AdmissionRow[] }> {
    const moves: CounterMove[] = [];
    const rows: AdmissionRow[] = [];
    for (const [tenantId, share] of shares) {
      const limits = limitsOf(share.asks);
      const limiter = await this.#limiters.of(tenantId, limits);
      const moment = momentOf(this.#parts.clock);
      const live = await this.#limiters.live(tenantId, limits, moment);
      const wanted = share.asks.map(({ request }) => request.tokens ?? 0);
      const decision = limiter.decide(moment, limits, wanted, live);
      share.decision = decision;
      share.keys = [];
      if (decision.move) moves.push({ ...decision.move, tenantId });
      decision.verdicts.forEach((verdict, index) => {
        const ask = share.asks[index];
        if (verdict.admitted && ask) rows.push(rowOf(ask, tenantId, verdict.seq, decision.at, moment.now));
      });
      share.keys = rows.slice(rows.length - (decision.move ? decision.move.to.seq - decision.move.from : 0));
    }
    return { moves, rows };
  }

  async #commit(moves: readonly CounterMove[], rows: readonly AdmissionRow[]): Promise<ReadonlySet<string>> {
    const { ledger, instanceId } = this.#parts;
    const settlements = this.#settlements.take();
    if (moves.length === 0 && settlements.length === 0) return none;
    try {
      const { conflicts, settled } = await ledger.commit({ instanceId, moves, rows, settlements });
      if (settled) this.#settlements.done();
      else this.#settlements.failed();
      return conflicts;
    } catch (error) {
      this.#settlements.failed();
      throw error;
    }
  }

  #resolve(tenantId: string, { asks, decision, keys }: Share): void {
    if (decision === null) return;
    if (decision.move) this.#limiters.get(tenantId)?.confirm(decision.move);
    let next = 0;
    decision.verdicts.forEach((verdict, index) => {
      const ask = asks[index];
      if (ask === undefined) return;
      this.#parts.observer?.admissionDecided(verdict.admitted ? null : verdict.rejection.limit.name);
      if (!verdict.admitted) {
        ask.resolve({ admitted: false, rejection: verdict.rejection });
        return;
      }
      const key = keys[next] as LedgerKey;
      next += 1;
      const admission = new Admission(this.#context, key, ask.request, verdict.state, ask.receivedAt);
      this.#open.add(admission);
      ask.resolve({ admitted: true, admission });
    });
  }

  #settle(admission: Admission, settlement: Settlement, outcome: Outcome): Promise<void> {
    this.#open.delete(admission);
    this.#parts.observer?.admissionSettled(outcome);
    return this.#settlements.add(settlement);
  }

  #fail(shares: Map<string, Share>, error: unknown): void {
    const mayBeDone = !(error instanceof StoreError) || error.mayBeDone;
    for (const [tenantId, { asks, keys, decision }] of shares) {
      // What we know may be wrong now: the database may have committed before the connection broke.
      this.#limiters.forget(tenantId);
      if (decision?.move && mayBeDone) this.#settlements.abandon(asks, keys, this.#parts.clock.now());
      for (const { reject } of asks) reject(error);
    }
  }
}

const none: ReadonlySet<string> = new Set();
