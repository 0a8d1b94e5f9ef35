import type { Batch, Settlement } from '../ledger.ts';
import { DaySums } from './day-sums.ts';

/** Sums that wait to be written, with the mark from which and to which they go. */
export interface Flush {
  readonly sums: DaySums;
  readonly from: number;
  readonly to: number;
}

/**
 * What one process has settled and not yet brought into the sums, and what it has open. Where it cannot be sure of what
 * the database holds, because an answer was lost or somebody took it for gone, its sums are made from its events.
 */
export class Unsummed {
  #sums = new DaySums();
  /** Mark in the database as it was written last, and the last settlement in `#sums`. */
  #from = 0;
  #to = 0;
  #doubtful = false;
  /** Settled while sums are made from the events; null: they are not. */
  #meanwhile: Settlement[] | null = null;
  /** Times of admission of what is on disk, or may be, and is not settled. */
  readonly #open = new Map<string, number>();
  /** What the database says of the oldest of these. */
  #told = 0;

  /** Whether the sums are to be made from the events. */
  get doubtful(): boolean {
    return this.#doubtful;
  }

  /** How many sums are to be written. */
  get size(): number {
    return this.#sums.size;
  }

  /** To be called before a batch is written. Returns whether others have to be told first that older requests are open. */
  begin({ rows, settlements }: Batch): boolean {
    let older = false;
    // One that was left to this process by another.
    for (const { created_at } of settlements) older ||= this.#told === 0 || created_at < this.#told;
    for (const { id, created_at } of rows) {
      this.#open.set(id, created_at);
      older ||= this.#told === 0 || created_at < this.#told;
    }
    return older;
  }

  /**
   * The batch is on disk.
   * @param clean whether all of its settlements were new
   */
  done({ settlements }: Batch, clean: boolean): void {
    if (!clean) this.#doubtful = true;
    for (const settlement of settlements) {
      if (settlement.older) this.#doubtful = true;
      this.#open.delete(settlement.id);
      if (clean && this.#meanwhile) this.#meanwhile.push(settlement);
      else if (clean) this.#sums.add(settlement);
      if (settlement.sequence > this.#to) this.#to = settlement.sequence;
    }
  }

  /** The batch is not on disk; `mayBe`: or it is. */
  failed({ rows, settlements }: Batch, mayBe: boolean): void {
    if (mayBe && settlements.length > 0) this.#doubtful = true;
    if (!mayBe) for (const { id } of rows) this.#open.delete(id);
  }

  /** Since when requests are open; `now` where none is. */
  openSince(now: number): number {
    let since = now;
    for (const at of this.#open.values()) if (at < since) since = at;
    return since;
  }

  /** What the database says of that, or is about to say; 0: nothing yet. */
  get told(): number {
    return this.#told;
  }

  tell(since: number): void {
    this.#told = since;
  }

  /** The database is about to say that they are open since then, if it says that they are since later. */
  lower(since: number): void {
    if (this.#told === 0 || since < this.#told) this.#told = since;
  }

  /** Requests that are open for long: somebody else may have settled them. */
  openBefore(time: number, most: number): { id: string; created_at: number }[] {
    const found: { id: string; created_at: number }[] = [];
    for (const [id, created_at] of this.#open) {
      if (created_at < time) found.push({ id, created_at });
      if (found.length === most) break;
    }
    return found;
  }

  closed(ids: readonly string[]): void {
    for (const id of ids) this.#open.delete(id);
  }

  /** Takes the sums to write them. `written` or `doubt` follows. */
  take(): Flush {
    const flush = { sums: this.#sums, from: this.#from, to: this.#to };
    this.#sums = new DaySums();
    return flush;
  }

  /** The mark stands there, with all before it in the sums. */
  written(to: number): void {
    this.#from = to;
  }

  doubt(): void {
    this.#doubtful = true;
  }

  /** The sums are about to be made from the events. `recounted` or `doubt` follows. */
  recounting(): void {
    this.#doubtful = false;
    this.#sums = new DaySums();
    this.#meanwhile = [];
  }

  /** They were, up to there: the settlements of a process come to be seen in the order of their numbers. */
  recounted(to: number): void {
    for (const settlement of this.#meanwhile ?? []) {
      if (settlement.sequence > to) this.#sums.add(settlement);
    }
    this.#meanwhile = null;
    this.#from = to;
    this.#to = Math.max(this.#to, to);
  }
}
