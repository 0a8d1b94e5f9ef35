import { describe, expect, it } from 'vitest';
import { readConfig } from '../../../src/config/config.ts';
import { problemsOf, readWithFile } from './helpers.ts';

const groq = 'providers:\n  groq: {base_url: "http://x/v1", patterns: [llama-*]}\n';

describe('models', () => {
  it('become settings', async () => {
    const text = `
models:
  fast: {provider: sandbox}
  smart:
    provider: sandbox
    model: echo
    temperature: {max: 1}
    fallbacks: [fast, quick]
  fixed: {provider: sandbox, temperature: unsupported}
aliases: {quick: fast}
default_model: quick
`;
    const { models } = await readWithFile(text);
    expect(models.models).toEqual([
      { id: 'fast', provider: 'sandbox', model: 'fast', temperature: null, fallbacks: [] },
      {
        id: 'smart',
        provider: 'sandbox',
        model: 'echo',
        temperature: { max: 1 },
        fallbacks: ['fast', 'quick'],
      },
      { id: 'fixed', provider: 'sandbox', model: 'fixed', temperature: 'unsupported', fallbacks: [] },
    ]);
    expect(models.aliases).toEqual({ quick: 'fast' });
    expect(models.aliases['constructor']).toBeUndefined();
    expect(models.defaultModel).toBe('quick');
  });

  it('take the default from the environment first', async () => {
    const config = await readWithFile('default_model: a', { DEFAULT_MODEL: 'b' });
    expect(config.models.defaultModel).toBe('b');
  });
});

describe('names', () => {
  it.each([
    [
      'models:\n  m: {provider: grok}\n',
      'file:4:17: models.m.provider: there is no provider `grok`; did you mean `groq`?',
    ],
    [
      'models:\n  m: {provider: watermelon}\n',
      'there is no provider `watermelon`; expected one of groq, sandbox.',
    ],
    [
      'models:\n  m: {provider: openai}\n',
      'the provider `openai` is not configured; expected OPENAI_API_KEY or OPENAI_BASE_URL to be set.',
    ],
    [
      'models:\n  m: {provider: groq, fallbacks: [llama-3, n]}\n',
      'file:4:44: models.m.fallbacks.1: no model answers to `n`; did you mean `m`?',
    ],
    [
      'models:\n  m: {provider: groq, fallbacks: [a]}\naliases: {a: m}\n',
      'file:4:35: models.m.fallbacks.0: this is the model itself; expected another one.',
    ],
    [
      'aliases:\n  a: gpt-4o\n',
      'file:4:6: aliases.a: no model answers to `gpt-4o`; expected a model, an alias or provider/model, llama-*.',
    ],
    ['aliases:\n  a: constructor\n', 'no model answers to `constructor`'],
    ['aliases:\n  a: my-llama-3\n', 'no model answers to `my-llama-3`'],
    ['aliases:\n  a: groq/\n', 'no model answers to `groq/`'],
    [
      'aliases:\n  a: a\n',
      'file:4:6: aliases.a: the aliases go in a circle: a → a; expected them to end at a model.',
    ],
    [
      'aliases:\n  z: b\n  a: b\n  b: c\n  c: a\n',
      'file:5:6: aliases.a: the aliases go in a circle: a → b → c → a;',
    ],
    [
      'models:\n  m: {provider: groq}\naliases:\n  m: llama-3\n',
      'file:6:6: aliases.m: a model has this name too; expected one of them.',
    ],
    ['default_model: llama\n', 'file:3:16: default_model: no model answers to `llama`;'],
    [
      'default_model: sandbox/sandbox\n',
      'file:3:16: default_model: no model answers to `sandbox/sandbox`; expected one of sandbox, sandbox/echo,',
    ],
    [
      'prices:\n  openai/gpt-5.5: {prompt: 1, completion: 2}\n  groqq/m: {prompt: 1, completion: 2}\n',
      'file:5:3: prices.groqq/m: there is no provider `groqq`; did you mean `groq`?',
    ],
  ])('that lead nowhere are refused: %j: %s', async (text, expected) => {
    expect(await problemsOf(readWithFile(groq + text))).toEqual([expect.stringContaining(expected)]);
  });

  it.each(['llama-3', 'groq/anything', 'sandbox', 'sandbox/echo', 'm', 'a', 'b'])(
    'that lead somewhere are taken: %s',
    async (name) => {
      const text = `${groq}models: {m: {provider: groq, fallbacks: [${JSON.stringify(name === 'm' ? 'b' : 'llama-1')}]}}
aliases: {a: llama-2, b: a, c: ${JSON.stringify(name)}}
default_model: ${JSON.stringify(name)}
`;
      // `b` leads to `a` and on to `llama-2`.
      await expect(readWithFile(text)).resolves.toBeDefined();
    },
  );

  it('are all taken without a provider, because the sandbox answers them', async () => {
    await expect(readWithFile('aliases: {a: anything}\ndefault_model: b\n')).resolves.toBeDefined();
    expect(await problemsOf(readWithFile('default_model: sandbox/sandbox\n'))).toEqual([
      expect.stringContaining(
        'no model answers to `sandbox/sandbox`; expected one of sandbox, sandbox/echo,',
      ),
    ]);
  });

  it('fit a pattern letter by letter but for its stars', async () => {
    const file = (name: string) =>
      readWithFile(`providers: {x: {base_url: "http://x", patterns: ["v1.*-a"]}}\ndefault_model: ${name}`);
    await expect(file('v1.5-a')).resolves.toBeDefined();
    await expect(file('v1.-a')).resolves.toBeDefined();
    expect(await problemsOf(file('v105-a'))).toHaveLength(1);
    expect(await problemsOf(file('v1.5-ab'))).toHaveLength(1);
  });

  it('include the one that builds', async () => {
    const problems = await problemsOf(readConfig({ OPENAI_API_KEY: 'sk', FACTORY_MODEL: 'claude-x' }));
    expect(problems).toEqual([
      'FACTORY_MODEL: no model answers to `claude-x`; expected a model, an alias or provider/model, gpt-*, chatgpt-*, o1*, o3*, o4*, codex-*, text-embedding-*, dall-e-*, whisper-*, tts-*, omni-moderation-*.',
    ]);
    const config = await readConfig({ OPENAI_API_KEY: 'sk', FACTORY_MODEL: 'gpt-5.5' });
    expect(config.builder.model).toBe('gpt-5.5');
  });

  it('of the environment are checked too', async () => {
    const problems = await problemsOf(readConfig({ OPENAI_API_KEY: 'sk', DEFAULT_MODEL: 'claude-x' }));
    expect(problems).toEqual([
      'DEFAULT_MODEL: no model answers to `claude-x`; expected a model, an alias or provider/model, gpt-*, chatgpt-*, o1*, o3*, o4*, codex-*, text-embedding-*, dall-e-*, whisper-*, tts-*, omni-moderation-*.',
    ]);
  });

  it('are not blamed for a broken file', async () => {
    const env = { OPENAI_API_KEY: 'sk', DEFAULT_MODEL: 'fast' };
    const problems = await problemsOf(readWithFile('models: {fast: {provider: openai, modle: x}}', env));
    expect(problems).toEqual([expect.stringContaining('modle')]);
  });
});
