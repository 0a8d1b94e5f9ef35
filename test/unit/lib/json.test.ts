import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import {
  isObject,
  isRawNumber,
  merged,
  objectIn,
  parseAnswer,
  parseExactly,
  parseRequest,
  patched,
} from '../../../src/lib/json.ts';
import { type JsonPatchOperation, jsonPatched } from '../../../src/lib/json-patch.ts';
import { withMembers } from '../../../src/lib/json-splice.ts';

describe('json', () => {
  /** Ids of X, Discord and databases, as in https://github.com/earendil-works/pi/issues/8943 (seen 2026-11-27), and other numbers. */
  const rounded = [
    '9007199254740993',
    '-9007199254740993',
    '18446744073709551615',
    '0.12345678901234567890',
    '1.7976931348623157081',
    '1e400',
    '-1E+400',
  ];
  const held = ['0', '-1', '1.5', '1.0', '1e3', '9007199254740991', '0.1', '1234567890.12345'];

  test.each(rounded)('%s keeps its digits where it is passed on', (number) => {
    const text = `{"id":${number},"a":[${number},{"b":${number}}]}`;
    expect(JSON.stringify(parseExactly(text))).toBe(text);
    expect(JSON.stringify(parseRequest(`{"input":${text}}`))).toBe(`{"input":${text}}`);
  });

  test.each(held)('%s is a number', (number) => {
    expect(parseExactly(`[${number},9007199254740993]`)).toEqual([Number(number), expect.anything()]);
    expect(isRawNumber(Number(number))).toBe(false);
  });

  test('what is not passed on is a number, as are those beside it', () => {
    const big = '9007199254740993';
    const parsed = parseRequest(
      `{"seed":${big},"list":[${big}],"tools":[{"parameters":{"maximum":${big}}}]}`,
    );
    expect(parsed).toMatchObject({ seed: Number(big), list: [Number(big)] });
    expect(JSON.stringify(parsed)).toContain(`"maximum":${big}`);
    expect(parseAnswer(`{"input":{"a":1},"usage":{"n":${big}}}`)).toEqual({
      input: { a: 1 },
      usage: { n: Number(big) },
    });
  });

  test('a name that is passed on is one only where it holds an object', () => {
    const big = '9007199254740993';
    const parsed = parseRequest(`{"input":[{"n":${big},"input":{"n":1}}],"parameters":${big}}`);
    expect(parsed).toEqual({ input: [{ n: Number(big), input: { n: 1 } }], parameters: Number(big) });
  });

  test('a number that is kept is no object', () => {
    const { id } = parseExactly('{"id":9007199254740993}') as { readonly id: unknown };
    expect([isRawNumber(id), isObject(id), isObject({ rawJSON: '1' })]).toEqual([true, false, true]);
  });

  test.each(['', '{', '{"a":9007199254740993', '[1,]', '{"input":{"a":01234567890123456}}'])(
    '%j is no JSON',
    (text) => {
      for (const parse of [parseExactly, parseRequest, parseAnswer])
        expect(() => parse(text)).toThrow(SyntaxError);
    },
  );

  describe('a text that is nested deeply', () => {
    test('is parsed without its digits, as nobody passes it on', () => {
      const text = `{"input":{"a":${'['.repeat(100_000)}9007199254740993${']'.repeat(100_000)}}}`;
      expect(() => parseRequest(text)).not.toThrow();
    });
  });

  test('names that objects have themselves are names like others', () => {
    const text =
      '{"__proto__":{"n":9007199254740993},"constructor":{"n":1},"input":{"__proto__":9007199254740993}}';
    const parsed = parseRequest(text) as object;
    expect(Object.getPrototypeOf(parsed)).toBe(Object.prototype);
    expect(JSON.stringify(parsed)).toBe(text.replace('9007199254740993', '9007199254740992'));
  });

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
});

/** Beyond the examples of RFC 6902, which the cases of https://github.com/json-patch/json-patch-tests hold, these are what libraries differ in. */
describe('a JSON Patch', () => {
  const of = (...operations: readonly unknown[]) => operations as readonly JsonPatchOperation[];
  const whole = { a: [1, { b: null }], 'm/n~': 'x' };

  it.each([
    [
      'adds in a list and at its end',
      of({ op: 'add', path: '/a/0', value: 0 }, { op: 'add', path: '/a/-', value: 9 }),
      { ...whole, a: [0, 1, { b: null }, 9] },
    ],
    [
      'replaces null by its escaped names',
      of({ op: 'replace', path: '/a/1/b', value: 2 }, { op: 'remove', path: '/m~1n~0' }),
      { a: [1, { b: 2 }] },
    ],
    ['replaces the whole', of({ op: 'replace', path: '', value: [1] }), [1]],
    ['moves to where it is', of({ op: 'move', from: '/a', path: '/a' }), whole],
    [
      'copies a value, not a reference',
      of({ op: 'copy', from: '/a/1', path: '/c' }, { op: 'add', path: '/c/d', value: 1 }),
      { ...whole, c: { b: null, d: 1 } },
    ],
    [
      'tests whatever the order of members',
      of({ op: 'test', path: '', value: { 'm/n~': 'x', a: whole.a } }),
      whole,
    ],
    [
      'takes no name for more than a name',
      of({ op: 'add', path: '/__proto__', value: 1 }),
      JSON.parse('{"a":[1,{"b":null}],"m/n~":"x","__proto__":1}'),
    ],
  ])('%s', (_what, operations, expected) => {
    const before = structuredClone(whole);
    expect(jsonPatched(whole, operations, 1000)).toEqual(expected);
    expect(whole).toEqual(before);
  });

  it.each([
    ['a member of a text', { op: 'add', path: '/m~1n~0/x', value: 1 }, 'path'],
    ['a length', { op: 'replace', path: '/a/length', value: 0 }, 'path'],
    ['an index beyond the end', { op: 'add', path: '/a/3', value: 1 }, 'path'],
    ['an index with a zero, a sign or an exponent', { op: 'add', path: '/a/02', value: 1 }, 'path'],
    ['an index that is empty', { op: 'add', path: '/a/', value: 1 }, 'path'],
    ['the end of a list', { op: 'remove', path: '/a/-' }, 'path'],
    ['the whole', { op: 'remove', path: '' }, 'path', 'is "" (the whole spec), which cannot be removed'],
    ['what is not there', { op: 'replace', path: '/c', value: 1 }, 'path'],
    [
      'something into itself',
      { op: 'move', from: '/a', path: '/a/0' },
      'path',
      'is "/a/0", which is inside "/a": a value cannot be moved into itself',
    ],
    ['what functions of all objects have', { op: 'add', path: '/toString/call', value: 1 }, 'path'],
    ['the prototype of all', { op: 'add', path: '/__proto__/polluted', value: 1 }, 'path'],
    ['from nowhere', { op: 'copy', from: '/b', path: '/c' }, 'from'],
    ['without from', { op: 'move', path: '/c' }, 'from'],
    ['beyond the size', { op: 'add', path: '/c', value: 'x'.repeat(1000) }, 'path'],
    [
      'deeper than JSON may be',
      { op: 'add', path: '/c', value: JSON.parse(`${'['.repeat(500)}${']'.repeat(500)}`) },
      'path',
    ],
  ])('cannot change %s', (_what, operation, member, message = expect.any(String)) => {
    const change = () => jsonPatched(whole, of({ op: 'test', path: '/a/0', value: 1 }, operation), 1000);
    expect(change).toThrow(expect.objectContaining({ index: 1, member, message }));
  });
});

describe('json splice', () => {
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
      fc.property(
        object,
        fc.string(),
        fc.jsonValue(),
        fc.constantFrom(0, 2),
        (given, name, value, indent) => {
          const json = JSON.stringify(given, null, indent);
          const changed = JSON.parse(spliced(json, { [name]: JSON.stringify(value) }));
          expect(changed).toEqual(JSON.parse(JSON.stringify({ ...given, [name]: value })));
        },
      ),
    );
  });
});

it('finds the object of a JSON text, with its digits, and in nothing else', () => {
  expect(objectIn(' {"a":[1]} ')).toEqual({ a: [1] });
  expect(isRawNumber(objectIn('{"a":12345678901234567890}', parseExactly)?.['a'])).toBe(true);
  const deep = 5000;
  for (const text of ['[1]', '1', 'null', '{"a"', '', `${'{"a":'.repeat(deep)}1${'}'.repeat(deep)}`])
    expect(objectIn(text)).toBeNull();
});
