import { parseArgs } from 'node:util';
import { quickTargets, type TargetName, targetNames } from './targets.ts';

export const help = `Usage: npm run judges -- [options]

Drives clients of others against a mock of all vendors (the control) and against a server in front of it, and prints what
passed where. Ends with 1 when a case fails on a lane whose control passes.

  --judge NAME      only this one; repeatable                        (all, which takes long)
  --target NAME     ${targetNames.join(', ')}; repeatable
  --quick           those that take little time, on ${quickTargets.join(', ')}
  --list            which there are
  --quiet           what counts as a defect, and the counts, alone
  --jobs N          judges at work at a time                         (2)
  --keep            leaves the folder with what judges and servers said
  --json FILE       also writes the results
  --markdown FILE   puts the matrix between the marks of a document
  --help            this text
`;

export interface Options {
  readonly help: boolean;
  /** Names of judges; all where empty. */
  readonly judges: readonly string[];
  readonly targets: readonly TargetName[];
  /** Only those that are marked as quick. */
  readonly quick: boolean;
  readonly list: boolean;
  /** Prints what counts as a defect and the counts, and no table. */
  readonly quiet: boolean;
  /** Where the results go as JSON. */
  readonly json: string | null;
  /** A document whose matrix is replaced by this one. */
  readonly markdown: string | null;
  /** How many judges are at work at a time. */
  readonly jobs: number;
  /** Keeps scratch folders and the logs of servers. */
  readonly keep: boolean;
}

/** Reads the command line. Throws with a message for people if it is wrong. */
export function readOptions(args: readonly string[]): Options {
  const { values } = parseArgs({
    args: [...args],
    options: {
      judge: { type: 'string', multiple: true, default: [] },
      target: { type: 'string', multiple: true, default: [] },
      quick: { type: 'boolean', default: false },
      list: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
      quiet: { type: 'boolean', default: false },
      json: { type: 'string' },
      markdown: { type: 'string' },
      jobs: { type: 'string', default: '2' },
      keep: { type: 'boolean', default: false },
    },
  });
  const wrong = values.target.find((name) => !targetNames.includes(name as TargetName));
  if (wrong !== undefined)
    throw new Error(`There is no target ${wrong}; there are ${targetNames.join(', ')}.`);
  const jobs = Number(values.jobs);
  if (!Number.isInteger(jobs) || jobs < 1) throw new Error('--jobs takes a whole number from 1.');
  const { judge: judges, target, quick, list, help, quiet, keep } = values;
  const all = quick ? quickTargets : targetNames;
  const targets = target.length === 0 ? all : targetNames.filter((name) => target.includes(name));
  return {
    judges,
    targets,
    quick,
    list,
    help,
    quiet,
    keep,
    jobs,
    json: values.json ?? null,
    markdown: values.markdown ?? null,
  };
}
