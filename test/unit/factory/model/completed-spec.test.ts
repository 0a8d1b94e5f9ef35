import { describe, expect, test } from 'vitest';
import { completedSpec } from '../../../../src/factory/model/drafted.ts';
import { readModelSpec } from '../../../../src/factory/model/model-spec.ts';
import { read } from '../../../../src/factory/read/read.ts';
import { renderApp } from '../../../../src/factory/render/render.ts';
import {
  type AppSpec,
  specProblems,
  type TemplateName,
  templateNames,
  variants,
} from '../../../../src/factory/spec.ts';
import { verifyApp } from '../../../../src/factory/verify/verify.ts';
import { testEvery } from '../../../helpers/test-every.ts';

const prompt = 'please make something';

/** The least that a model may say, made fit for the templates. */
function completed(template: TemplateName, variant: string, more: object = {}): AppSpec {
  const needsEntity = ['tracker', 'board', 'dashboard', 'form'].includes(template);
  const fields = [{ key: 'f0', label: 'Thing', type: 'text' }];
  const spec = {
    kind: template,
    variant,
    name: 'Bare',
    lang: 'en',
    palette: { accent: '#123456', mode: 'auto', look: 'soft' },
    entity: needsEntity ? { singular: 'thing', plural: 'Things', fields } : null,
    formula:
      variant === 'formula'
        ? { inputs: [{ key: 'a', label: 'A' }], results: [{ key: 'b', label: 'B', expression: 'a' }] }
        : null,
    ...more,
  };
  const { modelSpec } = readModelSpec(JSON.stringify({ spec, files: [] }), {});
  if (!modelSpec) throw new Error('The spec is not valid.');
  return completedSpec(modelSpec.spec, read(prompt, { kind: template }).spec);
}

const all = templateNames.flatMap((template) =>
  (variants[template] ?? ['']).map((variant) => [template, variant] as const),
);

describe('a spec that says the least', () => {
  testEvery(
    'suits the templates',
    all,
    async ([template, variant]) => {
      const spec = completed(template, variant);
      expect(specProblems(spec)).toEqual([]);
      expect((await verifyApp(renderApp(spec), spec)).passed).toBe(true);
      const rules = read(prompt, { kind: template }).spec;
      expect(spec.sections.length).toBeGreaterThanOrEqual(Math.min(1, rules.sections.length));
      if (template === 'quiz') expect(spec.questions.length).toBeGreaterThan(3);
      if (template === 'board') expect(spec.entity?.fields.some(({ type }) => type === 'select')).toBe(true);
      if (template === 'dashboard')
        expect(spec.entity?.fields.some(({ type }) => type !== 'text')).toBe(true);
      if (variant === 'poll') expect(spec.variant).toBe('form');
      if (variant === 'countdown') expect(spec.settings['minutes']).toBeGreaterThan(0);
    },
    { idOf: (app) => app.join(' ') },
  );
});

test('values that do not suit their field are left out, the others stay', () => {
  const types = ['text', 'date', 'currency', 'rating', 'checkbox', 'time', 'select'] as const;
  const fields = types.map((type, index) => ({
    key: `f${index}`,
    label: type,
    type,
    ...(type === 'select' ? { options: ['a', 'b'] } : {}),
  }));
  const entity = { singular: 'thing', plural: 'Things', fields };
  const good = { f0: 'x', f1: '@+3', f2: 12.5, f3: 4, f4: true, f5: '09:30', f6: 'b' };
  const bad = { f0: 7, f1: 'tomorrow', f2: '12', f3: 9, f4: 'yes', f5: 'noon', f6: 'c' };
  expect(completed('tracker', 'table', { entity, seed: [good, bad] }).seed).toEqual([good, {}]);
});

test('a day and a time that cannot be read are those of the rules', () => {
  const rules = read(prompt, { kind: 'event' }).spec;
  const spec = completed('event', '', { copy: { day: 'soon', time: 'noon', place: 'Lisbon' } });
  expect(spec.copy).toMatchObject({ day: rules.copy['day'], time: rules.copy['time'], place: 'Lisbon' });
  expect(completed('event', '', { copy: { day: '2027-06-12', time: '17:00' } }).copy).toMatchObject({
    day: '2027-06-12',
    time: '17:00',
  });
});
