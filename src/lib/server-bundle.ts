import { readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

const ownRoot = path.join(import.meta.dirname, '../..');
const folder = 'build/server';
const recordName = 'current.json';

/** Says which bundle is the current one, and what it was made of. Names are from the root of the repository. */
export interface BundleRecord {
  /** Name of its folder in that of bundles. */
  readonly folder: string;
  readonly files: readonly string[];
  /** Our own modules that are in it. */
  readonly modules: Readonly<Record<string, ModuleState>>;
  /** The packages that are in it: their folders, and versions. */
  readonly packages: Readonly<Record<string, string>>;
}

/** By what an edit is seen without reading the file: its size in bytes, and the Unix time of its last change in milliseconds. */
type ModuleState = readonly [size: number, changedAt: number];

/** Where bundles of the server are: few large modules in place of some 1,500. `scripts/generate/server-bundle.ts` makes them. */
export function bundlesFolder(root = ownRoot): string {
  return path.join(root, folder);
}

export function recordFile(root = ownRoot): string {
  return path.join(root, folder, recordName);
}

/** State of a module now. Throws where it is missing. */
export function moduleState(name: string, root = ownRoot): ModuleState {
  // Not joined: that takes as long as the call itself, for each of hundreds.
  const { size, mtimeMs } = statSync(`${root}/${name}`);
  return [size, mtimeMs];
}

/** Version of an installed package. Throws where it is missing. */
export function packageVersion(name: string, root = ownRoot): string {
  const manifest = readFileSync(`${root}/${name}/package.json`, 'utf8');
  return (JSON.parse(manifest) as { version: string }).version;
}

/** Null where there is none that can be read. */
export function bundleRecord(root = ownRoot): BundleRecord | null {
  try {
    return JSON.parse(readFileSync(recordFile(root), 'utf8')) as BundleRecord;
  } catch {
    return null;
  }
}

/**
 * Addresses of the modules of the bundle; null where there is none, or where a module or package that is in it has changed
 * since, so that what runs is always what the sources say.
 */
export function serverBundle(root = ownRoot): { readonly server: string; readonly worker: string } | null {
  const record = bundleRecord(root);
  if (record === null || !isWhole(record, root) || !isCurrent(record, root)) return null;
  const url = (name: string) => pathToFileURL(path.join(bundlesFolder(root), record.folder, name)).href;
  return { server: url('server.js'), worker: url('worker.js') };
}

function isWhole({ folder, files }: BundleRecord, root: string): boolean {
  try {
    const there = new Set(readdirSync(path.join(bundlesFolder(root), folder)));
    return files.every((file) => there.has(file));
  } catch {
    return false;
  }
}

function isCurrent({ modules, packages }: BundleRecord, root: string): boolean {
  try {
    for (const name in modules) {
      const [size, changedAt] = modules[name] as ModuleState;
      const now = moduleState(name, root);
      // An image keeps whole seconds of it.
      const isSame = now[1] === changedAt || now[1] === Math.floor(changedAt / 1000) * 1000;
      if (now[0] !== size || !isSame) return false;
    }
    for (const name in packages) if (packageVersion(name, root) !== packages[name]) return false;
    return true;
  } catch {
    return false;
  }
}
