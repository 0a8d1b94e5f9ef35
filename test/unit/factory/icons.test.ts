import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { cp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { iconWords } from '../../../generated/icons.gen.ts';
import { kinds } from '../../../generated/kinds.gen.ts';
import { iconsSource, readSubjects } from '../../../scripts/generate/icons.ts';
import { buildFromSpec } from '../../../src/factory/build-app.ts';
import { variantsOf } from '../../../src/factory/catalogue.ts';
import { fold, iconFor, iconOf, withIcon } from '../../../src/factory/icons/icon-for.ts';
import { drawingOf, iconNames, isIcon } from '../../../src/factory/icons/icon-set.ts';
import { readModelSpec } from '../../../src/factory/model/model-spec.ts';
import { plan } from '../../../src/factory/plan/complete-spec.ts';
import { sentSpecProblems } from '../../../src/factory/plan/sent-spec.ts';
import { read } from '../../../src/factory/read/read.ts';
import { type AppSpec, specProblems, templateNames } from '../../../src/factory/spec.ts';
import { testEvery } from '../../helpers/test-every.ts';

const folder = path.join(import.meta.dirname, '../../../src/factory/icons');
const subjects = readSubjects(folder);
const langs = ['en', 'de', 'es', 'fr', 'it', 'pt'];

async function withSubjects(yaml: string): Promise<string> {
  const copy = mkdtempSync(path.join(tmpdir(), 'icons-'));
  onTestFinished(() => rmSync(copy, { recursive: true }));
  await cp(folder, copy, { recursive: true });
  writeFileSync(path.join(copy, 'subjects.yaml'), yaml);
  return copy;
}

const idOf = ([lang, text]: readonly [string, string, string?]) => `${lang} ${text}`;

const words = (lang: string) =>
  Object.entries(subjects).flatMap(([name, each]) => (each[lang] ?? []).map((word) => [word, name] as const));

test('there are two hundred pictures at least, each of which is drawn', () => {
  expect(Object.keys(subjects).length).toBeGreaterThanOrEqual(200);
  for (const name of iconNames) {
    expect(drawingOf(name).length, name).toBeGreaterThan(0);
    for (const [tag] of drawingOf(name))
      expect(['path', 'circle', 'rect', 'line', 'ellipse', 'polyline', 'polygon'], name).toContain(tag);
  }
});

testEvery('every word leads to its picture, and stands there once', langs, (lang) => {
  const all = words(lang);
  expect(all.map(([word]) => fold(word)).filter((word, at, list) => list.indexOf(word) !== at)).toEqual([]);
  expect(all.filter(([word, name]) => iconFor(word, lang) !== name)).toEqual([]);
  expect(all.filter(([, name]) => !isIcon(name))).toEqual([]);
  expect(Object.keys(iconWords[lang] ?? {})).toEqual(Object.keys(subjects));
});

const pictured = [
  ['en', 'Books', 'book-open'],
  ['en', 'bakeries in town', 'croissant'],
  ['en', 'A log of blood pressure', 'heart-pulse'],
  ['en', 'the coffee shop at the corner', 'coffee'],
  ['de', 'Bücherliste', 'book-open'],
  ['de', 'Zimmerpflanzen', 'plant-pot'],
  ['de', 'Weinkeller', 'wine'],
  ['de', 'Hundeschule', 'dog'],
  ['es', 'plantas de casa', 'plant-pot'],
  ['es', 'Panadería Sol', 'croissant'],
  ['fr', 'animaux du quartier', 'paw-print'],
  ['fr', 'Liste de livres', 'book-open'],
  ['it', 'piante', 'plant-pot'],
  ['it', 'ricette della nonna', 'cooking-pot'],
  ['pt', 'lições de violão', 'guitar'],
  ['pt', 'pães', 'croissant'],
] as const;
testEvery(
  'what is about something has its picture',
  pictured,
  ([lang, text, name]) => {
    expect(iconFor(text, lang)).toBe(name);
  },
  { idOf },
);

const bare = [
  ['en', 'Zap'],
  ['en', 'the list of my own things'],
  ['en', ''],
  ['en', '<script>🎉</script>'],
  ['de', 'Verlaufsübersicht meiner Sachen'],
  ['nl', 'coffee'],
  ['en', 'constructor __proto__ toString'],
] as const;
testEvery(
  'what is about nothing has none',
  bare,
  ([lang, text]) => {
    expect(iconFor(text, lang)).toBe('');
  },
  { idOf },
);

test('a text without end is read to a bound', () => {
  expect(iconFor(`${'x '.repeat(100_000)}coffee`, 'en')).toBe('');
  expect(iconFor(`Weltverbesserungsmaßnahmenkatalog${'q'.repeat(3000)}`, 'de')).toBe('globe');
});

test('what fits no schema, and a picture that the set lacks, is named', async () => {
  const wrong = await withSubjects('leaf: { en: [leaf] }\n');
  expect(() => readSubjects(wrong)).toThrow("icons/subjects.yaml: /leaf must have required property 'de'");
  const each = Object.fromEntries(langs.map((lang) => [lang, ['x']]));
  expect(() => iconsSource({ 'no-such-picture': each }, [])).toThrow(
    'Lucide has no picture "no-such-picture"',
  );
});

testEvery('a kind has a picture of its own, and so has each sort of it', templateNames, (kind) => {
  for (const variant of ['', ...variantsOf(kind)])
    expect(isIcon(iconOf({ icon: '', kind, variant })), `${kind} ${variant}`).toBe(true);
  expect(templateNames.filter((other) => kinds[other].icon === kinds[kind].icon)).toEqual([kind]);
});

const plain = read('tracker for things').spec;

test('a reading has the picture of its subject, one that a spec names stays, and without a subject it is that of the kind', () => {
  expect(read('an app to track my houseplants').spec.icon).toBe('plant-pot');
  expect(withIcon({ ...plain, icon: 'rocket' }).icon).toBe('rocket');
  const bare = withIcon({ ...plain, icon: '', name: 'Zap', tagline: '', entity: null, kind: 'quiz' });
  expect([bare.icon, iconOf(bare)]).toEqual(['', 'circle-question-mark']);
});

test('a picture that there is not is refused by its place', () => {
  expect(specProblems({ ...plain, icon: 'no-such-picture' })).toEqual([
    '/icon "no-such-picture" is not the name of a picture',
  ]);
  expect(specProblems({ ...plain, icon: 'constructor' })).not.toEqual([]);
  expect(specProblems({ ...plain, icon: 'rocket' })).toEqual([]);
});

test('a model that names an unknown picture has not failed: its subject gives one', () => {
  const { modelSpec, problems } = readModelSpec(
    JSON.stringify({
      spec: {
        ...plain,
        name: 'My guitar songs',
        entity: null,
        kind: 'notes',
        variant: 'notes',
        icon: 'six-strings',
      },
      files: [{ path: 'index.html', purpose: 'the page' }],
    }),
    {},
  );
  expect(problems).toEqual([]);
  expect(modelSpec?.spec.icon).toBe('guitar');
});

const site: AppSpec = {
  ...read('website for the bakery "Crumb"').spec,
  icon: 'croissant',
  sections: [
    {
      type: 'items',
      title: 'What we bake',
      items: [{ title: 'Cakes' }, { title: 'Coffee' }, { title: 'Zap' }],
    },
    {
      type: 'items',
      title: 'Rooms',
      items: [{ title: 'Zip' }, { title: 'Zap' }, { title: 'Coffee corner' }],
    },
  ],
};

test('an app holds the pictures that it shows and no other, and says what they come under', async () => {
  const { files, html } = await buildFromSpec(site);
  const module = files.get('src/pictures.js') ?? '';
  expect([...module.matchAll(/^ {2}'?([a-z-]+)'?: \[/gm)].map(([, name]) => name)).toEqual([
    'cake',
    'coffee',
    'croissant',
  ]);
  expect(module).toContain('ISC License');
  expect(files.get('README.md')).toContain('Lucide');
  const data = JSON.parse(/id="app-data">([\s\S]*?)<\/script>/.exec(html)?.[1] ?? '') as AppSpec;
  expect(data.icon).toBe('croissant');
  expect(data.sections.map(({ items }) => items)).toEqual([
    [
      { title: 'Cakes', icon: 'cake' },
      { title: 'Coffee', icon: 'coffee' },
      { title: 'Zap', icon: 'croissant' },
    ],
    [{ title: 'Zip' }, { title: 'Zap' }, { title: 'Coffee corner' }],
  ]);
  const [first] = drawingOf('croissant');
  expect(decodeURIComponent(/rel="icon" href="([^"]+)"/.exec(html)?.[1] ?? '')).toContain(first?.[1]['d']);
});

test('a spec that is sent keeps the picture that it names; left out, it follows the words of the spec', () => {
  const sent = {
    kind: 'tracker',
    entity: { singular: 'guitar', plural: 'guitars', fields: [{ label: 'Name', type: 'text' }] },
  } as const;
  expect(plan('an app to track my houseplants', { spec: sent }).spec.icon).toBe('guitar');
  expect(plan('', { spec: sent }).spec.icon).toBe('guitar');
  expect(plan('', { spec: { ...sent, icon: 'rocket' } }).spec.icon).toBe('rocket');
  expect(plan('', { spec: { ...sent, icon: '' } }).spec.icon).toBe('');
  expect(sentSpecProblems({ ...sent, icon: 'no-such-picture' }, { kind: null, prompt: false })).toEqual([
    { path: 'icon', code: 'enum', message: 'is "no-such-picture", and there is no such picture' },
  ]);
});
