import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it, test } from 'vitest';
import { parse } from 'yaml';
import { languageData, pluralOf, readLangs, singularOf } from '../../../src/factory/read/language-data.ts';
import { type Lang, langs, templateNames } from '../../../src/factory/spec.ts';
import { testEvery } from '../../helpers/test-every.ts';

const folder = path.join(import.meta.dirname, '../../../src/factory/kinds');
const languages = ['en', 'de', 'es', 'fr', 'it', 'pt'];

const homes = ['shared', ...templateNames];

type Texts = Readonly<Record<string, unknown>>;
const texts = new Map(
  homes.map((home) => [
    home,
    parse(readFileSync(path.join(folder, home, 'texts.yaml'), 'utf8')) as {
      interface: Record<string, Texts>;
    },
  ]),
);
const textsIn = (home: string, lang: string): Texts => texts.get(home)?.interface[lang] ?? {};

const scriptsOf = (home: string) =>
  readdirSync(path.join(folder, home, 'app'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.js'))
    .map((file) => readFileSync(path.join(folder, home, 'app', file), 'utf8'));

const valuesIn = (text: unknown) => [...new Set(String(text).match(/\{\w+\}/g))].sort();

testEvery('each text is there in six languages, with the same values in it', homes, (home) => {
  const english = textsIn(home, 'en');
  for (const lang of languages) {
    const texts = textsIn(home, lang);
    expect(Object.keys(texts), lang).toEqual(Object.keys(english));
    for (const [key, text] of Object.entries(texts)) {
      expect(text, `${lang} ${key}`).toMatch(/\S/);
      // One may stand for itself: “A card is left.”
      if (!key.endsWith('_one')) expect(valuesIn(text), `${lang} ${key}`).toEqual(valuesIn(english[key]));
    }
  }
});

testEvery('each text that programs ask for by its name is there', homes, (home) => {
  const there = new Set(
    [home, 'shared'].flatMap((each) =>
      Object.keys(textsIn(each, 'en')).map((key) => key.replace(/_(one|other)$/, '')),
    ),
  );
  const asked = scriptsOf(home).flatMap((text) =>
    [...text.matchAll(/(?<![\w.])t\(\s*'(\w+)'|label: '(\w+)', (?:value|unit|type|start|options)/g)].map(
      (match) => match[1] ?? match[2],
    ),
  );
  expect(asked.filter((key) => key !== undefined && !there.has(key))).toEqual([]);
});

testEvery('the French marks do not begin a line of their own', homes, (home) => {
  for (const [key, text] of Object.entries(textsIn(home, 'fr')))
    expect(String(text), key).not.toMatch(/ [:;?!»%]|« /);
});

testEvery('the sentences for typing have only what a keyboard has', languages, (lang) => {
  const texts = Object.entries(textsIn('game', lang));
  const sentences = texts.filter(([key]) => key.startsWith('sentence')).map(([, text]) => String(text));
  expect(sentences.join(' ')).toMatch(/^[\p{L}\p{N} .,-]+$/u);
});

test('no text is kept that nothing asks for', () => {
  const everything = [...homes.flatMap(scriptsOf), ...rendering()].join('\n');
  const unused = homes.flatMap((home) =>
    Object.keys(textsIn(home, 'en')).filter((key) => {
      const name = key.replace(/_(one|other)$/, '');
      const start = /^[a-z]+(?=\d$)|^[a-z]+_/.exec(key)?.[0];
      return (
        !new RegExp(`['"\`]${name}['"\`]`).test(everything) &&
        !(start && everything.includes(`\`${start}\${`))
      );
    }),
  );
  expect(unused).toEqual([]);
});

const rendering = () =>
  ['render.ts', 'texts.ts'].map((file) => readFileSync(path.join(folder, '../render', file), 'utf8'));

describe('cues', () => {
  const kindsFolder = new URL('../../../src/factory/kinds/', import.meta.url);
  const langs = ['en', 'de', 'es', 'fr', 'it', 'pt'] as const;

  type Json = { readonly [member: string]: Json } | readonly Json[] | string | number | boolean | null;

  const kinds = readdirSync(kindsFolder).filter((kind) =>
    existsSync(new URL(`${kind}/kind.yaml`, kindsFolder)),
  );

  const memberOf = (kind: string, file: string, member: string) =>
    (parse(readFileSync(new URL(`${kind}/${file}`, kindsFolder), 'utf8')) as Readonly<Record<string, Json>>)[
      member
    ];
  const cuesOf = (kind: string) => memberOf(kind, 'kind.yaml', 'cues');
  const contentOf = (kind: string) => memberOf(kind, 'texts.yaml', 'content');

  /** The members and lengths of what the kind composes from, without its texts. */
  function shapeOf(value: Json): unknown {
    if (Array.isArray(value))
      return value.every((item) => typeof item === 'string') ? 'texts' : value.map(shapeOf);
    if (typeof value !== 'object' || value === null) return typeof value;
    return Object.fromEntries(
      Object.entries(value)
        .filter(([member]) => member !== 'name')
        .map(([member, inner]) => [member, shapeOf(inner)]),
    );
  }

  const at = (value: Json | undefined, ...path: readonly string[]): Json | undefined =>
    path.reduce<Json | undefined>(
      (inner, member) =>
        typeof inner === 'object' && inner !== null ? (inner as Record<string, Json>)[member] : undefined,
      value,
    );

  describe('the cues of the kinds', () => {
    it('are there for every kind that composes, and the other way round', () => {
      expect(kinds.length).toBeGreaterThanOrEqual(20);
      expect(kinds.filter((kind) => !existsSync(new URL(`${kind}/compose.ts`, kindsFolder)))).toEqual([]);
    });

    testEvery('name it in all languages', kinds, (kind) => {
      const cues = cuesOf(kind);
      const without = langs.filter((lang) => {
        const heads = at(cues, lang, 'heads');
        return !Array.isArray(heads) || heads.length === 0;
      });
      expect(without).toEqual([]);
    });

    // The words of languages differ in number; what a composer relies on does not.
    testEvery(
      'have the same content in all languages',
      kinds.filter((kind) => !['converter', 'quiz', 'flashcards'].includes(kind)),
      (kind) => {
        const content = contentOf(kind);
        const english = shapeOf(at(content, 'en') ?? null);
        for (const lang of langs) expect([lang, shapeOf(at(content, lang) ?? null)]).toEqual([lang, english]);
      },
    );
  });

  describe('the things that a tracker knows', () => {
    const content = contentOf('tracker');
    const things = (lang: string) => at(content, lang, 'entities') as readonly Record<string, Json>[];
    const fields = (lang: string) => at(content, lang, 'fields') as Record<string, Record<string, Json>>;

    testEvery(
      'have fields that are there in each language, with the types that they have in English',
      langs,
      (lang) => {
        const keys = things(lang).flatMap((thing) => thing['fields'] as readonly string[]);
        expect(keys.filter((key) => fields(lang)[key] === undefined)).toEqual([]);
        const types = (all: Record<string, Record<string, Json>>) =>
          Object.entries(all).map(([key, { type, total }]) => [key, type, total]);
        expect(types(fields(lang))).toEqual(types(fields('en')));
      },
    );

    testEvery('begin without made-up entries', langs, (lang) => {
      expect(things(lang).filter((thing) => 'seeds' in thing)).toEqual([]);
      expect(things(lang).length).toBeGreaterThan(50);
    });
  });

  describe('ready questions', () => {
    testEvery('have one right answer among different ones', langs, (lang) => {
      const topics = at(contentOf('quiz'), lang, 'topics') as readonly {
        questions: { answer: string; wrong: string[] }[];
      }[];
      const questions = topics.flatMap((topic) => topic.questions);
      expect(questions.length).toBeGreaterThan(120);
      for (const { answer, wrong } of questions) expect(new Set([answer, ...wrong]).size).toBe(4);
    });

    it('are as many in every language', () => {
      const counts = langs.map((lang) =>
        (at(contentOf('quiz'), lang, 'topics') as readonly { questions: unknown[] }[]).map(
          ({ questions }) => questions.length,
        ),
      );
      for (const count of counts) expect(count).toEqual(counts[0]);
    });
  });
});

const factory = path.join(import.meta.dirname, '../../../src/factory');
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
