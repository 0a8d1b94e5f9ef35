/** Switchyard as the bench runs it: a real server with everything on, in production mode. */

import type { ChildProcess } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { setTimeout as pause } from 'node:timers/promises';
import { request } from 'undici';
import type { Target } from './load.ts';
import { freePort, startProgram, temporaryFolder } from './processes.ts';
import { CHAT_AS_JSON } from './scenarios.ts';

const KEY = 'sk-switchyard-bench-0123456789abcdef';
const START_LIMIT_MS = 15_000;
const POLL_MS = 5;

export interface Launch {
  /** What Node is started with: the server's entry file and the flags before it. */
  readonly args: readonly string[];
  /** Settings on top of those below. */
  readonly env: Readonly<Record<string, string>>;
  /** Origin of the mock vendor. */
  readonly vendor: string;
}

export interface Switchyard {
  readonly process: ChildProcess;
  readonly target: Target;
  /** From spawn to the end of the first right answer, in ms. */
  readonly coldStart: number;
}

export async function startSwitchyard({ args, env, vendor }: Launch): Promise<Switchyard> {
  const folder = temporaryFolder();
  const port = await freePort();
  // Of the caller's environment nothing else: no key or database of theirs takes part.
  const { PATH } = process.env;
  const settings = {
    PATH,
    HOME: folder,
    NODE_ENV: 'production',
    HOST: '127.0.0.1',
    PORT: String(port),
    DRAIN_DELAY_MS: '0',
    API_KEYS: KEY,
    OPENAI_API_KEY: 'sk-bench',
    OPENAI_BASE_URL: `${vendor}/v1`,
    DATA_DIR: join(folder, 'data'),
    LOG_LEVEL: 'info',
    // Lets the builds of the demo come from many addresses.
    TRUST_PROXY: '1',
    ...env,
  };
  const logFile = join(folder, 'switchyard.log');
  const started = performance.now();
  const child = startProgram(args, settings, logFile);
  const target: Target = {
    name: 'switchyard',
    base: `http://127.0.0.1:${port}`,
    dialect: 'switchyard',
    model: 'gpt-4o',
    headers: { authorization: `Bearer ${settings.API_KEYS}` },
    pid: child.pid,
  };
  await firstAnswer(target, child, logFile);
  return { process: child, target, coldStart: performance.now() - started };
}

/** Asks until the server listens; any answer but the right one ends the start. */
async function firstAnswer(target: Target, child: ChildProcess, logFile: string): Promise<void> {
  const { path, body: bodyFor, reader } = CHAT_AS_JSON.dialects.switchyard;
  const url = target.base + path;
  const headers = { 'content-type': 'application/json', ...target.headers };
  const body = JSON.stringify(bodyFor(target.model));
  const options = { method: 'POST', headers, body, headersTimeout: START_LIMIT_MS } as const;
  const deadline = performance.now() + START_LIMIT_MS;
  while (performance.now() < deadline && child.exitCode === null) {
    const reply = await request(url, options).catch(() => undefined);
    if (reply) {
      const answer = await reply.body.text();
      const fault = reply.statusCode === 200 ? reader.fault(answer) : answer;
      if (fault === undefined) return;
      throw new Error(`Switchyard's first answer is ${reply.statusCode}: ${fault}`);
    }
    await pause(POLL_MS);
  }
  const log = readFileSync(logFile, 'utf8').trimEnd().split('\n').slice(-20).join('\n');
  throw new Error(`Switchyard does not listen. The end of its log:\n${log}`);
}
