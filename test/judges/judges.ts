import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** A client of others that is driven against the server, as its folder's `judge.json` describes it. */
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

/** All judges, by name: the folders that have a `judge.json`. */
export function readJudges(): Judge[] {
  const judges: Judge[] = [];
  for (const entry of readdirSync(judgesFolder, { withFileTypes: true })) {
    if (!entry.isDirectory()) continue;
    const folder = path.join(judgesFolder, entry.name);
    const file = path.join(folder, 'judge.json');
    const described = readIfThere(file);
    if (described === null) continue;
    const {
      title,
      install,
      packages,
      quick = false,
      sandbox = false,
      seconds = 300,
    } = JSON.parse(described) as Partial<Judge>;
    if (!title || !install || !packages) throw new Error(`${file} lacks title, install or packages`);
    judges.push({ name: entry.name, folder, title, install, packages, quick, sandbox, seconds });
  }
  return judges.sort((a, b) => a.name.localeCompare(b.name, 'en'));
}

function readIfThere(file: string): string | null {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}
