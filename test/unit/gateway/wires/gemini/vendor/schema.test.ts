import { describe, expect, test } from 'vitest';
import { geminiSchema } from '../../../../../../src/gateway/wires/gemini/vendor/schema.ts';

describe('a schema on the Gemini wire', () => {
  test.each([
    [{ const: 'a' }, { type: 'string', enum: ['a'] }],
    [
      { type: 'integer', const: 3 },
      { type: 'integer', enum: [3] },
    ],
    [{ const: true }, { const: true }],
    [{ properties: { const: { type: 'string' } } }, { properties: { const: { type: 'string' } } }],
    [
      { type: 'integer', exclusiveMinimum: 0 },
      { type: 'integer', minimum: 1 },
    ],
    [
      { type: 'number', exclusiveMinimum: 0 },
      { type: 'number', exclusiveMinimum: 0 },
    ],
    [
      { $ref: '#/$defs/A', description: 'd' },
      { description: 'd', anyOf: [{ $ref: '#/$defs/A' }] },
    ],
    [{ $ref: '#/$defs/A' }, { $ref: '#/$defs/A' }],
    [
      { definitions: { A: { const: 'x' } }, properties: { a: { $ref: '#/definitions/A' } } },
      { $defs: { A: { type: 'string', enum: ['x'] } }, properties: { a: { $ref: '#/$defs/A' } } },
    ],
    [
      { allOf: [{ type: 'string' }], description: 'd' },
      { type: 'string', description: 'd' },
    ],
    [
      { oneOf: [{ const: 'a' }, { type: 'null' }] },
      { oneOf: [{ type: 'string', enum: ['a'] }, { type: 'null' }] },
    ],
    [
      { type: 'array', items: { const: 'a' } },
      { type: 'array', items: { type: 'string', enum: ['a'] } },
    ],
    [
      { type: 'string', pattern: '^a$', default: { const: 1 } },
      { type: 'string', pattern: '^a$', default: { const: 1 } },
    ],
  ])('says %j as %j', (schema, expected) => {
    const before = structuredClone(schema);
    expect(geminiSchema(schema)).toEqual(expected);
    expect(schema).toEqual(before);
  });
});
