/** Other gateways, from their packages or by their address. Each has to speak OpenAI's chat interface. */

import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { freePort, startCommand, stop, temporaryFolder } from '../../lib/server.ts';
import { firstAnswer } from '../first-answer.ts';
import type { Party } from '../party.ts';

interface Launch {
  readonly command: string;
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** What the client sends. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly model?: string;
}

interface Where {
  readonly vendor: string;
  readonly port: number;
  /** An empty folder, also its home. */
  readonly folder: string;
}

const KEY = 'sk-bench-0123456789';

/** Exact versions, so that a figure says of what it is. */
const PORTKEY = '@portkey-ai/gateway@1.15.2';
const LITELLM = 'litellm[proxy]==1.80.0';

const named: Readonly<Record<string, (version?: string) => Party>> = {
  portkey() {
    const folder = temporaryFolder();
    install('npm', ['install', '--no-audit', '--no-fund', '--prefix', folder, PORTKEY]);
    const file = join(folder, 'node_modules/@portkey-ai/gateway/build/start-server.js');
    return peer('portkey', ({ vendor, port }) => ({
      command: process.execPath,
      args: [file, '--headless', `--port=${port}`],
      headers: {
        authorization: `Bearer ${KEY}`,
        'x-portkey-provider': 'openai',
        'x-portkey-custom-host': `${vendor}/v1`,
      },
    }));
  },
  litellm() {
    const folder = temporaryFolder();
    install('python3', ['-m', 'venv', folder]);
    install(join(folder, 'bin/pip'), ['install', '--quiet', LITELLM]);
    return peer('litellm', ({ vendor, port, folder: home }) => {
      const config = join(home, 'config.yaml');
      const params = { model: 'openai/gpt-4o', api_base: `${vendor}/v1`, api_key: 'sk-bench' };
      const model = { model_name: 'gpt-4o', litellm_params: params };
      const general = { master_key: KEY };
      writeFileSync(config, JSON.stringify({ model_list: [model], general_settings: general }));
      return {
        command: join(folder, 'bin/litellm'),
        args: ['--config', config, '--host', '127.0.0.1', '--port', String(port)],
        env: { LITELLM_LOCAL_MODEL_COST_MAP: 'True', LITELLM_TELEMETRY: 'False' },
        headers: { authorization: `Bearer ${KEY}` },
      };
    });
  },
};

/**
 * A peer as the command line names it: `portkey` and `litellm` are installed from their packages; `gomodel=<file>` is its
 * program, built from its sources, as no registry has it; an address is that of a gateway that runs already.
 */
export function peerOf(text: string): Party {
  if (/^https?:/.test(text)) return running(new URL(text));
  const [name = '', file] = text.split('=');
  if (name === 'gomodel' && file) return goModel(file);
  const make = named[name];
  if (!make)
    throw new Error(`--peer knows no "${text}"; say portkey, litellm, gomodel=<file> or an address.`);
  return make();
}

/** With its master key, its usage records and its log, as far as it has what we have. */
function goModel(file: string): Party {
  return peer('gomodel', ({ vendor, port }) => ({
    command: file,
    args: [],
    env: {
      PORT: String(port),
      OPENAI_API_KEY: 'sk-bench',
      OPENAI_BASE_URL: `${vendor}/v1`,
      GOMODEL_MASTER_KEY: KEY,
      // It takes clients that leave, as they do at the end of a slot, for failures of the vendor.
      CIRCUIT_BREAKER_FAILURE_THRESHOLD: '1000000',
    },
    headers: { authorization: `Bearer ${KEY}` },
  }));
}

function peer(name: string, launchFor: (where: Where) => Launch): Party {
  return {
    name,
    dialect: 'openai',
    async start(vendor) {
      const folder = temporaryFolder();
      const port = await freePort();
      const { command, args, env = {}, headers = {}, model = 'gpt-4o' } = launchFor({ vendor, port, folder });
      const logFile = join(folder, 'log');
      const startedAt = performance.now();
      const settings = { PATH: process.env['PATH'], HOME: folder, ...env };
      const child = startCommand(command, args, settings, logFile, folder);
      const asked = { origin: `http://127.0.0.1:${port}`, dialect: 'openai', model, headers } as const;
      // Some listen before they can answer.
      const coldStartMs = await firstAnswer(asked, child, logFile, startedAt, () => false);
      return {
        origins: [asked.origin],
        model,
        clients: [headers],
        servers: [child.pid as number],
        stores: [],
        coldStartMs,
        stop: () => stop(child),
      };
    },
  };
}

/** A gateway that somebody else has started: its processes are not ours to watch. */
function running({ origin, username }: URL): Party {
  return {
    name: origin,
    dialect: 'openai',
    start: async () => ({
      origins: [origin],
      model: 'gpt-4o',
      clients: [{ authorization: `Bearer ${username || KEY}` }],
      servers: [],
      stores: [],
      coldStartMs: Number.NaN,
      stop: async () => undefined,
    }),
  };
}

function install(command: string, args: readonly string[]): void {
  const { status, stderr, error } = spawnSync(command, args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`${command} ${args.join(' ')} fails: ${error?.message ?? stderr}`);
}
