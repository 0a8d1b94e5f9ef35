/** What the rules have read, handed to the model as a draft, and what is reckoned of its answer. */
import { describe, expect, test } from 'vitest';
import { kinds } from '../../../../generated/kinds.gen.ts';
import type { Workshop } from '../../../../src/factory/builder.ts';
import { completedSpec } from '../../../../src/factory/model/drafted.ts';
import { readModelSpec } from '../../../../src/factory/model/model-spec.ts';
import { beyondKinds } from '../../../../src/factory/model/planned.ts';
import { createPlanner } from '../../../../src/factory/model/planner.ts';
import { capabilities } from '../../../../src/factory/model/prompts/capabilities.ts';
import { codeInstructions } from '../../../../src/factory/model/prompts/code.ts';
import { revisionInstructions } from '../../../../src/factory/model/prompts/revise.ts';
import { specInstructions, specQuestion } from '../../../../src/factory/model/prompts/spec.ts';
import { plan } from '../../../../src/factory/plan/complete-spec.ts';
import type { Reading } from '../../../../src/factory/read/draft.ts';
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
import { type BuildSetting, noticesIn, outline } from '../../../helpers/factory-build.ts';
import { testEvery } from '../../../helpers/test-every.ts';
import { answering, kindOf, lastMessage, questionsTo } from '../../../helpers/vendor-answers.ts';
import { openAiFixture, wireFixtures } from '../../../helpers/vendor-fixtures.ts';
import { gatewayTo } from '../../../helpers/vendor-gateway.ts';
import { marketSpec, modelSetup, wideLimits } from './market-app.ts';

describe('draft', () => {
  const prompt = 'a metronome for the market, with stall and weights, and a chat with the brass band';
  const unserved: Reading['unserved'] = {
    head: 'metronome',
    nearest: ['timer'],
    message: 'There is no metronome among the kinds of apps.',
  };
  /** A reader that finds no kind, and lists what no spec has. */
  const reader: Partial<Workshop> = {
    plan: async (asked, options) => ({
      ...plan(asked, options),
      notTakenUp: ['stall', 'weights', 'chat', 'brass band'],
      unserved: options.kind === undefined ? unserved : null,
    }),
  };
  const setting: BuildSetting = { prompt, workshop: reader };
  const answer = (more: object) => JSON.stringify({ ...marketSpec, ...more });

  const told = (reports: readonly { readonly type: string }[]) =>
    reports.flatMap((report) => (report.type === 'spec' ? [report as unknown as { reading: Reading }] : []));

  describe.each(wireFixtures)('the draft of the rules on the $wire wire', (wire) => {
    test('is data in the question, with what was not understood; what the app lacks is reckoned', async () => {
      const { gateway, build } = await modelSetup({
        wire,
        ...setting,
        act: (question) =>
          kindOf(question) === 'plan'
            ? answer({ served_by: 'files', not_done: ['a chat with the brass band'] })
            : null,
      });
      const { reports } = await build();
      const asked = gateway.vendor.requests.map(lastMessage)[0] ?? '';
      const boundary = /=== REQUEST (\w{8})\n/.exec(asked)?.[1] ?? 'none';
      const part = (name: string) =>
        asked.split(`=== ${name} ${boundary}\n`)[1]?.split(`\n=== END ${boundary}`)[0];
      expect(part('REQUEST')).toBe(prompt);
      // Where the rules are not sure, a draft would mislead.
      expect(part('DRAFT')).toBeUndefined();
      expect(asked).toContain('Rules know no kind that serves this; they may be wrong.');
      expect(asked).toMatch(/Today is \w+day, \d{4}-\d\d-\d\d\./);
      expect(questionsTo(gateway.vendor)).toBe('plan write');
      // The stall is a field of the model's spec; the chat is in what the model says that it cannot do.
      expect(told(reports).map(({ reading }) => reading)).toEqual([
        { spec: marketSpec.spec, notTakenUp: ['a chat with the brass band', 'weights'], unserved: null },
      ]);
      expect(noticesIn(reports)).toEqual([beyondKinds]);
      expect(outline(reports)).toBe('planning spec notice generating verifying packaging');
    });
  });

  test('of which the rules are sure is data in the question, with what it has no place for', async () => {
    const asked = 'a list of my books with title, author and year, and a brass band';
    const draft = { ...plan(asked, {}), notTakenUp: ['brass band'] };
    const question = specQuestion(asked, { draft }, 'abcdefgh');
    expect(question).toContain('=== DRAFT abcdefgh\n{"kind":"tracker"');
    expect(question).toContain('=== NOT TAKEN UP abcdefgh\nbrass band\n=== END abcdefgh');
    // One word tells neither kind nor language.
    expect(specQuestion('minesweeper', { draft: plan('minesweeper', {}) }, 'abcdefgh')).not.toContain(
      'DRAFT',
    );
  });

  test('kind none: a template stands in that needs nothing the plan lacks, and the design is kept', () => {
    const { spec } = marketSpec;
    const said = {
      spec: { ...spec, kind: 'none', variant: '', entity: null, seed: [], icon: 'music', unknown: undefined },
      files: marketSpec.files,
      flows: ['press a square', 7],
      conflicts: ['12 June 2027 is a Saturday,\n not a Friday.'],
      must: [
        {
          say: 'It counts',
          steps: [{ fill: 'Name', with: 3 }, { press: 'Go' }, { see: '3' }, { jump: 'x' }, null],
        },
        'It is quiet',
        { steps: [] },
      ],
      entities: [
        { singular: 'shop', plural: 'shops', fields: [{ label: 'Street', type: 'text' }] },
        { fields: 1 },
      ],
    };
    const { modelSpec, problems } = readModelSpec(JSON.stringify(said), {}, plan('a list of books', {}));
    expect([problems, modelSpec?.spec]).toMatchObject([[], { kind: 'notes', icon: 'eighth-notes' }]);
    expect(modelSpec?.design).toEqual({
      flows: ['press a square'],
      states: [],
      conflicts: ['12 June 2027 is a Saturday, not a Friday.'],
      must: [
        {
          say: 'It counts',
          steps: [
            { fill: 'Name', with: '3' },
            { press: 'Go' },
            { see: '3' },
            { unclear: '{"jump":"x"}' },
            { unclear: 'null' },
          ],
        },
        { say: 'It is quiet', steps: [] },
      ],
      entities: [{ singular: 'shop', plural: 'shops', fields: [{ label: 'Street', type: 'text' }] }],
    });
  });

  describe('an app that no kind serves', () => {
    test('is said to be none of them where a template has to stand in', async () => {
      const { app, reports } = await modelSetup({
        ...setting,
        act: (question) => (kindOf(question) === 'plan' ? answer({ must: ['x'] }) : 'I cannot.'),
      }).then(({ build }) => build());
      expect(noticesIn(reports)).toEqual([
        beyondKinds,
        "The model sent no files; the app is made from a template, with the model's plan.",
      ]);
      expect(told(reports)).toMatchObject([
        { reading: { unserved: null }, design: { must: [{ say: 'x' }] } },
        { fromTemplate: true, reading: { unserved, spec: app.spec }, design: { must: [] } },
      ]);
    });

    test('is written for itself: the question for its files does not hold it to the kind', async () => {
      const { gateway, build } = await modelSetup({ ...setting, act: () => null });
      await build();
      const [, written = ''] = gateway.vendor.requests.map(lastMessage);
      const sent = JSON.parse(/=== PLAN \w{8}\n(.*)\n/.exec(written)?.[1] ?? '');
      for (const ofTemplate of ['kind', 'variant', 'settings', 'copy'])
        expect(sent).not.toHaveProperty(ofTemplate);
      expect(sent).toMatchObject({ name: 'Market Day', entity: marketSpec.spec.entity });
    });

    test('stays unserved where the model says that no page can serve it, and where it says nothing', async () => {
      const nothing = await modelSetup({
        ...setting,
        act: (question) => (kindOf(question) === 'plan' ? answer({ served_by: 'nothing' }) : null),
      });
      const { reports } = await nothing.build();
      expect(told(reports).map(({ reading }) => reading.unserved)).toEqual([unserved]);
      expect(readModelSpec(answer({}), {}, { ...plan(prompt, {}), unserved }).modelSpec?.servedBy).toBe(
        'files',
      );
      expect(readModelSpec(answer({}), {}, plan(prompt, {})).modelSpec?.servedBy).toBe('template');
      expect(
        readModelSpec(answer({ served_by: 'magic', not_done: [7, ' a\n b '] }), {}).modelSpec,
      ).toMatchObject({ servedBy: 'template', notDone: ['a b'] });
    });

    test('a plan alone says the same as a build', async () => {
      const gateway = await gatewayTo(
        openAiFixture,
        answering(openAiFixture, () => answer({ served_by: 'files', not_done: ['a chat'] })),
      );
      const planner = createPlanner({
        models: gateway,
        model: openAiFixture.model,
        limits: wideLimits,
        priceOf: () => null,
      });
      const { reading, notices } = await planner({
        prompt,
        options: {},
        signal: new AbortController().signal,
        byRules: async (asked, options) => (reader.plan ? reader.plan(asked, options) : plan(asked, options)),
        onUsage: () => {},
      });
      expect(reading).toEqual({
        spec: marketSpec.spec,
        notTakenUp: ['a chat', 'weights', 'brass band'],
        unserved: null,
      });
      expect(notices).toEqual([beyondKinds]);
    });
  });

  test('words of the prompt that the spec of the rules has and that of the model has not are listed', () => {
    const asked = 'track my tomatoes, with variety, bed and harvest';
    const { spec, notTakenUp } = plan(asked, {});
    expect(notTakenUp.join()).not.toContain('variety');
    const against = { ...spec, entity: marketSpec.spec.entity, seed: [] };
    expect(plan(asked, { kind: spec.kind, against }).notTakenUp.join()).toContain('variety');
  });

  describe('contacts that nobody gave', () => {
    test('are not in the app, nor is an address that answers would be posted to', async () => {
      const contact = {
        email: 'made.up@example.org',
        phone: '+49 30 123456',
        endpoint: 'https://collector.example/steal',
      };
      const spec = { ...marketSpec.spec, contact };
      const { build } = await modelSetup({
        prompt: 'what to buy at the market; call 0049 or (+49) 30-123456',
        act: (question) => (kindOf(question) === 'plan' ? JSON.stringify({ ...marketSpec, spec }) : null),
      });
      const { app } = await build();
      expect(app.spec.contact).toEqual({ phone: '+49 30 123456' });
    });
  });

  describe('what a model leaves out', () => {
    const draft = plan('a list of what to buy at the market, in dark green', {});
    const read = (spec: object) =>
      readModelSpec(JSON.stringify({ spec, files: marketSpec.files }), {}, draft).modelSpec?.spec;

    test('is as usual for its kind, and its look as the rules have read it', () => {
      const least = read({ kind: 'timer', name: 'Eggs', lang: 'en' });
      expect(least).toMatchObject({
        variant: Object.keys(kinds.timer.variants)[0],
        palette: draft.spec.palette,
        currency: draft.spec.currency,
        entity: null,
        formula: null,
        choices: [],
      });
      const fields = [
        { label: 'Thing', type: 'text' },
        { key: 'f0', label: 'Price', type: 'currency' },
        { label: 'Stall', type: 'text' },
      ];
      const keyed = read({
        kind: 'tracker',
        name: 'Eggs',
        lang: 'en',
        entity: { singular: 'egg', plural: 'eggs', fields },
      });
      expect(keyed?.entity?.fields.map(({ key }) => key)).toEqual(['f1', 'f0', 'f2']);
    });

    test('is the picture that its words suggest, also where it names one that there is not', () => {
      const named = (icon: string) => read({ ...marketSpec.spec, icon })?.icon;
      expect(named('leaf')).toBe('leaf');
      expect(named('no-such-picture')).toBe('store');
      expect(named('')).toBe('store');
    });

    test('cannot be the kind, the name or the language, nor a formula that cannot be reckoned', () => {
      expect(readModelSpec('{"spec": {}}', {}, draft).problems.join()).toMatch(
        /'kind'.*'name'.*'lang'|required/,
      );
      const formula = {
        inputs: [{ key: 'wall', label: 'Wall' }],
        results: [{ key: 'paint', label: 'Paint', expression: 'wall / coverage' }],
      };
      const { problems } = readModelSpec(
        JSON.stringify({
          spec: { kind: 'calculator', variant: 'basic', name: 'Paint', lang: 'en', formula },
          files: marketSpec.files,
        }),
        {},
        draft,
      );
      expect(problems.join()).toMatch(/^\/formula\/results\/0\/expression.*coverage/);
    });
  });

  describe('the instructions', () => {
    test.each([
      ['for a plan', specInstructions],
      ['for a revision', revisionInstructions],
    ])('%s know every kind and its variants by name, and are short', (_name, instructions) => {
      for (const [id, { description, variants }] of Object.entries(kinds)) {
        expect(instructions).toContain(`- \`${id}\`: ${description}`);
        for (const name of Object.keys(variants)) expect(instructions).toContain(`\`${name}\``);
      }
      // Of version 1.1 the plan's had 29,636 characters, 9,050 tokens as llama.cpp counts them.
      expect(instructions.length).toBeLessThan(29_636 / 2);
      for (const member of ['icon', 'formula', 'grid', 'choices'])
        expect(instructions).toContain(`\`${member}\``);
      expect(instructions).toContain('16 KB');
    });

    test('for a plan and for its files say the same of what an app can do', () => {
      for (const instructions of [specInstructions, codeInstructions])
        expect(instructions).toContain(capabilities);
    });

    test('tell a kind that is likely in full', () => {
      for (const kind of templateNames) {
        const { variants, copy, settings = {} } = kinds[kind];
        const draft = plan('a list of my books with author', {});
        const asked = specQuestion('x', { kind, draft }, 'abcdefgh');
        expect(asked).toContain(`"kind" must be "${kind}"`);
        for (const [name, variant] of Object.entries(variants)) {
          expect(asked).toContain(`variant \`${name}\`: ${variant.description}`);
          for (const setting of Object.keys(variant.settings ?? {})) expect(asked).toContain(`${setting} (`);
        }
        for (const text of [...Object.keys(copy), ...Object.keys(settings)])
          expect(asked).toContain(`${text} (`);
      }
    });
  });
});

describe('completed spec', () => {
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
        if (template === 'board')
          expect(spec.entity?.fields.some(({ type }) => type === 'select')).toBe(true);
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
});
