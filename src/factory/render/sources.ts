import { readFileSync } from 'node:fs';
import path from 'node:path';

const folder = path.join(import.meta.dirname, '../kinds');
const shared = path.join(folder, 'shared/app');
const cache = new Map<string, string>();

const parts = ['surfaces', 'forms', 'dialogs', 'charts', 'looks', 'edit-app'];

/** Style sheets whose components have files of their own, which are one file in an app. */
const joined: Readonly<Record<string, readonly string[]>> = {
  'base.css': ['base.css', ...parts.map((part) => `base/${part}.css`)],
  'document/document.css': ['document/document.css', 'document/papers.css', 'document/media.css'],
};

/**
 * A source of apps by its path in an archive, below `src/`: that of a kind stands in a folder named after it, what kinds
 * share stands beside. Read from the disk once; its imports lead to paths of the archive.
 */
export function source(name: string): string {
  const known = cache.get(name);
  if (known !== undefined) return known;
  const file = fileOf(name);
  const whole = (joined[name] ?? [name]).map((part) => readFileSync(fileOf(part), 'utf8')).join('\n');
  const text = whole.replace(
    /^((?:import|export) .*?from ')(\.[^']+)(';)$/gms,
    (_, before: string, target: string, after: string) => before + between(name, file, target) + after,
  );
  cache.set(name, text);
  return text;
}

/** A part of a module that holds several, as a module of its own: `formulas.js#loan` is what it exports as `loan`. */
export function partOf(file: string, exported: string): string {
  const [name = '', part] = file.split('#');
  const text = source(name);
  if (part === undefined) return text;
  const found = new RegExp(`^/\\*\\* [^\\n]*\\nexport const ${part} = .*?^};\\n`, 'ms').exec(text)?.[0];
  if (found === undefined) throw new Error(`${name} has no part ${part}.`);
  return found.replace(`export const ${part} `, `export const ${exported} `);
}

/** A source and everything that it imports, by path; `given` are the files that are made for each app. */
export function withImports(entry: string, given: ReadonlyMap<string, string>): Map<string, string> {
  const found = new Map<string, string>();
  const visit = (name: string) => {
    if (found.has(name)) return;
    const text = given.get(name) ?? source(name);
    found.set(name, text);
    for (const [, target = ''] of text.matchAll(/^import .*?from '(\.[^']+)';$/gms)) {
      visit(path.posix.join(path.posix.dirname(name), target));
    }
  };
  visit(entry);
  return found;
}

/** What kinds share: `lib/dom.js`, `base.css`. Of a kind: `board/main.js`. */
function fileOf(name: string): string {
  const [kind = '', ...rest] = name.split('/');
  const own = ['lib', 'kit', 'base'].includes(kind) || rest.length === 0;
  return own ? path.join(shared, name) : path.join(folder, kind, 'app', ...rest);
}

function nameOf(file: string): string {
  if (file.startsWith(`${shared}${path.sep}`)) return posix(path.relative(shared, file));
  const [kind = '', , ...rest] = path.relative(folder, file).split(path.sep);
  return [kind, ...rest].join('/');
}

/** How one path of the archive refers to another, as the files themselves do. */
function between(name: string, file: string, target: string): string {
  const other = nameOf(path.resolve(path.dirname(file), target));
  const way = path.posix.relative(path.posix.dirname(name), other);
  return way.startsWith('.') ? way : `./${way}`;
}

const posix = (file: string) => file.split(path.sep).join('/');
