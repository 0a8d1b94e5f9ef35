import { CommanderError } from 'commander';
import { ConfigError } from '../lib/config-error.ts';
import { redact } from '../lib/redact.ts';
import { StoreError } from '../store/errors.ts';
import { AccountError } from '../tenants/accounts/account-error.ts';

export interface Failure {
  /** What goes to standard error; null when it is there already. */
  readonly line: string | null;
  /** 1: it could not be done; 2: the command line is wrong. */
  readonly exitCode: number;
}

/** How a command ends that threw. */
export function toFailure(thrown: unknown): Failure {
  if (thrown instanceof CommanderError) return { line: null, exitCode: thrown.exitCode === 0 ? 0 : 2 };
  if (thrown instanceof ConfigError) return failed(thrown.problems.join(' '));
  if (thrown instanceof AccountError || thrown instanceof StoreError) return failed(thrown.message);
  // A mistake of ours, so where it happened matters more than a short line.
  const text = thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown);
  return failed(redact(text, null));
}

function failed(message: string): Failure {
  return { line: `error: ${message}`, exitCode: 1 };
}
