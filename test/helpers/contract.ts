import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Document } from '../../src/contract/served/document.ts';

export const root = path.join(import.meta.dirname, '../..');

/** The bundled contract. */
export const contract = JSON.parse(
  readFileSync(path.join(root, 'generated/openapi.json'), 'utf8'),
) as Document;

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
