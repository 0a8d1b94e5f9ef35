import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { cp, mkdir, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { kinds } from '../../../generated/kinds.gen.ts';
import { kindsSource, readKinds } from '../../../scripts/generate/kinds.ts';
import { copyFor, kindOfApp, settingsFor, templateList, variantsOf } from '../../../src/factory/catalogue.ts';
import { templateNames } from '../../../src/factory/spec.ts';
import { testEvery } from '../../helpers/test-every.ts';

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
