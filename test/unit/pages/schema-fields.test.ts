import { describe, expect, it } from 'vitest';
import { type Field, fieldsOf, readField } from '../../../src/pages/assets/schema-fields.js';

const one = (schema: object, required = false): Field => {
  const [field] = fieldsOf({ properties: { it: schema }, required: required ? ['it'] : [] });
  if (!field) throw new Error('There is no field.');
  return field;
};

describe('the fields of a form', () => {
  it.each<[string, object, Field['kind']]>([
    ['a short text', { type: 'string', maxLength: 60 }, 'text'],
    ['a text that may be long', { type: 'string', maxLength: 200_000 }, 'long'],
    ['a text of any length', { type: 'string' }, 'long'],
    ['a choice', { type: 'string', enum: ['a', 'b'] }, 'choice'],
    ['a choice of anything', { enum: [1, null] }, 'choice'],
    ['a number', { type: 'number' }, 'number'],
    ['an integer', { type: 'integer' }, 'number'],
    ['yes or no', { type: 'boolean' }, 'boolean'],
    ['texts', { type: 'array', items: { type: 'string' } }, 'lines'],
    ['texts to choose', { type: 'array', items: { type: 'string', enum: ['a'] } }, 'choices'],
    ['objects in a list', { type: 'array', items: { type: 'object' } }, 'json'],
    ['an object', { type: 'object' }, 'json'],
    ['one of several types', { type: ['string', 'null'] }, 'json'],
    ['anything', {}, 'json'],
  ])('%s', (_, schema, kind) => {
    expect(one(schema).kind).toBe(kind);
  });

  it('begin with those that are needed', () => {
    const schema = { properties: { a: {}, b: {}, c: {} }, required: ['c'] };
    expect(fieldsOf(schema).map(({ name }) => name)).toEqual(['c', 'a', 'b']);
  });

  it.each([[{}], [{ properties: { a: {} }, oneOf: [{}] }]])('are one for the whole of %j', (schema) => {
    expect(fieldsOf(schema)).toMatchObject([{ name: '', kind: 'json', required: true }]);
  });
});

describe('what is entered', () => {
  const count = { type: 'integer', minimum: 1, maximum: 50 };
  const texts = { type: 'array', items: { type: 'string' } };

  it.each<[object, string[], unknown]>([
    [{ type: 'string' }, [' as it is\n'], ' as it is\n'],
    [{ enum: ['a', 7] }, ['1'], 7],
    [count, ['50'], 50],
    [{ type: 'boolean' }, ['false'], false],
    [texts, ['one\n\n two \n'], ['one', 'two']],
    [{ type: 'array', items: { type: 'string', enum: ['a', 'b'] } }, ['a', 'b'], ['a', 'b']],
    [{ type: 'object' }, ['{"a": [1]}'], { a: [1] }],
  ])('in %j as %j is %j', (schema, entered, value) => {
    expect(readField(one(schema), entered)).toEqual({ value });
  });

  it.each<[object, string, string]>([
    [count, 'many', 'must be a number'],
    [count, '1.5', 'must be a whole number'],
    [count, '0', 'must be at least 1'],
    [count, '51', 'must be at most 50'],
    [{ type: 'object' }, '{"a": ', 'is no valid JSON'],
  ])('in %j as %j is wrong', (schema, entered, problem) => {
    expect(readField(one(schema), [entered])).toEqual({ problem: expect.stringContaining(problem) });
  });

  it('may be nothing, unless it is needed', () => {
    expect(readField(one(count), [' '])).toBeNull();
    expect(readField(one(count, true), [' '])).toEqual({ problem: 'is needed' });
    expect(readField(one({ type: 'array', items: { type: 'string', enum: ['a'] } }), [])).toBeNull();
  });
});
