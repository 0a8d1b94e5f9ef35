import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { stringify } from 'yaml';
import { freePort, type Listening, startListening } from '../lib/server.ts';
import { judgesFolder } from './judges.ts';
import { native, translated, translatedAgain } from './lanes.ts';

/**
 * The mock itself; a server whose vendor speaks the client's wire; two whose vendor speaks another; one without a vendor,
 * where the sandbox answers.
 */
export const targetNames = ['control', 'native', 'translated', 'translated-again', 'sandbox'] as const;
export type TargetName = (typeof targetNames)[number];

/** The targets of a quick run. */
export const quickTargets: readonly TargetName[] = ['control', 'native', 'translated'];

const setups = { native, translated, 'translated-again': translatedAgain, sandbox: () => ({}) };

export interface Target {
  readonly name: TargetName;
  /** What a judge has to know of it: whether it is the mock, and else the lane, or that there is no vendor. */
  readonly lane: 'control' | 'native' | 'translated' | 'sandbox';
  readonly base: string;
  readonly key: string;
  /** Ends the server, and gives the errors that it logged: it is at fault for each, whatever the client made of it. */
  close(): Promise<readonly string[]>;
}

const key = 'sk-judges-0123456789abcdef';

/** Opens a target in front of the mock. Its data and log go to the folder. */
export async function openTarget(name: TargetName, mock: Listening, folder: string): Promise<Target> {
  if (name === 'control') return { name, lane: name, base: mock.url, key, close: async () => [] };
  mkdirSync(folder, { recursive: true });
  const config = path.join(folder, 'switchyard.yaml');
  writeFileSync(config, stringify(setups[name](mock.url)));
  const port = await freePort();
  const server = await startListening({
    args: ['--disable-warning=ExperimentalWarning', path.join(judgesFolder, '../../src/start.js')],
    env: {
      PATH: process.env['PATH'] ?? '',
      HOME: folder,
      // Replies are held against the contract then, and what does not fit is an error in the log.
      NODE_ENV: 'test',
      HOST: '127.0.0.1',
      PORT: String(port),
      DATA_DIR: path.join(folder, 'data'),
      API_KEYS: key,
      DRAIN_DELAY_MS: '0',
      RESPONSES_SOCKETS: '100',
      SWITCHYARD_CONFIG: config,
    },
    port,
    readyPath: '/readyz',
    log: path.join(folder, 'switchyard.log'),
  });
  const lane = name === 'translated-again' ? 'translated' : name;
  return {
    name,
    lane,
    base: server.url,
    key,
    async close() {
      await server.close();
      const lines = readFileSync(server.log, 'utf8').split('\n');
      return lines.filter((line) => /"level":[56]0/.test(line));
    },
  };
}
