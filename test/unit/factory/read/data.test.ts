import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { languageData, pluralOf, readLangs, singularOf } from '../../../../src/factory/read/language-data.ts';
import { type Lang, langs } from '../../../../src/factory/spec.ts';
import { testEvery } from '../../../helpers/test-every.ts';

const factory = path.join(import.meta.dirname, '../../../../src/factory');
const yaml = (file: string): unknown => parse(readFileSync(path.join(factory, file), 'utf8'));
const schema = (file: string) =>
  new Ajv2020({ allErrors: true, strict: true }).compile(
    JSON.parse(readFileSync(path.join(factory, file), 'utf8')) as object,
  );

describe('the languages of the reader', () => {
  test('are those that apps are written in', () => {
    expect(readLangs.toSorted()).toEqual([...langs].toSorted());
  });

  testEvery('have all that their schema asks for', readLangs, (lang) => {
    const validate = schema('language/language.schema.json');
    validate(yaml(`language/${lang}.yaml`));
    expect(validate.errors ?? []).toEqual([]);
  });

  test.each([
    ['en', 'expenses', 'expense'],
    ['en', 'recipes', 'recipe'],
    ['en', 'batches', 'batch'],
    ['de', 'Ausgaben', 'ausgabe'],
    ['de', 'Rechnungen', 'rechnung'],
    ['es', 'habitaciones', 'habitación'],
    ['es', 'recetas', 'receta'],
    ['fr', 'journaux', 'journal'],
    ['fr', 'dépenses', 'dépense'],
    ['it', 'lezioni', 'lezione'],
    ['it', 'stagioni', 'stagione'],
    ['pt', 'avaliações', 'avaliação'],
    ['pt', 'animais', 'animal'],
  ] as const)('%s: one of %s is %s', (lang, many, one) => {
    expect(singularOf(many, languageData(lang))).toBe(one);
    expect(pluralOf(one, languageData(lang))).toBe(many.toLowerCase());
  });
});

describe('what no kind does', () => {
  type Words = Partial<Record<string, readonly string[]>>;
  const entries = yaml('read/impossible.yaml') as readonly (Record<Lang, Words> & {
    id: string;
    nearest: readonly string[];
  })[];

  test('has all that its schema asks for', () => {
    const validate = schema('read/impossible.schema.json');
    validate(entries);
    expect(validate.errors ?? []).toEqual([]);
  });

  const folders = globSync('kinds/*', { cwd: factory }).map((folder) => path.basename(folder));

  test('offers kinds that there are, wherever an app would be of it', () => {
    for (const { id, nearest, en } of entries) {
      expect(folders, id).toEqual(expect.arrayContaining([...nearest]));
      if (en['heads'] || en['traits']) expect(nearest.length, id).toBeGreaterThan(0);
    }
  });

  test.each(langs)('says it in %s as broadly as in English', (lang) => {
    const count = (words: Words) => Object.values(words).flat().length;
    for (const entry of entries)
      expect(count(entry[lang]), `${entry.id} in ${lang}`).toBeGreaterThan(count(entry.en) / 5);
  });
});
