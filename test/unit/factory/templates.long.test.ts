import { describe, expect, test } from 'vitest';
import { buildFromSpec } from '../../../src/factory/build-app.ts';
import { read } from '../../../src/factory/read/read.ts';
import { contrast, shadesOf } from '../../../src/factory/render/palette.ts';
import { type AppSpec, langs, templateNames, variants } from '../../../src/factory/spec.ts';

const double = {
  inputs: [{ key: 'one', label: 'One' }],
  results: [{ key: 'two', label: 'Two', expression: 'one * 2' }],
};

describe('templates', () => {
  // FACTORY_MATRIX=1 builds each in every language; else the languages take turns.
  test('each template and variant builds, in the languages', async () => {
    let turn = 0;
    for (const template of templateNames) {
      for (const variant of variants[template] ?? [undefined]) {
        turn += 1;
        const tried = process.env['FACTORY_MATRIX'] ? langs : [langs[turn % langs.length] ?? 'en'];
        for (const lang of tried) {
          const planned = read(
            {
              en: 'my simple thing',
              de: 'mein kleines Ding für mich',
              es: 'una cosa para mí',
              fr: 'une chose pour moi',
              it: 'una cosa per me',
              pt: 'uma coisa para mim',
            }[lang],
            { kind: template },
          ).spec;
          const formula = variant === 'formula' ? double : null;
          const spec: AppSpec = variant === undefined ? planned : { ...planned, variant, formula };
          const { checks } = await buildFromSpec(spec);
          expect(checks.filter((check) => check.status !== 'passed')).toEqual([]);
        }
      }
    }
  });

  test('no colour makes text that cannot be read', () => {
    for (let hue = 0; hue < 4096; hue += 29) {
      const accent = `#${hue.toString(16).padStart(3, '0').replace(/./g, '$&$&')}`;
      const { light, dark } = shadesOf({ accent, mode: 'auto', look: 'soft' });
      for (const shades of [light, dark]) {
        for (const [front, back] of [
          ['text', 'bg'],
          ['muted', 'raised'],
          ['on-accent', 'accent'],
          ['accent-text', 'accent-soft'],
          ['accent-text', 'bg'],
          ['accent-text', 'surface'],
          ['danger', 'surface'],
          ['warn', 'warn-soft'],
        ] as const) {
          expect(
            contrast(shades[front], shades[back]),
            `${accent}: ${front} on ${back}`,
          ).toBeGreaterThanOrEqual(4.5);
        }
      }
    }
  });
});
