/** How an authority serves a call, given the states of its buckets. */
import type { Ask, Call, Grant, Reply } from './authority.ts';
import { leaseMs, marginMs, minLease, minuteMs, shareOfRest } from './authority.ts';
import {
  add,
  addRunning,
  advance,
  type BucketState,
  emptyBucket,
  freedIn,
  giveBack,
  type Moment,
  raise,
  standingOf,
} from './bucket-state.ts';

/** Where the states are. The result of `get` is changed in place; the caller keeps it. */
export interface States {
  get(bucketId: string): BucketState | undefined;
  set(bucketId: string, state: BucketState): void;
}

export interface Serving {
  readonly moment: Moment;
  readonly isAlive: (holder: string) => boolean;
}

/** Serves a call as `Authority.take` says. */
export function serve(call: Call, states: States, { moment, isAlive }: Serving): readonly Reply[] {
  const { holder, asks, returns, seeds } = call;
  const advanced = new Map<string, number>();
  /** The bucket, brought up to date once a call; undefined: unknown. */
  const found = (id: string): BucketState | undefined => {
    const state = states.get(id);
    if (state && !advanced.has(id)) advanced.set(id, advance(state, moment, isAlive));
    return state;
  };
  const begin = (id: string, state: BucketState): BucketState => {
    states.set(id, state);
    advanced.set(id, advance(state, moment, isAlive));
    return state;
  };
  for (const seed of seeds) {
    const state = found(seed.bucketId) ?? begin(seed.bucketId, emptyBucket(seed.window));
    if (seed.window === 'running') addRunning(state, holder, seed.used - (state.holders[holder] ?? 0));
    else raise(state, seed, moment, advanced.get(seed.bucketId) as number);
  }
  for (const { bucketId, until, amount, holder: whose = holder } of returns) {
    const state = found(bucketId);
    if (!state) continue;
    if (state.window === 'running') addRunning(state, whose, -amount);
    else giveBack(state, amount, until, advanced.get(bucketId) as number);
  }
  return asks.map((ask): Reply => {
    const unknown: string[] = [];
    const held = ask.map(({ bucket: { id, window } }) => {
      const state = found(id);
      if (state) return state;
      if (window === 'running') return begin(id, emptyBucket(window));
      unknown.push(id);
      return undefined;
    });
    if (unknown.length > 0) return { granted: false, unknown };
    const times = ask.map(({ bucket }) => advanced.get(bucket.id) as number);
    return decide(ask, held as BucketState[], times, holder, moment);
  });
}

function decide(
  ask: Ask,
  states: readonly BucketState[],
  times: readonly number[],
  holder: string,
  { stamp, elapsed, doubtMs }: Moment,
): Reply {
  const timeOf = (index: number) => times[index] as number;
  const refusal = refused(ask, states, times);
  if (refusal) return refusal;
  const more = ask.map((take, index) => extra(take, states[index] as BucketState));
  let usable = more.every((amount) => amount > 0) ? leaseMs : 0;
  // A lease ends with the day and the month that it counts for.
  for (const [index, { window, end }] of states.entries())
    if (window === 'day' || window === 'month') usable = Math.min(usable, end - timeOf(index));
  let late = 0;
  const grants = ask.map(({ need }, index): Grant => {
    const state = states[index] as BucketState;
    const now = timeOf(index);
    const amount = need + (usable > 0 ? (more[index] ?? 0) : 0);
    const minute = state.window === 'minute';
    if (state.window !== 'running' && state.window !== 'ever')
      late = Math.max(late, now - (minute ? elapsed : stamp));
    let until = 0;
    if (state.window === 'running') addRunning(state, holder, amount);
    else if (amount === 0) until = minute ? 0 : state.end;
    else until = add(state, amount, now + minuteMs + doubtMs + (usable > 0 ? usable + marginMs : 0));
    return { until, amount, standing: standingOf(state, now) };
  });
  return { granted: true, grants, at: stamp + late, leaseMs: usable };
}

/** The refusal, for the bucket that takes longest; null: there is enough of each. */
function refused(ask: Ask, states: readonly BucketState[], times: readonly number[]): Reply | null {
  let longest = -1;
  let waitMs: number | null = 0;
  ask.forEach(({ bucket: { limit }, need }, index) => {
    const state = states[index] as BucketState;
    const over = limit === null || need === 0 ? 0 : state.used + need - limit;
    if (limit === null || over <= 0) return;
    const own = need > limit ? null : freedIn(state, over, times[index] as number);
    if (longest >= 0 && (waitMs === null || (own !== null && own <= waitMs))) return;
    longest = index;
    waitMs = own;
  });
  if (longest < 0) return null;
  const standings = states.map((state, index) => standingOf(state, times[index] as number));
  return { granted: false, index: longest, waitMs, standings };
}

/** The amount leased beyond the need. */
function extra({ bucket: { limit, window }, need, want }: Ask[number], { used }: BucketState): number {
  if (window === 'running' || want <= need) return 0;
  if (limit === null) return want - need;
  const share = Math.floor((limit - used - need) / shareOfRest);
  return share < minLease * Math.max(1, need) ? 0 : Math.min(want - need, share);
}
