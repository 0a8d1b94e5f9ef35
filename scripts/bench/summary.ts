/** From the rounds of a run to its figures: medians, and ratios to the floor. Pure arithmetic. */

import type { Figures, LoadResult, Metric } from './load.ts';
import type { Memory } from './processes.ts';

/** A target's figure as a multiple of the floor's. */
export interface Ratio {
  /** Of the two medians. */
  readonly ofMedians: number;
  /** The lowest and highest ratio of any single round: how much to trust the one above. */
  readonly lowest: number;
  readonly highest: number;
}

export interface TargetSummary {
  readonly target: string;
  readonly answered: number;
  readonly failed: number;
  readonly firstFault?: string | undefined;
  readonly medians: Figures;
  /** Absent for the floor itself. */
  readonly ratios?: Readonly<Partial<Record<Metric, Ratio>>>;
  readonly rounds: readonly Figures[];
}

export interface ScenarioSummary {
  readonly scenario: string;
  readonly title: string;
  readonly connections: number;
  readonly targets: readonly TargetSummary[];
}

/** The machine-readable result of a run; times in ms, memory in MB. */
export interface BenchResult {
  readonly date: string;
  readonly node: string;
  readonly cpu: string;
  readonly cores: number;
  /** Of the minute before the run: what else the machine was doing. */
  readonly loadAverage: number;
  readonly rounds: number;
  readonly secondsPerRound: number;
  readonly scenarios: readonly ScenarioSummary[];
  readonly memory: Readonly<Record<string, Memory>>;
  readonly coldStart: { readonly median: number; readonly starts: readonly number[] };
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? Number.NaN) + upper) / 2;
}

/** The figures of `rounds` under one metric, where every round has it. */
function series(rounds: readonly Figures[], metric: Metric): readonly number[] | undefined {
  const values = rounds.map((round) => round[metric]).filter((value) => value !== undefined);
  return values.length === rounds.length ? values : undefined;
}

const metricsOf = (rounds: readonly Figures[]) => Object.keys(rounds[0] ?? {}) as Metric[];

function mediansOf(rounds: readonly Figures[]): Figures {
  const medians: Partial<Record<Metric, number>> = {};
  for (const metric of metricsOf(rounds)) {
    const values = series(rounds, metric);
    if (values) medians[metric] = median(values);
  }
  return medians;
}

function ratiosOf(rounds: readonly Figures[], floor: readonly Figures[]) {
  const ratios: Partial<Record<Metric, Ratio>> = {};
  for (const metric of metricsOf(rounds)) {
    const ours = series(rounds, metric);
    const floors = series(floor, metric);
    if (!ours || !floors) continue;
    const each = ours.map((value, round) => value / (floors[round] ?? Number.NaN));
    ratios[metric] = {
      ofMedians: median(ours) / median(floors),
      lowest: Math.min(...each),
      highest: Math.max(...each),
    };
  }
  return ratios;
}

/** `results` holds the rounds of each target in the order they ran; the first target is the floor. */
export function summarize(results: ReadonlyMap<string, readonly LoadResult[]>): TargetSummary[] {
  const [floor = []] = results.values();
  const floorRounds = floor.map((load) => load.figures);
  return [...results].map(([target, loads]) => {
    const rounds = loads.map((load) => load.figures);
    return {
      target,
      answered: loads.reduce((sum, load) => sum + load.answered, 0),
      failed: loads.reduce((sum, load) => sum + load.failed, 0),
      firstFault: loads.find((load) => load.firstFault !== undefined)?.firstFault,
      medians: mediansOf(rounds),
      ...(loads !== floor && { ratios: ratiosOf(rounds, floorRounds) }),
      rounds,
    };
  });
}
