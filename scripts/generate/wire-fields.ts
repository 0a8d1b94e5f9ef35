import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { parse } from 'yaml';
import { ruleSchemas } from '../../src/gateway/dialects/rules.ts';
import { clientWires, wires } from '../../src/gateway/wires/fields/field-rows.ts';

/** The tables of fields by the wires of clients, as they are written in `src/gateway/wires/fields/`. */
export function wireFields(folder: string): Record<string, unknown> {
  return Object.fromEntries(
    clientWires.map((wire) => [wire, parse(readFileSync(path.join(folder, `${wire}.yaml`), 'utf8'))]),
  );
}

const line = {
  type: 'object',
  properties: {
    on: { type: 'array', minItems: 1, items: { enum: wires } },
    model: { type: 'string', format: 'regex' },
    rule: { enum: Object.keys(ruleSchemas) },
    is: {},
    source: { type: 'string', minLength: 1 },
    seen: { type: 'string', format: 'date' },
  },
  required: ['on', 'rule', 'is', 'source', 'seen'],
  additionalProperties: false,
  allOf: Object.entries(ruleSchemas).map(([name, { value }]) => ({
    if: { properties: { rule: { const: name } } },
    // biome-ignore lint/suspicious/noThenProperty: it is a keyword of JSON Schema.
    then: { properties: { is: value } },
  })),
};

const dialect = {
  type: 'object',
  properties: {
    title: { type: 'string' },
    like: { type: 'array', items: { type: 'string' } },
    hosts: { type: 'array', items: { type: 'string' } },
    models: { type: 'string', format: 'regex' },
    made_its_wires: { type: 'boolean' },
    lines: { type: 'array', items: line },
  },
  required: ['title', 'lines'],
  additionalProperties: false,
};

/** The dialects of vendors, as they are written in `src/gateway/dialects/`. Throws `Error` for a line that has not the form of its rule. */
export function dialects(folder: string): Record<string, unknown> {
  const validate = addFormats.default(new Ajv2020({ allErrors: true, strict: false })).compile(dialect);
  const files = readdirSync(folder).filter((name) => name.endsWith('.yaml'));
  return Object.fromEntries(
    files.sort().map((name) => {
      const written: unknown = parse(readFileSync(path.join(folder, name), 'utf8'));
      if (!validate(written)) throw new Error(`${name}: ${JSON.stringify(validate.errors, null, 1)}`);
      return [name.replace(/\.yaml$/, ''), written];
    }),
  );
}
