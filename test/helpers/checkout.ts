import { cpSync, mkdirSync, mkdtempSync, readdirSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { root } from './contract.ts';

/** A clone in a folder of its own, with the packages that are installed but for these, and nothing that an install makes. */
export function cloneOfCheckout(...without: readonly string[]): string {
  const clone = mkdtempSync(path.join(tmpdir(), 'switchyard-clone-'));
  for (const name of ['src', 'generated', 'scripts', 'package.json'])
    cpSync(path.join(root, name), path.join(clone, name), { recursive: true });
  const packages = path.join(root, 'node_modules');
  mkdirSync(path.join(clone, 'node_modules'));
  for (const name of readdirSync(packages)) {
    if (name === '.cache' || without.includes(name)) continue;
    symlinkSync(path.join(packages, name), path.join(clone, 'node_modules', name));
  }
  return clone;
}
