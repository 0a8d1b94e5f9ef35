import { readFile } from 'node:fs/promises';
import path from 'node:path';

/** The bundled contract, parsed. */
export async function readContract(): Promise<Record<string, unknown>> {
  const file = path.join(import.meta.dirname, '../../generated/openapi.json');
  return JSON.parse(await readFile(file, 'utf8')) as Record<string, unknown>;
}
