import { expect, test } from 'vitest';
import { offersOf } from '../../../src/factory/catalogue.ts';
import { read } from '../../../src/factory/read/read.ts';
import { renderApp } from '../../../src/factory/render/render.ts';
import { type AppSpec, type Feature, templateNames, variants } from '../../../src/factory/spec.ts';
import { testEvery } from '../../helpers/test-every.ts';

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
