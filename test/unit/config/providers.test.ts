import { describe, expect, it } from 'vitest';
import { readConfig } from '../../../src/config/config.ts';
import { modelsSettings } from '../../../src/config/models-config.ts';
import { problemsOf, readWithFile } from './helpers.ts';

describe('built-in providers', () => {
  it('are configured by their key', async () => {
    const env = { OPENAI_API_KEY: 'sk-o', ANTHROPIC_API_KEY: 'sk-a', GEMINI_API_KEY: 'sk-g' };
    expect(modelsSettings(await readConfig(env)).providers).toEqual([
      {
        id: 'openai',
        speaks: ['openai-chat', 'openai-responses'],
        azureApiVersion: null,
        baseUrl: 'https://api.openai.com/v1',
        apiKey: 'sk-o',
        patterns: [
          'gpt-*',
          'chatgpt-*',
          'o1*',
          'o3*',
          'o4*',
          'codex-*',
          'text-embedding-*',
          'dall-e-*',
          'whisper-*',
          'tts-*',
          'omni-moderation-*',
        ],
        maxTokensField: 'max_completion_tokens',
        connections: 10_000,
      },
      {
        id: 'anthropic',
        speaks: ['anthropic'],
        azureApiVersion: null,
        baseUrl: 'https://api.anthropic.com',
        apiKey: 'sk-a',
        patterns: ['claude-*'],
        maxTokensField: 'max_tokens',
        connections: 10_000,
      },
      {
        id: 'gemini',
        speaks: ['openai-chat', 'gemini'],
        azureApiVersion: null,
        baseUrl: 'https://generativelanguage.googleapis.com/v1beta/openai',
        apiKey: 'sk-g',
        patterns: ['gemini-*', 'gemma-*'],
        maxTokensField: 'max_tokens',
        connections: 10_000,
      },
    ]);
  });

  it('are configured by their address alone, which loses its last slash', async () => {
    const { providers } = modelsSettings(await readConfig({ OPENAI_BASE_URL: 'http://localhost:11434/v1/' }));
    expect(providers).toMatchObject([{ id: 'openai', baseUrl: 'http://localhost:11434/v1', apiKey: null }]);
  });

  it('take the environment before the file, and the file before the defaults', async () => {
    const text = `
providers:
  openai:
    base_url: https://file.example/v1
    api_key: file-key
    connections: 8
    patterns: [gpt-*]
`;
    const env = { OPENAI_BASE_URL: 'http://env.example/v1' };
    const { providers } = modelsSettings(await readWithFile(text, env));
    expect(providers).toEqual([
      {
        id: 'openai',
        speaks: ['openai-chat'],
        azureApiVersion: null,
        baseUrl: 'http://env.example/v1',
        apiKey: 'file-key',
        patterns: ['gpt-*'],
        maxTokensField: 'max_completion_tokens',
        connections: 8,
      },
    ]);
  });

  it('need a key or an address when the file lists them', async () => {
    expect(await problemsOf(readWithFile('providers:\n  gemini: {connections: 2}\n'))).toEqual([
      'file:2:3: providers.gemini: expected api_key or base_url here, or GEMINI_API_KEY or GEMINI_BASE_URL to be set.',
    ]);
  });
});

describe("the file's own providers", () => {
  it('take their key from the environment', async () => {
    const text = `
providers:
  groq:
    base_url: https://api.groq.com/openai/v1/
    api_key: \${GROQ_KEY}
    patterns: [llama-*]
  claude-proxy: {wire: anthropic, base_url: "http://proxy:8000", max_tokens_field: max_completion_tokens}
`;
    const { providers } = modelsSettings(await readWithFile(text, { GROQ_KEY: 'gsk-1' }));
    expect(providers).toEqual([
      {
        id: 'groq',
        speaks: ['openai-chat'],
        azureApiVersion: null,
        baseUrl: 'https://api.groq.com/openai/v1',
        apiKey: 'gsk-1',
        patterns: ['llama-*'],
        maxTokensField: 'max_tokens',
        connections: 10_000,
      },
      {
        id: 'claude-proxy',
        speaks: ['anthropic'],
        azureApiVersion: null,
        baseUrl: 'http://proxy:8000',
        apiKey: null,
        patterns: [],
        maxTokensField: 'max_completion_tokens',
        connections: 10_000,
      },
    ]);
  });

  it.each([
    ['base_url: "https://api.openai.com/v1"', 'max_completion_tokens'],
    ['base_url: "https://eu.api.openai.com/v1"', 'max_completion_tokens'],
    ['base_url: "https://proxy.example/v1", dialect: openai', 'max_completion_tokens'],
    ['base_url: "https://x.openai.azure.com/openai/v1"', 'max_completion_tokens'],
    ['base_url: "https://x.openai.azure.com", azure_api_version: 2024-10-21', 'max_completion_tokens'],
    ['base_url: "https://x.openai.azure.com", azure_api_version: 2024-06-01', 'max_tokens'],
    ['base_url: "https://api.openai.com/v1", max_tokens_field: max_tokens', 'max_tokens'],
    ['base_url: "https://proxy.example/v1"', 'max_tokens'],
    ['base_url: "https://api.mistral.ai/v1"', 'max_tokens'],
  ])(
    'limit answers in the field that reasoning models take, where there are some: %s',
    async (entry, field) => {
      const { providers } = modelsSettings(await readWithFile(`providers:\n  own: {${entry}}\n`));
      expect(providers).toMatchObject([{ id: 'own', maxTokensField: field }]);
    },
  );

  it('say which wires they speak, how Azure has its models, and whether theirs are discovered', async () => {
    const text = `
providers:
  both: {base_url: "http://x/v1", speaks: [openai-responses, openai-chat], responses_socket: true}
  google: {base_url: "http://x/v1beta", wire: gemini, discover: true}
  azure: {base_url: "http://x", azure_api_version: 2025-04-01-preview}
`;
    expect(modelsSettings(await readWithFile(text)).providers).toMatchObject([
      { id: 'both', speaks: ['openai-responses', 'openai-chat'], responsesSocket: true },
      { id: 'google', speaks: ['gemini'], discover: true },
      { id: 'azure', speaks: ['openai-chat'], azureApiVersion: '2025-04-01-preview' },
    ]);
    expect(
      await problemsOf(readWithFile('providers:\n  x: {base_url: "http://x", speaks: [grpc]}\n')),
    ).toEqual([expect.stringContaining('`openai-chat`, `openai-responses`, `anthropic` or `gemini`')]);
  });

  it('name a dialect, or rules of it', async () => {
    const text = `
providers:
  gpu: {base_url: "http://x/v1", dialect: vllm}
  own: {base_url: "http://x/v1", dialect: {like: litellm, system: null, stop: {max: 2}}}
`;
    expect(modelsSettings(await readWithFile(text)).providers).toMatchObject([
      { id: 'gpu', dialect: { like: 'vllm', rules: {} } },
      { id: 'own', dialect: { like: 'litellm', rules: { system: null, stop: { max: 2 } } } },
    ]);
  });

  it.each([
    ['a dialect that is not there', 'dialect: klingon', 'expected one of anthropic, azure'],
    ['a rule that is not there', 'dialect: {sytem: first}', 'sytem'],
    ['a value that the rule has not', 'dialect: {system: last}', 'a value of the rule `system`'],
    ['sockets of a wire that has none', 'responses_socket: true', 'responses_socket: expected'],
    ['ids that are too short to differ', 'dialect: {call_ids: {max: 5}}', 'a value of the rule `call_ids`'],
    [
      'letters of which no alias can be made',
      'dialect: {tool_names: {letters: "[", max: 64}}',
      '`tool_names`',
    ],
  ])('are refused for %s', async (_what, line, expected) => {
    const text = `providers:\n  x:\n    base_url: http://x/v1\n    ${line}\n`;
    expect(await problemsOf(readWithFile(text))).toEqual([expect.stringContaining(expected)]);
  });

  it.each([
    ['is not set', {}, 'is not set; expected printable ASCII characters without spaces.'],
    ['is empty', { GROQ_KEY: '' }, 'is not set; expected'],
    ['is wrong', { GROQ_KEY: 'a b' }, 'holds a wrong value, not shown here; expected'],
  ])('are refused when the variable of their key %s', async (_case, env, expected) => {
    const text = `providers:\n  groq:\n    base_url: http://x/v1\n    api_key: \${GROQ_KEY}\n`;
    expect(await problemsOf(readWithFile(text, env))).toEqual([
      expect.stringContaining(
        `file:4:14: providers.groq.api_key: the environment variable GROQ_KEY ${expected}`,
      ),
    ]);
  });

  it('take no variable from the prototype of the environment', async () => {
    const text = `providers: {x: {base_url: "http://x", api_key: "\${constructor}"}}`;
    expect(await problemsOf(readWithFile(text))).toEqual([expect.stringContaining('constructor is not set')]);
  });

  it('need an address and a name that is free', async () => {
    expect(
      await problemsOf(readWithFile('providers:\n  groq: {}\n  sandbox: {base_url: http://x}\n')),
    ).toEqual([
      'file:2:3: providers.groq: expected the key `base_url`, which is missing.',
      'file:3:3: providers.sandbox: this provider is built in and takes no settings.',
    ]);
  });
});
