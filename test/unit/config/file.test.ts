import { describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { ConfigError } from '../../../src/lib/config-error.ts';
import { problemsOf, readWithFile } from './helpers.ts';

describe('a broken file', () => {
  it.each([
    ['alias: {}', 'file:1:1: alias: unknown key; did you mean `aliases`?'],
    [
      'a: 1',
      'file:1:1: a: unknown key; expected one of plans, prices, exchange_rates, providers, models, aliases, default_model, features, agents, fetch_url, mcp_servers, mcp_access, sign_in.',
    ],
    [
      'providers:\n  groq:\n    base_url: http://x\n    conections: 5',
      'file:4:5: providers.groq.conections: unknown key; did you mean `connections`?',
    ],
    ['models: [a]', 'file:1:9: models: expected a map from model names to models.'],
    ['providers:\nmodels: {}', 'file:1:11: providers: expected a map from provider ids to providers.'],
    [
      '- a',
      'file:1:1: expected a map with the sections plans, prices, exchange_rates, providers, models, aliases, default_model, features, agents, fetch_url, mcp_servers, mcp_access, sign_in.',
    ],
    ['providers:\n  x: y', 'file:2:6: providers.x: expected a map that describes a provider.'],
    [
      'providers:\n  x: {wire: grpc}',
      'file:2:13: providers.x.wire: expected `openai`, `anthropic` or `gemini`.',
    ],
    [
      'providers:\n  x:\n    base_url: localhost',
      'file:3:15: providers.x.base_url: expected an absolute http or https URL without user name and query.',
    ],
    [
      'providers:\n  x:\n    connections: 10001',
      'file:3:18: providers.x.connections: expected a whole number from 1 to 10000.',
    ],
    ['providers:\n  x:\n    connections: "5"', 'file:3:18: providers.x.connections: expected a whole'],
    ['providers:\n  x:\n    patterns: [a, 5]', 'file:3:19: providers.x.patterns.1: expected a name pattern'],
    [
      'providers: {x: {max_tokens_field: max}}',
      'file:1:35: providers.x.max_tokens_field: expected `max_tokens` or',
    ],
    ['providers:\n  x: {api_key: 5}', 'file:2:16: providers.x.api_key: expected the name of an environment'],
    [`providers:\n  x:\n    api_key: a\${B}`, 'file:3:14: providers.x.api_key: expected the name of an'],
    ['providers:\n  Groq: {}', 'file:2:3: providers.Groq: expected a provider id of at most 64'],
    ['providers:\n  __proto__: {}', 'file:2:3: providers.__proto__: expected a provider id'],
    ['models:\n  m: {model: n}', 'file:2:3: models.m: expected the key `provider`, which is missing.'],
    ['models:\n  a b: {provider: sandbox}', 'file:2:3: models.a b: expected the name of a model.'],
    [
      'models:\n  m: {provider: x, temperature: hot}',
      'file:2:33: models.m.temperature: expected `unsupported` or a map with `max`.',
    ],
    [
      'models:\n  m: {provider: x, temperature: 1}',
      'file:2:33: models.m.temperature: expected `unsupported`',
    ],
    [
      'models:\n  m: {provider: x, temperature: {}}',
      'file:2:20: models.m.temperature: expected the key `max`, which is missing.',
    ],
    [
      'models:\n  m: {provider: x, temperature: {max: 2.5}}',
      'file:2:39: models.m.temperature.max: expected a number from 0 to 2.',
    ],
    [
      'models:\n  m: {provider: x, fallbacks: y}',
      'file:2:31: models.m.fallbacks: expected a list of model names.',
    ],
    ['aliases:\n  a/b: []', 'file:2:8: aliases.a/b: expected the name of a model.'],
    ['default_model: ""', 'file:1:16: default_model: expected the name of a model.'],
    ['aliases:\n  a: b\n  a: c', 'file:3:3: this key is there twice; expected each key once.'],
    ['aliases:\n\ta: b', 'file:2:1: a tab as indentation; expected spaces.'],
    ['aliases:\n    a: b\n  c: d', 'file:3:1: wrong indentation'],
    ['models: {', 'file:1:10: wrong indentation or an open bracket'],
    ['default_model: "a', 'file:1:18: not YAML (MISSING_CHAR); expected quotes around text'],
    [
      `providers:\n  x: {base_url: http://x, api_key: \${B}, wire: openai}\n  y: {z: 1}`,
      'file:2:37: within { } or [ ], YAML reads the brace of a variable as a map; expected quotes around',
    ],
    [`models: [a, Bearer \${B}/c]`, 'file:1:21: within { } or [ ], YAML reads'],
    ['aliases:\n  ? [a]\n  : b', 'file:2:5: a key that is no text; expected a name.'],
    ['models: {}\n---\nmodels: {}', 'file:2:1: a second document; expected a single one.'],
    ['default_model: !env X', 'file:1:16: an unknown tag; expected a plain value.'],
    ['default_model: *x', 'file: an alias (*name) has no anchor'],
  ])('is refused: %j: %s', async (text, expected) => {
    expect(await problemsOf(readWithFile(text))).toEqual([expect.stringContaining(expected)]);
  });

  it('is told everything, in its own order', async () => {
    const text = `default_model: 5
models:
  a: {provider: 1, modle: x}
aliases:
  x: 1
  x: 2
`;
    const problems = await problemsOf(readWithFile(text, { PORT: 'x', DEFAULT_MODEL: 'a' }));
    expect(problems.map((problem) => /^(PORT|file:\d+:\d+)/.exec(problem)?.[0])).toEqual([
      'PORT',
      'file:6:3',
      'file:1:16',
      'file:3:17',
      'file:3:20',
      'file:5:6',
    ]);
  });

  it('cannot make us expand aliases without end', async () => {
    const bomb = ['a: &a [x,x,x,x,x,x,x,x,x]'];
    for (let i = 0; i < 9; i++) {
      const [from, to] = ['abcdefghij'[i], 'abcdefghij'[i + 1]];
      bomb.push(`${to}: &${to} [${Array.from({ length: 9 }, () => `*${from}`).join(',')}]`);
    }
    expect(await problemsOf(readWithFile(bomb.join('\n')))).toEqual([expect.stringContaining('without end')]);
  });
});

describe('a file', () => {
  it.each([
    ['', 'nothing'],
    ['# later\n', 'a comment'],
    ['\ufeffmodels: {}\n', 'a byte order mark'],
  ])('may hold little: %j (%s)', async (text) => {
    await expect(readWithFile(text)).resolves.toBeDefined();
  });

  it('may have names that look like numbers', async () => {
    expect((await readWithFile('aliases: {4: b, null: c, 1.0: d}')).models.aliases).toEqual({
      4: 'b',
      null: 'c',
      '1.0': 'd',
    });
  });

  it('may use anchors, and problems in them are found where they are written', async () => {
    const text = 'models:\n  a: &m {provider: sandbox}\n  b: *m\n';
    expect((await readWithFile(text)).models.models.map(({ provider }) => provider)).toEqual([
      'sandbox',
      'sandbox',
    ]);
    const wrong = 'models:\n  a: &m {provider: sandbox, temperature: 1}\n  b: *m\n';
    expect(await problemsOf(readWithFile(wrong))).toEqual([
      expect.stringContaining('file:2:42: models.a.temperature'),
      expect.stringContaining('file:2:42: models.b.temperature'),
    ]);
  });
});

describe('any file', () => {
  const good = {
    providers: {
      x: { wire: 'openai', base_url: 'http://x', api_key: 'k', patterns: ['a*'], connections: 1 },
    },
    models: { m: { provider: 'x', model: 'n', temperature: { max: 1 }, fallbacks: ['ab'] } },
    aliases: { a: 'm' },
    default_model: 'a',
  };
  const junk = [null, true, -1, 1.5, '', 'a b', 'ä', [], {}, [null], { a: 1 }, 'm', 'a', 'x', 'constructor'];

  /** Each content that differs from the good one in one place. */
  function* spoilt(value: unknown): Generator<unknown> {
    yield* junk;
    if (typeof value !== 'object' || value === null) return;
    for (const key of Object.keys(value)) {
      const child: unknown = Reflect.get(value, key);
      for (const other of spoilt(child)) yield replaced(value, key, other);
      for (const name of ['', 'a b', '__proto__', 'constructor', `${key}s`]) {
        yield JSON.parse(JSON.stringify(value).replace(`"${key}":`, `"${name}":`));
      }
    }
  }

  function replaced(value: object, key: string, other: unknown): unknown {
    return Array.isArray(value) ? value.with(Number(key), other) : { ...value, [key]: other };
  }

  it('is taken or refused with a place and an expectation', async () => {
    await expect(readWithFile(stringify(good))).resolves.toBeDefined();
    let refused = 0;
    for (const content of spoilt(good)) {
      const text = stringify(content);
      const error = await readWithFile(text).catch((error: unknown) => error);
      if (!(error instanceof Error)) continue;
      refused++;
      expect(error, text).toBeInstanceOf(ConfigError);
      for (const line of error.message.split('\n').slice(1)) {
        expect(line, text).toMatch(/^- \/etc\/switchyard\.yaml:\d+:\d+: .*(expected .{5}|did you mean)/);
        expect(line, text).not.toContain('undefined');
      }
    }
    expect(refused).toBeGreaterThan(200);
  });
});
