import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { parse } from 'yaml';

type Parsed = Readonly<Record<string, unknown>>;

/**
 * The files that `scripts/build.ts` parses ahead, as YAML takes a hundred times as long as JSON, and types a second and 45
 * MB to strip: files in `build/`, each with the data by the digest of its text, and the patterns of what it holds.
 */
export const parsedAhead = {
  /** Read by servers. */
  'tables.json': [
    'src/gateway/dialects/*.yaml',
    'src/gateway/upstream/*.yaml',
    'src/gateway/wires/fields/*.yaml',
    'src/pages/connect/clients.yaml',
  ],
  /** Read by builds. */
  'reader.json': ['src/factory/kinds/**/*.yaml', 'src/factory/language/*.yaml', 'src/factory/read/**/*.yaml'],
  /** Scripts of pages. */
  'pages.json': ['src/pages/assets/*.ts'],
} as const;

export const digestOf = (text: string): string => createHash('sha1').update(text).digest('base64url');

/** The data of a YAML file that builds read. A file that was changed since `scripts/build.ts` ran is parsed here. */
export const yamlFile = readerOf('reader.json');

/** The same for a file that servers read. */
export const tableFile = readerOf('tables.json');

/** The JavaScript of a script of a page, which imports others beside it by the names that browsers know. */
export const pageScript = readerOf('pages.json') as (file: URL) => string;

function readerOf(name: keyof typeof parsedAhead): (file: URL) => unknown {
  let parsed: Parsed | undefined;
  return (file) => {
    parsed ??= readParsed(new URL(`../../build/${name}`, import.meta.url));
    const text = readFileSync(file, 'utf8');
    return parsed[digestOf(text)] ?? parsedText(name, text);
  };
}

export function parsedText(name: keyof typeof parsedAhead, text: string): unknown {
  if (name !== 'pages.json') return parse(text);
  return stripTypeScriptTypes(text)
    .replaceAll(/'(\.\/[\w-]+)\.ts'/g, "'$1.js'")
    .replaceAll(/ +$/gm, '');
}

function readParsed(file: URL): Parsed {
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Parsed) : {};
}
