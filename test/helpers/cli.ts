import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { onTestFailed } from 'vitest';
import { root } from './contract.ts';

/** Environment of a command, beside PATH. Nothing of this process gets in. */
export type CliEnvironment = Readonly<Record<string, string>>;

export interface CliResult {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
  /** The output as JSON. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into what they have asked for.
  readonly json: any;
}

const script = path.join(root, 'src/switchyard.js');
const flags = ['--disable-warning=ExperimentalWarning'];

/** Runs a command to its end. */
export async function switchyard(env: CliEnvironment, ...args: readonly string[]): Promise<CliResult> {
  return new Promise((resolve) => {
    const options = { env: { PATH: process.env['PATH'], ...env }, cwd: root };
    execFile(process.execPath, [...flags, script, ...args], options, (error, stdout, stderr) => {
      const code = error === null ? 0 : Number(error.code);
      resolve({
        code,
        stdout,
        stderr,
        get json() {
          return JSON.parse(stdout);
        },
      });
    });
  });
}

export interface ServeProcess {
  readonly url: string;
  readonly child: ChildProcess;
  /** Everything that it has printed. */
  readonly lines: readonly string[];
  /** Asks it to stop; resolves with its exit code. */
  stop(): Promise<number | null>;
}

/** Runs `serve` on a free port; resolves when it listens. Called within a test, which shows what it said if it fails. */
export async function serveProcess(env: CliEnvironment): Promise<ServeProcess> {
  const child = spawn(process.execPath, [...flags, script, 'serve'], {
    env: { PATH: process.env['PATH'], PORT: '0', NODE_ENV: 'test', DRAIN_DELAY_MS: '0', ...env },
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const lines: string[] = [];
  createInterface({ input: child.stderr }).on('line', (line) => lines.push(line));
  onTestFailed(() => console.error(`What the server of the failed test said:\n${lines.join('\n')}`));
  const output = createInterface({ input: child.stdout });
  const url = await new Promise<string>((resolve, reject) => {
    output.on('line', (line) => {
      lines.push(line);
      const found = /^Switchyard listens on (\S+)$/.exec(line)?.[1];
      if (found) resolve(found);
    });
    child.once('exit', () => reject(new Error(`it did not start:\n${lines.join('\n')}`)));
  });
  return {
    url,
    child,
    lines,
    async stop() {
      if (child.exitCode !== null) return child.exitCode;
      const exit = once(child, 'exit');
      child.kill('SIGTERM');
      const [code] = await exit;
      return code as number | null;
    },
  };
}
