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
    return readFileSync(path.join(folder, 'out', 'types.gen.ts'), 'utf8');
  } finally {
    rmSync(folder, { recursive: true });
  }
}
