import { _ } from 'ajv';
import { Ajv2020, type Options } from 'ajv/dist/2020.js';
import standaloneCode from 'ajv/dist/standalone/index.js';
import addFormats from 'ajv-formats';
import { transformSync } from 'esbuild';
import { fileSchema } from '../../src/config/file-schema.ts';
import { fileFormats, validatorHead, validatorOptions } from '../../src/config/parse-file.ts';
import {
  type Document,
  eventSchemaOf,
  type Operation,
  operationsOf,
  type Parameter,
  repliesOf,
  resolve,
  type Schema,
} from '../../src/contract/served/document.ts';
import type { DeclaredFeature } from '../../src/contract/served/own-operations.ts';
import { hasOpenQuery } from './document.ts';
import { variantsOf } from './operations.ts';

/** Schema keywords that describe and do not assert. */
const annotations = ['example', 'x-codes', 'x-enum-varnames', 'x-event-schema', 'x-expected', 'x-refused'];

/** The table of one output file: operation -> part of the message -> key of the compiled schema. */
type Table = Record<string, Record<string, string>>;

/**
 * JavaScript source of the compiled validators of every request.
 * @param allErrors false: stop at the first problem (the quick check of every request); true: find them all.
 */
export function requestValidatorsSource(document: Document, allErrors: boolean): string {
  const compiler = new Compiler(document, { allErrors, verbose: allErrors }, true);
  const table: Table = {};
  for (const { id, operation } of operationsOf(document)) {
    const row: Record<string, string> = {};
    for (const [part, schema] of requestSchemas(document, operation)) {
      row[part] = compiler.add(`${id}.${part}`, schema, part === 'query' || part === 'path');
    }
    table[id] = row;
  }
  return compiler.source('validators', table);
}

/** JavaScript source of the compiled validators of every JSON reply and, for a stream, of each of its events. */
export function replyValidatorsSource(document: Document): string {
  const compiler = new Compiler(document, { allErrors: true }, false);
  const table: Table = {};
  for (const { id, operation } of operationsOf(document)) {
    const row: Record<string, string> = {};
    for (const [status, reply] of repliesOf(document, operation)) {
      for (const [type, media] of Object.entries(reply.content ?? {})) {
        row[`${status} ${type}`] = compiler.add(
          `${id}.${status}.${type}`,
          eventSchemaOf(media) ?? media.schema,
          false,
        );
      }
      if (!reply.content) row[`${status}`] = compiler.add(`${id}.${status}`, {}, false);
    }
    table[id] = row;
  }
  return compiler.source('validators', table);
}

/** JavaScript source of the compiled validators of every built-in feature; that of the input fills defaults in. */
export function featureValidatorsSource(document: Document, features: readonly DeclaredFeature[]): string {
  const compiler = new Compiler(document, { allErrors: true, verbose: true, useDefaults: true }, true);
  const rows = features.map(({ id, input, output }): [string, Record<string, string>] => [
    JSON.stringify(id),
    {
      input: compiler.add(`${id}.input`, input, false),
      output: compiler.add(`${id}.output`, output, false),
    },
  ]);
  return compiler.source('validators', Object.fromEntries(rows));
}

/** JavaScript source of the compiled validator of the configuration file, which is given the formats of its own. */
export function fileValidatorSource(): string {
  const ajv = new Ajv2020({
    ...validatorOptions,
    formats: fileFormats,
    code: { source: true, esm: true, lines: true, formats: _`formats` },
  });
  ajv.addSchema(fileSchema, 'validate');
  const source = scoped(standaloneCode.default(ajv, { validate: 'validate' }), ['validate']);
  return [
    `${validatorHead()}import { createRequire } from 'node:module';`,
    '',
    'const require = createRequire(import.meta.url);',
    `export const validatorWith = (formats) => ${source}.validate;`,
    '',
  ].join('\n');
}

/** The schemas of a request: `path`, `query`, and `body` or, for a body of exclusive variants, `body.<variant>`. */
function requestSchemas(document: Document, operation: Operation): [string, Schema][] {
  const parameters = (operation.parameters ?? []).map((parameter) => resolve<Parameter>(document, parameter));
  const schemas: [string, Schema][] = (['path', 'query'] as const).map((part) => [
    part,
    {
      ...objectOf(parameters.filter((parameter) => parameter.in === part)),
      additionalProperties: part === 'query' && hasOpenQuery(operation),
    },
  ]);
  const content = operation.requestBody?.content;
  const media = content?.['application/json'] ?? content?.['multipart/form-data'];
  if (!media) return schemas;
  const schema = resolve(document, media.schema);
  const variants = variantsOf(document, schema);
  if (variants.length === 0) return [...schemas, ['body', media.schema]];
  return [
    ...schemas,
    ...variants.map((name, n): [string, Schema] => [`body.${name}`, schema.oneOf?.[n] ?? {}]),
  ];
}

function objectOf(parameters: Parameter[]): Schema {
  return {
    type: 'object',
    properties: Object.fromEntries(parameters.map(({ name, schema }) => [name, schema])),
    required: parameters.filter((parameter) => parameter.required).map((parameter) => parameter.name),
  };
}

/** Two Ajv instances (parameters have their defaults filled in, bodies never) that print one module. */
class Compiler {
  readonly #bodies: Ajv2020;
  readonly #parameters: Ajv2020;
  readonly #bodyKeys: Record<string, string> = {};
  readonly #parameterKeys: Record<string, string> = {};
  /** Schema text -> key: a schema that serves in many places is compiled once. */
  readonly #known = new Map<string, string>();

  /** @param saysSize whether `int32` and `int64` only say how large a number is, as bounds hold it that have errors of their own */
  constructor(document: Document, options: Options, saysSize: boolean) {
    const $defs = withoutMappings(document.components.schemas);
    const contract = rewriteReferences({ $id: 'contract', $defs });
    const common: Options = {
      strict: true,
      discriminator: true,
      allowUnionTypes: true,
      strictRequired: false,
      ...options,
      code: { source: true, esm: true, lines: true },
    };
    this.#bodies = new Ajv2020(common);
    this.#parameters = new Ajv2020({ ...common, useDefaults: true });
    for (const ajv of [this.#bodies, this.#parameters]) {
      addFormats.default(ajv);
      if (saysSize) for (const size of ['int32', 'int64']) ajv.addFormat(size, true);
      ajv.addVocabulary(annotations);
      ajv.addSchema(contract);
    }
  }

  add(name: string, schema: Schema, isParameters: boolean): string {
    const text = `${isParameters} ${JSON.stringify(schema)}`;
    const known = this.#known.get(text);
    if (known) return known;
    const key = name.replaceAll(/[^A-Za-z0-9]+/g, '_');
    const ajv = isParameters ? this.#parameters : this.#bodies;
    (isParameters ? this.#parameterKeys : this.#bodyKeys)[key] = key;
    ajv.addSchema({ ...rewriteReferences(schema), $id: key });
    this.#known.set(text, key);
    return key;
  }

  source(name: string, table: Table): string {
    // Two modules in one: each is printed in a scope of its own, since both number their functions from 1.
    const scopes = [
      [this.#bodies, this.#bodyKeys] as const,
      [this.#parameters, this.#parameterKeys] as const,
    ].map(([ajv, keys]) => scoped(standaloneCode.default(ajv, keys), Object.keys(keys)));
    const rows = Object.entries(table).map(([id, parts]) => {
      const cells = Object.entries(parts).map(([part, key]) => `${JSON.stringify(part)}: compiled.${key}`);
      return `  ${id}: { ${cells.join(', ')} },`;
    });
    return [
      "import { createRequire } from 'node:module';",
      '',
      'const require = createRequire(import.meta.url);',
      `const compiled = { ${scopes.map((scope) => `...${scope}`).join(', ')} };`,
      '',
      `export const ${name} = {`,
      ...rows,
      '};',
      '',
    ]
      .join('\n')
      .replaceAll(/[^\0-\x7f]/g, inAscii);
  }
}

/** For a text with another character than those of Latin-1, V8 holds two bytes for each. */
const inAscii = (unit: string) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;

function scoped(source: string, keys: string[]): string {
  const body = source.replaceAll(/^export /gm, '').replace(/^"use strict";/, '');
  // V8 holds the text of every module, and nobody reads this one.
  const { code } = transformSync(`export default (() => {\n${body}\nreturn { ${keys.join(', ')} };\n})()`, {
    minify: true,
    lineLimit: 160,
  });
  return code.replace(/^export default\b/, '').replace(/;\s*$/, '');
}

/** Ajv takes a discriminator by its constants alone, of objects; the mapping, which says the same, is for other tools. */
function withoutMappings<T>(schemas: T): T {
  const text = JSON.stringify(schemas, (_, value) =>
    value?.discriminator?.mapping
      ? { type: 'object', ...value, discriminator: { propertyName: value.discriminator.propertyName } }
      : value,
  );
  return JSON.parse(text) as T;
}

function rewriteReferences<T>(value: T): T {
  return JSON.parse(JSON.stringify(value).replaceAll('"#/components/schemas/', '"contract#/$defs/')) as T;
}
