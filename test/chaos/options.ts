import { parseArgs } from 'node:util';
import { type Fault, faults } from './faults.ts';
import type { Dialect } from './store.ts';

export const help = `Usage: npm run chaos -- [options]

Starts servers on a database, loads them, lets things go wrong, and holds what comes of it against what is promised. Ends
with 1 when anything failed, with a line for each failure and the command that repeats its round.

  --rounds N       rounds on each store                             (20)
  --store NAME     sqlite, postgres or both                         (both)
  --servers N      servers on the database                          (3)
  --redis          limits are decided by a Redis server, which breaks too
  --seed TEXT      what everything is drawn from                    (random, and printed)
  --round N        only this round, as it was in a longer run
  --fresh N        rounds until a new database                      (10)
  --only A,B       only these faults, each in turn; 'none' for load alone
  --keep           leaves the folder with databases and logs
  --json FILE      also writes the figures as JSON
  --virtual        limits on many servers in virtual time, which npm run simulate is too; with --servers, --tenants,
                   --per-second, --minutes and --seed (virtual/main.ts)
  --help           this text

Faults: ${faults.map(({ name }) => name).join(', ')}
`;

export interface Options {
  readonly rounds: readonly number[];
  readonly stores: readonly Dialect[];
  readonly servers: number;
  /** Whether Redis decides on limits. */
  readonly redis: boolean;
  readonly seed: string;
  readonly fresh: number;
  /** Which can befall; null: all. */
  readonly only: readonly Fault[] | null;
  readonly keep: boolean;
  readonly json: string | null;
}

/** A wrong option ends in an error that names it. Null: help was asked for. */
export function optionsFrom(args: readonly string[]): Options | null {
  const { values } = parseArgs({
    args: [...args],
    options: {
      rounds: { type: 'string', default: '20' },
      store: { type: 'string', default: 'both' },
      servers: { type: 'string', default: '3' },
      redis: { type: 'boolean', default: false },
      seed: { type: 'string' },
      round: { type: 'string' },
      fresh: { type: 'string', default: '10' },
      only: { type: 'string' },
      keep: { type: 'boolean', default: false },
      json: { type: 'string' },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) return null;
  const count = whole('rounds', values.rounds, 100_000);
  const single = values.round === undefined ? null : whole('round', values.round, 100_000);
  return {
    rounds: single === null ? Array.from({ length: count }, (_, index) => index + 1) : [single],
    stores: storesNamed(values.store),
    servers: whole('servers', values.servers, 8),
    redis: values.redis,
    seed: values.seed ?? String(Math.floor(Math.random() * 1e9)),
    fresh: whole('fresh', values.fresh, 1_000),
    only: values.only === undefined ? null : faultsNamed(values.only, values.redis),
    keep: values.keep,
    json: values.json ?? null,
  };
}

function whole(name: string, text: string, max: number): number {
  const value = Number(text);
  if (Number.isInteger(value) && value >= 1 && value <= max) return value;
  throw new Error(`--${name} takes a whole number from 1 to ${max}, not "${text}"`);
}

function storesNamed(name: string): Dialect[] {
  if (name === 'both') return ['sqlite', 'postgres'];
  if (name === 'sqlite' || name === 'postgres') return [name];
  throw new Error(`--store takes sqlite, postgres or both, not "${name}"`);
}

function faultsNamed(names: string, redis: boolean): Fault[] {
  if (names === 'none') return [];
  return names.split(',').map((name) => {
    const fault = faults.find((each) => each.name === name);
    if (!fault) throw new Error(`--only knows no "${name}"`);
    if (fault.redis && !redis) throw new Error(`--only ${name} needs --redis`);
    return fault;
  });
}

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
