import type { Ask, Call, Grant, Reply, Seed, Standing } from '../../limits/authority.ts';

/** Equal asks that follow each other. */
export interface Run {
  readonly ask: Ask;
  count: number;
}

type Nullable = number | false;
/** As `take.lua` answers: by its first number a grant, a refusal, or the ids of what is unknown. */
export type WireReply = readonly [kind: 0 | 1 | 2, ...rest: unknown[]];

/** A call as `take.lua` takes it, but for the time: buckets by their place among all of its ids, and equal asks together. */
export function encoded(
  { holder, asks, returns, seeds }: Call,
  mayBegin: (seed: Seed) => boolean,
): { readonly ids: readonly string[]; readonly runs: readonly Run[]; readonly given: object } {
  const places = new Map<string, number>();
  const placeOf = (id: string) => {
    const place = places.get(id) ?? places.size + 1;
    places.set(id, place);
    return place;
  };
  const runs = runsOf(asks);
  const given = {
    holder,
    seeds: seeds.map((seed) => [
      placeOf(seed.bucketId),
      seed.window,
      mayBegin(seed),
      seed.used,
      seed.entries,
    ]),
    returns: returns.map(({ bucketId, until, amount, holder: whose = holder }) => [
      placeOf(bucketId),
      until,
      amount,
      whose,
    ]),
    asks: runs.map(({ ask, count }) => [
      count,
      ask.map(({ bucket, need, want }) => [placeOf(bucket.id), bucket.window, need, want, bucket.limit]),
    ]),
  };
  const ids = [...places.keys()];
  return { ids, runs, given: { ...given, ids } };
}

/** What `take.lua` answers to each ask. */
export function repliesOf(replies: readonly WireReply[], runs: readonly Run[]): Reply[] {
  const asks = runs.flatMap(({ ask, count }) => Array.from({ length: count }, () => ask));
  return asks.map((ask, index): Reply => {
    const [kind, ...rest] = replies[index] as WireReply;
    if (kind === 2) return { granted: false, unknown: rest as string[] };
    if (kind === 1) {
      const [place, wait, ...standings] = rest as [number, Nullable, ...[number, Nullable][]];
      return {
        granted: false,
        index: place,
        waitMs: wait === false ? null : wait,
        standings: standings.map(standingOf),
      };
    }
    const grants = rest.slice(0, ask.length) as [number, number, number, Nullable][];
    const [at, leaseMs] = rest.slice(ask.length) as [number, number];
    return {
      granted: true,
      grants: grants.map(
        ([until, amount, ...standing]): Grant => ({ until, amount, standing: standingOf(standing) }),
      ),
      at,
      leaseMs,
    };
  });
}

function standingOf([used, resetMs]: readonly [number, Nullable]): Standing {
  return { used, resetMs: resetMs === false ? null : resetMs };
}

function runsOf(asks: readonly Ask[]): Run[] {
  const runs: Run[] = [];
  for (const ask of asks) {
    const last = runs.at(-1);
    if (last && isSame(last.ask, ask)) last.count += 1;
    else runs.push({ ask, count: 1 });
  }
  return runs;
}

function isSame(one: Ask, other: Ask): boolean {
  if (one === other) return true;
  if (one.length !== other.length) return false;
  return one.every(({ bucket, need, want }, index) => {
    const { bucket: same, need: needed, want: wanted } = other[index] as Ask[number];
    return bucket.id === same.id && bucket.limit === same.limit && need === needed && want === wanted;
  });
}
