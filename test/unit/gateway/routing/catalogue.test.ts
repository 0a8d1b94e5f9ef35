import { describe, expect, test } from 'vitest';
import { ServiceError } from '../../../../src/contract/errors.ts';
import { substitutions } from '../../../../src/gateway/routing/builtin.ts';
import { createCatalogue } from '../../../../src/gateway/routing/catalogue.ts';
import type { ModelSettings, ModelsSettings } from '../../../../src/gateway/upstream/settings.ts';
import { providerOf, settingsOf } from '../../../helpers/vendor-gateway.ts';

const url = 'http://127.0.0.1:1/v1';
const openai = providerOf('openai', url, { patterns: ['gpt-*', 'o1*', '*-by-openai'] });
const anthropic = providerOf('anthropic', url, { patterns: ['claude-*'] });
const groq = providerOf('openai', url, { id: 'groq', patterns: [] });

function model(id: string, more: Partial<ModelSettings> = {}): ModelSettings {
  return { id, provider: 'openai', model: id, temperature: null, fallbacks: [], ...more };
}

function catalogueOf(more: Partial<ModelsSettings> = {}, providers = [openai, anthropic, groq]) {
  return createCatalogue(settingsOf(providers, more));
}

/** Where the name leads, as `provider/model`. */
function targets(catalogue: ReturnType<typeof catalogueOf>, name: string): string[] {
  return catalogue.resolve(name).targets.map((target) => `${target.provider} ${target.model}`);
}

describe('with providers', () => {
  test.each([
    ['gpt-4o', 'openai gpt-4o'],
    ['gpt-of-the-future', 'openai gpt-of-the-future'],
    ['o1-mini', 'openai o1-mini'],
    ['made-by-openai', 'openai made-by-openai'],
    ['claude-opus-5', 'anthropic claude-opus-5'],
    ['openai/gpt-4', 'openai gpt-4'],
    ['gpt-4-0613', 'openai gpt-4-0613'],
    ['claude-sonnet-4-20250514', 'anthropic claude-sonnet-4-20250514'],
    ['claude-haiku-4', 'anthropic claude-haiku-4'],
    ['openai/gpt-4o', 'openai gpt-4o'],
    ['openai/anything', 'openai anything'],
    ['groq/meta-llama/llama-4-scout', 'groq meta-llama/llama-4-scout'],
    ['groq/gpt-4o', 'groq gpt-4o'],
    ['sandbox', 'sandbox sandbox'],
    ['sandbox/echo', 'sandbox sandbox/echo'],
    ['fast', 'groq llama'],
    ['faster', 'groq llama'],
    ['mine', 'openai gpt-4o-mini'],
    ['claude-opus-4', 'openai gpt-4o-mini'],
    ['with/slash', 'openai inner'],
    ['gpt-4-turbo', 'openai gpt-4-turbo'],
  ])('%s is %s', (name, expected) => {
    const catalogue = catalogueOf({
      models: [
        model('mine', { model: 'gpt-4o-mini' }),
        model('with/slash', { model: 'inner' }),
        model('gpt-4-turbo'),
      ],
      aliases: { fast: 'groq/llama', faster: 'fast', 'claude-opus-4': 'mine' },
    });
    expect(targets(catalogue, name)).toEqual([expected]);
    expect(catalogue.resolve(name).warnings).toEqual([]);
  });

  test.each([
    'nothing',
    'gpt',
    'Gpt-4o',
    'mistral/large',
    'openai/',
    '/gpt-4o',
    'sandbox/nothing',
    '__proto__',
    'constructor',
    'toString',
    '__proto__/x',
    'constructor/x',
    'hasOwnProperty',
    '',
  ])('%j is unknown', (name) => {
    expect(() => catalogueOf().resolve(name)).toThrow(ServiceError);
    expect(() => catalogueOf().resolve(name)).toThrow(
      expect.objectContaining({ code: 'model_not_found', param: 'model' }),
    );
  });

  test('an unknown name is told what there is, at a bounded length', () => {
    const models = Array.from({ length: 5000 }, (_, i) => model(`model-number-${i}`));
    const error = (() => {
      try {
        return catalogueOf({ models }).resolve(`\u0000${'x'.repeat(5000)}`);
      } catch (thrown) {
        return thrown as ServiceError;
      }
    })();
    expect(error).toBeInstanceOf(ServiceError);
    if (!(error instanceof ServiceError)) return;
    expect(error.message).toContain('model-number-0, model-number-1');
    expect(error.message).toContain('and 49');
    expect(error.message).toContain('gpt-*');
    expect(error.message).not.toContain('\u0000');
    expect(error.message.length).toBeLessThan(2000);
  });

  test('an unknown sandbox name is told the sandbox’s', () => {
    expect(() => catalogueOf().resolve('sandbox/x')).toThrow(/sandbox\/echo.*sandbox\/cut-stream/);
  });

  test('fallbacks follow in order, none twice', () => {
    const catalogue = catalogueOf({
      models: [
        model('m', {
          fallbacks: ['claude-sonnet-4', 'm', 'openai/m', 'claude-sonnet-4-6', 'fast', 'sandbox'],
        }),
      ],
      aliases: { fast: 'groq/llama' },
    });
    const expected = ['openai m', 'anthropic claude-sonnet-4-6', 'groq llama', 'sandbox sandbox'];
    expect(targets(catalogue, 'm')).toEqual(expected);
  });

  test('provider/model asks that provider alone, however many models lead to it', () => {
    const named = (...ids: string[]) =>
      catalogueOf({
        models: [
          ...ids.map((id) => model(id, { model: 'gpt-5.6-sol', fallbacks: ['claude-opus-5'] })),
          model('groq/own', { fallbacks: ['claude-opus-5'] }),
        ],
        aliases: { pinned: 'openai/gpt-5.6-sol', free: 'best' },
      });
    for (const catalogue of [named('best'), named('best', 'better'), named('best', 'gpt-5.6-sol')]) {
      for (const name of ['openai/gpt-5.6-sol', 'pinned'])
        expect([name, targets(catalogue, name)]).toEqual([name, ['openai gpt-5.6-sol']]);
      expect(catalogue.find('openai/gpt-5.6-sol').fallbacks).toEqual([]);
      for (const name of ['best', 'free'])
        expect([name, targets(catalogue, name)]).toEqual([
          name,
          ['openai gpt-5.6-sol', 'anthropic claude-opus-5'],
        ]);
      expect(targets(catalogue, 'groq/own')).toEqual(['openai groq/own', 'anthropic claude-opus-5']);
    }
    // What takes the place of a withdrawn name has been asked for by its name.
    expect(targets(named('best', 'gpt-5.6-sol'), 'gpt-4')).toHaveLength(2);
  });

  test('what the settings say about a model goes with it', () => {
    const catalogue = catalogueOf({
      models: [model('m', { temperature: { max: 1.5 } })],
      aliases: { a: 'm' },
    });
    expect(catalogue.resolve('a').targets[0].temperatureRange).toEqual({ max: 1.5 });
    expect(catalogue.resolve('openai/m').targets[0].temperatureRange).toEqual({ max: 1.5 });
    expect(catalogue.resolve('gpt-4o').targets[0].temperatureRange).toBeNull();
  });

  test('the default is the one that is set, else the first of the first provider', () => {
    expect(catalogueOf({ defaultModel: 'claude-opus-5' }).defaultModel).toBe('claude-opus-5');
    expect(catalogueOf({ models: [model('mine')] }).defaultModel).toBe('mine');
    expect(catalogueOf().defaultModel).toBe('gpt-5.4-mini');
    expect(catalogueOf({}, [groq]).defaultModel).toBe('sandbox');
  });
});

test('all names of a model have in common who serves it as what', () => {
  const catalogue = catalogueOf({
    models: [model('house', { model: 'gpt-4o' }), model('other', { provider: 'groq', model: 'gpt-4o' })],
    aliases: { fast: 'gpt-4o', faster: 'fast' },
  });
  for (const name of ['gpt-4o', 'openai/gpt-4o', 'house', 'fast', 'faster'])
    expect(catalogue.canonicalOf(name), name).toBe('openai/gpt-4o');
  for (const name of ['other', 'groq/gpt-4o']) expect(catalogue.canonicalOf(name), name).toBe('groq/gpt-4o');
  expect(catalogue.canonicalOf('sandbox/echo')).toBe('sandbox/echo');
  expect(catalogue.canonicalOf('gpt-of-the-future')).toBe('openai/gpt-of-the-future');
  expect(catalogue.canonicalOf('nobody-serves-this')).toBeNull();
});

test('without a provider, models that the sandbox stands in for stay apart', () => {
  const catalogue = catalogueOf({ aliases: { fast: 'gpt-4o' } }, []);
  expect(['gpt-4o', 'fast', 'claude-opus-5', 'sandbox'].map((name) => catalogue.canonicalOf(name))).toEqual([
    'gpt-4o',
    'gpt-4o',
    'claude-opus-5',
    'sandbox',
  ]);
});

describe('a name whose model the vendor has withdrawn', () => {
  const gemini = providerOf('openai', url, { id: 'gemini', patterns: ['gemini-*'] });
  const catalogue = catalogueOf({ aliases: { old: 'gpt-4' } }, [openai, anthropic, gemini]);

  test.each(substitutions)('$name is sent as the successor that the vendor declares, and says so', (row) => {
    const { targets, warnings } = catalogue.resolve(row.name);
    expect(targets).toEqual([{ provider: row.provider, model: row.sentAs, temperatureRange: null }]);
    expect(warnings).toEqual([{ code: 'model_substituted', message: expect.any(String), param: 'model' }]);
    for (const part of [row.name, row.sentAs, row.since]) expect(warnings[0]?.message).toContain(part);
  });

  test.each([
    ['gpt-4', 'openai gpt-5.6-sol'],
    ['claude-sonnet-4', 'anthropic claude-sonnet-4-6'],
    ['gemini-2.0-flash', 'gemini gemini-3.6-flash'],
    ['old', 'openai gpt-5.6-sol'],
  ])('%s leads to %s', (name, expected) => {
    expect(targets(catalogue, name)).toEqual([expected]);
    expect(catalogue.resolve(name).warnings.map(({ code }) => code)).toEqual(['model_substituted']);
  });

  test('stands in the list with what it is sent as, since when, why and by whose word', () => {
    expect(catalogue.list().data).toContainEqual({
      id: 'gpt-4',
      object: 'model',
      created: expect.any(Number),
      owned_by: 'openai',
      type: 'model',
      display_name: 'gpt-4',
      created_at: expect.any(String),
      lifecycle: 'active',
      provider: 'openai',
      alias_of: null,
      sent_as: 'gpt-5.6-sol',
      fallbacks: [],
      substitution: {
        reason: 'retired',
        since: '2026-10-23',
        source: 'https://developers.openai.com/api/docs/deprecations',
      },
    });
  });

  test('leads to no moving alias, nor does any other name that the server knows by itself', () => {
    const sent = catalogue.list().data.map(({ sent_as }) => sent_as);
    expect(sent.length).toBeGreaterThan(20);
    expect(sent.filter((name) => /latest/.test(name))).toEqual([]);
    expect(substitutions.filter(({ sentAs }) => substitutions.some(({ name }) => name === sentAs))).toEqual(
      [],
    );
  });
});

describe('settings that contradict themselves are reported', () => {
  test.each<[string, Partial<ModelsSettings>, RegExp]>([
    ['aliases in a circle', { aliases: { a: 'b', b: 'c', c: 'a' } }, /circle: a → b → c → a/],
    ['an alias of itself', { aliases: { a: 'a' } }, /circle: a → a/],
    ['an alias of nothing', { aliases: { a: 'nothing' } }, /"a" stands for "nothing"/],
    [
      'a fallback to nothing',
      { models: [model('m', { fallbacks: ['nothing'] })] },
      /"m" falls back to "nothing"/,
    ],
    ['a provider that is not there', { models: [model('m', { provider: 'nobody' })] }, /"nobody"/],
    ['two models of one id', { models: [model('m'), model('m')] }, /same id/],
    ['a default that is unknown', { defaultModel: 'nothing' }, /default model "nothing"/],
  ])('%s', (_, settings, message) => {
    expect(() => catalogueOf(settings)).toThrow(message);
  });

  test('two providers of one id, or one called sandbox', () => {
    expect(() => catalogueOf({}, [openai, openai])).toThrow(/must differ/);
    expect(() => catalogueOf({}, [{ ...openai, id: 'sandbox' }])).toThrow(/taken/);
  });
});

describe('without a provider', () => {
  const catalogue = catalogueOf(
    { models: [model('mine', { fallbacks: ['other'] })], aliases: { loud: 'sandbox/echo', fast: 'gpt-4o' } },
    [],
  );

  test.each(['gpt-4o', 'mine', 'fast', 'anything/else', 'constructor'])(
    'the sandbox answers to %s and says so',
    (name) => {
      expect(targets(catalogue, name)).toEqual(['sandbox sandbox']);
      const message = `No model provider is configured, so the sandbox answered in place of ${name}.`;
      expect(catalogue.resolve(name).warnings).toEqual([
        { code: 'sandbox_answered', message, param: 'model' },
      ]);
    },
  );

  test('its own names need no warning', () => {
    expect(catalogue.resolve('sandbox')).toMatchObject({ targets: [{ model: 'sandbox' }], warnings: [] });
    expect(catalogue.resolve('sandbox/slow')).toMatchObject({
      targets: [{ model: 'sandbox/slow' }],
      warnings: [],
    });
    expect(targets(catalogue, 'loud')).toEqual(['sandbox sandbox/echo']);
    expect(() => catalogue.resolve('sandbox/x')).toThrow(
      expect.objectContaining({ code: 'model_not_found' }),
    );
  });

  test('it is the default and routes every name', () => {
    expect(catalogue.list()).toMatchObject({
      default_model: 'sandbox',
      routes: [{ pattern: '*', provider: 'sandbox' }],
    });
    expect(catalogue.list().data.every(({ provider }) => provider === 'sandbox')).toBe(true);
  });
});

test('the list shows models, aliases and routes', () => {
  const catalogue = catalogueOf(
    { models: [model('m', { fallbacks: ['gpt-4o'] })], aliases: { fast: 'm' }, defaultModel: 'fast' },
    [groq, { ...openai, id: 'own' }].map((provider, i) =>
      i === 0 ? { ...provider, id: 'openai', patterns: ['gpt-*'] } : provider,
    ),
  );
  const { data, routes, default_model, ...ends } = catalogue.list();
  expect(data).toContainEqual({
    id: 'm',
    object: 'model',
    created: expect.any(Number),
    owned_by: 'openai',
    type: 'model',
    display_name: 'm',
    created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
    lifecycle: 'active',
    provider: 'openai',
    alias_of: null,
    sent_as: 'm',
    fallbacks: ['gpt-4o'],
  });
  expect(data).toContainEqual({
    id: 'fast',
    object: 'model',
    created: expect.any(Number),
    owned_by: 'openai',
    type: 'model',
    display_name: 'fast',
    created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
    lifecycle: 'active',
    provider: 'openai',
    alias_of: 'm',
    sent_as: 'm',
    fallbacks: ['gpt-4o'],
  });
  expect(data).toContainEqual({
    id: 'sandbox/echo',
    object: 'model',
    created: expect.any(Number),
    owned_by: 'sandbox',
    type: 'model',
    display_name: 'sandbox/echo',
    created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
    lifecycle: 'active',
    provider: 'sandbox',
    alias_of: null,
    sent_as: 'sandbox/echo',
    fallbacks: [],
  });
  expect(routes.slice(0, 4)).toEqual([
    { pattern: 'openai/*', provider: 'openai' },
    { pattern: 'own/*', provider: 'own' },
    { pattern: 'sandbox/*', provider: 'sandbox' },
    { pattern: 'gpt-*', provider: 'openai' },
  ]);
  expect(default_model).toBe('fast');
  expect(ends).toEqual({ object: 'list', has_more: false, first_id: 'm', last_id: 'fast' });
  expect(new Set(data.map(({ id }) => id)).size).toBe(data.length);
});

test('the cost of a name does not grow with the number of models', () => {
  const time = (count: number) => {
    const catalogue = catalogueOf({ models: Array.from({ length: count }, (_, i) => model(`m${i}`)) });
    const startedAt = performance.now();
    for (let i = 0; i < 20_000; i += 1) {
      catalogue.resolve(`m${i % 10}`);
      catalogue.resolve('gpt-unlisted');
      catalogue.resolve('openai/unlisted');
    }
    return performance.now() - startedAt;
  };
  time(10);
  expect(time(20_000) / time(10)).toBeLessThan(20);
});
