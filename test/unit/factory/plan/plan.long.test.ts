import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { buildFromSpec } from '../../../../src/factory/build-app.ts';
import { plan } from '../../../../src/factory/plan/complete-spec.ts';
import { keepsThings, type SentSpec, sentSpecProblems } from '../../../../src/factory/plan/sent-spec.ts';
import { read } from '../../../../src/factory/read/read.ts';
import { revise } from '../../../../src/factory/revise/revise.ts';
import { instructionLangs, wordsOf } from '../../../../src/factory/revise/words.ts';
import {
  type AppSpec,
  features,
  fieldTypes,
  langs,
  specProblems,
  type TemplateName,
  templateNames,
  variants,
} from '../../../../src/factory/spec.ts';
import { loans } from '../../../helpers/factory.ts';

describe('a plan', () => {
  it('of a prompt alone is what is read of it', () => {
    const prompt = 'reading list where I can rate books';
    expect(plan(prompt, {})).toEqual(read(prompt));
  });

  it('of a spec alone keeps all that it says, and invents no entries', () => {
    const { spec } = plan('', { spec: loans });
    expect(spec).toMatchObject(loans);
    expect(spec.entity?.fields.map(({ key }) => key)).toEqual(['f0', 'f1', 'f2']);
    expect(plan('', { spec: { ...loans, seed: undefined } as never }).spec.seed).toEqual([]);
    expect([spec.tagline, spec.assumptions]).toEqual(['', []]);
  });

  it('of both takes from the prompt what the spec leaves out', () => {
    const { spec } = plan('a dark reading list where I can rate books', { spec: { name: 'Shelf' } });
    expect([spec.name, spec.palette.mode]).toEqual(['Shelf', 'dark']);
    expect(spec.entity?.fields.some(({ type }) => type === 'rating')).toBe(true);
    const other = plan('a dark reading list where I can rate books', { spec: loans }).spec;
    expect(other.entity?.fields.map(({ label }) => label)).toEqual(['Book', 'Lent to', 'Due date']);
    expect(other.palette).toMatchObject({ accent: '#2f7d4f', mode: 'dark' });
  });

  it('of both is of the kind that the spec says', () => {
    expect(plan('reading list', { spec: { kind: 'quiz' } }).spec.kind).toBe('quiz');
    expect(plan('reading list', { kind: 'notes', spec: { kind: 'quiz' } }).spec.kind).toBe('quiz');
    expect(plan('reading list', { kind: 'notes', spec: { name: 'A' } }).spec.kind).toBe('notes');
  });

  it('of a whole spec is that spec', () => {
    const { spec } = read('kanban board for our team');
    expect(plan('', { spec }).spec).toEqual(spec);
    expect(plan('something else', { spec, settled: true }).spec).toEqual(spec);
  });

  it.each(templateNames)('of a %s of which nobody says more is whole, and builds', async (kind) => {
    const { spec } = plan('', { spec: { kind } });
    expect(specProblems(spec)).toEqual([]);
    expect((await buildFromSpec(spec)).checks.every(({ status }) => status !== 'failed')).toBe(true);
  });

  it.each(langs)('of nothing but a kind is called by a name of its language, not by our word: %s', (lang) => {
    const name = (kind: TemplateName) => plan('', { spec: { kind, lang } }).spec.name;
    expect(templateNames.map(name).filter((one) => /[:–]|boardes|^(\w+) \1$/i.test(one))).toEqual([]);
    expect(name('board')).toBe(
      { en: 'Board', de: 'Board', es: 'Tablero', fr: 'Tableau', it: 'Bacheca', pt: 'Quadro' }[lang],
    );
  });
});

const word = fc.constantFrom(
  'Book',
  'Preis',
  'naïve',
  '日本',
  '</script><b>x',
  '$' + '{x}',
  "it's",
  '"q"',
  '<!--',
  '{{a}}',
  '\\u0000',
  '__proto__',
);
const text = fc.array(word, { minLength: 1, maxLength: 4 }).map((words) => words.join(' ').slice(0, 40));
const field = fc.record(
  {
    label: text,
    type: fc.constantFrom(...fieldTypes),
    required: fc.boolean(),
    options: fc.array(text, { minLength: 1, maxLength: 4 }),
  },
  { requiredKeys: ['label', 'type', 'options'] },
);
const section = fc.record({
  type: fc.constantFrom('text', 'items', 'prices', 'steps', 'quotes', 'schedule', 'timeline', 'tags', 'faq'),
  title: text,
  items: fc.array(fc.record({ title: text, text, price: text, meta: text }, { requiredKeys: ['title'] }), {
    maxLength: 3,
  }),
});
const partial = fc.record(
  {
    name: text,
    tagline: text,
    lang: fc.constantFrom(...langs),
    palette: fc.record(
      { mode: fc.constantFrom('auto', 'light', 'dark'), look: fc.constantFrom('soft', 'crisp', 'editorial') },
      { requiredKeys: [] },
    ),
    entity: fc.record({
      singular: text,
      plural: text,
      fields: fc.array(field, { minLength: 1, maxLength: 6 }),
    }),
    features: fc.uniqueArray(fc.constantFrom(...features), { maxLength: 4 }),
    sections: fc.array(section, { maxLength: 3 }),
    questions: fc.array(
      fc.record({ prompt: text, answer: text, wrong: fc.array(text, { minLength: 1, maxLength: 3 }) }),
      { maxLength: 3 },
    ),
    hours: fc.array(fc.record({ days: text, time: text }), { maxLength: 2 }),
    contact: fc.record({ email: text, phone: text, address: text }, { requiredKeys: [] }),
  },
  { requiredKeys: [] },
) as fc.Arbitrary<SentSpec>;

it.each(templateNames)(
  'any spec of a %s that passes is filled in to one that is whole, says it, and builds',
  async (kind) => {
    let passed = 0;
    await fc.assert(
      fc.asyncProperty(partial, async (given) => {
        const { entity: _, ...rest } = given;
        const sent: SentSpec = { ...(keepsThings(kind, undefined) ? given : rest), kind };
        if (sentSpecProblems(sent, { kind: null, prompt: false }).length > 0) return;
        passed += 1;
        const { spec } = plan('', { spec: sent });
        expect(specProblems(spec)).toEqual([]);
        const { entity: sentEntity, palette: sentPalette, ...others } = sent;
        expect(spec).toMatchObject(others);
        if (sentEntity) expect(spec.entity).toMatchObject(sentEntity);
        expect(spec.palette).toMatchObject(sentPalette ?? {});
        await buildFromSpec(spec as AppSpec);
      }),
      { numRuns: 12 },
    );
    expect(passed).toBeGreaterThan(0);
  },
);

it('fills in no number of another variant', () => {
  const { spec } = plan('', { spec: { kind: 'picker', variant: 'groups', choices: ['Ana', 'Ben'] } });
  expect(sentSpecProblems(spec, { kind: null, prompt: false })).toEqual([]);
  expect(spec.settings).not.toHaveProperty('once');
});

/** How somebody asks for another kind, in each language. */
const ask = {
  en: 'make it a',
  de: 'mach daraus',
  es: 'conviértela en',
  fr: 'transforme-la en',
  it: 'trasformala in',
  pt: 'transforme-o em',
} as const;

const apps: readonly AppSpec[] = [
  read('an expense tracker with amount, category and date').spec,
  read('a poll: pizza or sushi?').spec,
  read('a quiz about capitals').spec,
  ...templateNames.flatMap((kind) =>
    (variants[kind] ?? ['']).map((variant) => plan('', { kind, spec: { kind, variant } }).spec),
  ),
];

const asked = instructionLangs.flatMap((lang) => {
  const { kinds, variants: sorts } = wordsOf(lang).file;
  return [...Object.entries(kinds), ...Object.entries(sorts)].flatMap(([target, words = []]) =>
    words.map((word) => ({ target, text: `${ask[lang]} ${word.replace(/\*$/, '')}` })),
  );
});

describe('an app made another', () => {
  it('is the kind and variant that were asked for, and valid, or refused', () => {
    const wrong = asked.flatMap(({ target, text }, n) => {
      // Each instruction meets some of the apps, and each app most targets.
      return apps.flatMap((app, at) => {
        if ((at + n) % 7 > 0) return [];
        const { spec, done, notUnderstood } = revise(app, text);
        const problems = [...specProblems(spec), ...sentSpecProblems(spec, { kind: null, prompt: false })];
        const [kind, variant = spec.variant] = target.split('.');
        const isIt = spec.kind === kind && spec.variant === variant;
        const told = isIt ? done.length === 1 : notUnderstood.length > 0;
        return problems.length > 0 || !told
          ? [
              `${app.kind} ${text}: ${JSON.stringify([spec.kind, spec.variant, done, notUnderstood, problems])}`,
            ]
          : [];
      });
    });
    expect(wrong).toEqual([]);
  });

  it('passes every check of a build', async () => {
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...apps), fc.constantFrom(...asked), async (app, { text }) => {
        const { checks } = await buildFromSpec(revise(app, text).spec);
        expect(checks.filter(({ status }) => status === 'failed')).toEqual([]);
      }),
      { numRuns: 80 },
    );
  });

  it('has a formula to begin with where a formula is all that it is', () => {
    const { spec } = plan('', { kind: 'calculator', spec: { kind: 'calculator', variant: 'formula' } });
    expect(specProblems(spec)).toEqual([]);
    expect(spec.formula?.results).toHaveLength(1);
  });

  it('is told once what it is, in one sentence', () => {
    const { spec, done } = revise(apps[0] as AppSpec, 'make it a snake game');
    expect([spec.kind, spec.variant, spec.entity, spec.seed]).toEqual(['game', 'snake', null, []]);
    expect(done).toEqual(['It is now a snake.']);
  });
});
