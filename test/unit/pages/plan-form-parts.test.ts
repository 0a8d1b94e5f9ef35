import { describe, expect, it } from 'vitest';
import { templateList } from '../../../src/factory/factory.ts';
import { read } from '../../../src/factory/read/read.ts';
import { planForms } from '../../../src/pages/asset-files.ts';
import { isObject, placeOfProblem } from '../../../src/pages/assets/json-pointer.js';
import { idOf } from '../../../src/pages/assets/plan-controls.js';
import { planFormParts } from '../../../src/pages/assets/plan-form-parts.js';
import type { Tree } from '../../../src/pages/assets/tree.js';

const forms = planForms();
const none: ReadonlyMap<string, string> = new Map();
const parts = (draft: object, problems = none) =>
  planFormParts({ forms, draft: { ...draft }, problems, prefix: 'p' });

function elements(trees: readonly Tree[]): Exclude<Tree, string>[] {
  return trees.flatMap((tree) => (typeof tree === 'string' ? [] : [tree, ...elements(tree.children)]));
}

function text(trees: readonly Tree[]): string {
  return trees.map((tree) => (typeof tree === 'string' ? tree : text(tree.children))).join('');
}

/** The places of everything that a plan says. */
function placesIn(value: unknown, at = ''): string[] {
  if (Array.isArray(value)) return value.flatMap((item, n) => placesIn(item, `${at}/${n}`));
  if (isObject(value))
    return Object.entries(value).flatMap(([name, item]) => placesIn(item, `${at}/${name}`));
  return value === null || value === '' ? [] : [at];
}

/** Members that nobody changes by hand; a currency is asked for only where there is money. */
const without = /^\/(?:v|currency|assumptions\/\d+|entity\/fields\/\d+\/key)$/;
const prompts = templateList().data.flatMap(({ example_prompts }) => example_prompts);

describe('the form of a plan', () => {
  it.each(prompts)('has a control for everything in the plan of “%s”', (prompt) => {
    const { spec } = read(prompt, {});
    const found = elements(parts(spec));
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
      elements(parts(read(prompt, {}).spec)).some(({ attributes }) => attributes['id'] === 'p-currency');
    expect(asks('a simple expense tracker')).toBe(true);
    expect(asks('tip calculator')).toBe(true);
    expect(asks('reading list where I can rate books')).toBe(false);
    expect(asks('snake')).toBe(false);
  });

  it('names the columns of a board, and nowhere else', () => {
    const { spec } = read('kanban board with columns Idea, Draft, Done', {});
    expect(text(parts(spec))).toContain('Columns');
    expect(text(parts({ ...spec, kind: 'tracker', variant: 'table' }))).not.toContain('Columns');
  });

  it('offers options only to a field that is chosen from', () => {
    const field = (type: string) => ({ key: 'f0', label: 'A', type });
    const paths = (type: string) =>
      elements(parts({ kind: 'tracker', entity: { singular: 'a', plural: 'b', fields: [field(type)] } })).map(
        ({ attributes }) => attributes['data-path'],
      );
    expect(paths('select')).toContain('/entity/fields/0/options');
    expect(paths('text')).not.toContain('/entity/fields/0/options');
    expect(paths('currency')).toContain('/entity/fields/0/total');
  });

  it('says what is wrong beside the control that it is about', () => {
    const problems = new Map([['/name', 'must not be empty']]);
    const found = elements(parts({ kind: 'timer', name: '' }, problems));
    const name = found.find(({ attributes }) => attributes['data-path'] === '/name');
    expect(name?.attributes).toMatchObject({ 'aria-invalid': 'true', 'aria-describedby': 'p-name-problem' });
    expect(text(found.filter(({ attributes }) => attributes['id'] === 'p-name-problem'))).toBe(
      'must not be empty',
    );
  });

  it('keeps the first from going up, the last from going down, and lists within their bounds', () => {
    const fields = [0, 1].map((n) => ({ key: `f${n}`, label: `F${n}`, type: 'text' }));
    const disabled = (some: object[]) =>
      elements(parts({ kind: 'tracker', entity: { singular: 'a', plural: 'b', fields: some } }))
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
    const lists = elements(form).filter(({ attributes }) => attributes['class'] === 'item-plain');
    const names = lists.map(({ children }) => text(children.slice(0, 1)));
    expect(names).toEqual(['“Amount”', 'field 2']);
  });

  it('calls a variant a layout where it shows the same in another way', () => {
    expect(text(parts({ kind: 'tracker', variant: 'table' }))).toContain('Layout');
    const timer = text(parts({ kind: 'timer', variant: 'pomodoro' }));
    expect(timer).toContain('Variant');
    expect(timer).not.toContain('Layout');
  });

  it.each([
    ['#2563eb', ['#2563eb'], 0],
    ['#123456', [], 1],
  ])('shows which colour is chosen: %s', (accent, pressed, others) => {
    const found = elements(parts({ kind: 'timer', palette: { accent } })).map(({ attributes }) => attributes);
    const swatches = found.filter((attributes) => attributes['aria-pressed'] === 'true');
    expect(swatches.map((attributes) => attributes['data-value'])).toEqual(pressed);
    expect(found.filter((attributes) => 'data-chosen' in attributes)).toHaveLength(others);
  });
});
