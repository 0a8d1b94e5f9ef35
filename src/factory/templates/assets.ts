import { readFileSync } from 'node:fs';
import path from 'node:path';

const folder = path.join(import.meta.dirname, 'assets');
const cache = new Map<string, string>();

/** A template's own source by its path under `assets/`; read from the disk once. */
export function asset(name: string): string {
  const known = cache.get(name);
  if (known !== undefined) return known;
  const text = readFileSync(path.join(folder, name), 'utf8');
  cache.set(name, text);
  return text;
}

/** An asset and everything that it imports, by path; `given` are the files that are made for each app. */
export function withImports(entry: string, given: ReadonlyMap<string, string>): Map<string, string> {
  const found = new Map<string, string>();
  const visit = (name: string) => {
    if (found.has(name)) return;
    const text = given.get(name) ?? asset(name);
    found.set(name, text);
    for (const [, target = ''] of text.matchAll(/^import .*?from '(\.[^']+)';$/gms)) {
      visit(path.posix.join(path.posix.dirname(name), target));
    }
  };
  visit(entry);
  return found;
}
