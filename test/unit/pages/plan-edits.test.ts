import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type SentSpec, sentSpecProblems } from '../../../src/factory/factory.ts';
import { read } from '../../../src/factory/read/read.ts';
import { specProblems } from '../../../src/factory/spec.ts';
import { planForms } from '../../../src/pages/asset-files.ts';
import { changedWords, changeWords, textsOf } from '../../../src/pages/assets/change-words.ts';
import {
  isSame,
  patchBetween,
  patched,
  placeOfProblem,
  valueAt,
} from '../../../src/pages/assets/json-pointer.ts';
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
} from '../../../src/pages/assets/plan-edits.ts';

describe('plan edits', () => {
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
  const keys = (draft: Draft) =>
    (valueAt(draft, '/entity/fields') as { key: string }[]).map(({ key }) => key);

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
});

it('the texts of a plan that can be pointed at have their places, names of fields first', () => {
  const spec = {
    kind: 'tracker',
    name: 'Loans',
    tagline: ' ',
    palette: { accent: '#000000' },
    copy: { 'b~c': 'Hello' },
    entity: {
      singular: 'Book',
      fields: [{ key: 'f0', label: 'Book', type: 'select', options: ['Dune'] }],
    },
    seed: [{ f0: 'Dune', f1: '@+3', f2: 4 }],
  };
  const texts = textsOf(spec);
  expect(texts.map(({ at, name }) => [at, name])).toEqual([
    ['/entity/fields/0/label', 'Field 1, name'],
    ['/name', 'Name'],
    ['/copy/b~0c', 'Texts, b~c'],
    ['/entity/singular', 'Singular'],
    ['/entity/fields/0/options/0', 'Field 1, options 1'],
    ['/seed/0/f0', 'Example 1, Book'],
  ]);
  for (const { at, text } of texts) expect(valueAt(spec, at)).toBe(text);
});

describe('merge patch', () => {
  describe('a merge patch', () => {
    it('holds what differs and nothing else', () => {
      const before = {
        name: 'Loans',
        palette: { accent: '#000000', mode: 'auto' },
        features: ['csv'],
        contact: { email: 'a@b.c' },
      };
      const after = {
        name: 'Loans',
        palette: { accent: '#2f7d4f', mode: 'auto' },
        features: ['csv', 'due'],
        contact: {},
      };
      expect(patchBetween(before, after)).toEqual({
        palette: { accent: '#2f7d4f' },
        features: ['csv', 'due'],
        contact: { email: null },
      });
      expect(patchBetween(before, structuredClone(before))).toBeUndefined();
    });

    it('follows RFC 7396', () => {
      expect(patched({ a: 'b', c: { d: 'e', f: 'g' } }, { a: 'z', c: { f: null } })).toEqual({
        a: 'z',
        c: { d: 'e' },
      });
      expect(patched({ a: [{ b: 'c' }] }, { a: [1] })).toEqual({ a: [1] });
      expect(patched(['a'], { a: { b: null } })).toEqual({ a: {} });
      expect(patched({ a: 1 }, null)).toBeNull();
    });

    it('makes of the one what the other is, for whatever has no null in it', () => {
      const value = fc.jsonValue().map(withoutNull);
      fc.assert(
        fc.property(fc.dictionary(fc.string(), value), fc.dictionary(fc.string(), value), (before, after) => {
          const patch = patchBetween(before, after);
          expect(isSame(patch === undefined ? before : patched(before, patch), after)).toBe(true);
        }),
      );
    });
  });

  function withoutNull(value: unknown): unknown {
    if (value === null) return 0;
    if (Array.isArray(value)) return value.map(withoutNull);
    if (typeof value !== 'object') return value;
    return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, withoutNull(member)]));
  }
});

describe('change words', () => {
  describe('a difference of two plans in words', () => {
    it.each([
      [{ path: 'name', before: 'Loans', after: 'Zap' }, 'Name: “Loans” → “Zap”'],
      [{ path: 'entity.fields[2].type', before: 'text', after: 'date' }, 'Field 3, type: text → date'],
      [
        { path: '/entity/fields/2/label', before: 'Due', after: 'Back by' },
        'Field 3, name: “Due” → “Back by”',
      ],
      [
        { path: 'entity.fields[1]', before: null, after: { key: 'f1', label: 'Due date', type: 'date' } },
        'Field 2 added: “Due date”',
      ],
      [{ path: 'features[0]', before: 'chart', after: null }, 'Features 1 removed: chart'],
      [
        { path: 'sections[0].items[1].price', before: '3.00', after: '3.50' },
        'Section 1, item 2, price: “3.00” → “3.50”',
      ],
      [{ path: 'settings.focus', before: 25, after: 50 }, 'Numbers, focus: 25 → 50'],
      [{ path: 'entity.fields[0].required', before: false, after: true }, 'Field 1, required: no → yes'],
      [{ path: 'tagline', before: '', after: 'x'.repeat(200) }, `Tagline: nothing → “${'x'.repeat(78)}…`],
    ])('%j', (change, words) => {
      expect(changeWords(change)).toBe(words);
    });

    it('says which parts another revision has changed', () => {
      expect(changedWords({ name: 'A', lang: 'en' }, { name: 'B', lang: 'de' })).toBe(
        'Changed: name, language.',
      );
      expect(changedWords({ name: 'A' }, { name: 'A' })).toBe('');
    });
  });

  describe('a problem of the server', () => {
    const controls = new Set(['/name', '/entity/fields/3/type', '/choices', '/entity/fields']);
    const has = (pointer: string) => controls.has(pointer);
    it.each([
      ['/spec/entity/fields/3/type', '/entity/fields/3/type'],
      ['patch.entity.fields[3].type', '/entity/fields/3/type'],
      ['spec.choices[7]', '/choices'],
      ['spec.entity.fields[9].key', '/entity/fields'],
      ['/name', '/name'],
      ['spec', null],
      ['instruction', null],
      ['', null],
    ])('%s stands at %s', (path, place) => {
      expect(placeOfProblem(path, has)).toBe(place);
    });
  });
});
