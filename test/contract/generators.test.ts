/** What code generators of others trip over, and readers miss: found by running them, held here so that it stays mended. */
import { expect, it } from 'vitest';
import {
  isForeign,
  operationsOf,
  repliesOf,
  resolve,
  type Schema,
} from '../../src/contract/served/document.ts';
import { downConverted } from '../../src/contract/served/openapi-30.ts';
import { contract } from '../helpers/contract.ts';

interface Found {
  readonly at: string;
  readonly schema: Schema;
}

/** Every schema of the contract, wherever it stands, by its place. */
function allSchemas(): Found[] {
  const found: Found[] = [];
  const visit = (value: unknown, at: string) => {
    if (typeof value !== 'object' || value === null) return;
    if (Array.isArray(value)) {
      value.forEach((member, index) => {
        visit(member, `${at}/${index}`);
      });
      return;
    }
    found.push({ at, schema: value as Schema });
    for (const [name, member] of Object.entries(value)) {
      if (!['example', 'examples', 'x-codeSamples', 'default', 'const', 'enum'].includes(name))
        visit(member, `${at}/${name}`);
    }
  };
  visit(contract.paths, 'paths');
  visit(contract.components, 'components');
  return found;
}

const schemas = allSchemas();
const named = Object.entries(contract.components.schemas);

it('finds the schemas of the contract', () => {
  expect(named.length).toBeGreaterThan(150);
  expect(schemas.length).toBeGreaterThan(3000);
});

it('describes every property, where it stands or in the schema that it names', () => {
  const missing = schemas.flatMap(({ at, schema }) => {
    if (typeof schema['properties'] !== 'object' || !('type' in schema)) return [];
    // A condition speaks of properties that are declared, and described, beside it.
    if (/\/(?:if|then)$/.test(at)) return [];
    return Object.entries(schema['properties'] as Record<string, Schema>)
      .filter(([, property]) => !property['description'] && !resolve(contract, property)['description'])
      .map(([name]) => `${at}: ${name}`);
  });
  expect(missing).toEqual([]);
});

// OpenAPI Generator: Python crashes on it, TypeScript imports a module `./Null`, Rust a type `models::Null`.
it('has no property that is only null', () => {
  const properties = schemas.filter(({ at }) => /\/properties\/[^/]+$/.test(at));
  expect(properties.filter(({ schema }) => schema['type'] === 'null').map(({ at }) => at)).toEqual([]);
});

// OpenAPI Generator makes `List<T>.class` of it in Java and `ArrayVecmodels::T` in Rust.
it('has no array without a name in a union', () => {
  const inUnions = schemas.filter(({ at }) => /\/(?:oneOf|anyOf)\/\d+$/.test(at));
  expect(inUnions.length).toBeGreaterThan(50);
  expect(inUnions.filter(({ schema }) => schema['type'] === 'array').map(({ at }) => at)).toEqual([]);
});

// In Go the constructor of `Key` is called `NewKey`.
it('has no schema that is called as the constructor of another', () => {
  const names = named.map(([name]) => name);
  expect(names.filter((name) => name.startsWith('New') && names.includes(name.slice(3)))).toEqual([]);
});

// In Go the values of an enum are constants of the package, in upper case.
it('has no two named enums that share the name of a constant', () => {
  const enums = named.filter(([, schema]) => Array.isArray(schema['enum']));
  expect(enums.length).toBeGreaterThan(8);
  const constants = enums.flatMap(([name, schema]) => {
    const values = (schema['enum'] as (string | null)[]).filter((value) => value !== null);
    const names = (schema['x-enum-varnames'] ?? values) as string[];
    expect(names).toHaveLength(values.length);
    return names.map((constant) => [constant.toUpperCase(), name] as const);
  });
  const twice = constants.filter(([constant, name]) =>
    constants.some(([other, of]) => other === constant && of !== name),
  );
  expect(twice).toEqual([]);
});

// OpenAPI Generator for Java gives a boolean of one value the type String.
it('has no constant that is a boolean', () => {
  expect(schemas.filter(({ schema }) => typeof schema['const'] === 'boolean').map(({ at }) => at)).toEqual(
    [],
  );
});

// Ogen calls the type of a property that has no name by its schema and property, and that of a scheme as the scheme.
it('has no schema that is called as a property without a name, or a security scheme', () => {
  const names = new Set(named.map(([name]) => name));
  const capital = (name: string) => name.replaceAll(/(?:^|_)([a-z])/g, (_, letter) => letter.toUpperCase());
  const inline = named.flatMap(([name, { properties = {} }]) =>
    Object.entries(properties).flatMap(([property, { $ref }]) => ($ref ? [] : [name + capital(property)])),
  );
  const schemes = Object.keys(contract.components['securitySchemes'] ?? {}).map(capital);
  expect(inline.length).toBeGreaterThan(500);
  expect([...inline, ...schemes].filter((name) => names.has(name))).toEqual([]);
});

// Prism and the generators take the media type of a stream for its body; `x-event-schema` is what stands in its place.
it('describes each stream as a string with the schema of its events, apart from every JSON reply', () => {
  const replies = operationsOf(contract).flatMap(({ id, operation }) =>
    repliesOf(contract, operation).map(([, reply]) => ({
      id,
      foreign: isForeign(operation),
      content: reply.content ?? {},
    })),
  );
  const all = replies.filter(({ content }) => 'text/event-stream' in content);
  const streams = all.filter(({ foreign }) => !foreign);
  expect([streams.length > 6, all.length > streams.length]).toEqual([true, true]);
  // A foreign interface streams under the same 200, the whole answer first, as which tools read it that know one type only.
  for (const { content } of all.filter(({ foreign }) => foreign)) {
    expect(Object.keys(content).length).toBeGreaterThan(1);
    expect(Object.keys(content).at(-1)).toBe('text/event-stream');
    const { type, 'x-event-schema': event } = content['text/event-stream']?.schema ?? {};
    expect([type, event]).toEqual(['string', undefined]);
  }
  for (const { content } of streams) {
    expect(Object.keys(content)).toEqual(['text/event-stream']);
    const { type, 'x-event-schema': event } = content['text/event-stream']?.schema ?? {};
    expect([type, event?.$ref]).toEqual(['string', expect.stringMatching(/Event$/)]);
  }
});

// openapi-typescript lets both variants of a chat through together unless each has the property of the other in another type.
it('has variants of a chat that exclude each other by their types', () => {
  for (const stream of ['', 'Stream']) {
    const conversation = contract.components.schemas[`ChatMessages${stream}Request`]?.properties;
    const single = contract.components.schemas[`ChatMessage${stream}Request`]?.properties;
    expect([conversation?.['messages']?.type, single?.['messages']?.type]).toEqual(['array', 'string']);
    expect([conversation?.['message']?.type, single?.['message']?.type]).toEqual(['integer', 'string']);
  }
});

// In a named schema pydantic's models cannot be made at all, and with a default openapi-typescript requires the property.
it('has no named schema that is deprecated, and no deprecated property with a default', () => {
  expect(named.filter(([, schema]) => schema['deprecated']).map(([name]) => name)).toEqual([]);
  const both = schemas.filter(({ schema }) => schema['deprecated'] === true && 'default' in schema);
  expect(both.map(({ at }) => at)).toEqual([]);
});

// Rust's regular expressions, which pydantic compiles patterns with, know only whole characters.
it('has no pattern that names halves of surrogate pairs', () => {
  const patterns = schemas.flatMap(({ schema }) =>
    typeof schema['pattern'] === 'string' ? schema['pattern'] : [],
  );
  expect(patterns.length).toBeGreaterThan(10);
  expect(patterns.filter((pattern) => /\\ud[89a-f]|\p{Cs}/iu.test(pattern))).toEqual([]);
});

// OpenAPI Generator for Go makes a constant of the package of each value of an enumeration with a name.
it('has no two named enumerations with a value that is the same constant', () => {
  const constants = named.flatMap(([name, schema]) => {
    const given = (schema['x-enum-varnames'] ?? schema['enum'] ?? []) as unknown[];
    const made = given.map((value) =>
      String(value)
        .toUpperCase()
        .replaceAll(/[^A-Z0-9]+/g, '_'),
    );
    return [...new Set(made)].map((constant) => ({ name, constant }));
  });
  expect(constants.length).toBeGreaterThan(100);
  const twice = Object.entries(Object.groupBy(constants, ({ constant }) => constant)).filter(
    ([, of = []]) => of.length > 1,
  );
  expect(twice.map(([constant, of = []]) => [constant, of.map(({ name }) => name)])).toEqual([]);
});

// OpenAPI Generator for Ruby and Java merges the parts, and those that have a name without what may be null.
it('has no named part of a schema with a property that may be null', () => {
  const parts = schemas.flatMap(({ schema }) =>
    Array.isArray(schema['allOf']) ? (schema['allOf'] as Schema[]) : [],
  );
  expect(parts.length).toBeGreaterThan(20);
  const lost = parts.flatMap(({ $ref }) => {
    const properties = $ref ? resolve(contract, { $ref } as Schema).properties : {};
    const nullable = Object.entries(properties ?? {}).filter(([, { type }]) =>
      [type].flat().includes('null'),
    );
    return nullable.map(([name]) => `${$ref}: ${name}`);
  });
  expect(lost).toEqual([]);
});

it('says of every whole number how large it can be', () => {
  const integers = schemas.filter(({ schema }) => [schema.type].flat().includes('integer'));
  expect(integers.length).toBeGreaterThan(60);
  // A constant is as large as it is.
  const sizes: unknown[] = ['int32', 'int64'];
  const open = integers.filter(({ schema }) => !('const' in schema) && !sizes.includes(schema['format']));
  // It says that nothing fits.
  expect(open.map(({ at }) => at)).toEqual(
    ['ChatMessagesRequest', 'ChatMessagesStreamRequest'].map(
      (name) => `components/schemas/${name}/properties/message`,
    ),
  );
  const tooLarge = integers.filter(
    ({ schema }) => schema['format'] === 'int32' && Number(schema['maximum'] ?? 0) > 2 ** 31 - 1,
  );
  expect(tooLarge.map(({ at }) => at)).toEqual([]);
});

// Openapi-python-client makes such a property twice, and drops the schema for it.
it('has no schema that may be null in OpenAPI 3.0 with an object that has no name', () => {
  const { schemas: in30 } = downConverted({ ...contract })['components'] as typeof contract.components;
  const nullable = Object.entries(in30).filter(([, { nullable, type }]) => nullable && type === 'object');
  expect(nullable.length).toBeGreaterThan(5);
  const unnamed = nullable.flatMap(([name, { properties = {} }]) =>
    Object.entries(properties).flatMap(([property, { type }]) =>
      type === 'object' ? `${name}: ${property}` : [],
    ),
  );
  expect(unnamed).toEqual([]);
});

// Else each generator makes up a name of its own, such as `InlineObject1` or `DetectLanguageOutputCandidatesInner`.
it('has a name for every object with properties', () => {
  const places = /^components\/schemas\/\w+(?:\/allOf\/\d+)?$/;
  const unnamed = schemas.filter(
    ({ at, schema }) =>
      schema.type === 'object' &&
      schema.properties !== undefined &&
      !places.test(at) &&
      !/\/(?:if|then|else|not)(?:\/|$)/.test(at),
  );
  // Of a named object with a constant and further properties orval writes no valid TypeScript.
  expect(unnamed.map(({ at }) => at)).toEqual([
    'components/schemas/FunctionDefinition/properties/parameters',
  ]);
});
