import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { buildFromSpec } from '../../../../src/factory/build-app.ts';
import { plan } from '../../../../src/factory/plan/complete-spec.ts';
import { sentSpecProblems } from '../../../../src/factory/plan/sent-spec.ts';
import { read } from '../../../../src/factory/read/read.ts';
import { revise } from '../../../../src/factory/revise/revise.ts';
import { instructionLangs, wordsOf } from '../../../../src/factory/revise/words.ts';
import { type AppSpec, specProblems, templateNames, variants } from '../../../../src/factory/spec.ts';

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
