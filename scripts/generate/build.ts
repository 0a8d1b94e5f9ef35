import { globSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { parse } from 'yaml';
import { builtInFeatures } from '../../generated/features.gen.ts';
import { contractDigest } from '../../generated/operations.gen.ts';
import { validatorFile } from '../../src/config/parse-file.ts';
import { builtFile, digestFile, isBuilt } from '../../src/contract/built.ts';
import type { Document } from '../../src/contract/served/document.ts';
import { digestOf, parsedFile } from '../../src/factory/read/yaml-file.ts';
import {
  featureValidatorsSource,
  fileValidatorSource,
  replyValidatorsSource,
  requestValidatorsSource,
} from './validators.ts';

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
  write(path.basename(parsedFile.pathname), JSON.stringify(parsedYaml()));
  write(path.basename(validatorFile.pathname), fileValidatorSource());
  write(path.basename(digestFile), contractDigest);
}

/** The YAML that builds read, parsed, by the digest of its text. */
function parsedYaml(): Record<string, unknown> {
  const factory = path.join(import.meta.dirname, '../../src/factory');
  const files = globSync(['kinds/**/*.yaml', 'language/*.yaml', 'read/**/*.yaml'], {
    cwd: factory,
  });
  const texts = files.map((file) => readFileSync(path.join(factory, file), 'utf8'));
  return Object.fromEntries(texts.map((text) => [digestOf(text), parse(text)]));
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
function write(name: string, text: string): void {
  const file = builtFile(name);
  const draft = `${file}.${process.pid}`;
  writeFileSync(draft, text);
  renameSync(draft, file);
}
