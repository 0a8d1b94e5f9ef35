import { readFileSync } from 'node:fs';
import path from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { sentSpecProblems } from '../../../../src/factory/plan/sent-spec.ts';
import { patternOf } from '../../../../src/factory/revise/pattern.ts';
import { revise } from '../../../../src/factory/revise/revise.ts';
import { rules } from '../../../../src/factory/revise/rules/rules.ts';
import { instructionLangs, wordsOf } from '../../../../src/factory/revise/words.ts';
import { type AppSpec, specProblems } from '../../../../src/factory/spec.ts';
import { specs } from './specs.ts';

const folder = path.join(import.meta.dirname, '../../../../src/factory/revise/commands');

/** Words of a pattern with something in its slots, so that most of what is tried means something. */
const said = (lang: (typeof instructionLangs)[number]) => {
  const words = wordsOf(lang);
  const patterns = [...words.patterns.values()].flat().map(({ source }) => source);
  const nouns = [
    ...Object.values(specs).flatMap(({ entity, sections }: AppSpec) => [
      ...(entity?.fields ?? []).map(({ label }) => label),
      ...sections.flatMap(({ title, items }) => [title, ...items.map((item) => item.title)]),
    ]),
    ...[words.file.colours, words.file.kinds, words.file.variants, words.file.features, words.file.parts]
      .flatMap((table) => Object.values(table))
      .map(([first = '']) => first.replace('*', '')),
    '3,50',
    '1e400',
    '__proto__',
    'a, b, c',
    '<script>alert(1)</script>',
    '“quoted, and”',
    'x'.repeat(130),
    '😀',
  ];
  const filled = fc.tuple(
    fc.constantFrom(...patterns),
    fc.array(fc.constantFrom(...nouns), { minLength: 3, maxLength: 3 }),
  );
  return filled.map(([source, slots]) =>
    slots
      .reduce((text, slot) => text.replace(/\{\w+\}/, () => slot), source)
      .replace(/\[[^\]]*\]/g, '')
      .replace(/\(([^|)]*)[^)]*\)/g, '$1'),
  );
};

const instruction = fc.oneof(
  { weight: 1, arbitrary: fc.string({ unit: 'grapheme', maxLength: 520 }) },
  {
    weight: 4,
    arbitrary: fc
      .constantFrom(...instructionLangs)
      .chain((lang) => fc.array(said(lang), { minLength: 1, maxLength: 3 }))
      .map((all) => all.join(', ')),
  },
);

describe('any instruction', () => {
  it('on any valid spec gives a valid spec, and says what it did or did not do', () => {
    const all: readonly AppSpec[] = Object.values(specs);
    fc.assert(
      fc.property(fc.constantFrom(...all), instruction, (spec, text) => {
        const before = JSON.stringify(spec);
        const revised = revise(spec, text);
        expect(specProblems(revised.spec)).toEqual([]);
        // A finished build shows its spec, which can be sent back as it is.
        expect(sentSpecProblems(revised.spec, { kind: null, prompt: false })).toEqual([]);
        expect(JSON.stringify(spec)).toBe(before);
        if (revised.done.length === 0) expect(revised.spec).toEqual(spec);
        if (/[\p{L}\p{N}]{3}/u.test(text) && revised.done.length === 0)
          expect(revised.notUnderstood.length).toBeGreaterThan(0);
      }),
      { numRuns: 400 },
    );
  });

  it('gives the same each time', () => {
    fc.assert(
      fc.property(instruction, (text) => {
        expect(revise(specs.loans, text)).toEqual(revise(specs.loans, text));
      }),
      { numRuns: 50 },
    );
  });

  it.each([
    [', '.repeat(250)],
    ['a, '.repeat(166)],
    ['rename to to '.repeat(38)],
    ['put a before b after c '.repeat(21)],
    ['"'.repeat(500)],
    ['= '.repeat(250)],
    ['should be is '.repeat(38)],
    ['('.repeat(500)],
    [`add ${'x with y, '.repeat(49)}`],
  ])('ends, whatever it repeats: %s', (text) => {
    const { spec } = revise(specs.loans, text.slice(0, 500));
    expect(specProblems(spec)).toEqual([]);
  });
});

describe('the words of a language', () => {
  const schema: unknown = JSON.parse(readFileSync(path.join(folder, 'schema.json'), 'utf8'));
  const validate = new Ajv2020({ allErrors: true }).compile(schema as object);

  it.each(instructionLangs)('%s are as the schema says, with every command and every message', (lang) => {
    const file: unknown = parse(readFileSync(path.join(folder, `${lang}.yaml`), 'utf8'));
    validate(file);
    expect(validate.errors ?? []).toEqual([]);
    expect([...wordsOf(lang).patterns.keys()].sort()).toEqual(Object.keys(rules).sort());
    const english = wordsOf('en').file;
    for (const part of ['words', 'parts', 'colours', 'kinds', 'variants', 'features', 'settings'] as const)
      expect(Object.keys(wordsOf(lang).file[part]).sort()).toEqual(Object.keys(english[part]).sort());
  });

  it('have patterns whose brackets close', () => {
    expect(() => patternOf('call (it|this {name}')).toThrow('no )');
    expect(() => patternOf('call it] {name}')).toThrow('too many');
  });
});
