import { describe, expect, it } from 'vitest';
import { keyedLike, type SentSpec, sentSpecProblems } from '../../../../src/factory/plan/sent-spec.ts';
import { read } from '../../../../src/factory/read/read.ts';
import { type AppSpec, templateNames } from '../../../../src/factory/spec.ts';
import { loans } from '../../../helpers/factory.ts';
import { testEvery } from '../../../helpers/test-every.ts';

const alone = { kind: null, prompt: false };
const problemsOf = (spec: SentSpec, around: Parameters<typeof sentSpecProblems>[1] = alone) =>
  sentSpecProblems(spec, around).map(({ path, message }) => `${path} ${message}`);

const formulaOf = (expression: string, key = 'a') => formula([{ key, expression }]);
const formula = (results: readonly { key: string; expression: string }[], inputs: readonly object[] = []) =>
  ({
    kind: 'calculator',
    formula: {
      inputs: [{ key: 'area', label: 'Area' }, ...inputs] as never,
      results: results.map((result) => ({ label: 'Result', ...result })),
    },
  }) satisfies SentSpec;

describe('what the schema cannot forbid', () => {
  const { entity } = loans;
  const wrong: readonly (readonly [SentSpec, string])[] = [
    [{ name: 'A' }, 'kind is required where there is no prompt'],
    [{ kind: 'tracker', variant: 'snake' }, 'variant must be one of table, cards, checklist for a tracker'],
    [{ variant: 'snake' }, 'variant needs kind'],
    [
      {
        ...loans,
        entity: {
          ...entity,
          fields: [
            { key: 'f0', label: 'A', type: 'text' },
            { key: 'f0', label: 'B', type: 'text' },
          ],
        },
        seed: [],
      },
      'entity.fields[1].key is f0 a second time',
    ],
    [
      { ...loans, entity: { ...entity, fields: [{ label: 'A', type: 'select', options: [] }] }, seed: [] },
      'entity.fields[0].options is required for the type select',
    ],
    [{ ...loans, seed: [{ f7: 'x' }] }, 'seed[0].f7 is not the key of a field'],
    [{ ...loans, seed: [{}, { f2: 'soon' }] }, 'seed[1].f2 must be a date, such as @+3 or 2026-03-01'],
    [{ ...loans, kind: 'board' }, 'entity.fields must have one of the type select: the columns of the board'],
    [
      { ...loans, kind: 'form', variant: 'poll' },
      'entity.fields must have one of the type select: the choices of the poll',
    ],
    [
      { ...loans, kind: 'dashboard' },
      'entity.fields must have one of the type number or currency: what the dashboard shows',
    ],
    [
      { ...loans, name: 'a\u0000b' },
      'name must not have control characters, marks of direction or halves of characters',
    ],
    [
      { kind: 'docs', sections: [{ type: 'text', title: 'a\u202eb', items: [] }] },
      'sections[0].title must not have',
    ],
    [{ ...loans, tagline: '\ud83d' }, 'tagline must not have'],
    [{ kind: 'notes', settings: { minutes: 5 } }, 'settings.minutes is not known: a notes has none'],
    [{ kind: 'timer', variant: 'countdown', settings: { minutes: 1e9 } }, 'settings.minutes must be from'],
    [{ kind: 'timer', copy: { day: 'x' } }, 'copy.day is not known: a timer has'],
    [{ kind: 'event', copy: { day: 'soon' } }, 'copy.day must'],
    [{ ...loans, tagline: 'a\nb' }, 'tagline must not have'],
    [formulaOf('1', 'area'), 'formula.results[0].key is area a second time'],
    [formulaOf('area / reach', 'paint'), 'formula.results[0].expression cannot be read: “reach” is no input'],
    [
      formula([
        { key: 'a', expression: 'b' },
        { key: 'b', expression: '1' },
      ]),
      'formula.results[0].expression cannot be read: “b” is no input',
    ],
    [
      formulaOf('area.constructor'),
      'formula.results[0].expression cannot be read: an operation is missing at character 5',
    ],
    [formulaOf('fetch(1)'), 'formula.results[0].expression cannot be read: there is no function “fetch”'],
    [formulaOf('"x"'), 'formula.results[0].expression cannot be read: a number or a name is missing'],
    [formulaOf('area = 2'), 'formula.results[0].expression cannot be read'],
    [formulaOf('area ** 2'), 'formula.results[0].expression cannot be read'],
    [formulaOf('1e3 * area'), 'formula.results[0].expression cannot be read'],
    [formulaOf('2 *'), 'formula.results[0].expression cannot be read'],
    [formulaOf('1', 'min'), 'formula.results[0].key is the function min'],
    [formulaOf('sqrt(1, 2)'), 'formula.results[0].expression cannot be read: “sqrt” has 2 values'],
    [formula([], [{ key: 'b', label: 'B', min: 2, max: 1 }]), 'formula.inputs[1].max must be at least 2'],
    [
      formula([], [{ key: 'b', label: 'B', min: 2, value: 1 }]),
      'formula.inputs[1].value must be from min to max',
    ],
    [
      {
        kind: 'docs',
        sections: Array.from(
          { length: 12 },
          () => ({ type: 'text', title: 'A', text: 'ü'.repeat(800), items: [] }) as const,
        ),
      },
      ' has 20',
    ],
  ];

  it.each(wrong)('%# $1', (spec, problem) => {
    expect(problemsOf(spec).join('\n')).toContain(problem);
  });

  it('is nothing in a spec that is right', () => {
    expect(problemsOf(loans)).toEqual([]);
    expect(problemsOf({ name: 'A' }, { kind: null, prompt: true })).toEqual([]);
    expect(problemsOf({ name: 'A' }, { kind: 'notes', prompt: false })).toEqual([]);
    expect(
      problemsOf({ kind: 'docs', sections: [{ type: 'text', title: 'A', text: 'one\ntwo', items: [] }] }),
    ).toEqual([]);
    const paint = [
      { key: 'paint', expression: 'round(area * 2 / 10 + 0.5, 1)' },
      { key: 'tins', expression: 'max(1, ceil(paint / 2.5))' },
    ];
    expect(problemsOf(formula(paint))).toEqual([]);
  });

  testEvery('is nothing in what the rules plan', templateNames, (kind) => {
    expect(problemsOf(read(kind, { kind }).spec)).toEqual([]);
  });
});

it('gives a field the key of the one that was called the same, and a new one a key that nobody has had', () => {
  const before: NonNullable<AppSpec['entity']>['fields'] = [
    { key: 'f0', label: 'Book', type: 'text' },
    { key: 'f1', label: 'Lent to', type: 'text' },
  ];
  const after = keyedLike(
    [
      { label: 'Lent to', type: 'text' },
      { label: 'Author', type: 'text' },
      { label: 'Shelf', type: 'text', key: 'f3' },
      { label: 'Year', type: 'number' },
    ],
    before,
  );
  expect(after.map(({ key }) => key)).toEqual(['f1', 'f2', 'f3', 'f4']);
});
