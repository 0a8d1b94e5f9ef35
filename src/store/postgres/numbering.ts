import type { Ask, Call, Window } from '../../limits/authority.ts';

/** Equal asks that follow each other. */
export interface Run {
  readonly ask: Ask;
  count: number;
}

/** A call in the form that `take_limits` takes: buckets by their place among all of its ids, and equal asks together. */
export interface Numbering {
  readonly ids: readonly string[];
  readonly runs: readonly Run[];
  readonly given: object;
}

export function numbered({ holder, asks, returns, seeds }: Call): Numbering {
  const spans = new Map<string, Window>();
  const begun = new Set<string>();
  for (const { bucketId, window } of seeds) {
    spans.set(bucketId, window);
    begun.add(bucketId);
  }
  for (const { bucketId, window } of returns) spans.set(bucketId, window);
  const runs = runsOf(asks);
  for (const { ask } of runs)
    for (const { bucket } of ask) {
      spans.set(bucket.id, bucket.window);
      // What runs begins with nothing.
      if (bucket.window === 'running') begun.add(bucket.id);
    }
  // In the order of their code points, as the database has them.
  const ids = [...spans.keys()].sort();
  const places = new Map(ids.map((id, index) => [id, index + 1]));
  const placeOf = (id: string) => places.get(id) as number;
  return {
    ids,
    runs,
    given: {
      ids,
      spans: ids.map((id) => spans.get(id)),
      begun: [...begun].map(placeOf),
      seeds: seeds.map(({ bucketId, used, entries }) => [placeOf(bucketId), used, entries]),
      returns: returns.map(({ bucketId, until, amount, holder: whose = holder }) => [
        placeOf(bucketId),
        until,
        amount,
        whose,
      ]),
      asks: runs.map(({ ask, count }) => [
        count,
        ask.map(({ bucket, need, want }) => [placeOf(bucket.id), need, want, bucket.limit]),
      ]),
    },
  };
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

/** Whether two asks are the same and want nothing beyond their need. */
function isSame(one: Ask, other: Ask): boolean {
  if (one.length !== other.length) return false;
  return one.every(({ bucket, need, want }, index) => {
    const { bucket: same, need: needed, want: wanted } = other[index] as Ask[number];
    return (
      bucket.id === same.id &&
      bucket.limit === same.limit &&
      need === needed &&
      want <= need &&
      wanted <= needed
    );
  });
}
