import { readFileSync, writeFileSync } from 'node:fs';
import { STATUS_CODES } from 'node:http';
import path from 'node:path';
import type { Document } from '../../src/contract/served/document.ts';
import { vendorDefaults } from '../../src/gateway/routing/builtin.ts';
import {
  clientWires,
  type Disposition,
  type FieldRow,
  wireNames,
  wires,
} from '../../src/gateway/wires/fields/field-rows.ts';
import { fieldTable } from '../../src/gateway/wires/fields/table.ts';
import type { VendorWire } from '../../src/model/parts.ts';
import { type Client, clientGroups } from '../../src/pages/connect/connect.ts';
import { printedIn } from '../clients/programs.ts';
import { type ErrorCodeRow, errorCodeRows } from '../generate/types.ts';
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

const fences: Readonly<Record<string, string>> = { javascript: 'ts' };

/** The program that shows an operation in a language, which `npm run clients -- --test` compiles and runs as it is printed. */
function librarySample(language: string, operationId: string): string {
  const program = printedIn(language).find((printed) => printed.operationId === operationId);
  if (!program) throw new Error(`no program in ${language} shows ${operationId}`);
  return `\`\`\`${fences[language] ?? language}\n${program.source}\n\`\`\``;
}

/** The address that guides name; the server puts its own in its place. */
const base = 'http://127.0.0.1:8080';

/** How each client is set up, by groups. */
export function clientSections(): string {
  return clientGroups(base, vendorDefaults)
    .flatMap(({ title, clients }) => [`## ${title}`, ...clients.map(sectionOf)])
    .join('\n\n');
}

function sectionOf({ name, install, docs, notRun, blocks, note }: Client): string {
  const usual = blocks.length === 1;
  return [
    `### ${name}`,
    ...(install === undefined ? [] : [`\`${install}\``]),
    ...blocks.map(({ caption, lang, code }) => {
      const heading = usual && !caption.includes('.') ? '' : `${captioned(caption)}:\n\n`;
      const comment = notRun === undefined ? '' : `<!-- not run: ${notRun} -->\n`;
      return `${heading}${comment}\`\`\`${lang}\n${code}\n\`\`\``;
    }),
    ...(note === undefined ? [] : [note]),
    `[Documentation of ${name}](${docs})`,
  ].join('\n\n');
}

/** The caption, in which the path of a file is code. */
function captioned(caption: string): string {
  return caption.replace(/^\S*\.\w+/, (file) => `\`${file}\``);
}

interface ErrorReply {
  readonly error: Readonly<Record<string, unknown>>;
}

/** Every error code with a reply, by status: the contract's own example, or one made of the code's row in its table. */
export function errorSections(contract: Document): string {
  const rows = errorCodeRows(contract);
  const statuses = [...new Set(rows.map(({ status }) => status))].sort((a, b) => a - b);
  return statuses
    .map((status) => {
      const sections = rows.filter((row) => row.status === status).map((row) => section(contract, row));
      return [`## ${status} ${STATUS_CODES[status]}`, ...sections].join('\n\n');
    })
    .join('\n\n');
}

function section(contract: Document, row: ErrorCodeRow): string {
  const { code, type, retryable, description } = row;
  const later = retryable ? 'The same request may succeed later.' : 'The same request will fail again.';
  const reply = JSON.stringify(replyOf(contract, row), null, 2);
  return `### \`${code}\`\n\n${description}\n\nType \`${type}\`. ${later}\n\n\`\`\`json\n${reply}\n\`\`\``;
}

/** A reply with this code. */
function replyOf(contract: Document, { code, type, retryable, description }: ErrorCodeRow): ErrorReply {
  const examples = Object.values(contract.components['examples'] ?? {}) as { value: unknown }[];
  // What a run or a build records of its error has no address of an explanation.
  const found = examples
    .map(({ value }) => value as ErrorReply)
    .find(({ error }) => error?.['code'] === code && error['docs_url']);
  const made: ErrorReply = {
    error: {
      code,
      type,
      message: /^.*?\.(?= |$)/.exec(description)?.[0] ?? description,
      param: null,
      details: [],
      request_id: 'req_01K9Z3V7Q4W8X2M6N5B1C0D9EF',
      retryable,
      docs_url: `${contract.servers[0]?.url}/docs#/errors/${code}`,
    },
  };
  return found ?? made;
}

/** What becomes of each field of a wire towards each of the others. */
export function fieldsTable(name: string): string {
  const wire = clientWires.find((one) => one === name);
  if (!wire) throw new Error(`there is no wire ${name}`);
  // Who speaks Chat Completions is asked for the older Completions as they come.
  const own = wire === 'openai-completions' ? 'openai-chat' : wire;
  const targets = wires.filter((one) => one !== own);
  const { published, rows } = fieldTable(wire);
  const head = ['Field', ...targets.map((target) => wireNames[target]), 'Note'];
  return [
    `Compared with ${published}.\n`,
    `| ${head.join(' | ')} |`,
    `|${'---|'.repeat(head.length)}`,
    ...rows.map((row) => `| ${cellsOf(row, targets).join(' | ')} |`),
  ].join('\n');
}

const marks: Readonly<Record<Disposition, string>> = {
  mapped: 'mapped',
  dropped: '*dropped*',
  refused: '**refused**',
};

function cellsOf(row: FieldRow, targets: readonly VendorWire[]): string[] {
  return [fieldOf(row.path), ...targets.map((target) => marks[row.to[target]]), noteOf(row)];
}

/** A path; where it is of several kinds or of a value, those are named beside it. */
function fieldOf(path: string): string {
  const [, before, items, by, kinds = ''] = /^(.*?)(\[?)\{?(\w+)=([^\]}]+)[\]}]$/.exec(path) ?? [];
  if (before === undefined) {
    const [, field, value] = /^(.*)=([^\]}]+)$/.exec(path) ?? [];
    return field ? `${code(field)}, the value ${code(value ?? '')}` : code(path);
  }
  return `${code(`${before}${items ? '[]' : ''}`)} of ${by} ${kinds.split('|').map(code).join(', ')}`;
}

function noteOf({ note, harmless, source, sameAs, to }: FieldRow): string {
  const counts = harmless?.map((value) => code(JSON.stringify(value))).join(' or ');
  return [
    note,
    sameAs && `Below it as below ${code(sameAs)}.`,
    // Where a field is carried over everywhere, so are these.
    counts && wires.some((wire) => to[wire] !== 'mapped') && `${counts} counts as left out.`,
    source && `Source: ${source.replace(/https?:\/\/[^\s),]+/, '<$&>')}.`,
  ]
    .filter((sentence) => sentence)
    .join(' ');
}

function code(text: string): string {
  return `\`${text.replaceAll('|', '\\|')}\``;
}
