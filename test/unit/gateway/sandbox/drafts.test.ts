/** Schemas of the drafts that clients send (https://json-schema.org/specification-links, 2026-11-27), which the sandbox fills in. */
import { describe, expect, test } from 'vitest';
import { madeUpInstance } from '../../../../src/gateway/sandbox/made-up.ts';
import { parseExactly } from '../../../../src/lib/json.ts';

const answer = {
  type: 'object',
  properties: { city: { type: 'string' }, count: { type: 'integer', minimum: 3 } },
  required: ['city', 'count'],
  additionalProperties: false,
};

describe.each([
  // generateObject of the AI SDK (zod's schemas as draft-07).
  'http://json-schema.org/draft-07/schema#',
  'http://json-schema.org/draft-07/schema',
  'https://json-schema.org/draft-07/schema#',
  'http://json-schema.org/draft-06/schema#',
  'http://json-schema.org/draft-04/schema#',
  'https://json-schema.org/draft/2019-09/schema',
  'https://json-schema.org/draft/2020-12/schema',
])('a schema of %s', ($schema) => {
  test('is filled in', async () => {
    expect(await madeUpInstance({ $schema, ...answer })).toEqual({ city: expect.any(String), count: 3 });
  });

  test('is filled in through its own references', async () => {
    const schema = { $schema, $ref: '#/definitions/answer', definitions: { answer } };
    expect(await madeUpInstance(schema)).toMatchObject({ count: 3 });
  });
});

test.each<[string, object, unknown]>([
  [
    'http://json-schema.org/draft-07/schema#',
    {
      type: 'array',
      items: [{ const: 1 }, { const: 'b' }],
      additionalItems: { type: 'boolean' },
      minItems: 3,
    },
    [1, 'b', true],
  ],
  [
    'https://json-schema.org/draft/2019-09/schema',
    { type: 'array', items: [{ const: 1 }], minItems: 1 },
    [1],
  ],
  [
    'https://json-schema.org/draft/2020-12/schema',
    { type: 'array', prefixItems: [{ const: 1 }], items: { const: 2 }, minItems: 2 },
    [1, 2],
  ],
  [
    'http://json-schema.org/draft-04/schema#',
    {
      id: 'http://example.com/answer',
      type: 'object',
      properties: {
        id: { type: 'integer', minimum: 3, exclusiveMinimum: true },
        minimum: { type: 'integer', maximum: 5, exclusiveMaximum: false },
      },
      required: ['id'],
    },
    { id: 4, minimum: 0 },
  ],
  [
    'http://json-schema.org/draft-04/schema#',
    {
      type: 'object',
      definitions: { n: { type: 'integer', minimum: 7 } },
      properties: {
        a: { id: '/properties/a', properties: { b: { $ref: '#/definitions/n' } }, required: ['b'] },
      },
      required: ['a'],
    },
    { a: { b: 7 } },
  ],
])('%s %j has its own keywords', async ($schema, schema, value) => {
  expect(await madeUpInstance({ $schema, ...schema })).toEqual(value);
});

test('what contradicts itself is told in each draft', async () => {
  const schema = {
    $schema: 'http://json-schema.org/draft-04/schema#',
    type: 'integer',
    minimum: 3,
    maximum: 2,
  };
  await expect(madeUpInstance(schema)).rejects.toThrow(/cannot make up an answer that fits the schema/);
});

test('a bound beyond 2^53 is a bound', async () => {
  const schema = parseExactly('{"type":"integer","minimum":3,"maximum":9223372036854775807}') as object;
  expect(await madeUpInstance({ ...schema })).toBe(3);
});
