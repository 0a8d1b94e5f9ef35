import { describe, expect, test } from 'vitest';
import { geminiSchema } from '../../../../../../src/gateway/wires/gemini/vendor/schema.ts';

describe('a schema on the Gemini wire', () => {
  test.each([
    ['a text that is fixed', { const: 'a' }, { type: 'string', enum: ['a'] }],
    ['a number that is fixed', { type: 'integer', const: 3 }, { type: 'integer', enum: [3] }],
    ['a flag that is fixed', { const: true }, { const: true }],
    [
      'a property of that name',
      { properties: { const: { type: 'string' } } },
      { properties: { const: { type: 'string' } } },
    ],
    ['bounds of integers', { type: 'integer', exclusiveMinimum: 0 }, { type: 'integer', minimum: 1 }],
    [
      'bounds of other numbers',
      { type: 'number', exclusiveMinimum: 0 },
      { type: 'number', exclusiveMinimum: 0 },
    ],
    [
      'a reference with words',
      { $ref: '#/$defs/A', description: 'd' },
      { description: 'd', anyOf: [{ $ref: '#/$defs/A' }] },
    ],
    ['a reference alone', { $ref: '#/$defs/A' }, { $ref: '#/$defs/A' }],
    [
      'older names of definitions',
      { definitions: { A: { const: 'x' } }, properties: { a: { $ref: '#/definitions/A' } } },
      { $defs: { A: { type: 'string', enum: ['x'] } }, properties: { a: { $ref: '#/$defs/A' } } },
    ],
    [
      'one that is all',
      { allOf: [{ type: 'string' }], description: 'd' },
      { type: 'string', description: 'd' },
    ],
    [
      'choices',
      { oneOf: [{ const: 'a' }, { type: 'null' }] },
      { oneOf: [{ type: 'string', enum: ['a'] }, { type: 'null' }] },
    ],
    [
      'items',
      { type: 'array', items: { const: 'a' } },
      { type: 'array', items: { type: 'string', enum: ['a'] } },
    ],
    [
      'what it does not know',
      { type: 'string', pattern: '^a$', default: { const: 1 } },
      { type: 'string', pattern: '^a$', default: { const: 1 } },
    ],
  ])('says %s', (_, schema, expected) => {
    const before = structuredClone(schema);
    expect(geminiSchema(schema)).toEqual(expected);
    expect(schema).toEqual(before);
  });
});
