import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { inspect } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { agentSettings } from '../../../src/config/agents.ts';
import { readConfig } from '../../../src/config/config.ts';
import { modelsSettings } from '../../../src/config/models-config.ts';
import { allSettings } from '../../../src/config/settings.ts';
import { Secret } from '../../../src/lib/redact.ts';
import { testEvery } from '../../helpers/test-every.ts';
import { errorOf, fileName, problemsOf, readWithFile } from './helpers.ts';

describe('secrets', () => {
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
});

describe('secret files', () => {
  let directory = '';

  beforeAll(async () => {
    directory = await mkdtemp(path.join(tmpdir(), 'switchyard-secrets-'));
  });
  afterAll(() => rm(directory, { recursive: true }));

  async function fileWith(text: string): Promise<string> {
    const file = path.join(directory, `${Math.random()}`.slice(2));
    await writeFile(file, text);
    return file;
  }

  /** A right value for each setting that is a secret. */
  const values: Readonly<Record<string, string>> = {
    DATABASE_URL: 'postgres://user:password@db/switchyard',
    REDIS_URL: 'redis://:password@cache',
    HTTPS_PROXY: 'http://user:password@proxy:3128',
    HTTP_PROXY: 'https://user:password@proxy',
    KEY_SECRET: 'a-secret-of-at-least-thirty-two-characters',
    ADMIN_PASSWORD: 'password of the administrator',
    METRICS_TOKEN: 'token-of-the-metrics',
    ANALYTICS_CLICKHOUSE_URL: 'https://user:password@clickhouse:8443/database?table=requests',
    OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20token',
    API_KEYS: 'first-key-of-a-client,second-key-of-a-client',
    OPENAI_API_KEY: 'sk-openai',
    ANTHROPIC_API_KEY: 'sk-anthropic',
    GEMINI_API_KEY: 'sk-gemini',
  };

  function revealed(value: unknown): unknown {
    return JSON.parse(
      JSON.stringify(value, (_, held) => (typeof held?.reveal === 'function' ? held.reveal() : held)),
    );
  }

  describe('a secret in a file', () => {
    const secrets = allSettings.filter(({ type }) => type.secret).map(({ name }) => name);

    testEvery('stands for every secret', secrets, async (name) => {
      const value = values[name] ?? '';
      const config = await readConfig({ [`${name}_FILE`]: await fileWith(`${value}\r\n`) });
      const direct = await readConfig({ [name]: value });
      expect(revealed(config)).toEqual(revealed(direct));
      expect(revealed(config)).not.toEqual(revealed(await readConfig({})));
    });

    it('keeps what is no line end', async () => {
      const { adminPassword } = await readConfig({
        ADMIN_PASSWORD_FILE: await fileWith('two words\tand a tab\n\n'),
      });
      expect(adminPassword?.reveal()).toBe('two words\tand a tab');
    });

    it('stands for what the YAML file refers to', async () => {
      const config = await readConfig({
        SWITCHYARD_CONFIG: await fileWith(
          [
            `providers: {groq: {base_url: "http://x", api_key: "\${GROQ_KEY}"}}`,
            `mcp_servers: {docs: {url: "http://y", headers: {authorization: "Bearer \${DOCS_TOKEN}"}}}`,
          ].join('\n'),
        ),
        GROQ_KEY_FILE: await fileWith('sk-groq\n'),
        DOCS_TOKEN_FILE: await fileWith('docs-token\n'),
      });
      expect(modelsSettings(config).providers).toMatchObject([{ id: 'groq', apiKey: 'sk-groq' }]);
      expect(agentSettings(config).mcpServers).toMatchObject([
        { headers: { authorization: 'Bearer docs-token' } },
      ]);
    });

    it('is for secrets only', async () => {
      const { port } = await readConfig({ PORT_FILE: path.join(directory, 'missing') });
      expect(port).toBe(8080);
    });
  });

  describe('a secret in a file that is wrong', () => {
    it('is told of when it is missing', async () => {
      const file = path.join(directory, 'missing');
      expect(await problemsOf(readConfig({ OPENAI_API_KEY_FILE: file }))).toEqual([
        `OPENAI_API_KEY_FILE is "${file}"; the file cannot be read (ENOENT).`,
      ]);
    });

    it('is told of when it is a directory', async () => {
      const file = path.join(directory, 'directory');
      await mkdir(file);
      expect(await problemsOf(readConfig({ KEY_SECRET_FILE: file }))).toEqual([
        `KEY_SECRET_FILE is "${file}"; the file cannot be read (EISDIR).`,
      ]);
    });

    it.skipIf(process.getuid?.() === 0)('is told of when it cannot be read', async () => {
      const file = await fileWith('secret');
      await chmod(file, 0);
      expect(await problemsOf(readConfig({ KEY_SECRET_FILE: file }))).toEqual([
        `KEY_SECRET_FILE is "${file}"; the file cannot be read (EACCES).`,
      ]);
    });

    it.each(['', '\n', ' \r\n'])('is told of when it is empty: %j', async (text) => {
      const file = await fileWith(text);
      expect(await problemsOf(readConfig({ DATABASE_URL_FILE: file }))).toEqual([
        `DATABASE_URL_FILE is "${file}"; the file is empty; expected the value alone.`,
      ]);
    });

    it('is told of when the variable is set too', async () => {
      const file = await fileWith('sk-file');
      expect(await problemsOf(readConfig({ OPENAI_API_KEY: 'sk', OPENAI_API_KEY_FILE: file }))).toEqual([
        `OPENAI_API_KEY_FILE is "${file}"; OPENAI_API_KEY is set too; expected one of the two.`,
      ]);
    });

    it('is told of with the file, and without its text', async () => {
      const file = await fileWith('canary-7f3a9b');
      expect(await problemsOf(readConfig({ KEY_SECRET_FILE: file }))).toEqual([
        `KEY_SECRET, from the file "${file}", holds a wrong value, not shown here; expected at least 32 characters.`,
      ]);
    });

    it('does not seem unset as well', async () => {
      const env = { HOST: '0.0.0.0', ADMIN_PASSWORD_FILE: path.join(directory, 'missing') };
      expect(await problemsOf(readConfig(env))).toHaveLength(1);
    });
  });
});
