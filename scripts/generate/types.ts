import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createClient } from '@hey-api/openapi-ts';
import type { Document } from '../../src/contract/served/document.ts';

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
