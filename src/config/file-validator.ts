/**
 * What checks the content of the YAML file against its schema. `scripts/build.ts` compiles it ahead, as that takes 0.15 s of each
 * start; where it has not, or the schema is another since, it is compiled here.
 */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { ValidateFunction } from 'ajv';
import { isNetwork } from '../lib/address.ts';
import { isDay, isMoment } from '../lib/moment.ts';
import { fileSchema } from './file-schema.ts';
import { isIssuer, parseHttpUrl } from './http-url.ts';

/** How Ajv compiles it. */
export const validatorOptions = { allErrors: true, verbose: true } as const;

/** What the schema names as `format`, beside those of JSON Schema. */
export const fileFormats: Readonly<Record<string, (text: string) => boolean>> = {
  'base-url': (text) => parseHttpUrl(text) !== null,
  issuer: isIssuer,
  network: (text) => isNetwork(text),
  day: isDay,
  moment: isMoment,
};

/** Where the compiled form is: a module whose first line is a comment with the digest of the schema. */
export const validatorFile = new URL('../../build/config-file.js', import.meta.url);

export function validatorHead(): string {
  return `// ${createHash('sha256').update(JSON.stringify(fileSchema)).digest('base64url')}\n`;
}

export async function fileValidator(): Promise<ValidateFunction> {
  if (isCompiledAhead()) {
    const { validatorWith } = (await import(validatorFile.href)) as {
      validatorWith: (formats: typeof fileFormats) => ValidateFunction;
    };
    return validatorWith(fileFormats);
  }
  const { Ajv2020 } = await import('ajv/dist/2020.js');
  return new Ajv2020({ ...validatorOptions, formats: fileFormats }).compile(fileSchema);
}

/** Whether what was compiled ahead is there, and of this schema. */
export function isCompiledAhead(): boolean {
  try {
    return readFileSync(validatorFile, 'utf8').startsWith(validatorHead());
  } catch {
    return false;
  }
}
