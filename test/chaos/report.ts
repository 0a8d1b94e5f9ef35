import type { Options } from './options.ts';
import type { Dialect } from './store.ts';

export interface Violation {
  readonly store: Dialect;
  readonly round: number;
  /** The faults of the round. */
  readonly faults: readonly string[];
  readonly invariant: string;
  readonly what: string;
}

/** What one fault was tried, and in how many rounds with it something failed. */
export interface FaultFigures {
  rounds: number;
  failedRounds: number;
  tries: number;
}

/** Figures of a run; everything that is counted is counted here. */
export class Report {
  readonly violations: Violation[] = [];
  readonly faults = new Map<string, FaultFigures>();
  readonly skipped = new Map<string, string>();
  rounds = 0;
  requests = 0;
  answered = 0;
  checked = 0;
  readonly #seed: string;
  readonly #arguments: string;
  readonly #say: (line: string) => void;

  /** @param say prints a line */
  constructor(
    { seed, servers, redis, only }: Pick<Options, 'seed' | 'servers' | 'redis' | 'only'>,
    say: (line: string) => void,
  ) {
    this.#seed = seed;
    const names = only && (only.length > 0 ? only.map(({ name }) => name).join(',') : 'none');
    this.#arguments = `--servers ${servers}${redis ? ' --redis' : ''} --seed ${seed}${names === null ? '' : ` --only ${names}`}`;
    this.#say = say;
  }

  violated(violation: Violation): void {
    this.violations.push(violation);
    const { store, round, faults, invariant, what } = violation;
    this.#say(`FAILED ${store} round ${round} [${faults.join(' ')}] ${invariant}: ${what}`);
  }

  /** How a round is had again. The same faults meet the same load, at about the same moments. */
  replay(store: Dialect, round: number): string {
    return `npm run chaos -- --store ${store} ${this.#arguments} --round ${round}`;
  }

  tried(fault: string, tries: number): void {
    this.#figures(fault).tries += tries;
  }

  roundOver(faults: readonly string[], failed: boolean): void {
    this.rounds += 1;
    for (const fault of faults) {
      const figures = this.#figures(fault);
      figures.rounds += 1;
      if (failed) figures.failedRounds += 1;
    }
  }

  text(): string {
    const failed = new Set(this.violations.map(({ store, round }) => `${store} ${round}`));
    const width = Math.max(8, ...[...this.faults.keys()].map((name) => name.length));
    const lines = [...this.faults].map(
      ([name, { rounds, failedRounds, tries }]) =>
        `  ${name.padEnd(width)} ${String(rounds).padStart(5)} ${String(tries).padStart(8)} ${String(failedRounds).padStart(7)}`,
    );
    return [
      '',
      `  ${'fault'.padEnd(width)} rounds    tries  failed`,
      ...lines,
      ...[...this.skipped].map(([name, why]) => `  ${name}: left out, ${why}`),
      '',
      `${this.rounds} rounds, ${this.requests} requests (${this.answered} answered in full), ${this.checked} rows held against them`,
      ...[...failed].map((key) => {
        const [store, round] = key.split(' ');
        return `again: ${this.replay(store as Dialect, Number(round))}`;
      }),
      `seed ${this.#seed}: ${this.violations.length} failures in ${failed.size} rounds`,
    ].join('\n');
  }

  #figures(fault: string): FaultFigures {
    const figures = this.faults.get(fault) ?? { rounds: 0, failedRounds: 0, tries: 0 };
    this.faults.set(fault, figures);
    return figures;
  }
}
