import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { cp, mkdir, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path, { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, afterEach, beforeAll, describe, expect, it, test } from 'vitest';
import { kinds } from '../../../generated/kinds.gen.ts';
import { kindsSource, readKinds } from '../../../scripts/generate/kinds.ts';
import {
  copyFor,
  kindOfApp,
  offersOf,
  settingsFor,
  templateList,
  variantsOf,
} from '../../../src/factory/catalogue.ts';
import { cuesIn, kindOf } from '../../../src/factory/read/kind-of.ts';
import { type Kinds, kindsIn } from '../../../src/factory/read/kinds.ts';
import { lexiconOf } from '../../../src/factory/read/lexicon.ts';
import { read } from '../../../src/factory/read/read.ts';
import { objectPhrase } from '../../../src/factory/read/request.ts';
import { tagged } from '../../../src/factory/read/tag.ts';
import { renderApp } from '../../../src/factory/render/render.ts';
import { type AppSpec, type Feature, templateNames, variants } from '../../../src/factory/spec.ts';
import { draftOf } from '../../helpers/factory-build.ts';
import { testEvery } from '../../helpers/test-every.ts';

describe('kinds', () => {
  const folder = path.join(import.meta.dirname, '../../../src/factory/kinds');
  const made: string[] = [];
  afterEach(() => {
    for (const one of made.splice(0)) rmSync(one, { recursive: true });
  });

  /** A copy of the kinds with one more, which nothing else has heard of. */
  async function withKind(yaml: string): Promise<string> {
    const copy = mkdtempSync(path.join(tmpdir(), 'kinds-'));
    made.push(copy);
    await cp(folder, copy, { recursive: true });
    await mkdir(path.join(copy, 'abacus'));
    await writeFile(path.join(copy, 'abacus/kind.yaml'), yaml);
    return copy;
  }

  const abacus = `name: Abacus
description: Counts with beads.
tags: [numbers]
example_prompts: [an abacus]
accent: '#123456'
uses: []
features: [undo]
`;

  const apps = templateNames.flatMap((kind) =>
    (variantsOf(kind).length > 0 ? variantsOf(kind) : ['']).map((variant) => [kind, variant] as const),
  );

  test('what is generated is what the folders say', () => {
    expect(readKinds(folder)).toEqual(kinds);
    expect(templateNames).toEqual(Object.keys(kinds));
  });

  test('a folder alone makes a kind', async () => {
    const found = readKinds(await withKind(abacus));
    expect(Object.keys(found)).toEqual(['abacus', ...templateNames].sort());
    expect(kindsSource(found)).toContain('Counts with beads.');
  });

  test('a kind that does not fit the schema is named with the place', async () => {
    const wrong = await withKind(abacus.replace('[undo]', '[undo, teleport]'));
    expect(() => readKinds(wrong)).toThrow('kinds/abacus/kind.yaml: /features/1');
  });

  testEvery(
    'the files that an app is made of are there',
    apps,
    ([kind, variant]) => {
      const { entry, styles, files } = kindOfApp(kind, variant);
      const missing = [entry, ...styles, ...Object.values(files)].filter((file) => {
        const own = path.join(folder, kind, 'app', file.replace(/#.*/, ''));
        const shared = path.join(folder, file.replace(/^shared\//, 'shared/app/'));
        return !existsSync(file.startsWith('shared/') ? shared : own);
      });
      expect(missing).toEqual([]);
    },
    { idOf: (app) => app.join(' ') },
  );

  testEvery(
    'the settings of a calculator are the inputs of its formula',
    variantsOf('calculator').filter(
      // What the variant `formula` asks for stands in its plan.
      (variant) => variant !== 'formula' && 'formula.js' in kindOfApp('calculator', variant).files,
    ),
    async (variant) => {
      const { files, settings } = kindOfApp('calculator', variant);
      const [file = '', name = ''] = (files['formula.js'] ?? '').split('#');
      const module = (await import(path.join(folder, 'calculator/app', file))) as Record<
        string,
        { inputs: { key: string; start: unknown; min?: number; max?: number }[] }
      >;
      const inputs = (module[name]?.inputs ?? []).filter(({ start }) => typeof start === 'number');
      expect(Object.entries(settings).map(([name, { value }]) => [name, value])).toEqual(
        inputs.map(({ key, start }) => [key, start]),
      );
      for (const { key, min, max } of inputs) {
        expect(settings[key]?.min, key).toBeGreaterThanOrEqual(min ?? Number.NEGATIVE_INFINITY);
        expect(settings[key]?.max, key).toBeLessThanOrEqual(max ?? Number.POSITIVE_INFINITY);
      }
    },
  );

  test('numbers that an app begins with are whole, known and in bounds', () => {
    const intervals = kindOfApp('timer', 'intervals');
    expect(settingsFor(intervals, {})).toEqual({ effort: 40, rest: 20, rounds: 8 });
    expect(settingsFor(intervals, { effort: 0, rest: 99_999, rounds: 2.4, moons: 3 })).toEqual({
      effort: 1,
      rest: 3600,
      rounds: 2,
    });
  });

  test('texts that an app begins with are known and fit', () => {
    const event = kindOfApp('event');
    expect(
      copyFor(event, { day: 'tomorrow', time: '25:00', rsvp: 'perhaps', place: 'Hall', moon: 'full' }),
    ).toEqual({
      day: '@+60',
      time: '18:00',
      rsvp: 'yes',
      place: 'Hall',
    });
    expect(copyFor(event, { day: '2027-05-04', time: '09:30', rsvp: 'no' })).toEqual({
      day: '2027-05-04',
      time: '09:30',
      rsvp: 'no',
    });
  });

  test('the list of kinds says what can be set', () => {
    const timer = templateList().data.find(({ id }) => id === 'timer');
    expect(timer?.variants.map(({ id }) => id)).toEqual([
      'pomodoro',
      'stopwatch',
      'countdown',
      'intervals',
      'metronome',
      'chess',
    ]);
    expect(timer?.settings.filter(({ name }) => name === 'rounds')).toEqual([
      expect.objectContaining({ variants: ['pomodoro'], min: 1, max: 12, value: 4 }),
      expect.objectContaining({ variants: ['intervals'], min: 1, max: 99, value: 8 }),
    ]);
    const event = templateList().data.find(({ id }) => id === 'event');
    expect(event?.copy.map(({ name }) => name)).toEqual(['day', 'time', 'place', 'rsvp']);
  });
});

/** What the sources of an app must hold to have a feature; the shared ones only count where they are called. */
const signs: readonly (readonly [Feature, RegExp])[] = [
  ['search', /= searchBox\(/],
  ['filter', /filterControls\(/],
  ['sort', /t\('sort'\)/],
  ['totals', /t\((?:add\[0\]|'total'|[^)]*\? 'average' : 'total')\)|class: 'card totals'/],
  ['chart', /(?:donut|barList|columns|line)\(|\? line : columns/],
  ['csv', /[^n] toCsv\(/],
  ['due', /\bapp\.due\b|' late'/],
  ['undo', /\w+\.undo\(\)/],
  ['print', /=> print\(\)/],
  ['dark', /themeButton\(\)/],
];
const common = ['store', 'charts', 'files', 'dialog', 'questions', 'edit-app'].map(
  (name) => `src/lib/${name}.js`,
);

function builtFeatures(spec: AppSpec): Feature[] {
  const scripts = [...renderApp(spec)]
    .filter(([path]) => path.endsWith('.js') && !common.includes(path))
    .map(([, text]) => text)
    .join('\n');
  return signs.filter(([, sign]) => sign.test(scripts)).map(([feature]) => feature);
}

const all = templateNames.flatMap((template) =>
  (variants[template] ?? ['']).map((variant) => [template, variant] as const),
);

testEvery(
  'what an app is said to offer is what its sources do',
  all,
  ([template, variant]) => {
    const planned = read('something with name, category (a, b), amount, date and stars', {
      kind: template,
    }).spec;
    const spec: AppSpec = { ...planned, variant };
    expect([...offersOf(template, variant)].sort()).toEqual(builtFeatures(spec).sort());
  },
  { idOf: (app) => app.join(' ') },
);

testEvery('a spec promises only what its kind offers', templateNames, (template) => {
  for (const prompt of [
    'a simple thing with csv export, search, charts and totals',
    'tip',
    'quote',
    '2048',
  ]) {
    const { features, variant } = read(prompt, { kind: template }).spec;
    expect(offersOf(template, variant)).toEqual(expect.arrayContaining([...features]));
  }
});

test('fields decide about totals, charts, filters and due dates', () => {
  const featuresOf = (prompt: string) => read(prompt).spec.features;
  expect(featuresOf('list with fields: name, notes')).not.toContain('totals');
  expect(featuresOf('list with fields: name, notes')).not.toContain('filter');
  expect(featuresOf('expense tracker')).toEqual(expect.arrayContaining(['totals', 'chart', 'csv', 'filter']));
  expect(featuresOf('to-do list')).toContain('due');
  expect(featuresOf('contact form with name, email and message')).not.toContain('chart');
  expect(featuresOf('unit converter')).toEqual(['dark']);
});

const kind = `
cues:
  en: { heads: [aquarium, fish tank], verbs: [feed], things: [guppy] }
  de: { heads: [aquarium] }
  es: { heads: [acuario] }
  fr: { heads: [aquarium] }
  it: { heads: [acquario] }
  pt: { heads: [aquário] }
  variants:
    reef:
      en: { heads: [reef tank] }
      de: { heads: [riffbecken] }
      es: { heads: [acuario de arrecife] }
      fr: { heads: [aquarium récifal] }
      it: { heads: [acquario di barriera] }
      pt: { heads: [aquário de recife] }
`;

const texts = `
content:
  en: { name: Tank }
  de: { name: Becken }
  es: { name: Acuario }
  fr: { name: Aquarium }
  it: { name: Acquario }
  pt: { name: Aquário }
`;

const compose = `
export const compose = ({ facts }, { name }) => ({
  spec: { name, choices: facts.places.map(({ text }) => text) },
  assumptions: [],
});
`;

describe('a kind that is added', () => {
  const folder = mkdtempSync(join(tmpdir(), 'kinds-'));
  let kinds: Kinds;

  beforeAll(async () => {
    mkdirSync(join(folder, 'aquarium'));
    writeFileSync(join(folder, 'aquarium', 'kind.yaml'), kind);
    writeFileSync(join(folder, 'aquarium', 'texts.yaml'), texts);
    writeFileSync(join(folder, 'aquarium', 'compose.ts'), compose);
    mkdirSync(join(folder, 'notes-of-nobody'));
    kinds = await kindsIn(pathToFileURL(`${folder}/`), true);
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  const found = (prompt: string, lang: 'en' | 'de' | 'pt') => {
    const lexicon = lexiconOf(lang);
    const text = { prompt, tokens: tagged(prompt, lexicon), lexicon };
    const object = objectPhrase(text, () => false);
    const place = { ...text, object, generic: false, listed: () => false };
    return kindOf(cuesIn(text, [kinds.cues(lang)], new Set()), place, null);
  };

  it.each([
    ['en', 'a planner for my fish tank', ''],
    ['en', 'track the corals of my reef tank', 'reef'],
    ['de', 'eine App für mein Riffbecken', 'reef'],
    ['pt', 'quero um aquário', ''],
  ] as const)('is found by its folder alone: %s %s', (lang, prompt, variant) => {
    expect(found(prompt, lang)).toMatchObject({ kind: 'aquarium', variant });
  });

  it('is not found where nothing speaks for it', () => {
    expect(found('a list of books', 'en')).toBeNull();
  });

  it('composes with its own texts', () => {
    const draft = draftOf('fish tank for Nemo', {
      facts: { places: [{ text: 'Nemo', start: 14, end: 18 }] },
    });
    expect(kinds.compose('aquarium')?.(draft, kinds.content('aquarium', 'it'))).toEqual({
      spec: { name: 'Acquario', choices: ['Nemo'] },
      assumptions: [],
    });
  });

  it('leaves out folders without a kind', () => {
    expect(kinds.compose('notes-of-nobody')).toBeNull();
  });
});
