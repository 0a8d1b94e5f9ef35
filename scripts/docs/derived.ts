import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { allSettings } from '../../src/config/settings.ts';
import type { Document } from '../../src/contract/served/document.ts';
import { printedIn } from '../clients/programs.ts';
import { clientSections } from './clients.ts';
import { errorSections } from './errors.ts';
import { fieldsTable } from './fields.ts';
import { guideFiles } from './guides.ts';
import {
  dialectRulesTable,
  dialectSections,
  generatorsTable,
  limitsTable,
  modelsTable,
  substitutionsTable,
} from './tables.ts';

/** What stands between `<!-- begin <name> -->` and `<!-- end <name> -->` derives from the program. */
const part = /(<!-- begin ([\w-]+(?: [^>]*?)?) -->\n)[\s\S]*?(<!-- end \2 -->)/g;

/** A part that a run of the judges fills in. */
const measured = 'matrix';

/** Writes the derived parts of the README and the guides again, where they differ. */
export function fillIn(root: string): void {
  for (const file of derivedFiles(root)) {
    const text = readFileSync(path.join(root, file), 'utf8');
    const filled = filledIn(root, text);
    if (filled !== text) writeFileSync(path.join(root, file), filled);
  }
}

/** Files that may have derived parts, as paths from `root`. */
export function derivedFiles(root: string): string[] {
  return ['README.md', ...guideFiles(root).filter((file) => file.startsWith('docs/'))];
}

/** The text with its derived parts as they have to be. Throws for a part that is not known. */
export function filledIn(root: string, text: string): string {
  return text.replaceAll(part, (whole: string, begin: string, name: string, end: string) =>
    name === measured ? whole : `${begin}\n${derive(root, name)}\n\n${end}`,
  );
}

function derive(root: string, name: string): string {
  const sample = /^sample (\w+) (\w+)$/.exec(name);
  if (sample) return librarySample(sample[1] ?? '', sample[2] ?? '');
  const fields = /^fields ([\w-]+)$/.exec(name);
  if (fields) return fieldsTable(fields[1] ?? '');
  switch (name) {
    case 'settings':
      return settingsTable();
    case 'errors':
      return errorSections(
        JSON.parse(readFileSync(path.join(root, 'generated/openapi.json'), 'utf8')) as Document,
      );
    case 'clients':
      return clientSections();
    case 'models':
      return modelsTable();
    case 'substitutions':
      return substitutionsTable();
    case 'limits':
      return limitsTable();
    case 'generators':
      return generatorsTable(root);
    case 'dialect-rules':
      return dialectRulesTable();
    case 'dialects':
      return dialectSections();
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

/** The program that shows an operation in a language, which `npm run clients -- --test` compiles and runs as it is printed. */
function librarySample(language: string, operationId: string): string {
  const program = printedIn(language).find((printed) => printed.operationId === operationId);
  if (!program) throw new Error(`no program in ${language} shows ${operationId}`);
  return `\`\`\`${fences[language] ?? language}\n${program.source}\n\`\`\``;
}
