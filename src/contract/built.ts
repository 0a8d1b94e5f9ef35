/**
 * Files in `build/` that are made of the contract when the server is installed: long, and not for reading. `npm run
 * prepare` makes it, and so do `npm ci` and `npm run generate`.
 */

import { readFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { contractDigest } from '../../generated/operations.gen.ts';
import type { BrokenRule } from '../lib/json-schema.ts';

/** Compiled validators, by what they are for (an operation, a feature) and its part. */
export type Validators = Readonly<Record<string, Readonly<Record<string, Validator>>>>;

/**
 * `requests`: up to the first problem; `problems`: of requests, naming every problem; `replies`: of replies and events;
 * `feature-checks`: by feature.
 */
type BuiltValidators = 'requests' | 'problems' | 'replies' | 'feature-checks';

/** It was not made, or of another contract. */
export class NotBuiltError extends Error {
  override readonly name = 'NotBuiltError';
}

/** Where a file of it is. */
export function builtFile(name: string): string {
  return path.join(import.meta.dirname, '../../build', name);
}

/** The file that says of which contract all of it was made. */
export const digestFile = builtFile('contract.digest');

/** Whether it was made, and of the contract that this server has. */
export function isBuilt(): boolean {
  try {
    return readFileSync(digestFile, 'utf8') === contractDigest;
  } catch {
    return false;
  }
}

/** Throws `NotBuiltError`, which says what to run. */
export function requireBuilt(): void {
  if (isBuilt()) return;
  throw new NotBuiltError(
    'What is made of the contract at install is missing in build/, or was made of another contract. ' +
      'Run "npm run prepare", then start the server again.',
  );
}

/** Loads validators, the first time from the disk. They must have been made: see `requireBuilt`. */
export async function built(name: BuiltValidators): Promise<Validators> {
  const module = (await import(pathToFileURL(builtFile(`${name}.js`)).href)) as { validators: Validators };
  return module.validators;
}

/** A check compiled from the contract's schemas. Problems of the last call are in `errors`. */
export interface Validator {
  (data: unknown): boolean;
  errors?: readonly SchemaProblem[] | null;
}

/** One broken rule, as Ajv reports it. */
export interface SchemaProblem extends BrokenRule {
  /** Of a member of the value, whose name breaks the rule. */
  readonly propertyName?: string;
  readonly parentSchema?: BrokenRule['parentSchema'] & {
    /** The message for a value that breaks a rule between fields, in place of the rule. The path begins at the object. */
    readonly 'x-refused'?: { readonly path: string; readonly code: string; readonly message: string };
    /** The meaning of a string's pattern, in words that follow the name of a field. */
    readonly 'x-expected'?: string;
  };
}
