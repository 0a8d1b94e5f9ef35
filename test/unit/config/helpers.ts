import type { Config } from '../../../src/config/config.ts';
import { readConfig } from '../../../src/config/config.ts';
import type { Environment } from '../../../src/config/environment.ts';
import { ConfigError } from '../../../src/lib/config-error.ts';

export const fileName = '/etc/switchyard.yaml';

/** Reads a configuration whose file has this text. */
export function readWithFile(text: string, env: Environment = {}): Promise<Config> {
  return readConfig({ SWITCHYARD_CONFIG: fileName, ...env }, async () => text);
}

/** What a configuration that must be wrong is told. */
export async function problemsOf(reading: Promise<Config>): Promise<readonly string[]> {
  const error = await errorOf(reading);
  return error.problems.map((problem) => problem.replace(fileName, 'file'));
}

export async function errorOf(reading: Promise<unknown>): Promise<ConfigError> {
  const error = await reading.then(
    () => null,
    (error: unknown) => error,
  );
  if (error instanceof ConfigError) return error;
  throw new Error('Expected a ConfigError.', { cause: error });
}
