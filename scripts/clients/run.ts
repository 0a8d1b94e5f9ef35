import { spawn } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import path from 'node:path';

export interface RunOptions {
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** How often it is tried again, for what downloads something. */
  readonly retries?: number;
  /** Whether its output is shown while it runs; otherwise only when it fails. */
  readonly show?: boolean;
}

/** Runs a program to its end. Throws with its output if it fails. */
export async function run(program: string, args: readonly string[], options: RunOptions = {}): Promise<void> {
  const { cwd, env = {}, retries = 0, show = false } = options;
  for (let attempt = 0; ; attempt++) {
    const { code, output } = await new Promise<{ code: number | null; output: string }>((resolve, reject) => {
      const child = spawn(program, args, {
        ...(cwd ? { cwd } : {}),
        env: { ...process.env, ...env },
        stdio: ['ignore', show ? 'inherit' : 'pipe', show ? 'inherit' : 'pipe'],
      });
      let output = '';
      const read = (chunk: Buffer) => {
        output += chunk;
      };
      child.stdout?.on('data', read);
      child.stderr?.on('data', read);
      child.on('error', reject);
      child.on('close', (code) => resolve({ code, output }));
    });
    if (code === 0) return;
    if (attempt >= retries) throw new Error(`${program} ${args.join(' ')} failed (${code}):\n${output}`);
    await new Promise((resolve) => setTimeout(resolve, 5_000 * (attempt + 1)));
  }
}

/** Whether a program is on the path. */
export function isInstalled(program: string): boolean {
  return (process.env['PATH'] ?? '').split(path.delimiter).some((folder) => {
    try {
      accessSync(path.join(folder, program), constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}
