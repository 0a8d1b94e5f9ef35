/** What `groups.yaml` says: the groups, what they need, and which of them a change concerns. */
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'yaml';

export const root = path.resolve(import.meta.dirname, '../..');

/** A command, or test files, which fails after so many minutes. */
export interface Step {
  readonly name?: string;
  readonly run?: string;
  /** Patterns of paths from the root. */
  readonly tests?: readonly string[];
  readonly minutes: number;
}

export interface Group {
  readonly name: string;
  readonly about: string;
  readonly needs: readonly string[];
  readonly steps: readonly Step[];
}

/** What a group cannot do without: a command that succeeds where it is there, and the one that installs it. */
export interface Need {
  readonly probe: string;
  readonly install: string;
}

export interface Plan {
  readonly groups: readonly Group[];
  readonly needs: Readonly<Record<string, Need>>;
  /** Beginnings of paths, with the names of the groups that a change there concerns. */
  readonly folders: Readonly<Record<string, readonly string[]>>;
}

/** Reads the plan. Throws for a name that stands for nothing. */
export function readPlan(text = readFileSync(path.join(import.meta.dirname, 'groups.yaml'), 'utf8')): Plan {
  const file = parse(text) as {
    needs: Plan['needs'];
    groups: Record<string, { about: string; needs?: string[]; steps: Step[] }>;
    folders: Plan['folders'];
  };
  const groups = Object.entries(file.groups).map(([name, group]) => ({ needs: [], ...group, name }));
  const unknownNeeds = groups
    .flatMap(({ needs }) => needs)
    .filter((name) => !Object.hasOwn(file.needs, name));
  const unknownGroups = Object.values(file.folders)
    .flat()
    .filter((name) => !Object.hasOwn(file.groups, name));
  const unknown = [...unknownNeeds, ...unknownGroups];
  if (unknown.length > 0)
    throw new Error(`groups.yaml names ${unknown.join(', ')}, which it does not define.`);
  return { groups, needs: file.needs, folders: file.folders };
}

/** The test files that only groups run, as paths from the root. */
export function groupedTests(): string[] {
  const patterns = ['test/**/*.long.test.ts', 'test/browser/**/*.test.ts', 'test/*/tests/*.test.ts'];
  // The packages of a tool may bring tests of theirs.
  return globSync(patterns, { cwd: root, exclude: ['**/node_modules'] }).sort();
}

export function testsOf({ tests = [] }: Step, all: readonly string[]): string[] {
  return all.filter((file) => tests.some((pattern) => path.matchesGlob(file, pattern)));
}

/** The groups that a change of these files concerns, in the order of the plan. */
export function groupsFor(changed: readonly string[], { groups, folders }: Plan): Group[] {
  const beginnings = Object.keys(folders).sort((one, other) => other.length - one.length);
  const names = new Set(
    changed.flatMap((file) => folders[beginnings.find((start) => file.startsWith(start)) ?? ''] ?? []),
  );
  return groups.filter(
    ({ name, steps }) => names.has(name) || steps.some((step) => testsOf(step, changed).length > 0),
  );
}
