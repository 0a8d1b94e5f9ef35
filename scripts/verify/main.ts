/**
 * `npm run verify`: what takes too long for every change, in groups that can be run alone; `groups.yaml` says what is in them.
 *
 *   npm run verify                            all groups, as before a release
 *   npm run verify -- databases memory        these
 *   npm run verify -- --changed <commit>      those that what has changed since that commit concerns
 *   npm run verify -- --list                  which there are
 *
 * `verified.json` beside it keeps the last result of each group, `build/verify/<group>.log` what it printed. Ends with 1 unless
 * every chosen group has passed: one that cannot run has not.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { type Group, groupedTests, groupsFor, type Plan, readPlan, root } from './groups.ts';
import { endSteps, type GroupResult, runStep, type StepResult, updateSummary } from './run-step.ts';

const git = (...args: string[]) => execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim();

const { values: options, positionals: named } = parseArgs({
  allowPositionals: true,
  options: {
    list: { type: 'boolean', default: false },
    changed: { type: 'string' },
    summary: { type: 'string', default: path.join(import.meta.dirname, 'verified.json') },
  },
});

/** Ends the program with a line that says what is wrong with how it was called. */
function refuse(problem: string): never {
  console.error(problem);
  process.exit(2);
}

/** What differs from the commit, files that Git does not know yet among it. */
function changedSince(commit: string): string[] {
  const known = spawnSync('git', ['rev-parse', '--verify', '--quiet', `${commit}^{commit}`], { cwd: root });
  if (known.status !== 0)
    refuse(`--changed is ${JSON.stringify(commit)}, which is no commit of this repository.`);
  return `${git('diff', '--name-only', commit)}\n${git('ls-files', '--others', '--exclude-standard')}`
    .split('\n')
    .filter((file) => file !== '');
}

function chosenFrom(plan: Plan): readonly Group[] {
  const names = plan.groups.map(({ name }) => name);
  const unknown = named.filter((name) => !names.includes(name));
  if (unknown.length > 0) refuse(`There is no group ${unknown.join(', ')}; there are ${names.join(', ')}.`);
  if (options.changed !== undefined) return groupsFor(changedSince(options.changed), plan);
  return named.length === 0 ? plan.groups : plan.groups.filter(({ name }) => named.includes(name));
}

/** What the group needs and the machine has not, with the command that brings it. */
function missingFor({ needs }: Group, plan: Plan): string[] {
  return needs.flatMap((name) => {
    const { probe = 'false', install = '' } = plan.needs[name] ?? {};
    const { status } = spawnSync('bash', ['-c', probe], { stdio: 'ignore' });
    return status === 0 ? [] : [`${name} is missing, which this brings: ${install}`];
  });
}

const lastLines = 40;

async function runGroup(group: Group, plan: Plan): Promise<GroupResult> {
  const log = path.join(root, 'build/verify', `${group.name}.log`);
  const report = path.join(root, 'build/verify', `${group.name}.json`);
  const started = performance.now();
  const about = {
    commit: git('rev-parse', 'HEAD'),
    // The summary itself is written by each group.
    changed: git('status', '--porcelain', '--', '.', ':!scripts/verify/verified.json') !== '',
    date: new Date().toISOString(),
    node: process.versions.node,
    cores: availableParallelism(),
  };
  const missing = missingFor(group, plan);
  if (missing.length > 0)
    return { ...about, result: 'not run', seconds: 0, why: missing.join('; '), steps: [] };
  rmSync(log, { force: true });
  const steps: StepResult[] = [];
  for (const step of group.steps) {
    const result = await runStep(step, groupedTests(), { log, report });
    steps.push(result);
    const { passed, failed, skipped } = result.tests ?? {};
    const counts = result.tests ? `, ${passed} passed, ${failed} failed, ${skipped} skipped` : '';
    console.log(`    ${result.passed ? 'passed' : 'FAILED'} in ${result.seconds} s: ${result.name}${counts}`);
    if (!result.passed)
      console.log(
        `${result.why}; it said last (${log}):\n${readFileSync(log, 'utf8').split('\n').slice(-lastLines).join('\n')}`,
      );
  }
  const result = steps.every(({ passed }) => passed) ? 'passed' : 'failed';
  return { ...about, result, seconds: Math.round((performance.now() - started) / 1000), steps };
}

const plan = readPlan();
if (options.list) {
  for (const { name, about } of plan.groups) console.log(`${name.padEnd(12)}${about}`);
  process.exit(0);
}
for (const name of ['SIGINT', 'SIGTERM'] as const)
  process.once(name, () => {
    endSteps();
    process.exit(1);
  });
const count = { passed: 0, failed: 0, 'not run': 0 };
const groups = chosenFrom(plan);
if (groups.length === 0) console.log('No group is concerned: npm run check and npm test cover the change.');
for (const group of groups) {
  console.log(`${group.name}: ${group.about}`);
  const result = await runGroup(group, plan);
  count[result.result] += 1;
  console.log(
    `  ${group.name}: ${result.result} in ${result.seconds} s${result.why ? `: ${result.why}` : ''}`,
  );
  const names = plan.groups.map(({ name }) => name);
  updateSummary(options.summary, { [group.name]: result }, names);
}
console.log(`\n${count.passed} passed, ${count.failed} failed, ${count['not run']} not run`);
process.exit(count.failed + count['not run'] === 0 ? 0 : 1);
