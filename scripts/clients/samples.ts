import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { withRepository } from '../repository.ts';

/** A piece of a live test that the documentation shows. */
export interface Sample {
  readonly language: string;
  /** The operation it calls, or `start` for how the client is made. */
  readonly operationId: string;
  readonly title: string;
  readonly source: string;
}

/**
 * The samples of a language that are whole programs, by their names: the blocks of its `samples.md`, each below a heading. They are
 * printed as they are, and run as they are printed.
 */
export function programsOf(language: string): ReadonlyMap<string, string> {
  const file = path.join(import.meta.dirname, language, 'samples.md');
  if (!existsSync(file)) return new Map();
  const blocks = readFileSync(file, 'utf8').matchAll(/^## (\w+)\n\n```\w+\n(.*?)\n```$/gms);
  return new Map([...blocks].map(([, name = '', program = '']) => [name, program]));
}

const begin = /^\s*(?:\/\/|#) sample (\w+)(?:: (.*))?$/;
const end = /^\s*(?:\/\/|#) end$/;

/**
 * The samples in the live tests of a language: what stands between a comment `sample <operation>: <title>` and a comment
 * `end`. They run with the live tests, so what the documentation shows is known to work.
 */
export function samplesOf(language: string): Sample[] {
  const folder = path.join(import.meta.dirname, language, 'live');
  return readdirSync(folder)
    .sort()
    .flatMap((file) => samplesIn(language, readFileSync(path.join(folder, file), 'utf8')));
}

function samplesIn(language: string, text: string): Sample[] {
  const samples: Sample[] = [];
  let open: { operationId: string; title: string; lines: string[] } | null = null;
  for (const line of text.split('\n')) {
    const started = begin.exec(line);
    if (started) open = { operationId: started[1] ?? '', title: started[2] ?? '', lines: [] };
    else if (open && end.test(line)) {
      samples.push({ language, ...open, source: dedent(open.lines) });
      open = null;
    } else open?.lines.push(line);
  }
  if (open) throw new Error(`${language}: the sample ${open.operationId} has no end`);
  return samples;
}

function dedent(lines: readonly string[]): string {
  const indents = lines
    .filter((line) => line.trim() !== '')
    .map((line) => /^\s*/.exec(line)?.[0].length ?? 0);
  const min = Math.min(...indents);
  return lines.map((line) => line.slice(min)).join('\n');
}

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
