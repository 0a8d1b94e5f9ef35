import type { StoreClock } from '../lib/clock.ts';
import { dayOf, monthOf, startOfDay, startOfMonth } from '../lib/utc.ts';
import type { Ask, BucketStatus, Call, Grant, Reply, Run, Window } from '../limits/authority.ts';

/** A call as the functions of PostgreSQL and Redis take it. */
export interface NumberedCall {
  /** Of all its buckets, in order. */
  readonly ids: readonly string[];
  /** Equal asks together, in their order. */
  readonly runs: readonly Run[];
  /** Buckets by their place among the ids, from 1. */
  readonly given: {
    readonly holder: string;
    readonly ids: readonly string[];
    readonly spans: readonly (Window | undefined)[];
    readonly seeds: readonly unknown[];
    readonly returns: readonly unknown[];
    readonly asks: readonly unknown[];
  };
}

export function numbered({ holder, asks, returns, seeds }: Call): NumberedCall {
  const runs: Run[] = [];
  for (const ask of asks) {
    const last = runs.at(-1);
    if (last && isSame(last.ask, ask)) last.count += 1;
    else runs.push({ ask, count: 1 });
  }
  const spans = new Map<string, Window>();
  for (const { bucketId, window } of seeds) spans.set(bucketId, window);
  for (const { bucketId, window } of returns) spans.set(bucketId, window);
  for (const { ask } of runs) for (const { bucket } of ask) spans.set(bucket.id, bucket.window);
  // In the order of their code points, as PostgreSQL has them.
  const ids = [...spans.keys()].sort();
  const places = new Map(ids.map((id, index) => [id, index + 1]));
  const placeOf = (id: string) => places.get(id) as number;
  const given = {
    holder,
    ids,
    spans: ids.map((id) => spans.get(id)),
    seeds: seeds.map(({ bucketId, used, entries }) => [placeOf(bucketId), used, entries]),
    returns: returns.map((one) => [placeOf(one.bucketId), one.until, one.amount, one.holder ?? holder]),
    asks: runs.map(({ ask, count }) => [
      count,
      ask.map(({ bucket, need, want }) => [placeOf(bucket.id), need, want, bucket.limit]),
    ]),
  };
  return { ids, runs, given };
}

/** Whether two asks are the same and want nothing beyond their need. */
function isSame(one: Ask, other: Ask): boolean {
  if (one.length !== other.length) return false;
  return one.every(({ bucket, need, want }, index) => {
    const { bucket: same, need: needed, want: wanted } = other[index] as Ask[number];
    const isAlike = bucket.id === same.id && bucket.limit === same.limit && need === needed;
    return isAlike && want <= need && wanted <= needed;
  });
}

/** When a call is decided, by the clock of its process at `stamp`. */
export function momentOf(clock: StoreClock, stamp: number) {
  const [day_end, month_end] = [startOfDay(dayOf(stamp) + 1), startOfMonth(monthOf(stamp) + 1)];
  return { elapsed: clock.elapsed(), stamp, day_end, month_end };
}

type StandingRow = readonly [used: number, resetMs: number | null];

/** The functions' answer to equal asks. */
export interface RunReply {
  readonly unknown?: readonly number[];
  readonly granted: number;
  readonly late: number;
  readonly lease: number;
  readonly grants: readonly (readonly [
    until: number,
    amount: number,
    used: number,
    resetMs: number | null,
  ])[];
  readonly refused?:
    | readonly [index: number, waitMs: number | null, standings: readonly StandingRow[]]
    | null;
}

/** The answers to runs of equal asks as those to each of them. */
export function repliesOf(
  replies: readonly RunReply[],
  ids: readonly string[],
  runs: readonly Run[],
  stamp: number,
): readonly Reply[] {
  const all: Reply[] = [];
  for (const [index, { ask, count }] of runs.entries()) {
    const reply = replies[index] as RunReply;
    if (reply.unknown) {
      const unknown = reply.unknown.map((place) => ids[place - 1] as string);
      for (let one = 0; one < count; one += 1) all.push({ granted: false, unknown });
      continue;
    }
    const at = stamp + reply.late;
    for (let left = reply.granted - 1; left >= 0; left -= 1)
      all.push({ granted: true, grants: grantsOf(reply, ask, left), at, leaseMs: reply.lease });
    if (!reply.refused) continue;
    const [place, waitMs, standings] = reply.refused;
    const refusal: Reply = { granted: false, index: place, waitMs, standings: standings.map(standingOf) };
    for (let one = reply.granted; one < count; one += 1) all.push(refusal);
  }
  return all;
}

/** @param left how many of the run were granted after this one */
function grantsOf({ grants }: RunReply, ask: Ask, left: number): Grant[] {
  return grants.map(([until, amount, used, resetMs], index) => ({
    until,
    amount,
    standing: { used: used - left * (ask[index]?.need ?? 0), resetMs },
  }));
}

function standingOf([used, resetMs]: StandingRow): BucketStatus {
  return { used, resetMs };
}
