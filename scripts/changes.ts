/**
 * Compares the contract with that of the last release, which is the latest tag `v*` before this commit, by oasdiff. Fails
 * on a change that breaks clients while the major version stays. Without any release there is nothing to break.
 *
 *   node scripts/changes.ts                 check
 *   node scripts/changes.ts --changelog     print what has changed, as Markdown for the changelog
 *
 * `--base` and `--revision` name other files to compare. Needs Go, which builds oasdiff once.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import type { Document } from '../src/contract/served/document.ts';
import { goTool, isInstalled } from './clients/run.ts';

interface Change {
  id: string;
  text: string;
  operation?: string;
  path?: string;
}

/** What the contract says may come within a version, and clients ignore: codes and other values of replies, event types. */
const additions = [
  'response-property-enum-value-added',
  'response-body-one-of-added',
  'response-property-one-of-added',
];

const root = path.join(import.meta.dirname, '..');
const contract = 'generated/openapi.json';
const { values } = parseArgs({
  options: { base: { type: 'string' }, revision: { type: 'string' }, changelog: { type: 'boolean' } },
});
const folder = mkdtempSync(path.join(tmpdir(), 'switchyard-changes-'));
try {
  await compare(values.base ?? lastRelease(), values.revision ?? path.join(root, contract));
} finally {
  rmSync(folder, { recursive: true });
}

/** The contract of the last release as a file; null when there is none. */
function lastRelease(): string | null {
  const tag = git('describe', '--tags', '--match', 'v*', '--abbrev=0');
  if (tag.status !== 0) return null;
  const shown = git('show', `${tag.stdout.trim()}:${contract}`);
  if (shown.status !== 0) throw new Error(`${tag.stdout.trim()} has no ${contract}: ${shown.stderr}`);
  const file = path.join(folder, 'base.json');
  writeFileSync(file, shown.stdout);
  return file;
}

async function compare(base: string | null, revision: string): Promise<void> {
  if (base === null) return console.log('No release is tagged yet, so there is nothing to compare with.');
  if (!isInstalled('go')) {
    console.log('skipped: Go is not installed, which builds oasdiff');
    if (process.env['CI']) process.exitCode = 1;
    return;
  }
  const oasdiff = await goTool('github.com/oasdiff/oasdiff', 'v1.33.0');
  const [from, to] = [versionOf(base), versionOf(revision)];
  const compared = (command: string) =>
    JSON.parse(output(oasdiff, [command, base, revision, '--flatten-allof', '--format', 'json'])) as Change[];
  if (values.changelog)
    return console.log(`### The contract, ${from} to ${to}\n\n${changelog(compared('changelog'))}`);
  const changes = compared('breaking').filter(({ id }) => !additions.includes(id));
  for (const { operation = '', path = '', text } of changes) console.log(`${operation} ${path}: ${text}`);
  console.log(`From ${from} to ${to}: ${changes.length} changes that may break clients.`);
  if (changes.length > 0 && major(to) <= major(from)) {
    console.error(
      `Such a change needs the version ${major(from) + 1}.0.0, and a new path prefix beside the old.`,
    );
    process.exitCode = 1;
  }
}

/** A line for each change, as Markdown, with the operations that it concerns: oasdiff has one for each operation and status. */
function changelog(changes: readonly Change[]): string {
  const places = new Map<string, Set<string>>();
  for (const { text, operation = '', path: at = '' } of changes) {
    const what = text
      .replaceAll(/ (?:for|of) the response(?:'s)? status `\w+`| with the `\w+` status/g, '')
      .trim();
    places.set(what, (places.get(what) ?? new Set()).add(`\`${operation} ${at}\``));
  }
  const lines = [...places].map(([what, all]) => {
    const whole = all.size <= 8 || what.startsWith('endpoint');
    return `- ${what}: ${whole ? [...all].join(', ') : `${all.size} operations`}`;
  });
  return lines.join('\n') || 'Nothing has changed.';
}

function versionOf(file: string): string {
  return (JSON.parse(readFileSync(file, 'utf8')) as Document).info.version;
}

function major(version: string): number {
  return Number.parseInt(version, 10);
}

function output(program: string, args: readonly string[]): string {
  const { status, stdout, stderr } = spawnSync(program, args, { encoding: 'utf8', maxBuffer: 1 << 26 });
  if (status !== 0) throw new Error(`oasdiff failed (${status}):\n${stderr}`);
  return stdout.trim() || '[]';
}

function git(...args: string[]) {
  return spawnSync('git', args, { cwd: root, encoding: 'utf8', maxBuffer: 1 << 26 });
}
