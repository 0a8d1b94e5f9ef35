import { describe, expect, it } from 'vitest';
import { iconChoices, templateList } from '../../../src/factory/factory.ts';
import { iconNames } from '../../../src/factory/icons/icon-set.ts';
import { read } from '../../../src/factory/read/read.ts';
import { planForms } from '../../../src/pages/asset-files.ts';
import { isObject, placeOfProblem } from '../../../src/pages/assets/json-pointer.ts';
import { iconControl, idOf, matching } from '../../../src/pages/assets/plan-controls.ts';
import { planFormParts } from '../../../src/pages/assets/plan-form-parts.ts';
import { type Field, fieldsOf, readField } from '../../../src/pages/assets/schema-fields.ts';
import { elementsIn, textOf } from '../../helpers/elements.ts';

describe('plan form parts', () => {
  const forms = planForms();
  const none: ReadonlyMap<string, string> = new Map();
  const parts = (draft: object, problems = none) =>
    planFormParts({ forms, draft: { ...draft }, problems, prefix: 'p' });

  /** The places of everything that a plan says. */
  function placesIn(value: unknown, at = ''): string[] {
    if (Array.isArray(value)) return value.flatMap((item, n) => placesIn(item, `${at}/${n}`));
    if (isObject(value))
      return Object.entries(value).flatMap(([name, item]) => placesIn(item, `${at}/${name}`));
    return value === null || value === '' ? [] : [at];
  }

  /** Members that users do not edit; there is a currency only with money. */
  const without = /^\/(?:v|currency|assumptions\/\d+|entity\/fields\/\d+\/key)$/;
  const prompts = templateList().data.flatMap(({ example_prompts }) => example_prompts);

  describe('the form of a plan', () => {
    it.each(prompts)('has a control for everything in the plan of “%s”', (prompt) => {
      const { spec } = read(prompt, {});
      const found = elementsIn(parts(spec));
      const all = found.flatMap(({ attributes }) => attributes['id'] ?? []);
      const ids = new Set(all);
      const hasControl = (pointer: string) => ids.has(idOf({ prefix: 'p' }, pointer));
      const lost = placesIn(spec)
        .filter((place) => !without.test(place))
        .filter((place) => {
          const at = placeOfProblem(place, hasControl);
          return at === null || at.split('/').length < 2;
        });
      expect(lost).toEqual([]);
      expect(ids.size).toBe(all.length);
    });

    it('asks for a currency where there is money', () => {
      const asks = (prompt: string) =>
        elementsIn(parts(read(prompt, {}).spec)).some(({ attributes }) => attributes['id'] === 'p-currency');
      expect(asks('a simple expense tracker')).toBe(true);
      expect(asks('tip calculator')).toBe(true);
      expect(asks('reading list where I can rate books')).toBe(false);
      expect(asks('snake')).toBe(false);
    });

    it('names the columns of a board, and nowhere else', () => {
      const { spec } = read('kanban board with columns Idea, Draft, Done', {});
      expect(parts(spec).text).toContain('Columns');
      expect(parts({ ...spec, kind: 'tracker', variant: 'table' }).text).not.toContain('Columns');
    });

    it('offers options only to a field that is chosen from', () => {
      const field = (type: string) => ({ key: 'f0', label: 'A', type });
      const paths = (type: string) =>
        elementsIn(
          parts({ kind: 'tracker', entity: { singular: 'a', plural: 'b', fields: [field(type)] } }),
        ).map(({ attributes }) => attributes['data-path']);
      expect(paths('select')).toContain('/entity/fields/0/options');
      expect(paths('text')).not.toContain('/entity/fields/0/options');
      expect(paths('currency')).toContain('/entity/fields/0/total');
    });

    it('says what is wrong beside the control that it is about', () => {
      const problems = new Map([['/name', 'must not be empty']]);
      const found = elementsIn(parts({ kind: 'timer', name: '' }, problems));
      const name = found.find(({ attributes }) => attributes['data-path'] === '/name');
      expect(name?.attributes).toMatchObject({
        'aria-invalid': 'true',
        'aria-describedby': 'p-name-problem',
      });
      expect(textOf(found.filter(({ attributes }) => attributes['id'] === 'p-name-problem'))).toBe(
        'must not be empty',
      );
    });

    it('keeps the first from going up, the last from going down, and lists within their bounds', () => {
      const fields = [0, 1].map((n) => ({ key: `f${n}`, label: `F${n}`, type: 'text' }));
      const disabled = (some: object[]) =>
        elementsIn(parts({ kind: 'tracker', entity: { singular: 'a', plural: 'b', fields: some } }))
          .filter(({ tag, attributes }) => tag === 'button' && 'disabled' in attributes)
          .map(({ attributes }) => `${attributes['data-do']} ${attributes['data-at']}`);
      expect(disabled(fields)).toEqual(['up /entity/fields/0', 'down /entity/fields/1']);
      expect(disabled(fields.slice(0, 1))).toContain('remove /entity/fields/0');
      const many = Array.from({ length: 24 }, (_, n) => ({ key: `f${n}`, label: `F${n}`, type: 'text' }));
      expect(disabled(many)).toContain('add /entity/fields');
    });

    it('names the fields by what they are called, for those who hear the form', () => {
      const fields = [
        { key: 'f0', label: 'Amount', type: 'number' },
        { key: 'f1', label: ' ', type: 'text' },
      ];
      const form = parts({ kind: 'tracker', entity: { singular: 'a', plural: 'b', fields } });
      const lists = elementsIn(form).filter(({ attributes }) => attributes['class'] === 'item-plain');
      const names = lists.map(({ children }) => textOf(children.slice(0, 1)));
      expect(names).toEqual(['“Amount”', 'field 2']);
    });

    it('calls a variant a layout where it shows the same in another way', () => {
      expect(parts({ kind: 'tracker', variant: 'table' }).text).toContain('Layout');
      const timer = parts({ kind: 'timer', variant: 'pomodoro' }).text;
      expect(timer).toContain('Variant');
      expect(timer).not.toContain('Layout');
    });

    it.each([
      ['#2563eb', ['#2563eb'], 0],
      ['#123456', [], 1],
    ])('shows which colour is chosen: %s', (accent, pressed, others) => {
      const found = elementsIn(parts({ kind: 'timer', palette: { accent } })).map(
        ({ attributes }) => attributes,
      );
      const swatches = found.filter((attributes) => attributes['aria-pressed'] === 'true');
      expect(swatches.map((attributes) => attributes['data-value'])).toEqual(pressed);
      expect(found.filter((attributes) => 'data-chosen' in attributes)).toHaveLength(others);
    });
  });
});

describe('icon picker', () => {
  const choices = iconChoices();
  const found = (search: string) => matching(choices, search).map(({ name }) => name);
  const draft = { ...read('reading list').spec, icon: 'dog' };
  const shown = (icons: Parameters<typeof iconControl>[0]['icons']) =>
    elementsIn(
      iconControl({ forms: planForms(), draft, problems: new Map(), prefix: 'p', ...(icons && { icons }) }),
    );

  describe('the picker of pictures', () => {
    it('has every picture', () => {
      expect(choices.map(({ name }) => name)).toEqual(iconNames);
      expect(found('')).toEqual(iconNames);
    });

    it.each(['dog', 'Hund', 'perro', 'chien', 'cane', 'cachorro', 'DOG', 'do'])(
      'finds a dog by “%s”',
      (word) => {
        expect(found(word)).toContain('dog');
      },
    );

    it('finds what has every word, and nothing by none of them', () => {
      expect(found('dog xyzzy')).toEqual([]);
      expect(found('calendar days')).toContain('calendar-days');
      expect(found('calendar days')).not.toContain('dog');
    });

    it('asks for no picture before it is opened', () => {
      const before = shown(undefined);
      expect(before.filter(({ tag }) => tag === 'input' || tag === 'svg')).toEqual([]);
      expect(before.find(({ tag }) => tag === 'summary')?.attributes['id']).toBe('p-icon');
      const problem = shown({ choices: null, search: '', problem: 'They could not be loaded.' });
      expect(JSON.stringify(problem)).toContain('They could not be loaded.');
    });

    it('offers all that were found, and that of the kind, as one group', () => {
      const all = shown({ choices, search: 'dog', problem: '' });
      const radios = all.filter(({ attributes }) => attributes['type'] === 'radio');
      expect(radios.map(({ attributes }) => attributes['value'])).toEqual(['', ...found('dog')]);
      expect(new Set(radios.map(({ attributes }) => attributes['name'])).size).toBe(1);
      const chosen = all.filter(({ attributes }) => attributes['data-chosen'] !== undefined);
      expect(chosen.map(({ attributes }) => attributes['title'])).toEqual(['dog']);
    });
  });
});

describe('schema fields', () => {
  const one = (schema: object, required = false): Field => {
    const [field] = fieldsOf({ properties: { it: schema }, required: required ? ['it'] : [] });
    if (!field) throw new Error('There is no field.');
    return field;
  };

  describe('the fields of a form', () => {
    it.each<[string, object, Field['kind']]>([
      ['a short text', { type: 'string', maxLength: 60 }, 'text'],
      ['a text that may be long', { type: 'string', maxLength: 200_000 }, 'long'],
      ['a text of any length', { type: 'string' }, 'long'],
      ['a choice', { type: 'string', enum: ['a', 'b'] }, 'choice'],
      ['a choice of anything', { enum: [1, null] }, 'choice'],
      ['a number', { type: 'number' }, 'number'],
      ['an integer', { type: 'integer' }, 'number'],
      ['yes or no', { type: 'boolean' }, 'boolean'],
      ['texts', { type: 'array', items: { type: 'string' } }, 'lines'],
      ['texts to choose', { type: 'array', items: { type: 'string', enum: ['a'] } }, 'choices'],
      ['objects in a list', { type: 'array', items: { type: 'object' } }, 'json'],
      ['an object', { type: 'object' }, 'json'],
      ['one of several types', { type: ['string', 'null'] }, 'json'],
      ['anything', {}, 'json'],
    ])('%s', (_, schema, kind) => {
      expect(one(schema).kind).toBe(kind);
    });

    it('begin with those that are needed', () => {
      const schema = { properties: { a: {}, b: {}, c: {} }, required: ['c'] };
      expect(fieldsOf(schema).map(({ name }) => name)).toEqual(['c', 'a', 'b']);
    });

    it.each([[{}], [{ properties: { a: {} }, oneOf: [{}] }]])('are one for the whole of %j', (schema) => {
      expect(fieldsOf(schema)).toMatchObject([{ name: '', kind: 'json', required: true }]);
    });
  });

  describe('what is entered', () => {
    const count = { type: 'integer', minimum: 1, maximum: 50 };
    const texts = { type: 'array', items: { type: 'string' } };

    it.each<[object, string[], unknown]>([
      [{ type: 'string' }, [' as it is\n'], ' as it is\n'],
      [{ enum: ['a', 7] }, ['1'], 7],
      [count, ['50'], 50],
      [{ type: 'boolean' }, ['false'], false],
      [texts, ['one\n\n two \n'], ['one', 'two']],
      [{ type: 'array', items: { type: 'string', enum: ['a', 'b'] } }, ['a', 'b'], ['a', 'b']],
      [{ type: 'object' }, ['{"a": [1]}'], { a: [1] }],
    ])('in %j as %j is %j', (schema, entered, value) => {
      expect(readField(one(schema), entered)).toEqual({ value });
    });

    it.each<[object, string, string]>([
      [count, 'many', 'must be a number'],
      [count, '1.5', 'must be a whole number'],
      [count, '0', 'must be at least 1'],
      [count, '51', 'must be at most 50'],
      [{ type: 'object' }, '{"a": ', 'is no valid JSON'],
    ])('in %j as %j is wrong', (schema, entered, problem) => {
      expect(readField(one(schema), [entered])).toEqual({ problem: expect.stringContaining(problem) });
    });

    it('may be nothing, unless it is needed', () => {
      expect(readField(one(count), [' '])).toBeNull();
      expect(readField(one(count, true), [' '])).toEqual({ problem: 'is needed' });
      expect(readField(one({ type: 'array', items: { type: 'string', enum: ['a'] } }), [])).toBeNull();
    });
  });
});
