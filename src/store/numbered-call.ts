import { type Ask, type Call, type Run, runsOf, type Window } from '../limits/authority.ts';

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
  const runs = runsOf(isSame, asks);
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
