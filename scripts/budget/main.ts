/**
 * Compares the house with `budget.yaml`: how many files and lines there are, how long they are, how many a chat passes. Ends with 1
 * where something has grown without being booked.
 *
 * Usage: node scripts/budget/main.ts [--cases N], N being how many cases `npm test` has reported
 */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { parse } from 'yaml';
import { passedFiles } from './passed-files.ts';

type Figures = Readonly<Record<string, number>>;

export interface Budget {
  readonly most: Figures;
  /** What each later capability may take beside. */
  readonly rises: Readonly<Record<string, Figures>>;
}

const root = path.join(import.meta.dirname, '../..');

/** What is more than the budget has, in words. A figure that the budget does not know is no part of it. */
export function overBudget(measured: Figures, { most, rises }: Budget): string[] {
  return Object.entries(measured).flatMap(([name, now]) => {
    const booked = Object.values(rises).map((rise) => rise[name] ?? 0);
    const limit = booked.reduce((sum, rise) => sum + rise, most[name] ?? Number.POSITIVE_INFINITY);
    return now > limit ? [`${name}: ${now}, at most ${limit}`] : [];
  });
}

/** The figures of what git tracks, without findings, which are about the software of others. */
export function figuresOf(tracked: readonly string[]): Figures {
  const files = tracked.filter((file) => !file.startsWith('findings/'));
  const lines = new Map(files.filter((file) => !isBinary(file)).map((file) => [file, linesOf(file)]));
  const sum = (names: readonly string[]) => names.reduce((all, name) => all + (lines.get(name) ?? 0), 0);
  const source = files.filter((file) => file.startsWith('src/') && !file.startsWith('src/factory/'));
  const modules = files.filter((file) => /^src\/.*\.[jt]s$/.test(file));
  const written = files.filter((file) => /\.(?:[jt]s|md|css)$/.test(file) && !file.startsWith('generated/'));
  const longer = (names: readonly string[], than: number) =>
    names.filter((name) => (lines.get(name) ?? 0) > than);
  return {
    files: files.length,
    lines: sum(files),
    'source files': source.length,
    'source lines': sum(source),
    'short modules': modules.filter((name) => (lines.get(name) ?? 0) < 40).length,
    'long files': longer(written, 400).filter((name) => linesIn(byHand(name)) > 400).length,
    'long modules': longer(modules, 300).length,
    'long modules without a reason': longer(modules, 300).filter((name) => !saysWhy(name)).length,
  };
}

const saysWhy = (file: string) =>
  readFileSync(path.join(root, file), 'utf8').startsWith('// Over 300 lines: ');
const isBinary = (file: string) => readFileSync(path.join(root, file)).includes(0);
const textOf = (file: string) => readFileSync(path.join(root, file), 'utf8');
const linesIn = (text: string) => text.split('\n').length - 1;
const linesOf = (file: string) => linesIn(textOf(file));
/** A guide without the parts that `scripts/docs.ts` fills in: those are data. */
const byHand = (file: string) => textOf(file).replace(/<!-- begin .*?<!-- end .*?-->/gs, '');

const trackedFiles = () =>
  execFileSync('git', ['-c', 'safe.directory=*', 'ls-files', '-z'], { cwd: root, encoding: 'utf8' })
    .split('\0')
    .filter(Boolean);

if (import.meta.main) {
  const { values } = parseArgs({ options: { cases: { type: 'string' } } });
  const budget = parse(readFileSync(path.join(import.meta.dirname, 'budget.yaml'), 'utf8')) as Budget;
  const measured = {
    ...figuresOf(trackedFiles()),
    'files of a chat': (await passedFiles('chat')).length,
    ...(values.cases !== undefined && { cases: Number(values.cases) }),
  };
  for (const [name, now] of Object.entries(measured))
    console.log(`${name}: ${now}, at most ${budget.most[name]}`);
  const over = overBudget(measured, budget);
  if (over.length > 0) {
    console.error(`More than scripts/budget/budget.yaml has:\n  ${over.join('\n  ')}`);
    process.exitCode = 1;
  }
}
