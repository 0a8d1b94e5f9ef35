/**
 * Drives the clients of others against the mock of all vendors (the control), and against a server in front of it on both
 * lanes, and prints client × case × target; see `options.ts`.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Listening } from '../lib/server.ts';
import { startAimock } from './aimock.ts';
import { drive, type Result } from './drive.ts';
import { install, versionOf } from './install.ts';
import { type Judge, readJudges } from './judges.ts';
import { defects, failures, matrix, titled } from './matrix.ts';
import { help, readOptions } from './options.ts';
import { openTarget, type TargetName } from './targets.ts';

/** Errors in the logs of servers. */
let logged = 0;

const options = readOptions(process.argv.slice(2));
const all = readJudges();
const unknown = options.judges.find((name) => !all.some((judge) => judge.name === name));
if (unknown !== undefined)
  throw new Error(`There is no judge ${unknown}; there are ${all.map(({ name }) => name).join(', ')}.`);
const chosen = all.filter(
  ({ name, quick }) =>
    (options.judges.length === 0 || options.judges.includes(name)) && (quick || !options.quick),
);
if (options.help) process.stdout.write(help);
else if (options.list) {
  for (const one of chosen) console.log(`${one.name}: ${titled(one)}${one.quick ? ' (quick)' : ''}`);
} else process.exitCode = await judge(chosen);

async function judge(judges: readonly Judge[]): Promise<number> {
  // Not in the temporary folder itself: a client is at home in it, and some refuse to be at home there.
  const scratch = mkdtempSync(path.join(process.env['SCRATCH'] ?? tmpdir(), 'switchyard-judges-'));
  const results: Result[] = [];
  const ready = new Set<Judge>();
  for (const one of judges) {
    try {
      for (const set of one.install) await install(set);
      ready.add(one);
    } catch (error) {
      const detail = (error as Error).message.trim().split('\n').at(-1) ?? '';
      for (const target of options.targets)
        results.push({ judge: one.name, target, case: 'setup', group: null, ok: false, must: true, detail });
    }
  }
  for (const name of options.targets) {
    const able = [...ready].filter(({ sandbox }) => sandbox || name !== 'sandbox');
    if (able.length > 0) results.push(...(await judgeTarget(name, able, scratch)));
  }
  const table = matrix(judges, options.targets, results);
  const found = defects(results);
  for (const part of options.quiet ? failures(found) : [table, '']) console.log(part);
  console.log(
    `${results.filter(({ ok }) => ok).length} of ${results.length} passed; ${found.length} defects, ${logged} errors in logs`,
  );
  if (options.json !== null) writeFileSync(options.json, `${JSON.stringify(results, null, 1)}\n`);
  if (options.markdown !== null)
    fillIn(
      options.markdown,
      `${today()}, by \`@copilotkit/aimock\` ${versionOf('@copilotkit/aimock', ['.'])}:\n\n${table}`,
    );
  if (options.keep) console.log(`kept: ${scratch}`);
  else rmSync(scratch, { recursive: true, force: true });
  return found.length > 0 || logged > 0 ? 1 : 0;
}

/** A mock of its own for each target: what it counted for one is nothing to the next. */
async function judgeTarget(name: TargetName, judges: readonly Judge[], scratch: string): Promise<Result[]> {
  const folder = path.join(scratch, name);
  const mock = await startAimock(path.join(folder, 'aimock'));
  const waiting = [...judges];
  const results: Result[] = [];
  const work = async () => {
    for (let one = waiting.shift(); one; one = waiting.shift()) {
      const started = performance.now();
      const own = await judgeAlone(one, name, mock, path.join(folder, one.name));
      const seconds = ((performance.now() - started) / 1000).toFixed(1);
      const passed = own.filter(({ ok }) => ok).length;
      if (!options.quiet)
        console.error(`${name} ${one.name}: ${passed} of ${own.length} cases in ${seconds} s`);
      results.push(...own);
    }
  };
  try {
    await Promise.all(Array.from({ length: options.jobs }, work));
    return results;
  } finally {
    await mock.close();
  }
}

/** A server of its own for each judge: the failures that one asks for would open the breaker for all. */
async function judgeAlone(one: Judge, name: TargetName, mock: Listening, folder: string): Promise<Result[]> {
  const target = await openTarget(name, mock, path.join(folder, 'server'));
  try {
    return await drive(one, target, path.join(folder, 'work'));
  } finally {
    for (const line of await target.close()) {
      console.error(`${name} ${one.name}, the server's log: ${line.slice(0, 2000)}`);
      logged++;
    }
  }
}

function today(): string {
  return new Date().toISOString().slice(0, 10);
}

function fillIn(file: string, table: string): void {
  const document = readFileSync(file, 'utf8');
  const marks = /(<!-- begin matrix -->\n)[\s\S]*?(<!-- end matrix -->)/;
  if (!marks.test(document)) throw new Error(`${file} has no marks for the matrix`);
  writeFileSync(
    file,
    document.replace(marks, (_, begin: string, end: string) => `${begin}\n${table}\n\n${end}`),
  );
}
