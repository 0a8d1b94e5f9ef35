import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { expect } from 'vitest';
import { parse } from 'yaml';
import type { Config } from '../../../src/config/config.ts';
import { readConfig } from '../../../src/config/config.ts';
import type { Environment } from '../../../src/config/environment.ts';
import { publishedSchema } from '../../../src/config/published-schema.ts';
import { ConfigError } from '../../../src/lib/config-error.ts';

export const fileName = '/etc/switchyard.yaml';

const ajv = new Ajv2020({ strict: true, strictTypes: false, strictRequired: false, allErrors: true });
formats.default(ajv);

/** Holds the content of a file against the schema that is published for editors. */
export const publishedCheck = ajv.compile(publishedSchema());

/** Reads a configuration whose file has this text. What the server takes, the published schema has to take too. */
export async function readWithFile(text: string, env: Environment = {}): Promise<Config> {
  const config = await readConfig({ SWITCHYARD_CONFIG: fileName, ...env }, async () => text);
  publishedCheck(parse(text, { stringKeys: true }) ?? {});
  expect(publishedCheck.errors ?? []).toEqual([]);
  return config;
}

/** The problems of a wrong configuration. */
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
