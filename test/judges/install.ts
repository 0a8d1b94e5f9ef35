/**
 * Installs the clients that are judged, each set once, outside the project's own packages. A set is installed again when its file
 * changes.
 *
 *   TOOLS/npm/             node_modules of npm/package.json
 *   TOOLS/agents/          node_modules of agents/package.json
 *   TOOLS/python/NAME/     a Python environment with python/requirements-NAME.txt
 *   TOOLS/source/NAME/     the unpacked source distribution of a Python package
 */
import { createHash } from 'node:crypto';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { run } from '../../scripts/clients/run.ts';
import { judgesFolder } from './judges.ts';

const root = path.join(judgesFolder, '../..');

/** The folder where packages are installed: `TOOLS` of the environment, or one that is not kept in the repository. */
export const toolsFolder = path.resolve(process.env['TOOLS'] ?? path.join(root, 'build/judges'));

/** Installs a set unless it is there. Throws with the output of the package manager. */
export async function install(set: string): Promise<void> {
  const slash = set.indexOf('/');
  const [kind, name] = slash < 0 ? [set, ''] : [set.slice(0, slash), set.slice(slash + 1)];
  if (kind === 'python') return await once(set, requirements(name), (folder) => installPython(folder, name));
  if (kind === 'source') {
    const [project = ''] = name.split('==');
    return await once(`source/${project}`, name, (folder) => unpackSource(folder, name));
  }
  const manifest = path.join(judgesFolder, kind, 'package.json');
  const lock = path.join(judgesFolder, kind, 'package-lock.json');
  const state = readFileSync(manifest, 'utf8') + readFileSync(lock, 'utf8');
  await once(set, state, (folder) => installNpm(folder, [manifest, lock]));
}

/** The pinned version of a package, in the first of the sets that names it; `?` where none does. */
export function versionOf(name: string, sets: readonly string[]): string {
  for (const set of sets) {
    const slash = set.indexOf('/');
    const pins =
      slash < 0
        ? packagePins(set)
        : pinLines(set.startsWith('python/') ? requirements(set.slice(7)) : set.slice(slash + 1));
    const version = pins.get(name);
    if (version !== undefined) return version;
  }
  return '?';
}

function packagePins(set: string): Map<string, string> {
  const manifest = readFileSync(path.join(judgesFolder, set, 'package.json'), 'utf8');
  const { dependencies = {} } = JSON.parse(manifest) as { dependencies?: Record<string, string> };
  return new Map(Object.entries(dependencies));
}

function pinLines(text: string): Map<string, string> {
  return new Map(
    text.split('\n').map((line) => {
      const [name = '', version = ''] = line.trim().split('==');
      return [name, version];
    }),
  );
}

async function once(set: string, state: string, make: (folder: string) => Promise<void>): Promise<void> {
  const folder = path.join(toolsFolder, set);
  const mark = path.join(folder, '.installed');
  const wanted = createHash('sha256').update(state).digest('hex');
  if (existsSync(mark) && readFileSync(mark, 'utf8') === wanted) return;
  console.error(`installing ${set} …`);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  await make(folder);
  writeFileSync(mark, wanted);
}

const retried = { retries: 2 };

async function installNpm(folder: string, files: readonly string[]): Promise<void> {
  for (const file of files) copyFileSync(file, path.join(folder, path.basename(file)));
  await run('npm', ['ci', '--no-audit', '--no-fund'], { cwd: folder, ...retried });
}

function requirements(name: string): string {
  return readFileSync(requirementsFile(name), 'utf8');
}

function requirementsFile(name: string): string {
  return path.join(judgesFolder, 'python', `requirements-${name}.txt`);
}

async function installPython(folder: string, name: string): Promise<void> {
  await run('python3', ['-m', 'venv', '--clear', folder]);
  const pip = path.join(folder, 'bin/pip');
  await run(pip, ['install', '--quiet', '--no-deps', '-r', requirementsFile(name)], retried);
}

async function unpackSource(folder: string, requirement: string): Promise<void> {
  const [project = ''] = requirement.split('==');
  const arguments_ = [
    'download',
    '--quiet',
    '--no-deps',
    '--no-binary',
    project,
    '--dest',
    folder,
    requirement,
  ];
  await run('python3', ['-m', 'pip', ...arguments_], retried);
  const archive = readdirSync(folder).find((file) => file.endsWith('.tar.gz'));
  if (!archive) throw new Error(`${requirement} came without a source distribution`);
  await run('tar', ['-xzf', path.join(folder, archive), '--strip-components=1', '-C', folder]);
  rmSync(path.join(folder, archive));
}
