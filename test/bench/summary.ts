/** From the rounds of a run to its figures: medians, ratios to the base, and how far they can be trusted. */

import type { Crowd } from './crowds.ts';
import type { Paced } from './load/pace.ts';
import type { RoundPair } from './measure.ts';

/** A figure as a multiple of the base's, of each round for itself. */
export interface Ratio {
  readonly median: number;
  /** The middle half of the rounds lies between these. */
  readonly from: number;
  readonly to: number;
  readonly lowest: number;
  readonly highest: number;
}

/** What is told of a party beside another. Times in milliseconds, memory in MB; medians of the rounds. */
export interface PairSummary {
  readonly scenario: string;
  readonly title: string;
  readonly base: string;
  readonly party: string;
  readonly rounds: number;
  readonly failed: number;
  readonly fault?: string | undefined;
  readonly baseFailed: number;
  readonly cpu: Ratio;
  readonly rate: Ratio;
  /** Processor time of the servers and the stores together. */
  readonly allCpu: Ratio;
  /** Processor time of the servers in the first second of load. */
  readonly firstCpu: Ratio;
  readonly medians: Readonly<Record<'cpu' | 'storeCpu' | 'rate' | 'p50' | 'p99' | 'coldStart', number>>;
  readonly baseMedians: Readonly<Record<'cpu' | 'rate' | 'p50' | 'p99', number>>;
  readonly memory: Readonly<Record<'start' | 'after' | 'peak' | 'idle', number>>;
  /** By how many connections; both have the same. */
  readonly crowds: readonly Crowd[];
  readonly baseCrowds: readonly Crowd[];
  readonly paced: Paced | null;
  readonly basePaced: Paced | null;
  readonly all: readonly RoundPair[];
}

export function median(values: readonly number[]): number {
  return quantile(values, 0.5);
}

/** Between the two nearest values, in proportion. NaN for none. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.filter(Number.isFinite).toSorted((a, b) => a - b);
  const at = share * (sorted.length - 1);
  const below = sorted[Math.floor(at)] ?? Number.NaN;
  const above = sorted[Math.ceil(at)] ?? Number.NaN;
  return below + (above - below) * (at - Math.floor(at));
}

export function ratioOf(pairs: readonly RoundPair[], of: (round: RoundPair['base']) => number): Ratio {
  const ratios = pairs.map(({ base, party }) => of(party) / of(base)).filter(Number.isFinite);
  return {
    median: median(ratios),
    from: quantile(ratios, 0.25),
    to: quantile(ratios, 0.75),
    lowest: Math.min(...ratios),
    highest: Math.max(...ratios),
  };
}

/** How wide the middle half of the rounds is, as a share of the median: so much a figure moves by itself. */
export function spread({ median: middle, from, to }: Ratio): number {
  return (to - from) / middle;
}

const PACED = ['answered', 'failed', 'firstByteP50', 'firstByteP99', 'p50', 'p99'] as const;

function pacedOf(all: readonly (Paced | undefined)[]): Paced | null {
  const there = all.filter((one) => one !== undefined);
  if (there.length === 0) return null;
  const entries = PACED.map((name) => [name, median(there.map((one) => one[name]))]);
  return Object.fromEntries(entries) as unknown as Paced;
}

const CROWD = ['failed', 'p50', 'p99', 'rate'] as const;

/** Of each number of connections the medians of the rounds that measured them, but the slowest slot of all of them. */
function crowdsOf(all: readonly (readonly Crowd[])[]): Crowd[] {
  return (all[0] ?? []).map(({ connections }, at) => {
    const there = all.flatMap((crowds) => crowds[at] ?? []);
    const entries = CROWD.map((name) => [name, median(there.map((one) => one[name]))]);
    const lowestRate = Math.min(...there.map((one) => one.lowestRate));
    return { ...Object.fromEntries(entries), connections, lowestRate } as Crowd;
  });
}

export function summarize(
  names: Readonly<Record<'scenario' | 'title' | 'base' | 'party', string>>,
  all: readonly RoundPair[],
): PairSummary {
  const of = <Name extends keyof RoundPair['base']>(side: keyof RoundPair, name: Name) =>
    median(all.map((pair) => Number(pair[side][name])));
  return {
    ...names,
    rounds: all.length,
    failed: all.reduce((sum, { party }) => sum + party.failed, 0),
    fault: all.find(({ party }) => party.fault !== undefined)?.party.fault,
    baseFailed: all.reduce((sum, { base }) => sum + base.failed + (base.fault === undefined ? 0 : 1), 0),
    cpu: ratioOf(all, ({ cpu }) => cpu),
    rate: ratioOf(all, ({ rate }) => rate),
    allCpu: ratioOf(all, ({ cpu, storeCpu }) => cpu + storeCpu),
    firstCpu: ratioOf(all, ({ firstCpu }) => firstCpu),
    medians: {
      cpu: of('party', 'cpu'),
      storeCpu: of('party', 'storeCpu'),
      rate: of('party', 'rate'),
      p50: of('party', 'p50'),
      p99: of('party', 'p99'),
      coldStart: of('party', 'coldStart'),
    },
    baseMedians: {
      cpu: of('base', 'cpu'),
      rate: of('base', 'rate'),
      p50: of('base', 'p50'),
      p99: of('base', 'p99'),
    },
    memory: {
      start: of('party', 'memoryAtStart'),
      after: of('party', 'memory'),
      peak: of('party', 'memoryPeak'),
      idle: of('party', 'memoryIdle'),
    },
    crowds: crowdsOf(all.map(({ party }) => party.crowds)),
    baseCrowds: crowdsOf(all.map(({ base }) => base.crowds)),
    paced: pacedOf(all.map(({ party }) => party.paced)),
    basePaced: pacedOf(all.map(({ base }) => base.paced)),
    all,
  };
}
