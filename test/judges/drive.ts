import { spawn } from 'node:child_process';
import { createWriteStream, mkdirSync } from 'node:fs';
import path from 'node:path';
import { finished } from 'node:stream/promises';
import { toolsFolder } from './install.ts';
import { commandOf, type Judge, judgesFolder } from './judges.ts';
import { models } from './lanes.ts';
import type { Target, TargetName } from './targets.ts';

export interface Result {
  readonly judge: string;
  readonly target: TargetName;
  readonly case: string;
  /** Where a judge has very many cases: those that the matrix counts in one row. */
  readonly group: string | null;
  readonly ok: boolean;
  /** Whether it has to pass although the control fails: what is asked for is the server's own, and not in the mock. */
  readonly must?: boolean;
  /** One line: what is to be said about it, or why it failed. */
  readonly detail: string | null;
}

/** Runs a judge against a target. Its scratch folder, which is its home too, keeps what it said besides its cases. */
export async function drive(judge: Judge, target: Target, work: string): Promise<Result[]> {
  mkdirSync(work, { recursive: true });
  const [program = '', ...args] = commandOf(judge, toolsFolder);
  const child = spawn(program, args, {
    cwd: work,
    // Of the caller's environment nothing else: no key or setting of theirs takes part. In a group of its own, so that what it starts ends with it.
    detached: true,
    env: {
      PATH: `${path.dirname(process.execPath)}:${process.env['PATH']}`,
      HOME: work,
      WORK: work,
      TOOLS: toolsFolder,
      PYTHONPATH: path.join(judgesFolder, 'python'),
      PYTHONDONTWRITEBYTECODE: '1',
      TARGET: target.lane,
      TARGET_NAME: target.name,
      BASE: target.base,
      KEY: target.key,
      ...models,
      LANG: 'C.UTF-8',
      NO_PROXY: '127.0.0.1,localhost',
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const log = createWriteStream(path.join(work, 'judge.log'));
  child.stderr.pipe(log);
  let stdout = '';
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    stdout += chunk;
  });
  let late = false;
  const clock = setTimeout(() => {
    late = true;
    if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
  }, judge.seconds * 1000);
  const code = await new Promise<number | string>((resolve) => {
    child.on('error', (error) => resolve(error.message));
    child.on('close', (status, signal) => resolve(status ?? signal ?? 'unknown'));
  });
  clearTimeout(clock);
  await finished(log.end());
  const origin = { judge: judge.name, target: target.name };
  const failure = (name: string, detail: string): Result => ({
    ...origin,
    case: name,
    group: null,
    ok: false,
    must: true,
    detail,
  });
  const results = stdout
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => {
      const read = readCase(line);
      return read ? { ...origin, ...read } : failure('output', `is no case: ${line}`);
    });
  if (late) results.push(failure('time', `was ended after ${judge.seconds} s`));
  else if (code !== 0) results.push(failure('end', `ended with ${code}, see ${work}/judge.log`));
  else if (results.length === 0) results.push(failure('setup', 'reported no case'));
  return results;
}

type Case = Omit<Result, 'judge' | 'target'>;

function readCase(line: string): Case | null {
  try {
    const { case: name, group = null, ok, must = false, detail = null } = JSON.parse(line) as Partial<Case>;
    if (typeof name !== 'string' || typeof ok !== 'boolean') return null;
    return { case: name, group, ok, must, detail: detail === null ? null : plain(detail) };
  } catch {
    return null;
  }
}

/** A detail without what differs in each run, so that like failures count as one. */
function plain(detail: string): string {
  return detail
    .replaceAll(/127\.0\.0\.1:\d+/g, 'HOST')
    .replaceAll(/\b(req|resp|msg|chatcmpl|call|toolu)[-_][\w-]{8,}/g, '$1_…')
    .replaceAll(/\b[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}(-\d+)?/g, '…')
    .slice(0, 240)
    .trim();
}
