/**
 * Who may run is written to the ledger: all that arrives and ends in one turn of the event loop together, in one transaction, as its cost
 * is mostly that of the transaction; an answer goes out when its end is on disk. Only one batch is under way at a time, so a slow
 * database makes larger batches.
 */
import { setTimeout as delay } from 'node:timers/promises';
import type { StoreClock } from '../../lib/clock.ts';
import { ascendingUlid } from '../../lib/ids.ts';
import { tagsText } from '../../lib/tags.ts';
import { beginTrace, traced } from '../../lib/trace.ts';
import type { BucketStatus, Need, Reservation } from '../../limits/authority.ts';
import { StoreError } from '../../store/errors.ts';
import type { AdmissionRow, HotLedger } from '../../store/ledger.ts';
import type { AdmissionRequest, AdmissionResult } from './admission.ts';
import { Settlements } from './settlements.ts';

/** Maximum number of admissions of one batch: its transaction runs on the event loop, for about 10 microseconds each. */
const batchSize = 500;
/** How much a batch waits for while more keeps coming; each of it waits for a few turns of the event loop. */
const gatherMost = 32;
/** How long one that was granted waits for a database that is slow, in milliseconds; and the pause before it is tried again. */
const patienceMs = 10_000;
const pauseMs = 50;

/**
 * While so many requests are open and the event loop is busy, batches begin at least so many milliseconds apart: streams that begin and
 * end one by one would have a transaction each, at four times the cost. PostgreSQL does it likewise, by `commit_siblings` and `commit_delay`
 * (https://www.postgresql.org/docs/current/runtime-config-wal.html#GUC-COMMIT-DELAY).
 */
const siblings = 8;
const spacingMs = 2;
/**
 * After a batch of so many events, or of half as many as are open, the next one does not wait: enough come together by themselves, and
 * the server would idle. Waiting cost a sixth of the answers of chats as JSON over 32 connections, and half of them over 12 (2026-11-27).
 */
const wellFilled = 16;

/**
 * The share of its time from which the event loop counts as busy, and over how many milliseconds it is measured. Below it there is time
 * for a transaction each, and the wait, once for the admission and once for the settlement, only delays answers: the median of 400 a
 * second from a vendor of 20 ms was 3.4 ms later than the vendor with it and is 1.3 ms later without (2026-11-28).
 */
const busyShare = 0.75;
const loadWindowMs = 20;

interface LastBatch {
  /** When it began, in milliseconds of the monotonic clock. */
  readonly at: number;
  /** How many admissions and settlements it had. */
  readonly size: number;
}

/**
 * How long the next batch waits for others.
 * @param open requests that are admitted and not settled
 * @param now by the monotonic clock
 * @param busy whether the event loop has little time left
 * @returns whole milliseconds; 0: it begins at once
 */
function spacingAfter({ at, size }: LastBatch, open: number, now: number, busy: boolean): number {
  if (!busy || open < siblings || size >= Math.min(wellFilled, open / 2)) return 0;
  return Math.max(0, Math.ceil(at + spacingMs - now));
}

export interface BatchParts {
  readonly ledger: Pick<HotLedger, 'commit'>;
  readonly clock: StoreClock;
  /** Brings the clock up to date. */
  readonly synchroniseClock: () => Promise<void>;
  readonly instanceId: string;
  /** The status in the ledger of requests without a settlement. */
  readonly abandonedStatus: number;
  /** How many requests are admitted and not settled. */
  readonly open: { readonly size: number };
  /** Takes a request whose row is on disk. */
  readonly onAdmitted: (granted: Granted, key: AdmissionRow) => void;
  /** Gives back what was taken of limits by one that is not admitted, or what is named of it. */
  readonly giveBack: (taken: readonly Reservation[], unused?: readonly Reservation[]) => void;
}

/** A request that may run, and has no row in the ledger yet. */
export interface Granted {
  readonly request: AdmissionRequest;
  readonly receivedAt: number;
  /** When it was granted, on the clock of `performance.now()`. */
  readonly since: number;
  /** When it was admitted, by the time of the store. */
  readonly at: number;
  readonly needs: readonly Need[];
  readonly taken: readonly Reservation[];
  readonly standings: readonly BucketStatus[];
  readonly resolve: (result: AdmissionResult) => void;
  readonly reject: (reason: unknown) => void;
}

/** Says, given the monotonic clock's milliseconds, whether the event loop had little time left lately. */
export type LoopIsBusy = (now: number) => boolean;

function busyLoop(): LoopIsBusy {
  let since = performance.eventLoopUtilization();
  let measuredAt = 0;
  let busy = false;
  return (now) => {
    if (now - measuredAt < loadWindowMs) return busy;
    const until = performance.eventLoopUtilization();
    busy = performance.eventLoopUtilization(until, since).utilization > busyShare;
    since = until;
    measuredAt = now;
    return busy;
  };
}

/** Writes admissions and settlements, batch by batch. */
export class LedgerBatches {
  readonly #parts: BatchParts;
  readonly settlements: Settlements;
  readonly #isBusy: LoopIsBusy;
  #waiting: Granted[] = [];
  #running = false;
  #scheduled = false;
  #lastBatch: LastBatch = { at: 0, size: 0 };

  constructor(parts: BatchParts, isBusy: LoopIsBusy = busyLoop()) {
    this.#parts = parts;
    this.#isBusy = isBusy;
    this.settlements = new Settlements(() => this.#schedule(), parts.abandonedStatus);
  }

  /** Requests whose admission is not decided yet, and whose batch is not under way. */
  get waitingAdmissions(): number {
    return this.#waiting.length;
  }

  /** Has a request admitted with the next batch, or rejected. */
  admit(granted: Granted): void {
    this.#waiting.push(granted);
    this.#schedule();
  }

  #schedule(): void {
    if (this.#scheduled || this.#running) return;
    // The end of the only request there is: nothing else can come to share its transaction.
    if (this.#waiting.length === 0 && this.#parts.open.size === 0) {
      void this.#run();
      return;
    }
    this.#scheduled = true;
    const now = performance.now();
    const waitMs = spacingAfter(this.#lastBatch, this.#parts.open.size, now, this.#isBusy(now));
    if (waitMs > 0) setTimeout(() => this.#gather(0), waitMs);
    else setImmediate(() => this.#gather(0));
  }

  /** Goes on for as long as every turn of the event loop brings more: under load batches grow, at rest they are sent at once. */
  #gather(before: number): void {
    const count = this.#waiting.length + this.settlements.waiting;
    const alone = count === 1 && this.#parts.open.size === 0;
    if (count > before && count < gatherMost && !alone) setImmediate(() => this.#gather(count));
    else void this.#run();
  }

  async #run(): Promise<void> {
    this.#scheduled = false;
    this.#running = true;
    while (this.#waiting.length > 0 || this.settlements.due) {
      const asked = this.#waiting.length > batchSize ? this.#waiting.splice(0, batchSize) : this.#waiting;
      if (asked === this.#waiting) this.#waiting = [];
      const granted = asked.filter((one) => this.#stays(one));
      const rows = granted.map((one) => this.#rowOf(one));
      try {
        // Ends need no time: without the database this must reach its pause, or it would loop for ever.
        if (rows.length > 0 && this.#parts.clock.stale) await this.#parts.synchroniseClock();
      } catch (error) {
        await this.#unwritten(granted, [], error);
        granted.length = 0;
        rows.length = 0;
      }
      try {
        await this.#commit(rows);
        for (const [index, one] of granted.entries())
          this.#parts.onAdmitted(one, rows[index] as AdmissionRow);
      } catch (error) {
        await this.#unwritten(granted, rows, error);
      }
    }
    this.#running = false;
  }

  /** Whether the client is still there; else nothing is used up. */
  #stays({ request: { signal }, taken, reject }: Granted): boolean {
    if (!signal?.aborted) return true;
    this.#parts.giveBack(taken);
    reject(signal.reason);
    return false;
  }

  #rowOf({ request, receivedAt, at }: Granted): AdmissionRow {
    return {
      tenant_id: request.caller.tenantId,
      created_at: at,
      id: ascendingUlid(at),
      request_id: request.requestId,
      key_id: request.caller.keyId,
      operation: request.operation,
      model_asked: request.model,
      queue_ms: Math.max(0, this.#parts.clock.now() - receivedAt),
      tags: request.tags ? tagsText(request.tags) : null,
    };
  }

  async #commit(rows: readonly AdmissionRow[]): Promise<void> {
    const { ledger, instanceId } = this.#parts;
    const settlements = this.settlements.take();
    if (rows.length === 0 && settlements.length === 0) return;
    this.#lastBatch = { at: performance.now(), size: rows.length + settlements.length };
    try {
      const begun = settlements.some(({ begins }) => begins)
        ? [...rows, ...settlements.flatMap(({ begins }) => begins ?? [])]
        : rows;
      const span = beginTrace('ledger commit', 'internal', () => ({
        'switchyard.ledger.admissions': begun.length,
        'switchyard.ledger.settlements': settlements.length,
      }));
      const commit = () => ledger.commit({ instanceId, rows: begun, settlements });
      const { refused } = await (span ? traced(span, commit, failureOf) : commit());
      this.settlements.done();
      if (refused !== undefined) throw refused;
    } catch (error) {
      this.settlements.failed();
      throw error;
    }
  }

  /** Has those wait who can, where the database was only too slow for them and nothing is done; the others fail. */
  async #unwritten(
    granted: readonly Granted[],
    rows: readonly AdmissionRow[],
    error: unknown,
  ): Promise<void> {
    const now = performance.now();
    const waits = ({ since }: Granted) => now - since < patienceMs;
    if (!isPassing(error) || !granted.some(waits)) return this.#fail(granted, rows, error);
    this.#fail(
      granted.filter((one) => !waits(one)),
      rows,
      error,
    );
    // Before those that came later.
    this.#waiting = [...granted.filter(waits), ...this.#waiting];
    await delay(pauseMs);
  }

  #fail(granted: readonly Granted[], rows: readonly AdmissionRow[], error: unknown): void {
    const mayBeDone = rows.length > 0 && (!(error instanceof StoreError) || error.mayBeDone);
    if (mayBeDone) this.settlements.abandon(rows, this.#parts.clock.now());
    for (const { taken, reject } of granted) {
      // Requests that may be in the ledger still count, but do not run.
      this.#parts.giveBack(taken, mayBeDone ? taken.filter(({ unit }) => unit === 'running') : taken);
      reject(error);
    }
  }
}

/** Whether the database has not done it, and may yet: it is there, and has too much to do. */
function isPassing(error: unknown): boolean {
  if (!(error instanceof StoreError) || error.mayBeDone) return false;
  return error.failure === 'slow' || error.failure === 'locked';
}

const failureOf = (thrown: unknown) => (thrown instanceof StoreError ? thrown.failure : 'failed');
