import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'yaml';

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
