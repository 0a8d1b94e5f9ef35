/** The terms on which limits are leased: every authority keeps to the same. */

/** How long a request counts in a window of a minute, in milliseconds. */
export const minuteMs = 60_000;

/** How long what is leased may be used, in milliseconds. */
export const leaseMs = 250;

/** By how much longer a lease counts than it can be used, for clocks that do not run quite alike, in milliseconds. */
export const marginMs = 25;

/** A lease takes at most one part in this many of what is left: the rest is for others, and for exact asks. */
export const shareOfRest = 16;

/** So many times the need is the least that is leased. Where there is less, every request is decided by the authority. */
export const minLease = 3;

/**
 * A bucket holds so many ends to the millisecond; further ones are rounded up to a multiple of `roundedMs`, of which 122 can
 * be ahead, and two more for each second that a minute counts longer as clocks are in doubt. So it holds at most 186.
 */
export const exactEntries = 64;

/** To what further ends are rounded up, in milliseconds: half of it is what a busy minute counts too long, on average. */
export const roundedMs = 500;

/** When it is worth asking again for what runs: the end of a request is unknown, and most take a second. */
export const runningWaitMs = 1_000;

/**
 * The port to the component that knows how much of every limit is left: in this process, in SQLite, in PostgreSQL or in Redis.
 *
 * Exactness rests on three promises of an authority. It decides one call after the other, and each ask whole or not at
 * all. A grant at its time g counts from g on, until the window of the bucket has passed since the last moment at
 * which it can be used: g, or g + `leaseMs` for a lease. And its time never goes faster than real time. Then take any 60
 * seconds and the last grant of which something was used in them: every other grant of which something was used in them
 * still counted when that one was made, so together they were within the limit, whichever holders have crashed since and
 * however their clocks stand.
 */

/** `minute`: any 60 seconds. `day`, `month`: of the calendar in UTC. `running`: from the take until it is given back. */
export type Window = 'minute' | 'day' | 'month' | 'ever' | 'running';

/** A count within a window, such as the requests of a tenant in a minute. */
export interface Bucket {
  /** Begins with the tenant, `<tenant id>/…`: the buckets of one tenant share a hash slot. Asks are sorted by it. */
  readonly id: string;
  readonly window: Window;
  /** A whole number from 0; null: it is only counted. */
  readonly limit: number | null;
}

export interface Take {
  readonly bucket: Bucket;
  /** The least that has to be granted now; a whole number from 0. 0 only asks how the bucket stands. */
  readonly need: number;
  /** The amount that the holder would use up within a lease, including the need. */
  readonly want: number;
}

/** The amounts taken from several buckets, each once and sorted by id: all or nothing. */
export type Ask = readonly Take[];

/** How a bucket stands after an ask. */
export interface BucketStatus {
  readonly used: number;
  /** Milliseconds until all that is used now is given back; null if unknown. */
  readonly resetMs: number | null;
}

export interface Grant {
  /** When it stops counting, in milliseconds since the epoch by the authority; 0 for what runs and what never ends. */
  readonly until: number;
  /** At least the need. The excess may be used for `leaseMs`, counted from when the call was sent. */
  readonly amount: number;
  readonly standing: BucketStatus;
}

export type Reply =
  | {
      readonly granted: true;
      /** One for each take. */
      readonly grants: readonly Grant[];
      /** When it was granted, in milliseconds since the epoch by the authority. */
      readonly at: number;
      /** 0: nothing may be used of it but the need. */
      readonly leaseMs: number;
    }
  | {
      readonly granted: false;
      /** Of the take that has to wait longest. */
      readonly index: number;
      /** Until there is enough of it; null: never, or unknown. */
      readonly waitMs: number | null;
      readonly standings: readonly BucketStatus[];
    }
  | {
      readonly granted: false;
      /** Buckets that the authority has never seen, or has forgotten: it has to be asked again, with seeds of them. */
      readonly unknown: readonly string[];
    };

/** An amount that was granted and not used. */
export interface Return {
  readonly bucketId: string;
  readonly window: Window;
  /** The grant's. */
  readonly until: number;
  /** Negative: the use beyond the grant, which is charged whatever the limit. */
  readonly amount: number;
  /** The holder whose running slots go down; the call's holder if left out. */
  readonly holder?: string;
}

/**
 * The use of a bucket according to the ledger. A bucket that is unknown to the authority begins with it; for a known one it
 * raises the use to that, and never lowers it. For `running`, `used` is the number that the holder certainly has.
 */
export interface Seed {
  readonly bucketId: string;
  readonly window: Window;
  /**
   * Of a minute: the admitted amounts with their times, oldest first, by the `elapsed` of the store's clock. With many of
   * them the times are rounded up.
   */
  readonly entries: readonly (readonly [at: number, amount: number])[];
  /** The whole of it. */
  readonly used: number;
}

export interface Call {
  /** Which process asks; each life of a process has its own. */
  readonly holder: string;
  readonly asks: readonly Ask[];
  readonly returns: readonly Return[];
  readonly seeds: readonly Seed[];
}

export interface Authority {
  /**
   * Takes the seeds, then the returns, then decides on the asks in their order. Rejects with a `StoreError` when it is
   * unreachable; anything it granted then still counts, unused.
   */
  take(call: Call): Promise<readonly Reply[]>;
}

/** A request's demand on one bucket, and the details of the error if there is not enough. */
export interface Need {
  readonly bucket: Bucket;
  /** Requests, tokens, slots or micro US dollars; the most that the request can use. */
  readonly amount: number;
  /** The unit of the amount. Settlement gives back the tokens and money that were not used. */
  readonly unit: 'requests' | 'tokens' | 'micro_usd' | 'running';
  /** How the contract names the limit in errors and headers. */
  readonly name: string;
  /** False: it is counted and reported, never refused (a soft budget). */
  readonly hard: boolean;
}

/** Equal asks that follow each other. */
export interface Run {
  readonly ask: Ask;
  count: number;
}

/** From which grant something was taken, so that the rest of it can be given back. It is kept as JSON. */
export interface Reservation extends Omit<Return, 'amount'> {
  readonly holder: string;
  readonly unit: Need['unit'];
  readonly amount: number;
}

export type ReservationResult =
  | {
      readonly granted: true;
      /** One for each need; none where limits were not asked for, as the authority is away. */
      readonly taken: readonly Reservation[];
      readonly standings: readonly BucketStatus[];
      /** When it was granted, by the time of the authority; null: now, of a lease. */
      readonly at: number | null;
    }
  | {
      readonly granted: false;
      /** Of the need that has to wait longest. */
      readonly index: number;
      readonly waitMs: number | null;
      readonly standings: readonly BucketStatus[];
    };

export function reservationOf({ bucket, amount, unit }: Need, until: number, holder: string): Reservation {
  return { bucketId: bucket.id, window: bucket.window, until, holder, unit, amount };
}
