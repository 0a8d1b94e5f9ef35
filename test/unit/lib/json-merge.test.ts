import { expect, it } from 'vitest';
import { merged, patched } from '../../../src/lib/json.ts';

/** The test cases of RFC 7396, appendix A. */
const cases = [
  ['{"a":"b"}', '{"a":"c"}', '{"a":"c"}'],
  ['{"a":"b"}', '{"b":"c"}', '{"a":"b","b":"c"}'],
  ['{"a":"b"}', '{"a":null}', '{}'],
  ['{"a":"b","b":"c"}', '{"a":null}', '{"b":"c"}'],
  ['{"a":["b"]}', '{"a":"c"}', '{"a":"c"}'],
  ['{"a":"c"}', '{"a":["b"]}', '{"a":["b"]}'],
  ['{"a":{"b":"c"}}', '{"a":{"b":"d","c":null}}', '{"a":{"b":"d"}}'],
  ['{"a":[{"b":"c"}]}', '{"a":[1]}', '{"a":[1]}'],
  ['["a","b"]', '["c","d"]', '["c","d"]'],
  ['{"a":"b"}', '["c"]', '["c"]'],
  ['{"a":"foo"}', 'null', 'null'],
  ['{"a":"foo"}', '"bar"', '"bar"'],
  ['{"e":null}', '{"a":1}', '{"e":null,"a":1}'],
  ['[1,2]', '{"a":"b","c":null}', '{"a":"b"}'],
  ['{}', '{"a":{"bb":{"ccc":null}}}', '{"a":{"bb":{}}}'],
] as const;

it.each(cases)('%s patched by %s is %s', (target, patch, result) => {
  expect(patched(JSON.parse(target), JSON.parse(patch))).toEqual(JSON.parse(result));
});

it('merges objects member by member, and replaces all else', () => {
  const below = { name: 'A', palette: { accent: '#000000', mode: 'auto' }, features: ['csv', 'sort'] };
  expect(merged(below, { palette: { mode: 'dark' }, features: ['undo'], entity: null })).toEqual({
    name: 'A',
    palette: { accent: '#000000', mode: 'dark' },
    features: ['undo'],
    entity: null,
  });
  expect(below.palette.mode).toBe('auto');
});

it('takes no name for more than a name', () => {
  const hostile = JSON.parse(
    '{"__proto__": {"polluted": true}, "constructor": {"prototype": {"polluted": true}}}',
  );
  for (const made of [merged({ name: 'A' }, hostile), patched({ name: 'A' }, hostile)]) {
    expect(Object.keys(made as object)).toEqual(['name', '__proto__', 'constructor']);
    expect((made as { polluted?: boolean }).polluted).toBeUndefined();
  }
  expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
});
