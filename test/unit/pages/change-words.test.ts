import { describe, expect, it } from 'vitest';
import { changedWords, changeWords } from '../../../src/pages/assets/change-words.js';
import { placeOfProblem } from '../../../src/pages/assets/json-pointer.js';

describe('a difference of two plans in words', () => {
  it.each([
    [{ path: 'name', before: 'Loans', after: 'Zap' }, 'Name: “Loans” → “Zap”'],
    [{ path: 'entity.fields[2].type', before: 'text', after: 'date' }, 'Field 3, type: text → date'],
    [{ path: '/entity/fields/2/label', before: 'Due', after: 'Back by' }, 'Field 3, name: “Due” → “Back by”'],
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
