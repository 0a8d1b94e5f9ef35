import fc from 'fast-check';
import { expect, it } from 'vitest';
import { withMembers } from '../../../src/lib/json-splice.ts';

const spliced = (json: string, changes: Record<string, string>) =>
  withMembers(Buffer.from(json), changes).toString();

it('changes the value of a member and no other byte', () => {
  expect(spliced('{ "a" : 1,\n "model":"x\\"y" , "b":{"model":"z"}}', { model: '"new"' })).toBe(
    '{ "a" : 1,\n "model":"new" , "b":{"model":"z"}}',
  );
});

it.each([
  ['{"model":1}', '{"model":"n"}'],
  ['{"model":[{"model":"}"}],"b":2}', '{"model":"n","b":2}'],
  ['{"model":null }', '{"model":"n" }'],
  ['{"mod\\u0065l":"a"}', '{"mod\\u0065l":"n"}'],
  ['{"model":"a","model":"b"}', '{"model":"n","model":"n"}'],
  ['{"x":"\\\\","model":"a"}', '{"x":"\\\\","model":"n"}'],
  ['{}', '{"model":"n"}'],
  [' { } ', ' {"model":"n" } '],
  ['{"a":1}', '{"model":"n","a":1}'],
])('%s becomes %s', (before, after) => {
  expect(spliced(before, { model: '"n"' })).toBe(after);
});

it('agrees with parsing, changing and writing, for any object', () => {
  const object = fc.dictionary(fc.string(), fc.jsonValue());
  fc.assert(
    fc.property(object, fc.string(), fc.jsonValue(), fc.constantFrom(0, 2), (given, name, value, indent) => {
      const json = JSON.stringify(given, null, indent);
      const changed = JSON.parse(spliced(json, { [name]: JSON.stringify(value) }));
      expect(changed).toEqual(JSON.parse(JSON.stringify({ ...given, [name]: value })));
    }),
  );
});
