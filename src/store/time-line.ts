/**
 * The clock of a store: the same for all processes on it, and none of their wall clocks can make it step.
 *
 * Between two looks at the database it goes by the monotonic clock of the process. The pieces (`time-pieces.ts`) are
 * kept in the database, as a function of elapsed time. All processes derive elapsed time in the same way:
 * - On SQLite they share a machine, so it is the machine's monotonic clock. That begins again when the machine starts:
 *   then elapsed time continues from where it was last seen, as if none had passed while the machine was off.
 * - On PostgreSQL it is the clock of the database server, less its steps. A process finds a step by its own monotonic
 *   clock: the server's clock has advanced by more or less than that. It then takes the step out for everybody. Was it the
 *   process's own clock that stood, as that of a suspended machine does, then others have seen the server's since. Where
 *   there are no others, the difference counts as a step: too little time for elapsed time, never too much.
 *
 * So elapsed time is never ahead of real time: an amount that counts for 60 seconds of it counts for 60 real seconds at
 * least, and longer only for as long as no process was there to see the time pass. Only if a process is held up, or its
 * machine suspended, between two looks can its stamps be early: on SQLite they cannot, since all go by one clock; on
 * PostgreSQL the admitting statement refuses what was decided by another time line, or another time, than the server's.
 *
 * A wall clock is believed when no process contradicts: whoever finds another time announces a change, and who does
 * not find it takes it back before it begins. So processes that disagree leave the time as it is.
 */
import type { StoreClock } from '../lib/clock.ts';
import {
  announceMs,
  changed,
  elapsedAt,
  freshMs,
  type Pieces,
  planned,
  type TimeSource,
  timeAt,
  toleranceMs,
} from './time-pieces.ts';

/** The time line as the database stores it. */
export interface Line {
  /** The start of the machine that `offset` goes with; null on PostgreSQL. */
  readonly boot: string | null;
  /** Added to the machine's monotonic clock, or the database server's time, it gives elapsed time. */
  readonly offset: number;
  readonly pieces: Pieces;
  /** A change that was announced, when it begins, and what holds if it is taken back. */
  readonly announced: { readonly from: number; readonly instead: Pieces } | null;
}

/** When a process was last there to see the time. */
export interface Seen {
  readonly boot: string;
  readonly monotonic: number;
  readonly elapsed: number;
}

export interface TimeReading {
  readonly line: string | null;
  readonly seen: string | null;
  /** The time of the database server; null where there is none. */
  readonly server: number | null;
}

/** Where the time line is kept. All methods reject with `StoreError`. */
export interface TimeRecords {
  read(): Promise<TimeReading>;
  /** Writes a line in place of another; false when it is not there any more. */
  replaceLine(before: string | null, after: string): Promise<boolean>;
  writeSeen(seen: string): Promise<void>;
}

/** A round trip short enough to measure the server's time by, in milliseconds, and how often one is tried for. */
const quickMs = 20;
const maxReadings = 8;
/** By how much the elapsed times of two processes on one PostgreSQL server are taken to differ at least, in milliseconds. */
const minDoubtMs = 100;
/** Pause between records that a process sees the time, in milliseconds. */
const seenMs = 4_000;
/** How long the time of a server may have been unseen and still be believed, in milliseconds. */
const unseenMs = 15_000;

export class TimeLine implements StoreClock {
  readonly #records: TimeRecords;
  readonly #source: TimeSource;
  #pieces: Pieces = [{ from: 0, time: 0, rate: 1 }];
  /** Added to this process's monotonic clock, it gives elapsed time; null before the first look. */
  #shift: number | null = null;
  /** Added to the server's time, it gives elapsed time. */
  #offset = 0;
  #text = '';
  #readAt = Number.NEGATIVE_INFINITY;
  /** By how much the elapsed times of two processes may differ, in milliseconds. */
  #doubtMs = 0;
  #looking: Promise<void> | null = null;
  /** How far the wall clock was ahead of the monotonic one, and how long the machine has slept since. */
  #ahead: number;
  #slept = 0;

  constructor(records: TimeRecords, source: TimeSource) {
    this.#records = records;
    this.#source = source;
    this.#ahead = source.wall() - source.monotonic();
  }

  now(): number {
    return Math.floor(timeAt(this.#pieces, this.#elapsed()));
  }

  ago(milliseconds: number): number {
    // Stamps are rounded down, so the last whole millisecond may hold a younger one.
    return Math.floor(timeAt(this.#pieces, this.#elapsed() - milliseconds - this.#doubtMs)) - 1;
  }

  get stale(): boolean {
    return this.#source.monotonic() - this.#readAt > freshMs;
  }

  elapsed(): number {
    return Math.floor(this.#elapsed());
  }

  elapsedAt(stamp: number): number | null {
    const elapsed = this.elapsed();
    const at = elapsedAt(this.#pieces, stamp, elapsed);
    if (at !== null) return Math.floor(at);
    // Who is a little ahead has stamped it.
    return stamp <= this.now() + toleranceMs && stamp > this.now() ? elapsed : null;
  }

  monotonic(): number {
    const passed = this.#source.monotonic();
    // A machine that slept finds its wall clock ahead. One that was set ahead is taken for that.
    const ahead = this.#source.wall() - passed;
    if (ahead > this.#ahead + toleranceMs) this.#slept += ahead - this.#ahead;
    if (Math.abs(ahead - this.#ahead) > toleranceMs) this.#ahead = ahead;
    return passed + this.#slept;
  }

  /** By how much two processes may differ about the elapsed time, in milliseconds. */
  get doubtMs(): number {
    return this.#doubtMs;
  }

  /** The time line that this process goes by, as it is kept. */
  get text(): string {
    return this.#text;
  }

  /** The database server's time as this process believes it. */
  believed(): number {
    return Math.round(this.#elapsed() - this.#offset);
  }

  /** Looks at the database. Call it every few seconds, and before deciding anything when the clock is stale. */
  synchronise(): Promise<void> {
    this.#looking ??= this.#look().finally(() => {
      this.#looking = null;
    });
    return this.#looking;
  }

  #elapsed(): number {
    return this.#source.monotonic() + (this.#shift ?? 0);
  }

  async #look(): Promise<void> {
    for (;;) {
      const { sent, received, line: text, seen: seenText, server } = await this.#read();
      const seen = seenText === null ? null : (JSON.parse(seenText) as Seen);
      // The server's time is off by at most half a round trip.
      const reading =
        server === null ? null : { at: server + (received - sent) / 2, roundTrip: received - sent };
      const line = text === null ? null : (JSON.parse(text) as Line);
      const { elapsed, next } = this.#placed(line, seen, received, reading);
      const wall = reading === null ? this.#source.wall() : elapsed - next.offset;
      const kept = await this.#keep(text, line, next, converged(next, elapsed, wall));
      if (kept === null) continue;
      this.#text = kept === line ? (text ?? '') : JSON.stringify(kept);
      this.#pieces = kept.pieces;
      this.#offset = kept.offset;
      this.#shift = elapsed - received;
      this.#readAt = sent;
      await this.#show(seen, received, elapsed);
      return;
    }
  }

  /**
   * Asks until an answer was quick, for a few times: the server's time is known by half of a round trip only, and two
   * processes that have measured it differently would each take the other's stamps for older than they are. Every window is
   * longer by the remaining difference.
   */
  async #read(): Promise<TimeReading & { readonly sent: number; readonly received: number }> {
    let best: (TimeReading & { readonly sent: number; readonly received: number }) | null = null;
    for (let attempt = 0; attempt < maxReadings; attempt += 1) {
      const sent = this.#source.monotonic();
      const reading = await this.#records.read();
      const received = this.#source.monotonic();
      if (best === null || received - sent < best.received - best.sent) best = { ...reading, sent, received };
      if (reading.server === null || best.received - best.sent <= quickMs) break;
    }
    const known = best as NonNullable<typeof best>;
    this.#doubtMs = known.server === null ? 0 : Math.max(minDoubtMs, known.received - known.sent);
    return known;
  }

  /** The elapsed time now, and its line. */
  #placed(
    line: Line | null,
    seen: Seen | null,
    received: number,
    server: { readonly at: number; readonly roundTrip: number } | null,
  ): { elapsed: number; next: Line } {
    const { boot } = this.#source;
    if (line === null) {
      const wall = server?.at ?? this.#source.wall();
      const offset = server === null ? wall - received : 0;
      const pieces: Pieces = [{ from: wall, time: wall, rate: 1 }];
      const next = { boot: server === null ? boot : null, offset, pieces, announced: null };
      return { elapsed: wall, next };
    }
    const last = seen?.elapsed ?? line.pieces[0].from;
    if (server === null) {
      // If starts of the machine cannot be told apart, only its clock shows that it was restarted.
      const before = seen === null ? received : seen.monotonic - unseenMs;
      if (line.boot === boot && before <= received) return { elapsed: received + line.offset, next: line };
      // No process ran before this one since the machine was started: none decides on the old line.
      const pieces = changed(line.pieces, last, this.#source.wall(), unseenMs);
      return { elapsed: last, next: { boot, offset: last - received, pieces, announced: null } };
    }
    const claimed = server.at + line.offset;
    const own = this.#own(seen, received);
    // One that others have been ahead of has stood meanwhile.
    if (own === null || last > own + toleranceMs) {
      if (claimed >= last - toleranceMs && claimed <= last + unseenMs)
        return { elapsed: claimed, next: line };
      // No process was there, or the server's clock has stepped: then the database refuses decisions that others still make
      // by the old time, so that this need not be announced.
      const pieces = changed(line.pieces, last, server.at, unseenMs);
      return { elapsed: last, next: { ...line, offset: last - server.at, pieces, announced: null } };
    }
    // A difference below the precision of the measurement is noise, and following it would make the time jump about.
    if (Math.abs(claimed - own) <= Math.max(2, server.roundTrip)) return { elapsed: own, next: line };
    if (Math.abs(claimed - own) <= toleranceMs) return { elapsed: claimed, next: line };
    return { elapsed: own, next: { ...line, offset: own - server.at } };
  }

  /** Elapsed time by a monotonic clock alone: that of this process, or of one before it on the same machine. */
  #own(seen: Seen | null, received: number): number | null {
    if (this.#shift !== null) return received + this.#shift;
    if (seen === null || seen.boot !== this.#source.boot || seen.monotonic > received) return null;
    return seen.elapsed + (received - seen.monotonic);
  }

  /** The line that holds now; null when another process has changed it meanwhile. */
  async #keep(text: string | null, line: Line | null, next: Line, wanted: Line): Promise<Line | null> {
    if (wanted === line) return wanted;
    try {
      return (await this.#records.replaceLine(text, JSON.stringify(wanted))) ? wanted : null;
    } catch (error) {
      // To follow the wall clock can wait for the next look; to know the elapsed time cannot.
      if (next === line) return line;
      throw error;
    }
  }

  async #show(seen: Seen | null, monotonic: number, elapsed: number): Promise<void> {
    const { boot } = this.#source;
    if (seen?.boot === boot && elapsed - seen.elapsed < seenMs && elapsed >= seen.elapsed) return;
    const shown: Seen = { boot, monotonic, elapsed };
    // Without a record the same is presumed.
    await this.#records.writeSeen(JSON.stringify(shown)).catch(() => undefined);
  }
}

/** The line that leads to the wall clock's time; the same one when it does already. */
function converged(line: Line, elapsed: number, wall: number): Line {
  const { pieces, announced } = line;
  if (Math.abs(wall - elapsed - planned(pieces)) <= toleranceMs) return line;
  if (announced !== null && announced.from > elapsed) {
    // Later than this, another process might learn of it too late.
    if (announced.from - elapsed < 2 * freshMs) return line;
    return { ...line, pieces: announced.instead, announced: null };
  }
  const from = elapsed + announceMs;
  return {
    ...line,
    pieces: changed(pieces, from, wall + announceMs),
    announced: { from, instead: pieces },
  };
}
