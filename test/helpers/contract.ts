import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Document } from '../../src/contract/served/document.ts';

export const root = path.join(import.meta.dirname, '../..');

/** The bundled contract. */
export const contract = JSON.parse(
  readFileSync(path.join(root, 'generated/openapi.json'), 'utf8'),
) as Document;
