import { describe, expect, it } from 'vitest';
import { iconChoices } from '../../../src/factory/factory.ts';
import { iconNames } from '../../../src/factory/icons/icon-set.ts';
import { read } from '../../../src/factory/read/read.ts';
import { planForms } from '../../../src/pages/asset-files.ts';
import { iconControl, matching } from '../../../src/pages/assets/icon-picker.js';
import type { Tree } from '../../../src/pages/assets/tree.js';

const choices = iconChoices();
const found = (search: string) => matching(choices, search).map(({ name }) => name);
const draft = { ...read('reading list').spec, icon: 'dog' };
const shown = (icons: Parameters<typeof iconControl>[0]['icons']) =>
  elements([
    iconControl({ forms: planForms(), draft, problems: new Map(), prefix: 'p', ...(icons && { icons }) }),
  ]);

function elements(trees: readonly Tree[]): Exclude<Tree, string>[] {
  return trees.flatMap((tree) => (typeof tree === 'string' ? [] : [tree, ...elements(tree.children)]));
}

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
