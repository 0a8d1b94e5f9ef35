/** Instructions and plans that a model carries out, and what becomes of them where it cannot. */
import { describe, expect, it } from 'vitest';
import { NotUnderstood } from '../../../../src/factory/builder.ts';
import { createPlanner } from '../../../../src/factory/model/planner.ts';
import { readRevision } from '../../../../src/factory/model/revise.ts';
import { plan } from '../../../../src/factory/plan/complete-spec.ts';
import { revise } from '../../../../src/factory/revise/revise.ts';
import { noticesIn, outline } from '../../../helpers/factory-build.ts';
import { loans } from '../../../helpers/revisions.ts';
import { answering, kindOf, lastMessage, questionsTo } from '../../../helpers/vendor-answers.ts';
import { openAiFixture, wireFixtures } from '../../../helpers/vendor-fixtures.ts';
import { gatewayTo } from '../../../helpers/vendor-gateway.ts';
import { marketSpec } from './market-app.ts';
import { modelSetup, wideLimits } from './model-build.ts';

const base = plan('', { spec: loans }).spec;
const revisedSpec = { ...base, name: 'Shelf', palette: { ...base.palette, accent: '#7a1f5c' } };
const answer = {
  spec: revisedSpec,
  done: ['It is called “Shelf” and is plum.'],
  not_done: ['“sync it”: there is no server'],
};
const instruction = 'call it Shelf, in the colour of plums, and sync it';

const optionsFor = (said: string) => {
  const { spec, ...byRules } = revise(base, said);
  return {
    kind: spec.kind,
    spec,
    settled: true,
    instructed: { instruction: said, base, byRules },
  };
};
const isAsked = (question: string) => ['revise', 'correct'].includes(kindOf(question));

describe.each(wireFixtures)('an instruction on the $wire wire', (wire) => {
  it('is carried out by the model, which is given the spec and the instruction as data', async () => {
    const { gateway, build } = await modelSetup({
      wire,
      act: (_question, index) => (index === 0 ? 'Certainly!' : JSON.stringify(answer)),
    });
    const { app, reports } = await build({ prompt: 'what I have lent', options: optionsFor(instruction) });
    expect(app.spec).toEqual(revisedSpec);
    const spec = reports.find(({ type }) => type === 'spec');
    expect(spec).toMatchObject({
      engine: { mode: 'model' },
      grasp: { understood: answer.done, notUnderstood: answer.not_done },
    });
    // The app is from a template, and stays so: no files are asked for.
    expect(questionsTo(gateway.vendor)).toBe('revise correct');
    const asked = gateway.vendor.requests.map(lastMessage)[0] ?? '';
    const boundary = /=== SPEC (\w{8})\n/.exec(asked)?.[1] ?? 'none';
    expect(asked).toContain(`=== SPEC ${boundary}\n${JSON.stringify(base).slice(0, 50)}`);
    expect(asked).toContain(`=== REQUEST ${boundary}\n${instruction}\n=== END ${boundary}`);
    expect(asked).toMatch(/=== DONE BY RULES \w{8}\n.*Shelf/);
    expect(asked).toMatch(/=== NOT UNDERSTOOD \w{8}\n.*sync it/);
  });
});

describe('where the model fails', () => {
  const down = async (said: string) => {
    const { build } = await modelSetup({ act: (question) => (isAsked(question) ? 'I will not.' : null) });
    return build({ prompt: 'what I have lent', options: optionsFor(said) });
  };

  it('the rules carry out what they understand, with a notice', async () => {
    const { app, reports } = await down('call it Shelf');
    expect(app.spec).toEqual({ ...base, name: 'Shelf' });
    expect(noticesIn(reports)).toEqual([
      'The model gave no plan that can be used; the app is planned by rules and made from a template.',
    ]);
    expect(outline(reports)).toMatch(/^planning notice spec generating/);
  });

  it('and the rules do not understand it, the build says so', async () => {
    await expect(down('hum a tune')).rejects.toBeInstanceOf(NotUnderstood);
  });
});

it('a spec that was changed by hand needs no model where the app is from a template', async () => {
  const { gateway, build } = await modelSetup();
  const { app, reports } = await build({ prompt: 'x', options: { spec: base, settled: true } });
  expect(app.spec).toEqual(base);
  expect(gateway.vendor.requests).toEqual([]);
  expect(reports.find(({ type }) => type === 'spec')).toMatchObject({ engine: { mode: 'embedded' } });
});

describe('an answer', () => {
  const problemsOf = (value: unknown) =>
    readRevision(typeof value === 'string' ? value : JSON.stringify(value), base).problems;

  it('that is no spec, or one that nobody may send, is refused with what is wrong', () => {
    expect(problemsOf('no')).toEqual(['The answer is not a JSON object.']);
    expect(problemsOf([1])).toEqual(['The answer is not a JSON object.']);
    expect(problemsOf({ spec: { ...base, kind: 'rocket' } }).join()).toContain(
      '/kind must be equal to one of',
    );
    expect(problemsOf({ spec: { ...base, seed: [{ f2: 'soon' }] } })).toEqual([
      'seed[0].f2 must be a date, such as @+3 or 2026-03-01',
    ]);
    expect(problemsOf(answer)).toEqual([]);
  });

  it('has lines for people that are short, plain and few', () => {
    const done = ['a\u0000\nb', 7, '', 'x'.repeat(900), ...Array.from({ length: 20 }, () => 'more')];
    const { revised } = readRevision(JSON.stringify({ ...answer, done, not_done: 'none' }), base);
    expect(revised?.done).toHaveLength(8);
    expect(revised?.done.slice(0, 2)).toEqual(['a b', 'x'.repeat(200)]);
    expect(revised?.notUnderstood).toEqual([]);
  });
});

describe('a plan alone', () => {
  async function planned(said: string, options = {}) {
    const used: number[] = [];
    const gateway = await gatewayTo(
      openAiFixture,
      answering(openAiFixture, () => said),
    );
    const planner = createPlanner({
      models: gateway,
      model: openAiFixture.model,
      limits: wideLimits,
      priceOf: () => null,
    });
    const result = await planner({
      prompt: 'a list of what to buy at the market',
      options,
      signal: new AbortController().signal,
      byRules: async (prompt, given) => plan(prompt, given),
      onUsage: ({ calls }) => used.push(calls),
    });
    return { ...result, used };
  }

  it('is the model’s, with what was sent in place of what it says', async () => {
    const { reading, engine, notices, used } = await planned(JSON.stringify(marketSpec), {
      spec: { name: 'Mine' },
    });
    expect(reading.spec).toEqual({ ...marketSpec.spec, name: 'Mine' });
    expect([engine, notices, used]).toEqual([{ mode: 'model', model: openAiFixture.model }, [], [1]]);
  });

  it('is the rules’ where the model gives none, and says so', async () => {
    const { reading, engine, degradedFrom, notices, used } = await planned('No.');
    expect(reading).toEqual(plan('a list of what to buy at the market', {}));
    expect([engine.mode, degradedFrom, used]).toEqual(['embedded', openAiFixture.model, [1, 2]]);
    expect(notices).toEqual(['The model gave no plan that can be used; the rules plan.']);
  });
});
