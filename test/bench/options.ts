/** The command line of the bench. */

import { parseArgs } from 'node:util';
import { type Cores, coresFor } from './cores.ts';
import { floor } from './parties/floor.ts';
import { peerOf } from './parties/peers.ts';
import { switchyard } from './parties/switchyard.ts';
import type { Party } from './party.ts';
import { type Dialect, SCENARIOS, type Scenario } from './scenarios.ts';

const LANES: Readonly<Record<Dialect, string>> = {
  switchyard: '/v1/chat',
  openai: 'native, OpenAI',
  anthropic: 'native, Anthropic',
  gemini: 'native, Gemini',
  mcp: 'call of a tool, MCP',
};

const HELP = `Usage: npm run bench -- [options]

Measures Switchyard beside the floor, a bare Node proxy that does the same work on the bodies. In every
round both are restarted, warmed up and measured in short slots in turn. Needs wrk and a C compiler
(apt-get install wrk gcc libc6-dev). Ends with 1 when a request failed. docs/reference/performance.md says how to
read what it prints.

  --quick               three minutes: 2 rounds of the short scenarios
  --rounds N            at least so many rounds of each pair    (7, at most three times as many)
  --narrow SHARE        rounds go on until the middle half of the CPU ratios is so narrow, as a share
                        of their median                         (0.1)
  --slots N             slots of each party in a round          (4)
  --seconds N           length of a slot                        (1)
  --warm-up N           seconds of load before the first slot   (10, quick 4)
  --scenario NAME       only this one (${SCENARIOS.map(({ name }) => name).join(', ')}); repeatable
  --lane NAME           only this one (${Object.keys(LANES).join(', ')}); repeatable
  --cores N             the gateway on N cores of its own, as so many processes of Switchyard; vendor and
                        load on the others
  --highest             instead, the highest rate at which 99 of 100 answers take at most 1, 5, 10 and 50 ms
                        longer than a vendor that takes 20 ms
  --idle N              seconds without load after the slots, for the memory that is held on to   (0)
  --stores              limits and ledger: 1 and 3 processes on PostgreSQL and Redis beside one on SQLite
  --growth              10,000 tenants and a million requests in the ledger beside an empty database
  --flags               V8's heap and compilers set otherwise, beside what the server starts with
  --against FOLDER      another checkout, with its packages installed, in place of the floor
  --peer NAME           portkey, litellm, gomodel=<its program>, or the address of a gateway that
                        runs; repeatable
  --env NAME=VALUE      a setting for Switchyard; repeatable
  --minutes N           what one server holds on to under mixed load for so long, which npm run soak is too;
                        with --store and --seed (soak/main.ts) and nothing else
  --json FILE           also write the result as JSON
  --help                this text
`;

export interface Pair {
  readonly base: Party;
  readonly party: Party;
  readonly scenario: Scenario;
}

export interface Options {
  readonly pairs: readonly Pair[];
  readonly rounds: number;
  readonly maxRounds: number;
  readonly narrow: number;
  readonly slots: number;
  /** All in seconds. */
  readonly slotSeconds: number;
  readonly warmUpSeconds: number;
  readonly pacedSeconds: number;
  /** Of the first round, for each number of connections by which latencies are measured. */
  readonly crowdSlots: number;
  readonly idleSeconds: number;
  /** Null: all share all cores. */
  readonly cores: Cores | null;
  /** Whether the highest rates are measured instead, for how long each rate. */
  readonly highest: boolean;
  readonly rateSeconds: number;
  readonly json?: string;
}

/** A wrong option ends in an error that names it; `--help` prints the help and ends the process. */
export function optionsFrom(args: string[]): Options {
  const { values } = parseArgs({
    args,
    options: {
      quick: { type: 'boolean', default: false },
      rounds: { type: 'string' },
      narrow: { type: 'string', default: '0.1' },
      slots: { type: 'string' },
      'warm-up': { type: 'string' },
      cores: { type: 'string' },
      highest: { type: 'boolean', default: false },
      idle: { type: 'string', default: '0' },
      seconds: { type: 'string', default: '1' },
      scenario: { type: 'string', multiple: true, default: [] },
      lane: { type: 'string', multiple: true, default: [] },
      stores: { type: 'boolean', default: false },
      growth: { type: 'boolean', default: false },
      flags: { type: 'boolean', default: false },
      against: { type: 'string' },
      peer: { type: 'string', multiple: true, default: [] },
      env: { type: 'string', multiple: true, default: [] },
      json: { type: 'string' },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) {
    process.stdout.write(HELP);
    process.exit();
  }
  const { quick, json, highest } = values;
  const cores = values.cores === undefined ? null : numberIn('cores', values.cores, 1, 256);
  const rounds = numberIn('rounds', values.rounds ?? (quick ? '2' : '7'), 1, 100);
  const env = {
    ...(cores !== null && cores > 1 && { PROCESSES: String(cores) }),
    ...Object.fromEntries(values.env.map((setting) => pairIn('env', setting))),
  };
  const scenarios = scenariosNamed(
    values.scenario.length > 0 || !quick ? values.scenario : ['json', 'stream'],
  );
  const lanes = lanesNamed(values.lane.length > 0 || !quick ? values.lane : ['switchyard', 'openai']);
  return {
    pairs: pairsFor(values, scenarios, lanes, env),
    rounds,
    maxRounds: quick ? rounds : 3 * rounds,
    narrow: numberIn('narrow', values.narrow, 0.001, 10),
    slots: numberIn('slots', values.slots ?? (quick ? '3' : '4'), 1, 100),
    slotSeconds: numberIn('seconds', values.seconds, 1, 60),
    warmUpSeconds: numberIn('warm-up', values['warm-up'] ?? (quick ? '4' : '10'), 1, 600),
    idleSeconds: numberIn('idle', values.idle, 0, 3_600),
    cores: cores === null ? null : coresFor(cores),
    highest,
    rateSeconds: quick ? 2 : 4,
    crowdSlots: values.stores || values.growth || values.flags ? 0 : quick ? 2 : 8,
    pacedSeconds: quick || values.stores || values.growth || values.flags ? 0 : 3,
    ...(json && { json }),
  };
}

interface Asked {
  readonly stores: boolean;
  readonly growth: boolean;
  readonly flags: boolean;
  readonly against?: string | undefined;
  readonly peer: readonly string[];
}

function pairsFor(
  asked: Asked,
  scenarios: readonly Scenario[],
  lanes: readonly Dialect[],
  env: Readonly<Record<string, string>>,
): Pair[] {
  if (asked.stores) return storePairs(env);
  if (asked.flags) return flagPairs(env);
  return asked.growth ? growthPairs(env) : pairsOf(scenarios, lanes, asked, env);
}

function pairsOf(
  scenarios: readonly Scenario[],
  lanes: readonly Dialect[],
  { against, peer }: { against?: string | undefined; peer: readonly string[] },
  env: Readonly<Record<string, string>>,
): Pair[] {
  const ours = lanes.map((dialect) => switchyard({ name: LANES[dialect], dialect, env }));
  const peers = peer.map(peerOf);
  return scenarios.flatMap((scenario) =>
    [...ours, ...peers]
      .filter(({ dialect }) => scenario.dialects[dialect])
      .map((party) => {
        const { dialect } = party;
        const other =
          against && switchyard({ name: `${against}, ${LANES[dialect]}`, dialect, root: against, env });
        // What a call costs beside a chat of the same size.
        const chat = dialect === 'mcp' && switchyard({ name: LANES.openai, dialect: 'openai', env });
        return { base: other || chat || floor, party, scenario };
      }),
  );
}

/** A database that has grown, beside one that is new. */
function growthPairs(env: Readonly<Record<string, string>>): Pair[] {
  const [json] = SCENARIOS;
  if (!json) throw new Error('There is no scenario.');
  const filling = { tenants: 10_000, requests: 1_000_000 };
  return (['sqlite', 'postgres'] as const).map((store) => {
    const on = store === 'sqlite' ? 'SQLite' : 'PostgreSQL';
    return {
      base: switchyard({ name: `empty, ${on}`, store, env }),
      party: switchyard({ name: `grown, ${on}`, store, filling, env }),
      scenario: json,
    };
  });
}

/** The young part of the heap in MB and the middle compiler, then what else there is, each otherwise than in `src/start.js`. */
const FLAGS = [
  ...[2, 4, 8, 16, 32].flatMap((young) => [
    ...(young === 16 ? [] : [`--max-semi-space-size=${young}`]),
    `--max-semi-space-size=${young} --maglev`,
  ]),
  ...[128, 1024].map((whole) => `--max-old-space-size=${whole}`),
  ...[
    '--allocation-site-pretenuring',
    '--parallel-scavenge',
    '--single-threaded-gc',
    '--always-sparkplug',
    '--optimize-for-size',
  ],
];

/** A server that V8 runs otherwise, beside one as it is started, in JSON and in streams. */
function flagPairs(env: Readonly<Record<string, string>>): Pair[] {
  const base = switchyard({ name: 'as it is started', env });
  return scenariosNamed(['json', 'stream']).flatMap((scenario) =>
    FLAGS.map((flags) => ({
      base,
      party: switchyard({ name: flags, flags: flags.split(' '), env }),
      scenario,
    })),
  );
}

/** Limits and ledger on several processes, beside one process on SQLite. */
function storePairs(env: Readonly<Record<string, string>>): Pair[] {
  const base = switchyard({ name: 'one process on SQLite', env });
  const [json] = SCENARIOS;
  if (!json) throw new Error('There is no scenario.');
  const several = (['postgres', 'redis'] as const).flatMap((store) => {
    const on = store === 'postgres' ? 'PostgreSQL' : 'PostgreSQL and Redis';
    return [
      switchyard({ name: `1 on ${on}`, store, env }),
      switchyard({ name: `3 on ${on}, own tenants`, store, processes: 3, tenants: 'own', env }),
      switchyard({ name: `3 on ${on}, one tenant`, store, processes: 3, env }),
    ];
  });
  return several.map((party) => ({ base, party, scenario: json }));
}

function scenariosNamed(names: readonly string[]): readonly Scenario[] {
  if (names.length === 0) return SCENARIOS;
  return names.map((name) => {
    const scenario = SCENARIOS.find((each) => each.name === name);
    if (!scenario) throw new Error(`--scenario knows no "${name}"`);
    return scenario;
  });
}

function lanesNamed(names: readonly string[]): Dialect[] {
  const all = Object.keys(LANES) as Dialect[];
  if (names.length === 0) return all;
  return names.map((name) => {
    const lane = all.find((each) => each === name);
    if (!lane) throw new Error(`--lane knows no "${name}"`);
    return lane;
  });
}

/** Bounds keep every run bounded. */
function numberIn(name: string, text: string, lowest: number, highest: number): number {
  const value = Number(text);
  if (value >= lowest && value <= highest) return value;
  throw new Error(`--${name} takes a number from ${lowest} to ${highest}, not "${text}"`);
}

function pairIn(name: string, text: string): [string, string] {
  const at = text.indexOf('=');
  if (at > 0) return [text.slice(0, at).trim(), text.slice(at + 1).trim()];
  throw new Error(`--${name} takes NAME=VALUE, not "${text}"`);
}
