import { parseArgs } from 'node:util';
import type { Fault } from './fault.ts';
import { faults } from './faults.ts';
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
