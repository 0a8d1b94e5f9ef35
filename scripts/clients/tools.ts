import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import { run } from './run.ts';

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
