import { readFileSync } from 'node:fs';
import path from 'node:path';
import { withRepository } from '../repository.ts';
import { programsOf, samplesOf } from './samples.ts';

const shared = () => readFileSync(path.join(import.meta.dirname, 'limits.md'), 'utf8').trim();

/**
 * The README of a package, from `<language>/README.md`: `{{version}}`, `{{repository}}`, `{{limits}}` (what holds for every language) and
 * `{{sample <program>}}` or `{{sample <operation>: <title>}}` are filled in.
 */
export function readmeOf(language: string, version: string): string {
  const template = withRepository(
    readFileSync(path.join(import.meta.dirname, language, 'README.md'), 'utf8'),
  );
  const samples = samplesOf(language);
  const programs = programsOf(language);
  return template.replaceAll(
    /\{\{(\w+)(?: (\w+)(?:: (.*?))?)?\}\}/g,
    (whole, kind, operationId, title = '') => {
      if (kind === 'version') return version;
      if (kind === 'limits') return shared();
      const found =
        programs.get(operationId) ??
        samples.find((sample) => sample.operationId === operationId && sample.title === title)?.source;
      if (kind !== 'sample' || found === undefined) {
        throw new Error(`${language}/README.md asks for ${whole}`);
      }
      return found;
    },
  );
}
