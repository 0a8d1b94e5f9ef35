import { readFileSync } from 'node:fs';
import path from 'node:path';
import { samplesOf } from './samples.ts';

const shared = () => readFileSync(path.join(import.meta.dirname, 'limits.md'), 'utf8').trim();

/**
 * The README of a package, from `<language>/README.md`: `{{version}}`, `{{limits}}` (what holds for every language) and
 * `{{sample <operation>: <title>}}` are filled in.
 */
export function readmeOf(language: string, version: string): string {
  const template = readFileSync(path.join(import.meta.dirname, language, 'README.md'), 'utf8');
  const samples = samplesOf(language);
  return template.replaceAll(
    /\{\{(\w+)(?: (\w+)(?:: (.*?))?)?\}\}/g,
    (whole, kind, operationId, title = '') => {
      if (kind === 'version') return version;
      if (kind === 'limits') return shared();
      const found = samples.find((sample) => sample.operationId === operationId && sample.title === title);
      if (kind !== 'sample' || !found) throw new Error(`${language}/README.md asks for ${whole}`);
      return found.source;
    },
  );
}
