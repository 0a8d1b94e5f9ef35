import { bootId } from '../lib/machine.ts';

/**
 * The time of a store as a piecewise linear function of elapsed time.
 *
 * Elapsed time never steps; the time of the store follows the wall clock, which may. Where that is ahead, the time of
 * the store jumps; where it is behind, the time of the store goes at half speed until they meet. The pieces say how long
 * ago a stamp was made: `timeAt(pieces, elapsed - 60000)` is the stamp of a minute ago, however far the time has jumped
 * since.
 *
 * Why a limit of N in 60 seconds holds. An admission at the elapsed time `a` is stamped `timeAt(a)`; a decision at the
 * elapsed time `b` counts every stamp above `timeAt(b - 60000)`. The pieces rise, so `a > b - 60000` means
 * `timeAt(a) > timeAt(b - 60000)`, and the admission is counted. Nothing else is used of any wall clock. It takes that
 * all processes have the same pieces when they decide: a change begins `announceMs` after it was made, no process
 * decides on pieces that it has read more than `freshMs` ago, and up to its beginning the new pieces are the old ones.
 */
interface Piece {
  /** Elapsed time from which on it holds. */
  readonly from: number;
  /** The time of the store then. */
  readonly time: number;
  /** Milliseconds of the store's time in a millisecond; never 0. */
  readonly rate: number;
}

/** Oldest first; the last one goes at the rate 1. */
export type Pieces = readonly [Piece, ...Piece[]];

/** How long before its beginning a change is made, in milliseconds: more than `freshMs` and any write together. */
export const announceMs = 45_000;
/** Age at which what was read of the pieces is no longer believed, in milliseconds. */
export const freshMs = 10_000;
/** Differences from the wall clock that are left as they are, in milliseconds. */
export const toleranceMs = 1_000;
/** How far back stamps can be dated, in milliseconds: twice the longest window that anything is counted in. */
const keptMs = 7_200_000;
/**
 * A wall clock that goes back by more than this was wrong by far, and half speed would take too long: the time goes
 * back with it. Then `ago` is ahead of `now` for a minute, by which callers that count can tell.
 */
const farMs = 86_400_000;
/** The speed of the store's time while it waits for a wall clock that was set back. */
const slow = 0.5;

/** Not rounded. Before the first piece as if that had begun earlier. */
export function timeAt(pieces: Pieces, elapsed: number): number {
  let index = pieces.length - 1;
  while (index > 0 && (pieces[index] as Piece).from > elapsed) index -= 1;
  const { from, time, rate } = pieces[index] as Piece;
  return time + (elapsed - from) * rate;
}

/**
 * The last moment at which the time was that. Null for a time that never was: one to come, or that was jumped over, or from
 * before the time went back by far.
 * @param elapsed now
 */
export function elapsedAt(pieces: Pieces, time: number, elapsed: number): number | null {
  for (let index = pieces.length - 1; index >= 0; index -= 1) {
    const piece = pieces[index] as Piece;
    const at = piece.from + (time - piece.time) / piece.rate;
    const end = Math.min(pieces[index + 1]?.from ?? elapsed, elapsed);
    if (at <= end && (at >= piece.from || index === 0)) return at;
  }
  return null;
}

/** How far the time will be from elapsed time once all pieces have had their time. */
export function planned(pieces: Pieces): number {
  const { from, time } = pieces.at(-1) as Piece;
  return time - from;
}

/**
 * The pieces that lead to the wall clock's time from an elapsed time on. Those up to then stay as they are.
 * @param unseen how long stamps may have been made after that, in a time that is not counted as elapsed
 */
export function changed(pieces: Pieces, from: number, wall: number, unseen = 0): Pieces {
  const time = timeAt(pieces, from + unseen);
  const ahead = time - wall;
  const following: Piece[] =
    ahead <= 0 || ahead > farMs
      ? [{ from, time: wall, rate: 1 }]
      : [
          { from, time, rate: slow },
          { from: from + ahead / slow, time: time + ahead, rate: 1 },
        ];
  // The first piece also covers the time before it.
  const kept = pieces.filter(
    (piece, index) => (index === 0 || piece.from < from) && (pieces[index + 1]?.from ?? from) > from - keptMs,
  );
  return [...kept, ...following] as [Piece, ...Piece[]];
}

/** Where a process has its time from; tests have their own. */
export interface TimeSource {
  /** Milliseconds since the epoch by the machine's wall clock. It may step. */
  wall(): number;
  /** Milliseconds since some moment, the same for all processes of the machine until that is restarted. Never steps. */
  monotonic(): number;
  /** Which start of the machine that goes with. */
  readonly boot: string;
}

/** `performance.now()` allocates nothing, but begins with the process. */
const origin = originOf();

/** The lead of `process.hrtime`: read between two of the other, as often as it takes for those to be close. */
function originOf(): number {
  let best = { width: Number.POSITIVE_INFINITY, origin: 0 };
  for (let attempt = 0; attempt < 100 && best.width > 0.01; attempt += 1) {
    const before = performance.now();
    const time = Number(process.hrtime.bigint()) / 1e6;
    const after = performance.now();
    if (after - before < best.width) best = { width: after - before, origin: time - (before + after) / 2 };
  }
  return best.origin;
}

export const machineTime: TimeSource = {
  wall: () => Date.now(),
  monotonic: () => origin + performance.now(),
  boot: bootId ?? 'unknown',
};
