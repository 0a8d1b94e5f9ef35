import { type ChildProcess, spawn } from 'node:child_process';
import { createWriteStream, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { root, type Step, testsOf } from './groups.ts';

/** Runs one step of a group: a command, or test files by Vitest. */

export interface StepResult {
  readonly name: string;
  readonly passed: boolean;
  readonly seconds: number;
  /** How many test cases, where it ran test files. */
  readonly tests?: { readonly passed: number; readonly failed: number; readonly skipped: number };
  /** Why it failed: the time limit, or the exit status. */
  readonly why?: string;
}

const running = new Set<ChildProcess>();

/** Ends what runs, with all that it started. */
export function endSteps(): void {
  for (const child of running) signal(child, 'SIGKILL');
}

/** Its own process group, so that nothing that it started stays behind. */
function signal({ pid }: ChildProcess, name: NodeJS.Signals): void {
  try {
    if (pid !== undefined) process.kill(-pid, name);
  } catch {
    // Nothing of it is left.
  }
}

interface Files {
  /** What it prints, appended. */
  readonly log: string;
  /** Vitest's report, overwritten. */
  readonly report: string;
}

/** Runs a step in the root of the project. Never rejects: what goes wrong is its result. */
export async function runStep(step: Step, all: readonly string[], files: Files): Promise<StepResult> {
  const tests = testsOf(step, all);
  const name = step.name ?? step.run ?? `${tests.length} test files`;
  const command = step.run ?? vitest(tests, files.report);
  const started = performance.now();
  rmSync(files.report, { force: true });
  const why = await shell(command, step.minutes, files.log);
  const seconds = Math.round((performance.now() - started) / 1000);
  const counts = step.tests === undefined ? {} : countsIn(files.report);
  return { name, passed: why === null, seconds, ...counts, ...(why === null ? {} : { why }) };
}

function vitest(tests: readonly string[], report: string): string {
  const reporters = `--reporter=default --reporter=json --outputFile.json=${report}`;
  return `node_modules/.bin/vitest run --config=vitest.long.config.ts ${reporters} ${tests.join(' ')}`;
}

/** Null where the command succeeded, or else why it did not. */
function shell(command: string, minutes: number, log: string): Promise<string | null> {
  mkdirSync(path.dirname(log), { recursive: true });
  const output = createWriteStream(log, { flags: 'a' });
  output.write(`\n=== ${command}\n`);
  // Under CI what a test needs and does not find is a failure, not a case that is skipped.
  const env = { ...process.env, CI: 'true', SHARED_POSTGRES: '1' };
  const child = spawn('bash', ['-c', command], {
    cwd: root,
    env,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  running.add(child);
  child.stdout.pipe(output, { end: false });
  child.stderr.pipe(output, { end: false });
  let late = false;
  const limit = setTimeout(() => {
    late = true;
    signal(child, 'SIGKILL');
  }, minutes * 60_000);
  return new Promise((resolve) => {
    const end = (why: string | null) => {
      clearTimeout(limit);
      running.delete(child);
      output.end(() => resolve(late ? `it was not done after ${minutes} minutes` : why));
    };
    child.once('error', (error) => end(error.message));
    child.once('close', (status, by) => end(status === 0 ? null : `it ended with ${by ?? status}`));
  });
}

function countsIn(report: string): Pick<StepResult, 'tests'> {
  if (!existsSync(report)) return {};
  const { numPassedTests, numFailedTests, numPendingTests } = JSON.parse(readFileSync(report, 'utf8'));
  return { tests: { passed: numPassedTests, failed: numFailedTests, skipped: numPendingTests } };
}

/** What was last run, on what: one file for all groups, of which a run replaces those that it ran. */

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
