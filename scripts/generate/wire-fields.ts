import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'yaml';
import { clientWires } from '../../src/gateway/wires/fields/field-rows.ts';

/** The tables of fields by the wires of clients, as they are written in `src/gateway/wires/fields/`. */
export function wireFields(folder: string): Record<string, unknown> {
  return Object.fromEntries(
    clientWires.map((wire) => [wire, parse(readFileSync(path.join(folder, `${wire}.yaml`), 'utf8'))]),
  );
}
