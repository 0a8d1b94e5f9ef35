import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { allSettings } from '../../src/config/settings.ts';
import type { Document } from '../../src/contract/served/document.ts';
import { samplesOf } from '../clients/samples.ts';
import { errorSections } from './errors.ts';
import { limitsTable, modelsTable, substitutionsTable } from './tables.ts';

/** What stands between `<!-- begin <name> -->` and `<!-- end <name> -->` derives from the program. */
const part = /(<!-- begin ([\w-]+(?: [^>]*?)?) -->\n)[\s\S]*?(<!-- end \2 -->)/g;

/** Writes the derived parts of the README and the guides anew, where they differ. */
export function fillIn(root: string): void {
  for (const file of derivedFiles(root)) {
    const text = readFileSync(path.join(root, file), 'utf8');
    const filled = filledIn(root, text);
    if (filled !== text) writeFileSync(path.join(root, file), filled);
  }
}

/** Files that may have derived parts, as paths from `root`. */
export function derivedFiles(root: string): string[] {
  const guides = readdirSync(path.join(root, 'docs')).filter((name) => name.endsWith('.md'));
  return ['README.md', ...guides.sort().map((name) => `docs/${name}`)];
}

/** The text with its derived parts as they have to be. Throws for a part that is not known. */
export function filledIn(root: string, text: string): string {
  return text.replaceAll(
    part,
    (_, begin: string, name: string, end: string) => `${begin}\n${derive(root, name)}\n\n${end}`,
  );
}

function derive(root: string, name: string): string {
  const sample = /^sample (\w+) (\w+)$/.exec(name);
  if (sample) return librarySample(root, sample[1] ?? '', sample[2] ?? '');
  switch (name) {
    case 'settings':
      return settingsTable();
    case 'errors':
      return errorSections(
        JSON.parse(readFileSync(path.join(root, 'generated/openapi.json'), 'utf8')) as Document,
      );
    case 'models':
      return modelsTable();
    case 'substitutions':
      return substitutionsTable();
    case 'limits':
      return limitsTable();
    default:
      throw new Error(`nothing derives a part ${name}`);
  }
}

function settingsTable(): string {
  const rows = allSettings.map(
    ({ name, defaultText, about }) =>
      `| \`${name}\` | ${defaultText ? `\`${defaultText}\`` : ''} | ${about} |`,
  );
  return ['| Variable | Default | |', '|---|---|---|', ...rows].join('\n');
}

const fences: Readonly<Record<string, string>> = { javascript: 'ts' };

/**
 * How a client library calls an operation: a whole program of its folder `samples/`, or else the pieces of its live test
 * that make the client and call the operation. `npm run clients -- --test` compiles and runs both.
 */
function librarySample(root: string, language: string, operationId: string): string {
  const source = program(root, language, operationId) ?? pieces(language, operationId);
  return `\`\`\`${fences[language] ?? language}\n${source}\n\`\`\``;
}

function program(root: string, language: string, name: string): string | null {
  const folder = path.join(root, 'scripts/clients', language, 'samples');
  if (!existsSync(folder)) return null;
  const file = readdirSync(folder).find((file) => path.parse(file).name === name);
  return file === undefined ? null : readFileSync(path.join(folder, file), 'utf8').trimEnd();
}

function pieces(language: string, operationId: string): string {
  const sources = (id: string) =>
    samplesOf(language).flatMap((sample) => (sample.operationId === id ? [sample.source] : []));
  // The last is the shortest way to call it.
  const call = sources(operationId).at(-1);
  if (call === undefined) throw new Error(`no sample in ${language} calls ${operationId}`);
  return [...sources('start'), call].join('\n\n');
}
