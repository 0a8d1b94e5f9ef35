import { spawn } from 'node:child_process';
import { accessSync, constants, existsSync } from 'node:fs';
import { homedir } from 'node:os';
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

const cache = process.env['XDG_CACHE_HOME'] ?? path.join(homedir(), '.cache');

/**
 * A Python environment with the given packages, made once and kept outside the project.
 *
 * @returns The folder of its programs.
 */
export async function pythonTools(name: string, packages: readonly string[]): Promise<string> {
  const folder = path.join(cache, name);
  const done = path.join(folder, 'bin', 'complete');
  if (!existsSync(done)) {
    await run('python3', ['-m', 'venv', '--clear', folder]);
    await run(path.join(folder, 'bin/pip'), ['install', '--quiet', ...packages], { retries: 2 });
    await run('touch', [done]);
  }
  return path.join(folder, 'bin');
}

/** A program written in Go, built once and kept outside the project. Returns its path. */
export async function goTool(module: string, version: string): Promise<string> {
  const folder = path.join(cache, 'switchyard-go', version);
  const program = path.join(folder, path.basename(module));
  if (!existsSync(program)) {
    await run('go', ['install', `${module}@${version}`], { env: { GOBIN: folder }, retries: 2 });
  }
  return program;
}

/** Runs OpenAPI Generator, which Maven fetches, with a bounded heap. */
export async function openApiGenerator(args: readonly string[]): Promise<void> {
  const version = '7.25.0';
  const repository = path.join(homedir(), '.m2/repository');
  const jar = path.join(
    repository,
    `org/openapitools/openapi-generator-cli/${version}/openapi-generator-cli-${version}.jar`,
  );
  if (!existsSync(jar)) {
    const artifact = `-Dartifact=org.openapitools:openapi-generator-cli:${version}`;
    const goal = 'org.apache.maven.plugins:maven-dependency-plugin:3.8.1:get';
    const local = `-Dmaven.repo.local=${repository}`;
    await run('mvn', ['-q', '-B', goal, artifact, '-Dtransitive=false', local], { retries: 2 });
  }
  await run('java', ['-Xmx512m', '-jar', jar, 'generate', ...args]);
}
