import { describe, expect, it } from 'vitest';
import { keyedLike, type SentSpec, sentSpecProblems } from '../../../../src/factory/plan/sent-spec.ts';
import { read } from '../../../../src/factory/read/read.ts';
import { type AppSpec, templateNames } from '../../../../src/factory/spec.ts';
import { loans } from '../../../helpers/factory.ts';
import { testEvery } from '../../../helpers/test-every.ts';

const alone = { kind: null, prompt: false };
const problemsOf = (spec: SentSpec, around: Parameters<typeof sentSpecProblems>[1] = alone) =>
  sentSpecProblems(spec, around).map(({ path, message }) => `${path} ${message}`);

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
  const wrong: readonly (readonly [string, SentSpec, string])[] = [
    ['no kind and no prompt', { name: 'A' }, 'kind is required where there is no prompt'],
    [
      'a variant of another kind',
      { kind: 'tracker', variant: 'snake' },
      'variant must be one of table, cards, checklist for a tracker',
    ],
    ['a variant of nobody knows what', { variant: 'snake' }, 'variant needs kind'],
    [
      'keys twice',
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
      'a select without options',
      { ...loans, entity: { ...entity, fields: [{ label: 'A', type: 'select', options: [] }] }, seed: [] },
      'entity.fields[0].options is required for the type select',
    ],
    ['entries of unknown fields', { ...loans, seed: [{ f7: 'x' }] }, 'seed[0].f7 is not the key of a field'],
    [
      'a text for a date',
      { ...loans, seed: [{}, { f2: 'soon' }] },
      'seed[1].f2 must be a date, such as @+3 or 2026-03-01',
    ],
    [
      'a board without columns',
      { ...loans, kind: 'board' },
      'entity.fields must have one of the type select: the columns of the board',
    ],
    [
      'a poll without choices',
      { ...loans, kind: 'form', variant: 'poll' },
      'entity.fields must have one of the type select: the choices of the poll',
    ],
    [
      'a dashboard without numbers',
      { ...loans, kind: 'dashboard' },
      'entity.fields must have one of the type number or currency: what the dashboard shows',
    ],
    [
      'control characters',
      { ...loans, name: 'a\u0000b' },
      'name must not have control characters, marks of direction or halves of characters',
    ],
    [
      'a mark that turns texts around',
      { kind: 'docs', sections: [{ type: 'text', title: 'a\u202eb', items: [] }] },
      'sections[0].title must not have',
    ],
    ['half a character', { ...loans, tagline: '\ud83d' }, 'tagline must not have'],
    [
      'a number of another kind',
      { kind: 'notes', settings: { minutes: 5 } },
      'settings.minutes is not known: a notes has none',
    ],
    [
      'a number beyond its bounds',
      { kind: 'timer', variant: 'countdown', settings: { minutes: 1e9 } },
      'settings.minutes must be from',
    ],
    ['a text of another kind', { kind: 'timer', copy: { day: 'x' } }, 'copy.day is not known: a timer has'],
    ['a text that does not fit', { kind: 'event', copy: { day: 'soon' } }, 'copy.day must'],
    ['a line that ends in a title', { ...loans, tagline: 'a\nb' }, 'tagline must not have'],
    [
      'keys of a formula twice',
      formula([{ key: 'area', expression: '1' }]),
      'formula.results[0].key is area a second time',
    ],
    [
      'an unknown name',
      formula([{ key: 'paint', expression: 'area / reach' }]),
      'formula.results[0].expression cannot be read: “reach” is no input',
    ],
    [
      'a result before it is reckoned',
      formula([
        { key: 'a', expression: 'b' },
        { key: 'b', expression: '1' },
      ]),
      'formula.results[0].expression cannot be read: “b” is no input',
    ],
    [
      'a member',
      formula([{ key: 'a', expression: 'area.constructor' }]),
      'formula.results[0].expression cannot be read: an operation is missing at character 5',
    ],
    [
      'a call of what is none',
      formula([{ key: 'a', expression: 'fetch(1)' }]),
      'formula.results[0].expression cannot be read: there is no function “fetch”',
    ],
    [
      'a text',
      formula([{ key: 'a', expression: '"x"' }]),
      'formula.results[0].expression cannot be read: a number or a name is missing',
    ],
    [
      'an assignment',
      formula([{ key: 'a', expression: 'area = 2' }]),
      'formula.results[0].expression cannot be read',
    ],
    [
      'a power as programs write it',
      formula([{ key: 'a', expression: 'area ** 2' }]),
      'formula.results[0].expression cannot be read',
    ],
    [
      'a number with an exponent',
      formula([{ key: 'a', expression: '1e3 * area' }]),
      'formula.results[0].expression cannot be read',
    ],
    [
      'no expression',
      formula([{ key: 'a', expression: '2 *' }]),
      'formula.results[0].expression cannot be read',
    ],
    [
      'a function for a key',
      formula([{ key: 'min', expression: '1' }]),
      'formula.results[0].key is the function min',
    ],
    [
      'too many values',
      formula([{ key: 'a', expression: 'sqrt(1, 2)' }]),
      'formula.results[0].expression cannot be read: “sqrt” has 2 values',
    ],
    [
      'bounds the wrong way round',
      formula([], [{ key: 'b', label: 'B', min: 2, max: 1 }]),
      'formula.inputs[1].max must be at least 2',
    ],
    [
      'a value out of its bounds',
      formula([], [{ key: 'b', label: 'B', min: 2, value: 1 }]),
      'formula.inputs[1].value must be from min to max',
    ],
    [
      'more than a spec may have',
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

  it.each(wrong)('%s', (_what, spec, problem) => {
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
