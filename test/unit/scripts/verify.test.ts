import { spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { figuresOf, overBudget } from '../../../scripts/budget/main.ts';
import { groupedTests, groupsFor, readPlan, root, testsOf } from '../../../scripts/verify/groups.ts';
import { readSummary, runStep, updateSummary } from '../../../scripts/verify/run-step.ts';

/** The plan of `npm run verify`, and the command itself with groups that are made up. */

const plan = readPlan();

function folder(): string {
  const made = mkdtempSync(path.join(tmpdir(), 'switchyard-verify-test-'));
  onTestFinished(() => rmSync(made, { recursive: true, force: true }));
  return made;
}

it('each test that npm test leaves out is in one group', () => {
  const all = groupedTests();
  expect(all.length).toBeGreaterThan(50);
  const inGroups = plan.groups.flatMap(({ steps }) => steps.flatMap((step) => testsOf(step, all)));
  expect(inGroups.sort()).toEqual(all);
});

it('each pattern finds a test', () => {
  const patterns = plan.groups.flatMap(({ steps }) => steps.flatMap(({ tests }) => tests ?? []));
  const empty = patterns.filter(
    (pattern) => testsOf({ tests: [pattern], minutes: 1 }, groupedTests()).length === 0,
  );
  expect(empty).toEqual([]);
});

it('each command of a step is there', () => {
  const commands = plan.groups.flatMap(({ steps }) => steps.flatMap(({ run }) => run ?? []));
  const { scripts } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));
  for (const command of commands) {
    const script = /npm run --silent (\S+)/.exec(command)?.[1];
    const files = command.split(' ').filter((word) => word.startsWith('.ci/'));
    expect([command, script === undefined ? files.length > 0 : script in scripts]).toEqual([command, true]);
    for (const file of files)
      expect(readdirSync(path.join(root, '.ci'))).toContain(file.slice('.ci/'.length));
  }
});

it.each([
  ['a folder', 'src/pages/playground.ts', ['browser']],
  ['the longest beginning', 'src/services/builds/service.ts', ['browser', 'processes', 'databases']],
  ['a test of its own', 'test/e2e/memory.long.test.ts', ['memory']],
  ['a tool', 'test/chaos/faults/disk.ts', ['chaos']],
  ['nothing', 'test/unit/lib/ids.test.ts', []],
])('%s says which groups a change concerns', (_what, file, names) => {
  expect(groupsFor([file], plan).map(({ name }) => name)).toEqual(names);
});

it('each folder of the server and each tool says which groups a change of it concerns', () => {
  const told = (file: string) => Object.keys(plan.folders).some((start) => file === start);
  const folders = ['src', 'scripts', 'test'].flatMap((top) =>
    readdirSync(path.join(root, top), { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => `${top}/${name}/`)
      // Of tests only those that are packages of their own: the tools.
      .filter((folder) => top !== 'test' || existsSync(path.join(root, folder, 'package.json'))),
  );
  expect(folders.filter((name) => !told(name))).toEqual([]);
});

it('a name that stands for nothing is refused', () => {
  const group = 'groups: { one: { about: x, needs: [moon], steps: [] } }';
  expect(() => readPlan(`needs: {}\n${group}\nfolders: { src/: [two] }`)).toThrow('moon, two');
});

it('a step tells its end, its time limit and what it printed', async () => {
  const made = folder();
  const files = { log: path.join(made, 'log'), report: path.join(made, 'report') };
  const run = (command: string, minutes = 5) => runStep({ run: command, minutes }, [], files);
  expect(await run('echo said')).toMatchObject({ name: 'echo said', passed: true });
  expect(await run('exit 3')).toMatchObject({ passed: false, why: 'it ended with 3' });
  // What it starts ends with it, or the log would never be closed.
  const late = await run('sleep 1000 & sleep 1000', 0.005);
  expect(late).toMatchObject({ passed: false, why: 'it was not done after 0.005 minutes' });
  expect(readFileSync(files.log, 'utf8')).toContain('=== echo said\nsaid\n');
});

it('a summary keeps the last result of each group, and none of a group that is gone', () => {
  const file = path.join(folder(), 'verified.json');
  const result = (commit: string) => ({
    result: 'passed' as const,
    commit,
    changed: false,
    date: '2026-11-27T00:00:00.000Z',
    seconds: 1,
    node: '26.12.1',
    cores: 2,
    steps: [],
  });
  updateSummary(file, { one: result('a'), gone: result('a') }, ['one', 'gone', 'two']);
  updateSummary(file, { two: result('b') }, ['one', 'two']);
  expect(Object.entries(readSummary(file)).map(([name, { commit }]) => [name, commit])).toEqual([
    ['one', 'a'],
    ['two', 'b'],
  ]);
});

it('a group that cannot run says what brings what it needs, and has not passed', () => {
  const made = folder();
  mkdirSync(path.join(made, 'scripts/verify'), { recursive: true });
  for (const name of ['groups.ts', 'main.ts', 'run-step.ts'])
    writeFileSync(
      path.join(made, 'scripts/verify', name),
      readFileSync(path.join(root, 'scripts/verify', name)),
    );
  const needs = '{ moon: { probe: "false", install: fly there } }';
  const groups =
    '{ here: { about: a, steps: [{ run: "true", minutes: 1 }] }, there: { about: b, needs: [moon], steps: [] } }';
  writeFileSync(
    path.join(made, 'scripts/verify/groups.yaml'),
    `needs: ${needs}\ngroups: ${groups}\nfolders: { src/: [here] }\n`,
  );
  writeFileSync(path.join(made, 'package.json'), '{ "type": "module" }');
  mkdirSync(path.join(made, 'test'));
  const shell = (command: string) => spawnSync('bash', ['-c', command], { cwd: made, encoding: 'utf8' });
  const linked = `ln -s ${root}/node_modules node_modules && echo node_modules >.gitignore && git init -q && git add -A`;
  const as = 'git -c user.name=a -c user.email=a@example.com';
  expect(shell(`${linked} && ${as} commit -qm one`).status).toBe(0);
  const verify = (args: string) => shell(`${process.execPath} scripts/verify/main.ts ${args}`);

  const all = verify('');
  expect(all.stdout).toContain('there: not run in 0 s: moon is missing, which this brings: fly there');
  expect(all.stdout.trimEnd().split('\n').at(-1)).toBe('1 passed, 0 failed, 1 not run');
  expect(all.status).toBe(1);
  const summary = readSummary(path.join(made, 'scripts/verify/verified.json'));
  expect([summary['here']?.result, summary['there']?.result]).toEqual(['passed', 'not run']);
  expect(summary['here']).toMatchObject({
    changed: false,
    commit: shell('git rev-parse HEAD').stdout.trim(),
  });

  expect(verify('here').status).toBe(0);
  expect(verify('nowhere').stderr).toBe('There is no group nowhere; there are here, there.\n');
  expect(verify('--changed HEAD').stdout).toContain('No group is concerned');
  shell('mkdir src && touch src/new.ts');
  expect(verify('--changed HEAD').stdout).toContain('here: passed');
  expect(verify('--changed no-commit').stderr).toContain('no commit of this repository');
});

describe('the budget', () => {
  it('what is more than the budget is named, with what it may be', () => {
    const budget = { most: { files: 10, lines: 100 }, rises: { 'a new vendor': { files: 2 } } };
    expect(overBudget({ files: 12, lines: 100 }, budget)).toEqual([]);
    expect(overBudget({ files: 13, lines: 101 }, budget)).toEqual([
      'files: 13, at most 12',
      'lines: 101, at most 100',
    ]);
  });

  it('files are counted by what they are', () => {
    const files = ['src/lib/json.ts', 'src/factory/prompt.ts'];
    expect(figuresOf(files)).toMatchObject({
      files: 2,
      'source files': 1,
      'short modules': expect.any(Number),
      'long files': 0,
    });
  });
});
