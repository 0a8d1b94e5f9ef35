import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formulaProblems } from '../../../src/factory/formula.ts';
import { compile } from '../../../src/factory/kinds/calculator/app/reckon.js';

const problems = (formula: Parameters<typeof formulaProblems>[0]) =>
  formulaProblems(formula).map(({ path, message }) => `${path} ${message}`);

const value = (text: string, values: Record<string, number> = {}) =>
  compile(text, Object.keys(values))(values);

describe('an expression', () => {
  it.each([
    ['1 + 2 * 3', 7],
    ['(1 + 2) * 3', 9],
    ['-2 ^ 2', -4],
    ['2 ^ -1', 0.5],
    ['2 ^ 3 ^ 2', 512],
    ['7 % 4', 3],
    ['10 - 4 - 3', 3],
    ['ceil(10 / 4) + floor(2.7)', 5],
    ['round(3.14159, 2)', 3.14],
    ['min(3, 1, 2) + max(4, 5)', 6],
    ['sqrt(abs(-16))', 4],
    ['.5*4', 2],
    ['1 - -1', 2],
  ])('%s is %d', (text, expected) => {
    expect(value(text)).toBeCloseTo(expected, 12);
  });

  it('uses what it knows by name', () => {
    expect(value('width * height / coverage', { width: 4, height: 2.5, coverage: 10 })).toBe(1);
  });

  it.each([
    ['1 +', 'a number or a name is missing at character 4'],
    ['(1', '“)” is missing at character 3'],
    ['1 2', 'an operation is missing at character 3'],
    ['a + nothing', '“a” is no input and no result above it at character 1'],
    ['eval(1)', 'there is no function “eval” at character 1'],
    ['constructor(1)', 'there is no function “constructor” at character 1'],
    ['sqrt(1, 2)', '“sqrt” has 2 values'],
    ['1; alert(1)', 'an operation is missing at character 2'],
    ['a.b', '“a” is no input'],
    ['', 'a number or a name is missing at character 1'],
  ])('%s is refused: %s', (text, message) => {
    expect(() => compile(text, [])).toThrow(message);
  });

  it('of whatever characters is a number or refused, and nothing else happens', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string({ maxLength: 200 }),
          fc
            .array(fc.constantFrom(...'0123456789+-*/^%().,ab '), { maxLength: 200 })
            .map((all) => all.join('')),
        ),
        (text) => {
          let run: ((values: Record<string, number>) => number) | null = null;
          try {
            run = compile(text, ['a', 'b']);
          } catch (error) {
            expect((error as Error).message).toMatch(/at character \d+$/);
          }
          if (run) expect(typeof run({ a: 2, b: 3 })).toBe('number');
        },
      ),
    );
  });

  it('may be nested as deep as its length allows', () => {
    expect(value(`${'('.repeat(99)}1${')'.repeat(99)}`)).toBe(1);
  });
});

describe('a formula', () => {
  const inputs = [
    { key: 'width', label: 'Width' },
    { key: 'height', label: 'Height' },
  ];

  it('is sound where each result uses inputs and results above it', () => {
    const results = [
      { key: 'area', label: 'Area', expression: 'width * height' },
      { key: 'paint', label: 'Paint', expression: 'ceil(area / 10)' },
    ];
    expect(problems({ inputs, results })).toEqual([]);
    expect(problems({ inputs, results: [...results].reverse() })).toEqual([
      'formula.results[0].expression cannot be read: “area” is no input and no result above it at character 6',
    ]);
  });

  it('names each thing once, and none like a function', () => {
    const results = [{ key: 'width', label: 'Area', expression: '1' }];
    expect(problems({ inputs, results })).toEqual(['formula.results[0].key is width a second time']);
    expect(problems({ inputs: [{ key: 'min', label: 'Least' }], results: [] })).toEqual([
      'formula.inputs[0].key is the function min',
    ]);
  });

  it('begins within its bounds', () => {
    const inputs = [
      { key: 'a', label: 'A', min: 2, max: 1 },
      { key: 'b', label: 'B', min: 0, max: 1, value: 3 },
    ];
    expect(problems({ inputs, results: [] })).toEqual([
      'formula.inputs[0].max must be at least 2',
      'formula.inputs[1].value must be from min to max',
    ]);
  });
});
