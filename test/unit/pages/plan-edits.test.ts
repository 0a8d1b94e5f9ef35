import { describe, expect, it } from 'vitest';
import { type SentSpec, sentSpecProblems } from '../../../src/factory/factory.ts';
import { read } from '../../../src/factory/read/read.ts';
import { specProblems } from '../../../src/factory/spec.ts';
import { planForms } from '../../../src/pages/asset-files.ts';
import { valueAt } from '../../../src/pages/assets/json-pointer.js';
import {
  type Draft,
  placeAfter,
  planToSend,
  typedValue,
  withItem,
  withKind,
  withMoved,
  withoutItem,
  withType,
  withVariant,
} from '../../../src/pages/assets/plan-edits.js';

const forms = planForms();
const loans: Draft = {
  kind: 'tracker',
  variant: 'table',
  features: ['csv', 'due'],
  entity: {
    singular: 'loan',
    plural: 'loans',
    fields: [
      { key: 'f0', label: 'Book', type: 'text' },
      { key: 'f1', label: 'Due', type: 'date' },
      { key: 'f4', label: 'State', type: 'select', options: ['out', 'back'] },
    ],
  },
  seed: [{ f0: 'Dune', f4: 'out' }],
};
/** As if calculators could take a formula. */
const reckoning = {
  ...forms,
  kinds: [
    {
      id: 'calculator',
      name: 'Calculator',
      description: 'Reckons.',
      accent: '#2563eb',
      drawing: [],
      apps: { formula: { uses: ['formula'], features: [], settings: [], copy: [] } },
    },
  ],
};
const keys = (draft: Draft) => (valueAt(draft, '/entity/fields') as { key: string }[]).map(({ key }) => key);

describe('changes to a plan', () => {
  it('a new field has a key that none had, and a new item what the schema needs', () => {
    expect(keys(withItem(loans, '/entity/fields', forms))).toEqual(['f0', 'f1', 'f4', 'f5']);
    expect(valueAt(withItem(loans, '/sections', forms), '/sections/0')).toEqual({
      type: 'text',
      title: '',
      items: [],
    });
    expect(valueAt(withItem(loans, '/questions', forms), '/questions/0')).toEqual({
      prompt: '',
      answer: '',
      wrong: [],
    });
    expect(valueAt(withItem(loans, '/seed', forms), '/seed/1')).toEqual({});
  });

  it('the values of a field go with it, and nothing else', () => {
    const without = withoutItem(loans, '/entity/fields', 2);
    expect(keys(without)).toEqual(['f0', 'f1']);
    expect(without['seed']).toEqual([{ f0: 'Dune' }]);
    expect(loans['seed']).toEqual([{ f0: 'Dune', f4: 'out' }]);
  });

  it('items are moved, never beyond the ends', () => {
    expect(keys(withMoved(loans, '/entity/fields', 0, 2))).toEqual(['f1', 'f4', 'f0']);
    expect(keys(withMoved(loans, '/entity/fields', 2, 0))).toEqual(['f4', 'f0', 'f1']);
    expect(keys(withMoved(loans, '/entity/fields', 2, 3))).toEqual(['f0', 'f1', 'f4']);
  });

  it('what is known of a place moves with it', () => {
    const list = '/entity/fields';
    expect(placeAfter(`${list}/0/label`, list, 0, 2)).toBe(`${list}/2/label`);
    expect(placeAfter(`${list}/2`, list, 0, 2)).toBe(`${list}/1`);
    expect(placeAfter(`${list}/0`, list, 2, 0)).toBe(`${list}/1`);
    expect(placeAfter(`${list}/3/type`, list, 1, null)).toBe(`${list}/2/type`);
    expect(placeAfter(`${list}/1/type`, list, 1, null)).toBeNull();
    expect(placeAfter('/name', list, 1, null)).toBe('/name');
  });

  it('a choice needs options, other types have none', () => {
    const chosen = withType(loans, '/entity/fields/0', 'select');
    expect(valueAt(chosen, '/entity/fields/0')).toEqual({
      key: 'f0',
      label: 'Book',
      type: 'select',
      options: [],
    });
    expect(valueAt(withType(loans, '/entity/fields/2', 'text'), '/entity/fields/2')).toEqual({
      key: 'f4',
      label: 'State',
      type: 'text',
    });
  });

  it('another kind keeps what it can, and begins with what it needs', () => {
    const quiz = withKind(loans, 'quiz', forms);
    expect(quiz).toMatchObject({ kind: 'quiz', variant: '', features: [], entity: loans['entity'] });
    expect(withKind(quiz, 'tracker', forms)).toMatchObject({ variant: 'table', entity: loans['entity'] });
    const made = withKind({ kind: 'timer', entity: null }, 'board', forms);
    expect(valueAt(made, '/entity/fields/0/label')).toBe('Name');
    expect(
      valueAt(withVariant({ kind: 'calculator' }, 'formula', reckoning), '/formula/results/0/expression'),
    ).toBe('amount');
  });

  it('numbers, lines and texts are taken as they are typed', () => {
    expect(typedValue(' 2,5 ', 'number', false)).toBe(2.5);
    expect(typedValue('two', 'number', false)).toBe('two');
    expect(typedValue(' ', 'number', false)).toBeUndefined();
    expect(typedValue('a\n\n b \n', 'lines', true)).toEqual(['a', 'b']);
    expect(typedValue('', 'lines', false)).toBeUndefined();
    expect(typedValue('', 'text', true)).toBe('');
    expect(typedValue('', 'text', false)).toBeUndefined();
  });
});

describe('a plan of any kind', () => {
  it.each([
    'a reading list called "Night Reads"',
    'website for the bakery "Crumb"',
    'pomodoro timer',
    'poll: tea or coffee?',
  ])('can be built after “%s” was changed to it in the form', (prompt) => {
    const { spec } = read(prompt, {});
    const ways = forms.kinds.flatMap(({ id, apps }) =>
      Object.keys(apps).map((variant) => {
        const draft = withVariant(withKind({ ...spec }, id, forms), variant, forms);
        const sent = planToSend(draft, forms) as SentSpec;
        return [`${id} ${variant}`, sentSpecProblems(sent, { kind: null, prompt: false })] as const;
      }),
    );
    expect(ways.length).toBeGreaterThan(forms.kinds.length);
    expect(ways.filter(([, problems]) => problems.length > 0)).toEqual([]);
  });

  it('keeps in the form what it does not send', () => {
    const quiz = withKind(loans, 'quiz', forms);
    expect(planToSend(quiz, forms)).toMatchObject({ entity: null, seed: [] });
    expect(quiz['entity']).toEqual(loans['entity']);
    expect(planToSend(loans, forms)).toEqual(loans);
    const board = withKind({ kind: 'quiz', entity: null }, 'board', forms);
    expect(valueAt(board, '/entity/fields/1')).toMatchObject({ key: 'f1', type: 'select' });
  });
});

describe('what the form is made from', () => {
  it('offers only variants and features that a spec of the kind may have', () => {
    expect(forms.kinds.length).toBeGreaterThan(10);
    const { spec } = read('a reading list', {});
    const wrong = (kind: string, variant: string) =>
      specProblems({ ...spec, kind, variant }).filter((problem) => problem.startsWith('/variant'));
    expect(wrong('timer', 'nonsense')).toHaveLength(1);
    for (const { id, apps } of forms.kinds) {
      for (const variant of Object.keys(apps)) expect(wrong(id, variant), `${id} ${variant}`).toEqual([]);
    }
  });
});
