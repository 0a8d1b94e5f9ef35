/** What was last run, on what: one file for all groups, of which a run replaces those that it ran. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import type { StepResult } from './run-step.ts';

export interface GroupResult {
  readonly result: 'passed' | 'failed' | 'not run';
  /** The commit that was checked out. */
  readonly commit: string;
  /** Whether there were changes beside it that were not committed. */
  readonly changed: boolean;
  /** When it began, in UTC. */
  readonly date: string;
  readonly seconds: number;
  readonly node: string;
  readonly cores: number;
  /** Why it could not run. */
  readonly why?: string;
  readonly steps: readonly StepResult[];
}

export type Summary = Readonly<Record<string, GroupResult>>;

/** @param file a path; a file that is not there is an empty summary */
export function readSummary(file: string): Summary {
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {};
}

/** Replaces the results of some groups, and drops those of groups that there are no longer. */
export function updateSummary(file: string, results: Summary, names: readonly string[]): void {
  const all = { ...readSummary(file), ...results };
  const kept = names.filter((name) => all[name]).map((name) => [name, all[name]]);
  writeFileSync(file, `${JSON.stringify(Object.fromEntries(kept), null, 2)}\n`);
}
