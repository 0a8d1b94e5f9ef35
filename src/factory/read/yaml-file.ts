import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { parse } from 'yaml';

/** What `scripts/build.ts` has parsed ahead, by the digest of the text: YAML takes a hundred times as long as JSON. */
export const parsedFile = new URL('../../../build/reader.json', import.meta.url);

export const digestOf = (text: string): string => createHash('sha1').update(text).digest('base64url');

let parsed: Readonly<Record<string, unknown>> | undefined;

/** The data of a YAML file that builds read. A file that was changed since the build is parsed here. */
export function yamlFile(file: URL): unknown {
  parsed ??= existsSync(parsedFile)
    ? (JSON.parse(readFileSync(parsedFile, 'utf8')) as Record<string, unknown>)
    : {};
  const text = readFileSync(file, 'utf8');
  return parsed[digestOf(text)] ?? parse(text);
}
