import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import { readConfig } from '../../../src/config/config.ts';
import { modelsSettings } from '../../../src/config/models-config.ts';
import { Secret } from '../../../src/lib/redact.ts';
import { errorOf, fileName, readWithFile } from './helpers.ts';

const canary = 'canary-7f3a9b2c1d';

/** Everything that a value shows in logs and messages. */
function shown(value: unknown): string {
  const inspected = inspect(value, { depth: null, showHidden: true, getters: true, customInspect: true });
  return [
    JSON.stringify(value),
    inspected,
    inspect(value, { depth: null, customInspect: false }),
    String(value),
  ].join('\n');
}

describe('a secret', () => {
  it('shows only when it is asked to', () => {
    const secret = new Secret(canary);
    expect(shown({ secret, text: `${secret}` })).not.toContain(canary);
    expect(JSON.stringify({ secret })).toBe('{"secret":"[secret]"}');
    expect(secret.reveal()).toBe(canary);
  });
});

describe('a configuration', () => {
  it('can be logged', async () => {
    const env = {
      API_KEYS: `${canary}-one,${canary}-two`,
      OPENAI_API_KEY: canary,
      ANTHROPIC_API_KEY: canary,
      GEMINI_API_KEY: canary,
      GROQ_KEY: canary,
    };
    const text = `
providers:
  groq: {base_url: "http://x", api_key: "\${GROQ_KEY}"}
  plain: {base_url: "http://x", api_key: ${canary}}
`;
    const config = await readWithFile(text, env);
    expect(shown(config)).not.toContain(canary);
    expect(config.apiKeys.map((key) => key.reveal())).toEqual([`${canary}-one`, `${canary}-two`]);
    expect(modelsSettings(config).providers.map(({ apiKey }) => apiKey)).toEqual(Array(5).fill(canary));
  });

  it.each([
    { API_KEYS: `${canary},${canary}` },
    { API_KEYS: `${canary},x` },
    { OPENAI_API_KEY: `${canary} x` },
    { ANTHROPIC_BASE_URL: `https://user:${canary}@host` },
    { GEMINI_BASE_URL: `https://host/?key=${canary}` },
    { PUBLIC_URL: `https://${canary}@host` },
    { SWITCHYARD_SECRET: canary },
  ])('that is wrong can be logged: %j', async (env) => {
    expect(shown(await errorOf(readConfig(env)))).not.toContain(canary);
  });

  it.each([
    `providers: {x: {api_key: [${canary}]}}`,
    `providers: {x: {api_key: ${canary} ä}}`,
    `providers: {x: ${canary}}`,
    `providers: {x: {base_url: "https://u:${canary}@x"}}`,
    `providers: {x: {wire: ${canary}}}`,
    `providers:\n  x:\n    apikey: ${canary}`,
    `providers:\n  x:\n    api_key: *${canary}`,
    `providers:\n  x:\n    api_key: !${canary} x`,
    `providers:\n  x:\n    api_key: |${canary}\n`,
    `providers:\n  x:\n    api_key: "\\q${canary}"\n`,
    `providers:\n  x:\n    api_key: "${canary}\n`,
    `providers:\n  x:\n    api_key: {${canary}\n`,
    `providers:\n  x:\n    api_key: @${canary}\n`,
    `providers:\n  x:\n    api_key: a: ${canary}\n`,
    `%${canary}\n---\nproviders: 5\n`,
    canary,
  ])('whose file is wrong can be logged: %j', async (text) => {
    const error = await errorOf(readWithFile(text));
    expect(shown(error)).not.toContain(canary);
    expect(error.message).toContain(fileName);
  });

  it('whose file names a wrong variable can be logged', async () => {
    const text = `providers: {x: {base_url: "http://x", api_key: "\${KEY}"}}`;
    expect(shown(await errorOf(readWithFile(text, { KEY: `${canary} x` })))).not.toContain(canary);
  });
});
