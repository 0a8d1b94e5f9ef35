import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createClient } from '@hey-api/openapi-ts';
import { type Document, resolve, type Schema } from '../../src/contract/served/document.ts';
import { readableJson } from './json.ts';

/** TypeScript source of the contract's types, by hey-api. It must read the bundle, never the split files. */
export async function typesSource(document: Document): Promise<string> {
  const folder = mkdtempSync(path.join(tmpdir(), 'switchyard-types-'));
  try {
    const input = path.join(folder, 'openapi.json');
    writeFileSync(input, JSON.stringify(document));
    await createClient({
      input,
      output: { path: path.join(folder, 'out'), entryFile: false },
      plugins: ['@hey-api/typescript'],
      logs: { level: 'silent', file: false },
    });
    return compact(readFileSync(path.join(folder, 'out', 'types.gen.ts'), 'utf8'));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Without what each operation would say again of the same few statuses, a third of all lines, and with short comments on one. */
function compact(types: string): string {
  return types
    .replace(/^export type \w+(?:Errors|Responses) = \{\n[^}]*?^\};\n/gm, (statuses) =>
      statuses.replace(/^ {4}\/\*\*\n(?: {4} \*.*\n)+/gm, ''),
    )
    .replace(/^export type (\w+Error) = \1s\[keyof \1s\];\n\n/gm, '')
    .replace(/^( *)\/\*\*\n *\* (.*)\n *\*\/$/gm, '$1/** $2 */');
}

export interface ErrorCodeRow {
  code: string;
  status: number;
  type: string;
  retryable: boolean;
  description: string;
}

/** The table of error codes that the contract keeps beside the enum of their names. */
export function errorCodeRows(document: Document): ErrorCodeRow[] {
  const schema = document.components.schemas['ErrorCode'];
  const names = schema?.['enum'] as string[];
  const rows = schema?.['x-codes'] as Record<string, Omit<ErrorCodeRow, 'code'>>;
  const differing = [...names, ...Object.keys(rows)].filter(
    (name) => !(name in rows && names.includes(name)),
  );
  if (differing.length > 0) throw new Error(`ErrorCode: enum and x-codes differ in ${differing.join(', ')}`);
  return names.map((code) => ({ code, ...rows[code] }) as ErrorCodeRow);
}

/** TypeScript source of the table that the server looks statuses up in. */
export function errorCodesSource(document: Document): string {
  const rows = errorCodeRows(document).map(
    ({ code, status, type, retryable }) =>
      `  ${code}: { status: ${status}, type: '${type}', retryable: ${retryable} },`,
  );
  return [
    "import type { ErrorCode, ErrorType } from './types.gen.ts';",
    '',
    'export interface ErrorCodeInfo {',
    '  /** HTTP status of the reply. */',
    '  readonly status: number;',
    '  readonly type: ErrorType;',
    '  /** Whether the same request may succeed later. */',
    '  readonly retryable: boolean;',
    '}',
    '',
    'export const errorCodes: Readonly<Record<ErrorCode, ErrorCodeInfo>> = {',
    ...rows,
    '};',
    '',
  ].join('\n');
}

/** Where a schema of the contract is referred to. */
const prefix = '#/components/schemas/';

/**
 * TypeScript source of the JSON Schema of an app's spec, with all that it refers to, and of the lists of names in it, so
 * that they stand once: in the contract.
 */
export function appSpecSource(document: Document): string {
  const $defs: Record<string, Schema> = {};
  const collect = (value: unknown): void => {
    if (value === null || typeof value !== 'object') return;
    for (const [key, inner] of Object.entries(value)) {
      if (key !== '$ref' || typeof inner !== 'string') {
        collect(inner);
        continue;
      }
      const name = inner.slice(prefix.length);
      if (name in $defs) continue;
      $defs[name] = resolve(document, { $ref: inner });
      collect($defs[name]);
    }
  };
  collect({ $ref: `${prefix}AppSpec` });
  const { AppSpec, ...others } = $defs;
  const schema = { $schema: 'https://json-schema.org/draft/2020-12/schema', title: 'AppSpec', ...AppSpec };
  const local = readableJson(
    JSON.parse(
      JSON.stringify({ ...schema, $defs: others }, withoutOpenApiWords).replaceAll(prefix, '#/$defs/'),
    ),
  ).trimEnd();
  const lists = [
    ['templateNames', 'TemplateId'],
    ['langs', 'AppLanguage'],
    ['fieldTypes', 'AppValueType'],
    ['features', 'AppFeature'],
  ].map(([name, id = '']) => `export const ${name} = ${JSON.stringify($defs[id]?.['enum'])} as const;\n`);
  return `${lists.join('')}export const appSpecSchema = ${local} as const;\n`;
}

/** Formats that only say how large a number is are words of OpenAPI, not of JSON Schema. */
function withoutOpenApiWords(key: string, value: unknown): unknown {
  return key === 'format' && (value === 'int32' || value === 'int64') ? undefined : value;
}
