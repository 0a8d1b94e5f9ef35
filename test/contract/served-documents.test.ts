/** What tools of others read wrongly in the documents as they are served: each rule holds for the whole of each document. */
import { expect, it } from 'vitest';
import { type Document, operationsOf, resolve, type Schema } from '../../src/contract/served/document.ts';
import { publicDocuments } from '../../src/contract/served/documents.ts';

const publicUrl = 'https://ai.example.com';
const documents = publicDocuments(publicUrl, { features: [], agents: [], opened: new Set() });
const served = JSON.parse((await documents.openApiJson()).text) as Document;
const served30 = JSON.parse((await documents.openApi30Json()).text) as Document;
const both = [
  ['3.1', served],
  ['3.0', served30],
] as const;

/** Every object of a document by its place, but what stands in examples. */
function objectsIn(document: object): { at: string; value: Schema }[] {
  const found: { at: string; value: Schema }[] = [];
  const visit = (value: unknown, at: string) => {
    if (typeof value !== 'object' || value === null) return;
    if (!Array.isArray(value)) found.push({ at, value: value as Schema });
    for (const [name, member] of Object.entries(value))
      if (!['example', 'examples', 'default'].includes(name)) visit(member, `${at}/${name}`);
  };
  visit(document, '#');
  expect(found.length).toBeGreaterThan(5000);
  return found;
}

/** The entries of a list that stand in it more than once. */
function repeated(names: readonly string[]): string[] {
  return names.filter((name, n) => names.indexOf(name) !== n);
}

// kin-openapi reads the digits of `\u00AD` in upper case only, and hey-api writes U+2028 and U+2029 into JavaScript as they are.
it.each(both)('%s has patterns that Go, Rust and JavaScript read', (_, document) => {
  const patterns = objectsIn(document).flatMap(({ value: { pattern } }) =>
    typeof pattern === 'string' ? pattern : [],
  );
  expect(patterns.length).toBeGreaterThan(20);
  const lowerCase = /\\u[0-9A-F]*[a-f]/;
  const lineSeparator = /\\u202[89]/i;
  // RE2 and Rust have neither.
  const lookAround = /\(\?<?[=!]|\\[1-9]/;
  const wrong = patterns.filter((text) =>
    [lowerCase, lineSeparator, lookAround].some((one) => one.test(text)),
  );
  expect(wrong).toEqual([]);
});

// oapi-codegen makes one type of a parameter and a schema; kubb a file of each name, which are one where case does not count.
it.each(both)('%s has no two names that are one type or one file', (_, { components, ...document }) => {
  const names = ['schemas', 'parameters', 'headers'].flatMap((section) =>
    Object.keys(components[section] ?? {}),
  );
  const operations = operationsOf({ components, ...document }).map(({ id }) => id);
  expect([names.length > 300, operations.length > 100]).toEqual([true, true]);
  expect(repeated(names.map((name) => name.toLowerCase()))).toEqual([]);
  const schemas = new Set(Object.keys(components.schemas).map((name) => name.toLowerCase()));
  expect(operations.filter((id) => schemas.has(id.toLowerCase()))).toEqual([]);
});

// OpenAPI Generator's PHP template declares them in each of its classes.
it.each(both)('%s has no operation that is called as an accessor of a template', (_, document) => {
  const accessors = [
    'getConfig',
    'getHostIndex',
    'setHostIndex',
    'getBasePath',
    'setBasePath',
    'getApiClient',
  ];
  const own = [...accessors, 'setApiClient', 'getConfiguration', 'toString', 'hashCode', 'getClass'];
  expect(operationsOf(document).filter(({ id }) => own.includes(id))).toEqual([]);
});

// openapi-zod-client writes it as z.enum([…, null]), which does not compile.
it('3.1 has no enumeration with null among texts', () => {
  const enums = objectsIn(served).filter(({ value }) => Array.isArray(value['enum']));
  expect(enums.length).toBeGreaterThan(50);
  expect(
    enums.filter(({ value }) => (value['enum'] as unknown[]).includes(null)).map(({ at }) => at),
  ).toEqual([]);
});

// To the letter of 3.0.3 `nullable` beside a reference changes nothing, and beside a type validators read it in two ways.
it('3.0 says null of the very schema that may be null, beside its type', () => {
  const nullable = objectsIn(served30).filter(({ value }) => value['nullable'] === true);
  expect(nullable.length).toBeGreaterThan(100);
  const elsewhere = nullable.filter(
    ({ value }) => 'allOf' in value || '$ref' in value || ('type' in value ? false : !('enum' in value)),
  );
  expect(elsewhere.map(({ at }) => at)).toEqual([]);
  const types = objectsIn(served30).filter(({ value }) => Array.isArray(value['allOf']) && value.type);
  expect(types.map(({ at }) => at)).toEqual([]);
});

it.each(both)('%s names media types without parameters, as validators look them up', (_, document) => {
  const types = objectsIn(document).flatMap(({ value }) => Object.keys((value['content'] as object) ?? {}));
  expect(types.length).toBeGreaterThan(200);
  expect(types.filter((type) => type.includes(';'))).toEqual([]);
});

it.each(both)('%s calls the server by its address, and by no other place', (_, { servers }) => {
  expect(servers).toEqual([expect.objectContaining({ url: publicUrl, description: 'This server.' })]);
});

it.each(both)('%s takes a list of parts for what a message says, as the server does', (_, document) => {
  const content = document.components.schemas['ChatMessage']?.properties?.['content'];
  expect(content?.oneOf).toEqual([
    expect.objectContaining({ maxLength: 1048576 }),
    { $ref: '#/components/schemas/ChatParts' },
  ]);
  const part = resolve(document, document.components.schemas['ChatParts']?.['items'] as Schema);
  expect(Object.keys(part.properties ?? {})).toEqual(['type', 'text', 'image_url', 'file', 'input_audio']);
});

// A cursor is one that a list has given, and a key that is used twice gets the answer of the first request.
it.each(both)('%s has no example of what is good only once', (_, document) => {
  const parameters = objectsIn(document).filter(({ value }) => 'in' in value && 'schema' in value);
  const once = parameters.filter(({ value }) =>
    ['cursor', 'idempotency-key'].includes(String(value['name'])),
  );
  expect(once.length).toBeGreaterThan(1);
  expect(once.filter(({ value }) => 'example' in value || 'examples' in value)).toEqual([]);
});
