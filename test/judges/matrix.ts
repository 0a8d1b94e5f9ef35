import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'yaml';
import type { Result } from './drive.ts';
import { versionOf } from './install.ts';
import type { TargetName } from './targets.ts';

/** A case on all targets. */
type CaseResults = ReadonlyMap<TargetName, Result>;

/** Failures that count: on a lane, where the control passes, was not run, or does not matter. */
export function defects(results: readonly Result[]): Result[] {
  return byCase(results).flatMap((row) => [...row.values()].filter((result) => counts(result, row)));
}

/**
 * Two Markdown tables, client × target and client × case × target, and a line for each failure. `✓` passed (refused: for a good
 * reason), `✗` failed where the control passes, `(✗)` failed as the control does, `–` not asked.
 */
export function matrix(
  judges: readonly Judge[],
  targets: readonly TargetName[],
  results: readonly Result[],
): string {
  const of = (judge: Judge) => results.filter((result) => result.judge === judge.name);
  const short = judges.map((judge) => [titled(judge), ...targets.map((target) => cell(of(judge), target))]);
  const long = judges.flatMap((judge) =>
    Object.entries(Object.groupBy(of(judge), (result) => result.group ?? result.case)).map(
      ([name, group = []]) => [judge.title, name, ...targets.map((target) => cell(group, target))],
    ),
  );
  return [
    table(['Client', ...targets], short),
    table(['Client', 'Case', ...targets], long),
    failures(results).join('\n'),
  ].join('\n\n');
}

function cell(results: readonly Result[], target: TargetName): string {
  const here = byCase(results).flatMap((row) => {
    const result = row.get(target);
    return result ? [{ result, counts: counts(result, row) }] : [];
  });
  if (here.length === 0) return '–';
  const passed = here.filter(({ result }) => result.ok).length;
  const refused = here.filter(({ result }) => isRefusal(result)).length;
  const said = [
    ...(here.length === 1 ? [] : [passed === here.length ? String(passed) : `${passed} of ${here.length}`]),
    ...(refused === 0 ? [] : [`${refused} refused`]),
  ].join(', ');
  const mark = passed === here.length ? '✓' : here.some(({ counts }) => counts) ? '✗' : '(✗)';
  return said === '' ? mark : `${mark} ${said}`;
}

/** Whether a request was refused for a field that the table of fields says cannot be translated, which is right. */
function isRefusal({ ok, detail }: Result): boolean {
  return ok && (detail?.startsWith('refused: ') ?? false);
}

/** A failure of the control is one of the mock, or of the client itself, unless the case is about what only the server has. */
function counts(result: Result, row: CaseResults): boolean {
  if (result.ok || result.target === 'control') return false;
  return result.must || row.get('control')?.ok !== false;
}

/** A line for all cases of a group that failed on the same targets for the same reason. */
export function failures(results: readonly Result[]): string[] {
  const lines = new Map<string, string[]>();
  for (const row of byCase(results)) {
    const failed = [...row.values()].filter(({ ok }) => !ok);
    const byDetail = Object.groupBy(failed, ({ detail }) => detail ?? 'failed');
    for (const [detail, same = []] of Object.entries(byDetail)) {
      const { judge = '', group = null, case: name = '' } = same[0] ?? {};
      const at = same.map(({ target }) => target).join(', ');
      const key = `${judge}, ${group ?? name} (${at}): \`${detail.replaceAll('`', "'")}\``;
      lines.set(key, [...(lines.get(key) ?? []), group === null ? '' : name]);
    }
  }
  return [...lines].map(([line, [first, ...more]]) => {
    const cases = first ? ` [${first}${more.length > 0 ? ` and ${more.length} more` : ''}]` : '';
    return `- ${line}${cases}`;
  });
}

function byCase(results: readonly Result[]): CaseResults[] {
  const rows = Object.groupBy(results, ({ judge, group, case: name }) => `${judge}\n${group ?? ''}\n${name}`);
  return Object.values(rows).map((row = []) => new Map(row.map((result) => [result.target, result])));
}

/** What a judge is called, with the versions of its packages. */
export function titled({ title, packages, install }: Judge): string {
  return `${title} ${packages.map((name) => versionOf(name, install)).join(', ')}`.trim();
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) =>
    `| ${cells.map((text) => text.replaceAll('|', '\\|')).join(' | ')} |`;
  return [line(head), `|${'---|'.repeat(head.length)}`, ...rows.map(line)].join('\n');
}

/** A client of others that is driven against the server, as `judges.yaml` describes it. */
export interface Judge {
  /** The name of its folder. */
  readonly name: string;
  readonly folder: string;
  /** What the matrix calls it. */
  readonly title: string;
  /**
   * What it needs from package registries: `npm` (the packages of `npm/package.json`), `python/NAME` (those of
   * `python/requirements-NAME.txt`, in an environment of their own), `source/NAME==VERSION` (a Python package's source).
   */
  readonly install: readonly string[];
  /** The packages whose versions the matrix names, as in the files above. */
  readonly packages: readonly string[];
  /** Whether it is one of those that take little time. */
  readonly quick: boolean;
  /** Whether it judges the built-in sandbox too: clients that ask for nothing that the mock's fixtures say. */
  readonly sandbox: boolean;
  /** After how many seconds it is ended, on each target. */
  readonly seconds: number;
}

export const judgesFolder = import.meta.dirname;

/** All judges, by name. */
export function readJudges(): Judge[] {
  const file = path.join(judgesFolder, 'judges.yaml');
  const described = parse(readFileSync(file, 'utf8')) as Readonly<Record<string, Partial<Judge>>>;
  return Object.entries(described)
    .map(([name, { title, install, packages, quick = false, sandbox = false, seconds = 300 }]) => {
      if (!title || !install || !packages)
        throw new Error(`${file}: ${name} lacks title, install or packages`);
      const folder = path.join(judgesFolder, name);
      return { name, folder, title, install, packages, quick, sandbox, seconds };
    })
    .sort((a, b) => a.name.localeCompare(b.name, 'en'));
}

/** The program of a judge, which is its `judge.js`, its `judge.py` in the environment that is installed for it, or its `run`. */
export function commandOf({ folder, install }: Judge, tools: string): string[] {
  const ownFile = (name: string) => path.join(folder, name);
  if (existsSync(ownFile('judge.js')))
    return [process.execPath, '--import', path.join(judgesFolder, 'lib/from-tools.js'), ownFile('judge.js')];
  if (existsSync(ownFile('judge.py')))
    return [path.join(tools, install[0] ?? '', 'bin/python'), ownFile('judge.py')];
  return [ownFile('run')];
}
