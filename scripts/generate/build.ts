import { globSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { builtInFeatures } from '../../generated/features.gen.ts';
import { contractDigest } from '../../generated/operations.gen.ts';
import { builtFile, digestFile, isBuilt } from '../../src/contract/built.ts';
import type { Document } from '../../src/contract/served/document.ts';
import { digestOf, parsedAhead, parsedText } from '../../src/lib/yaml-file.ts';
import {
  featureValidatorsSource,
  fileValidatorSource,
  replyValidatorsSource,
  requestValidatorsSource,
} from './validators.ts';

/** What is made, and whether a server needs it: what checks replies is for development. */
const made = {
  'requests.js': true,
  'problems.js': true,
  'replies.js': false,
  'feature-checks.js': true,
  'postman.json': true,
  'reader.json': true,
  'tables.json': true,
  // A package has them compiled already.
  'pages.json': false,
  'config-file.js': true,
  'contract.digest': true,
} as const;

/** The files that a package of the server has to have. */
export const serverFiles = Object.entries(made).flatMap(([name, needed]) => (needed ? [name] : []));

/** Makes everything that `src/contract/built.ts` loads, the digest of the contract last. */
export async function makeBuild(): Promise<void> {
  const contract = path.join(import.meta.dirname, '../../generated/openapi.json');
  const document = JSON.parse(readFileSync(contract, 'utf8')) as Document;
  mkdirSync(path.dirname(digestFile), { recursive: true });
  if (!isBuilt()) rmSync(builtFile('postman.json'), { force: true });
  rmSync(digestFile, { force: true });
  write('requests.js', requestValidatorsSource(document, false));
  write('problems.js', requestValidatorsSource(document, true));
  write('replies.js', replyValidatorsSource(document));
  write('feature-checks.js', featureValidatorsSource(document, builtInFeatures));
  const collection = await collectionOf(document);
  if (collection !== null) write('postman.json', JSON.stringify(collection));
  for (const name of ['reader.json', 'tables.json', 'pages.json'] as const)
    write(name, JSON.stringify(parsedFiles(name)));
  write('config-file.js', fileValidatorSource());
  write('contract.digest', contractDigest);
}

/** What is made of files, by the digest of their text. */
function parsedFiles(name: keyof typeof parsedAhead): Record<string, unknown> {
  const root = path.join(import.meta.dirname, '../..');
  const texts = globSync(parsedAhead[name], { cwd: root }).map((file) =>
    readFileSync(path.join(root, file), 'utf8'),
  );
  return Object.fromEntries(texts.map((text) => [digestOf(text), parsedText(name, text)]));
}

/** Null where the converter is not installed. */
async function collectionOf(document: Document): Promise<object | null> {
  try {
    createRequire(import.meta.url).resolve('openapi-to-postmanv2');
  } catch {
    return null;
  }
  const { postmanCollection } = await import('./postman.ts');
  return postmanCollection(document);
}

/** Whole or not at all: servers and tests may be reading it. */
function write(name: keyof typeof made, text: string): void {
  const file = builtFile(name);
  const draft = `${file}.${process.pid}`;
  writeFileSync(draft, text);
  renameSync(draft, file);
}
