import { sql } from 'kysely';
import type { Batch, Settlement } from '../ledger.ts';
import type { Db } from '../rows.ts';
import { DaySums } from './day-sums.ts';
import { recount } from './recount.ts';
import { TagBounds } from './tag-bounds.ts';

/** Age of an open request from which settlements by other processes are looked up, in milliseconds. */
const longMs = 60_000;
/** How many are looked up at once. */
const lookUpMost = 200;
/** How many sums are written at once, more or less: on SQLite it holds the event loop for a few milliseconds. */
const sumsMost = 500;
/** How much later than the database says requests may be open before that is published, where nothing else is written. */
const publishAgainMs = 30_000;
/** How often the sums are tried to be brought up to date by one call, as more may come meanwhile. */
const rounds = 3;

interface SumWriter {
  /**
   * Adds the sums and moves the mark, in one step. Returns false where the mark does not stand at `from`.
   * @param openSince goes into the mark too
   */
  write(instanceId: string, flush: Flush, openSince: number): Promise<boolean>;
}

/** The sums of the processes that write through one store, which is one but in tests. */
export class Summing {
  readonly #db: Db;
  readonly #writer: SumWriter;
  readonly #unsummed = new Map<string, Unsummed>();
  /** One at a time, as each begins where the one before ended. */
  #last: Promise<void> = Promise.resolve();
  #relieving = false;
  readonly #tagBounds = new TagBounds();

  constructor(db: Db, writer: SumWriter) {
    this.#db = db;
    this.#writer = writer;
  }

  of(instanceId: string): Unsummed {
    const known = this.#unsummed.get(instanceId);
    if (known) return known;
    const made = new Unsummed();
    this.#unsummed.set(instanceId, made);
    return made;
  }

  /** Publishes that older requests are open than a process has said so far: before it writes anything of one. */
  publish({ instanceId, rows, settlements }: Batch): Promise<void> {
    const times = [...rows, ...settlements].map(({ created_at }) => created_at);
    return this.#inTurn(() => this.#lower(instanceId, Math.min(...times)));
  }

  async #lower(instanceId: string, since: number): Promise<void> {
    this.of(instanceId).lower(since);
    await sql`insert into sum_marks (instance_id, sequence, open_since, buried_at)
      values (${instanceId}, 0, ${since}, null) on conflict (instance_id)
      do update set open_since = excluded.open_since where sum_marks.open_since > excluded.open_since`.execute(
      this.#db,
    );
  }

  /** See `Ledger.sum`. */
  sum(now: number): Promise<void> {
    return this.#inTurn(async () => {
      for (const [instanceId, unsummed] of this.#unsummed) await this.#sum(instanceId, unsummed, now);
    });
  }

  /** To be called after each batch: writes the sums before there are so many that others have to wait for it. */
  relieve(instanceId: string): void {
    const unsummed = this.of(instanceId);
    if (unsummed.size < sumsMost || this.#relieving) return;
    this.#relieving = true;
    const relieved = this.#inTurn(async () => {
      this.#relieving = false;
      if (!unsummed.doubtful && !(await this.#write(instanceId, unsummed, unsummed.published)))
        unsummed.doubtful = true;
    });
    // The next `sum` repeats a failed one.
    relieved.catch(() => undefined);
  }

  #inTurn(action: () => Promise<void>): Promise<void> {
    const done = this.#last.then(action);
    this.#last = done.catch(() => undefined);
    return done;
  }

  async #sum(instanceId: string, unsummed: Unsummed, now: number): Promise<void> {
    await this.#lookUp(unsummed, now - longMs);
    for (let round = 0; round < rounds; round += 1) {
      if (!unsummed.doubtful) {
        const since = unsummed.openSince(now);
        if (unsummed.size === 0 && since - unsummed.published < publishAgainMs) return;
        unsummed.published = since;
        if (await this.#write(instanceId, unsummed, since)) return;
        unsummed.doubtful = true;
      }
      unsummed.recounting();
      try {
        // There may be no mark yet.
        await this.#lower(instanceId, now);
        const to = await this.#db.transaction().execute((db) => recount(db, instanceId));
        unsummed.recounted(to);
      } catch (error) {
        unsummed.recounted(0);
        unsummed.doubtful = true;
        throw error;
      }
    }
  }

  async #write(instanceId: string, unsummed: Unsummed, since: number): Promise<boolean> {
    const flush = unsummed.take();
    try {
      await this.#tagBounds.apply(this.#db, flush.sums);
      const written = await this.#writer.write(instanceId, flush, since);
      if (written) unsummed.from = flush.to;
      return written;
    } catch (error) {
      unsummed.doubtful = true;
      throw error;
    }
  }

  /** Requests that were left to other processes are settled there. */
  async #lookUp(unsummed: Unsummed, before: number): Promise<void> {
    const open = unsummed.openBefore(before, lookUpMost);
    if (open.length === 0) return;
    const times = open.map(({ created_at }) => created_at);
    const { rows } = await sql<{ id: string }>`select id from settled
      where created_at >= ${Math.min(...times)} and created_at <= ${Math.max(...times)}
        and id in (${sql.join(open.map(({ id }) => id))})`.execute(this.#db);
    for (const { id } of rows) unsummed.open.delete(id);
  }
}

/** Sums that wait to be written, with the mark from which and to which they go. */
export interface Flush {
  readonly sums: DaySums;
  readonly from: number;
  readonly to: number;
}

/**
 * The settlements of one process that are not yet in the sums, and its open requests. If it cannot be sure of the
 * database's state, because an answer was lost or another process considered it dead, its sums are made from its events.
 */
class Unsummed {
  #sums = new DaySums();
  /** Mark in the database as it was written last, with all before it in the sums, and the last settlement in `#sums`. */
  from = 0;
  #to = 0;
  /** Whether the sums are to be made from the events. */
  doubtful = false;
  /** Settled while sums are made from the events; null: they are not. */
  #meanwhile: Settlement[] | null = null;
  /** Times of admission of what is on disk, or may be, and is not settled. */
  readonly open = new Map<string, number>();
  /** The time of the oldest of these in the database, or about to be written there; 0: none yet. */
  published = 0;

  /** How many sums are to be written. */
  get size(): number {
    return this.#sums.size;
  }

  /** To be called before a batch is written. Returns whether others must first learn that older requests are open. */
  begin({ rows, settlements }: Batch): boolean {
    let older = false;
    // One that was left to this process by another.
    for (const { created_at } of settlements) older ||= this.published === 0 || created_at < this.published;
    for (const { id, created_at } of rows) {
      this.open.set(id, created_at);
      older ||= this.published === 0 || created_at < this.published;
    }
    return older;
  }

  /**
   * The batch is on disk.
   * @param clean whether all of its settlements were new
   */
  done({ settlements }: Batch, clean: boolean): void {
    if (!clean) this.doubtful = true;
    for (const settlement of settlements) {
      if (settlement.older) this.doubtful = true;
      this.open.delete(settlement.id);
      if (clean && this.#meanwhile) this.#meanwhile.push(settlement);
      else if (clean) this.#sums.add(settlement);
      if (settlement.sequence > this.#to) this.#to = settlement.sequence;
    }
  }

  /** The batch is not on disk; `mayBe`: or it is. */
  failed({ rows, settlements }: Batch, mayBe: boolean): void {
    if (mayBe && settlements.length > 0) this.doubtful = true;
    if (!mayBe) for (const { id } of rows) this.open.delete(id);
  }

  /** Since when requests are open; `now` where none is. */
  openSince(now: number): number {
    let since = now;
    for (const at of this.open.values()) if (at < since) since = at;
    return since;
  }

  /** The database is about to say that they are open since then, if it says that they are since later. */
  lower(since: number): void {
    if (this.published === 0 || since < this.published) this.published = since;
  }

  /** Requests that are open for long: another process may have settled them. */
  openBefore(time: number, most: number): { id: string; created_at: number }[] {
    const found: { id: string; created_at: number }[] = [];
    for (const [id, created_at] of this.open) {
      if (created_at < time) found.push({ id, created_at });
      if (found.length === most) break;
    }
    return found;
  }

  /** Takes the sums to write them. Then `from` moves, or they are doubtful. */
  take(): Flush {
    const flush = { sums: this.#sums, from: this.from, to: this.#to };
    this.#sums = new DaySums();
    return flush;
  }

  /** The sums are about to be made from the events. `recounted` follows. */
  recounting(): void {
    this.doubtful = false;
    this.#sums = new DaySums();
    this.#meanwhile = [];
  }

  /** They were, up to there: the settlements of a process come to be seen in the order of their numbers. */
  recounted(to: number): void {
    for (const settlement of this.#meanwhile ?? []) {
      if (settlement.sequence > to) this.#sums.add(settlement);
    }
    this.#meanwhile = null;
    this.from = to;
    this.#to = Math.max(this.#to, to);
  }
}
