/** The command line of the bench. */

import { parseArgs } from 'node:util';
import { SCENARIOS, type Scenario } from './scenarios.ts';

const HELP = `Usage: npm run bench -- [options]

Measures Switchyard against the floor, a bare Node proxy that does the same JSON work, on this
machine and in one run. Ends with 1 when any request failed.

  --quick               under 25 s: 3 rounds of 1 s instead of 5 rounds of 3 s
  --rounds N            rounds per scenario
  --seconds N           length of a round, for each target
  --scenario NAME       only this one (${SCENARIOS.map(({ name }) => name).join(', ')}); repeatable
  --connections N       requests in flight, instead of 16 (JSON), 8 (streams) and 4 (builds)
  --json FILE           also write the result as JSON
  --server FILE         entry file of Switchyard            (as npm start)
  --env NAME=VALUE      a setting for Switchyard; repeatable
  --help                this text

A peer is measured as well when its address is given. It has to serve the OpenAI chat API and to
use the mock vendor as its provider, so give the vendor a fixed port and start the peer with it:

  --vendor-port N       port of the mock vendor             (a free one)
  --peer URL            http://127.0.0.1:8787/v1/chat/completions
  --peer-key KEY        sent as a bearer token              (sk-bench)
  --peer-model NAME     the peer's name for the model       (gpt-4o)
  --peer-header 'NAME: VALUE'   a further header; repeatable
`;

export interface Peer {
  readonly url: URL;
  readonly model: string;
  readonly headers: Readonly<Record<string, string>>;
}

export interface Options {
  readonly scenarios: readonly Scenario[];
  readonly rounds: number;
  /** Length of a round and of a target's warm-up. */
  readonly seconds: number;
  readonly warmUp: number;
  readonly coldStarts: number;
  /** Instead of each scenario's own number. */
  readonly connections?: number;
  readonly json?: string;
  readonly server: string | undefined;
  readonly env: Readonly<Record<string, string>>;
  readonly vendorPort: number;
  readonly peer?: Peer;
}

const PACES = {
  full: { rounds: 5, seconds: 3, warmUp: 3, coldStarts: 5 },
  quick: { rounds: 3, seconds: 1, warmUp: 1.5, coldStarts: 3 },
} as const;

/** A wrong option ends in an error that names it; `--help` prints the help and ends the process. */
export function optionsFrom(args: string[]): Options {
  const { values } = parseArgs({
    args,
    options: {
      quick: { type: 'boolean', default: false },
      rounds: { type: 'string' },
      seconds: { type: 'string' },
      scenario: { type: 'string', multiple: true, default: [] },
      connections: { type: 'string' },
      json: { type: 'string' },
      server: { type: 'string' },
      env: { type: 'string', multiple: true, default: [] },
      'vendor-port': { type: 'string', default: '0' },
      peer: { type: 'string' },
      'peer-key': { type: 'string', default: 'sk-bench' },
      'peer-model': { type: 'string', default: 'gpt-4o' },
      'peer-header': { type: 'string', multiple: true, default: [] },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) {
    process.stdout.write(HELP);
    process.exit();
  }
  const { rounds, seconds, connections, json, peer } = values;
  return {
    ...(values.quick ? PACES.quick : PACES.full),
    scenarios: scenariosNamed(values.scenario),
    ...(rounds && { rounds: numberIn('rounds', rounds, 1, 100) }),
    ...(seconds && { seconds: numberIn('seconds', seconds, 0.1, 60) }),
    ...(connections && { connections: numberIn('connections', connections, 1, 512) }),
    ...(json && { json }),
    server: values.server,
    env: Object.fromEntries(values.env.map((setting) => pairIn('env', setting, '='))),
    vendorPort: numberIn('vendor-port', values['vendor-port'], 0, 65_535),
    ...(peer && {
      peer: {
        url: new URL(peer),
        model: values['peer-model'],
        headers: {
          authorization: `Bearer ${values['peer-key']}`,
          ...Object.fromEntries(values['peer-header'].map((header) => pairIn('peer-header', header, ':'))),
        },
      },
    }),
  };
}

function scenariosNamed(names: readonly string[]): readonly Scenario[] {
  if (names.length === 0) return SCENARIOS;
  return names.map((name) => {
    const scenario = SCENARIOS.find((each) => each.name === name);
    if (!scenario) throw new Error(`--scenario knows no "${name}"`);
    return scenario;
  });
}

/** Bounds keep every run bounded. */
function numberIn(name: string, text: string, lowest: number, highest: number): number {
  const value = Number(text);
  if (value >= lowest && value <= highest) return value;
  throw new Error(`--${name} takes a number from ${lowest} to ${highest}, not "${text}"`);
}

function pairIn(name: string, text: string, separator: string): [string, string] {
  const at = text.indexOf(separator);
  if (at > 0) return [text.slice(0, at).trim(), text.slice(at + 1).trim()];
  throw new Error(`--${name} takes NAME${separator}VALUE, not "${text}"`);
}
