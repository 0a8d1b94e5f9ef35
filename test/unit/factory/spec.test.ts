import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { appSpecSchema } from '../../../generated/app-spec.gen.ts';
import { buildFromSpec } from '../../../src/factory/build-app.ts';
import { formulaProblems } from '../../../src/factory/formula.ts';
import { compile } from '../../../src/factory/kinds/calculator/app/reckon.js';
import { cleanPrompt } from '../../../src/factory/prompt.ts';
import { read } from '../../../src/factory/read/read.ts';
import { endpointOrigin, endpointProblems, specProblems } from '../../../src/factory/spec.ts';
import { promptOf } from '../../../src/services/builds/build-errors.ts';
import { contract } from '../../helpers/contract.ts';
import { wholeSpec } from '../../helpers/factory-build.ts';
import { testEvery } from '../../helpers/test-every.ts';

describe('a spec', () => {
  const spec = read('an expense tracker').spec;

  it('that is whole is sound', () => {
    expect(specProblems(spec)).toEqual([]);
  });

  testEvery('without one of its members is not whole', Object.keys(appSpecSchema.properties), (name) => {
    const { [name as keyof typeof spec]: _left, ...rest } = spec;
    expect(specProblems(rest).join()).toContain(name);
  });

  it('may give its fields keys in any order, but each once', () => {
    const [first, second] = spec.entity?.fields ?? [];
    const entity = (keys: readonly string[]) => ({
      ...spec,
      seed: [],
      entity: {
        singular: 'Expense',
        plural: 'Expenses',
        fields: keys.map((key) => ({ ...first, ...second, key })),
      },
    });
    expect(specProblems(entity(['f7', 'f0']))).toEqual([]);
    expect(specProblems(entity(['f7', 'f7'])).join()).toContain('/entity/fields/1/key');
  });
});

const form = wholeSpec({
  kind: 'form',
  variant: 'contact',
  entity: { singular: 'a', plural: 'b', fields: [{ key: 'f0', label: 'Name', type: 'text' }] },
});
const at = (endpoint: string) => ({ ...form, contact: { endpoint } });

test('only forms for contact and sign-up may post, and only to the origin of their address', async () => {
  const spec = at('https://owner.example:8443/in?x=1');
  expect(endpointOrigin(spec)).toBe('https://owner.example:8443');
  expect(endpointOrigin({ ...spec, variant: 'poll' })).toBeNull();
  expect(endpointOrigin({ ...spec, kind: 'landing', variant: '' })).toBeNull();
  expect(endpointOrigin(form)).toBeNull();
  expect((await buildFromSpec(spec)).html).toContain('connect-src https://owner.example:8443;');
  expect((await buildFromSpec(form)).html).toContain("connect-src 'none';");
});

test.each([
  'https://a;script-src/',
  "https://a'b/",
  'https://a,b/',
  'https://*.example/',
  'https://[::1]/',
  'https://',
])('an address that would say more in a policy is refused: %s', (endpoint) => {
  expect(endpointProblems(endpoint)).toHaveLength(1);
  expect(specProblems(at(endpoint))).toHaveLength(1);
  expect(endpointOrigin(at(endpoint))).toBeNull();
});

test('an address with user and password, or in capitals, opens its plain origin', () => {
  expect(endpointOrigin(at('https://user:secret@OWNER.example/'))).toBe('https://owner.example');
});

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

const {
  pattern = '',
  minLength = 0,
  maxLength = 0,
} = contract.components.schemas['Prompt'] as {
  pattern?: string;
  minLength?: number;
  maxLength?: number;
};

/** Whether a text fits the schema of prompts, in pattern as JSON Schema and in halves of pairs as the description says. */
function fits(text: string): boolean {
  const visible = text.replaceAll(/\p{Cs}/gu, ' ');
  return (
    [...text].length >= minLength && [...text].length <= maxLength && new RegExp(pattern, 'u').test(visible)
  );
}

function accepted(text: string): boolean {
  try {
    promptOf(text);
    return true;
  } catch {
    return false;
  }
}

/** Texts of all that is odd: controls, blanks, marks, halves of pairs, letters. */
const odd = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        '\u0000',
        '\u001f',
        '\u007f',
        '\u0085',
        ' ',
        '\u00a0',
        '\u200b',
        '\u202e',
        '\u2066',
        '\u3000',
      ),
      fc.constantFrom('\ud83d', '\udd8a', '🦊', 'a', 'J', '.', '-', '\u0301', '\ufeff', '\n', '\ue000'),
      fc.string({ unit: 'binary', maxLength: 2 }),
    ),
    { maxLength: 12 },
  )
  .map((parts) => parts.join(''));

describe('a prompt', () => {
  it('that fits the schema is accepted, and one that does not is refused', () => {
    const check = (text: string) => expect(accepted(text), JSON.stringify(text)).toBe(fits(text));
    fc.assert(
      fc.property(odd, (text) => {
        fc.pre([...text].length >= minLength);
        check(text);
      }),
      { numRuns: 2000 },
    );
    for (const text of ['\u0000.J', '\u0000.Jx', '🦊🦊🦊', '- \n- \n- x', 'e\u0301\u0301']) check(text);
  });

  it('that is accepted can be planned and stored, whatever is left of it', () => {
    fc.assert(
      fc.property(odd.filter(fits), (text) => {
        const clean = cleanPrompt(text);
        expect(clean.isWellFormed()).toBe(true);
        expect(clean).not.toMatch(/[\p{Cc}\u202a-\u202e\u2066-\u2069]/u);
        expect(specProblems(read(clean).spec)).toEqual([]);
      }),
      { numRuns: 300 },
    );
  });
});
