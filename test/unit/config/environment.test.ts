import { createHash } from 'node:crypto';
import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readConfig } from '../../../src/config/config.ts';
import { plainTextOf, Reloads } from '../../../src/config/reloads.ts';
import { allSettings } from '../../../src/config/settings.ts';
import { Secret } from '../../../src/lib/redact.ts';
import { testEvery } from '../../helpers/test-every.ts';
import { errorOf, problemsOf } from './helpers.ts';

describe('environment', () => {
  describe('the defaults', () => {
    it('need no setting', async () => {
      const config = await readConfig({});
      expect(config).toMatchObject({
        host: '127.0.0.1',
        port: 8080,
        publicUrl: 'http://127.0.0.1:8080',
        dataDir: resolve('data'),
        logLevel: 'info',
        environment: 'production',
        apiKeys: [],
        drainTimeoutMs: 30_000,
        models: {
          providers: [],
          models: [],
          aliases: {},
          defaultModel: null,
          timeLimits: { connect: 5000, firstByte: 60_000, idle: 30_000, total: 300_000 },
          maxAttempts: 4,
        },
        builder: { model: null, limits: { outputTokens: 32_000, costUsd: 0.5, timeMs: 180_000 } },
      });
      expect(config.models.timeLimits.set).toEqual({});
    });

    it('hold for empty and blank variables', async () => {
      const env = Object.fromEntries(allSettings.map(({ name }, index) => [name, index % 2 ? '' : ' ']));
      expect(await readConfig(env)).toEqual(await readConfig({}));
    });

    it('are frozen through and through', async () => {
      const config = await readConfig({ OPENAI_API_KEY: 'sk-test' });
      for (const part of [config, config.models, config.models.providers, config.models.providers[0]]) {
        expect(Object.isFrozen(part)).toBe(true);
      }
    });
  });

  /** A variable and what it is set to, with what comes of it. */
  const settingOf = ([name, value]: readonly [string, string, unknown]) => `${name}=${JSON.stringify(value)}`;

  describe('settings', () => {
    const taken: readonly [string, string, object][] = [
      ['PORT', '0', { port: 0 }],
      ['PORT', ' 65535\r', { port: 65_535 }],
      ['HOST', '::1', { host: '::1', publicUrl: 'http://[::1]:8080' }],
      ['HOST', '0.0.0.0', { host: '0.0.0.0', publicUrl: 'http://localhost:8080' }],
      ['HOST', 'gateway.internal', { host: 'gateway.internal' }],
      ['PUBLIC_URL', 'https://api.example.com/', { publicUrl: 'https://api.example.com' }],
      ['DATA_DIR', '/var/lib/x', { dataDir: '/var/lib/x' }],
      ['https_proxy', 'http://proxy:3128', { models: { proxy: { except: 'localhost,127.0.0.1,[::1],' } } }],
      ['LOG_LEVEL', 'silent', { logLevel: 'silent' }],
      ['NODE_ENV', 'test', { environment: 'test' }],
      ['DRAIN_TIMEOUT_MS', '0', { drainTimeoutMs: 0 }],
      ['DRAIN_DELAY_MS', '0', { drainDelayMs: 0 }],
      ['BUFFER_MEMORY', '256MiB', { bufferMemory: 256 * 1024 * 1024 }],
      ['BUFFER_MEMORY', '2GiB', { bufferMemory: 2 * 1024 ** 3 }],
      ['MAX_ATTEMPTS', '1', { models: { maxAttempts: 1 } }],
      ['IDLE_TIMEOUT_MS', '250', { models: { timeLimits: { idle: 250, set: { idle: 250 } } } }],
      ['TOTAL_TIMEOUT_MS', '300000', { models: { timeLimits: { set: { total: 300_000 } } } }],
      ['DEFAULT_MODEL', 'anything', { models: { defaultModel: 'anything' } }],
      ['FACTORY_MODEL', 'anything', { builder: { model: 'anything' } }],
      ['FACTORY_MAX_COST', '2', { builder: { limits: { costUsd: 2 } } }],
      ['FACTORY_MAX_COST', '0.0001', { builder: { limits: { costUsd: 0.0001 } } }],
    ];
    testEvery(
      'that are right are taken',
      taken,
      async ([name, value, expected]) => {
        // Without a password the server listens on loopback addresses alone.
        const env = { ADMIN_PASSWORD: 'a-long-password', [name]: value };
        expect(await readConfig(env)).toMatchObject(expected);
      },
      { idOf: settingOf },
    );

    it('takes pg-boss as its queue with a PostgreSQL database alone', async () => {
      await expect(readConfig({ QUEUE: 'pg-boss' })).rejects.toThrow('expected DATABASE_URL to be set too');
      const env = { QUEUE: 'pg-boss', DATABASE_URL: 'postgres://db.example/switchyard' };
      expect(await readConfig(env)).toMatchObject({ queue: 'pg-boss' });
      expect(await readConfig({})).toMatchObject({ queue: 'table' });
    });

    it('refuses to be reached by others without an administrator', async () => {
      for (const HOST of ['0.0.0.0', '::', '192.168.1.5', 'gateway.internal']) {
        await expect(readConfig({ HOST })).rejects.toThrow('expected ADMIN_PASSWORD to be set too');
      }
      for (const HOST of ['127.0.0.1', '127.9.9.9', '::1', 'localhost']) await readConfig({ HOST });
    });

    it('reads plans and prices from the file, in the words of the accounts', async () => {
      const text = [
        'plans:',
        '  free: { requests_per_minute: 5, keys: false }',
        '  enterprise: { tokens_per_minute: null }',
        'prices:',
        '  openai/gpt-4o: { prompt: 2.5, completion: 10, cached_prompt: 1.25 }',
        '  anthropic/claude: { prompt: 3, completion: 15, cached_prompt: 0.3, cache_write_5m: 3.75, cache_write_1h: 6,',
        '    audio_prompt: 1, image_prompt: 2, reasoning: 4, audio_completion: 5, image_completion: 7 }',
      ].join('\n');
      const { plans, prices } = await readConfig({ SWITCHYARD_CONFIG: 'file' }, async () => text);
      expect(plans).toEqual({
        free: { requestsPerMinute: 5, keys: false },
        enterprise: { tokensPerMinute: null },
      });
      expect({ ...prices }).toEqual({
        'openai/gpt-4o': { prompt: 2.5, completion: 10, cachedPrompt: 1.25 },
        'anthropic/claude': {
          prompt: 3,
          completion: 15,
          cachedPrompt: 0.3,
          cacheWrite5m: 3.75,
          cacheWrite1h: 6,
          audioPrompt: 1,
          imagePrompt: 2,
          reasoning: 4,
          audioCompletion: 5,
          imageCompletion: 7,
        },
      });
      const wrong =
        'plans:\n  free: { requests_per_hour: 5 }\nprices:\n  gpt-4o: { prompt: -1, completion: 1 }';
      await expect(readConfig({ SWITCHYARD_CONFIG: 'file' }, async () => wrong)).rejects.toThrow(
        /:2:11: .*requests_per_hour/,
      );
    });

    const refused: readonly [string, string, string][] = [
      ['PORT', 'eighty', 'PORT is "eighty"; expected a whole number from 0 to 65535.'],
      ['PORT', '65536', 'from 0 to 65535'],
      ['PORT', '-1', 'from 0 to 65535'],
      ['PORT', '80.5', 'from 0 to 65535'],
      ['PORT', '0x50', 'from 0 to 65535'],
      ['PORT', '1e3', 'from 0 to 65535'],
      [
        'HOST',
        '127.0.0.1:80',
        'HOST is "127.0.0.1:80"; expected an IP address or a host name, without a port.',
      ],
      ['HOST', 'http://x', 'without a port'],
      ['HOST', 'a b', 'without a port'],
      [
        'PUBLIC_URL',
        'api.example.com',
        'PUBLIC_URL is "api.example.com"; expected an absolute http or https URL',
      ],
      ['PUBLIC_URL', 'ftp://x', 'without path and query'],
      ['PUBLIC_URL', 'https://x/base', 'without path and query'],
      ['PUBLIC_URL', 'https://x?a=b', 'without path and query'],
      ['PUBLIC_URL', 'https://x:99999', 'without path and query'],
      ['PUBLIC_URL', 'http:x', 'without path and query'],
      ['DATA_DIR', 'a\0b', 'expected a path'],
      ['LOG_LEVEL', 'verbose', 'expected one of trace, debug, info, warn, error, fatal, silent.'],
      ['NODE_ENV', 'staging', 'expected one of development, test, production.'],
      ['API_KEYS', 'short', 'but key 1 of 1 has only 5 characters.'],
      ['API_KEYS', `${'a'.repeat(16)},`, 'but key 2 of 2 is empty.'],
      [
        'API_KEYS',
        `${'a'.repeat(16)},${'b b'.repeat(8)}`,
        'but key 2 of 2 has a character that is not allowed.',
      ],
      ['API_KEYS', 'ä'.repeat(16), 'but key 1 of 1 has a character that is not allowed.'],
      ['API_KEYS', `${'a'.repeat(16)}, ${'a'.repeat(16)}`, 'but key 2 of 2 is the same as key 1.'],
      ['OPENAI_API_KEY', 'sk\u200btest', 'expected printable ASCII characters without spaces.'],
      [
        'METRICS_TOKEN',
        'a token of several words',
        'expected at least 16 printable ASCII characters without',
      ],
      ['METRICS_TOKEN', 'a-short-token', 'expected at least 16 printable ASCII characters'],
      ['ANTHROPIC_BASE_URL', 'localhost:1', 'ANTHROPIC_BASE_URL is "localhost:1"; expected an absolute http'],
      ['GEMINI_BASE_URL', 'https://x/?key=1', 'without user name and query'],
      [
        'HTTPS_PROXY',
        'proxy:3128',
        'HTTPS_PROXY holds a wrong value, not shown here; expected an address of the form',
      ],
      ['DEFAULT_MODEL', 'a model', 'expected a model name'],
      ['FACTORY_MAX_COST', '0', 'expected an amount in US dollars from 0.0001 to 1000'],
      ['FACTORY_MAX_COST', '$1', 'expected an amount in US dollars'],
      ['FACTORY_MAX_COST', '1e2', 'expected an amount in US dollars'],
      ['FACTORY_MAX_TOKENS', '999', 'expected a whole number from 1000'],
      ['CONNECT_TIMEOUT_MS', '0', 'expected a whole number of milliseconds from 1 to 86400000.'],
      ['FIRST_BYTE_TIMEOUT_MS', '1s', 'of milliseconds'],
      ['IDLE_TIMEOUT_MS', 'Infinity', 'of milliseconds'],
      ['TOTAL_TIMEOUT_MS', '86400001', 'of milliseconds'],
      ['DRAIN_TIMEOUT_MS', '-5', 'of milliseconds from 0 to'],
      ['BUFFER_MEMORY', '63MiB', 'a size such as 64MiB (the minimum)'],
      ['BUFFER_MEMORY', '1000000', 'a size such as 64MiB (the minimum)'],
      ['MAX_ATTEMPTS', '0', 'from 1 to 20'],
      [
        'SWITCHYARD_CONFIG',
        '/no/such/file',
        'SWITCHYARD_CONFIG is "/no/such/file"; the file cannot be read (ENOENT).',
      ],
    ];
    testEvery(
      'that are wrong are refused',
      refused,
      async ([name, value, expected]) => {
        const problems = await problemsOf(readConfig({ [name]: value }));
        expect(problems).toEqual([expect.stringContaining(expected)]);
        expect(problems[0]?.startsWith(name)).toBe(true);
      },
      { idOf: settingOf },
    );

    it('report everything that is wrong at once', async () => {
      const error = await errorOf(
        readConfig({ PORT: 'x', LOG_LEVEL: 'x', API_KEYS: 'x', SWITCHYARD_X: 'x' }),
      );
      expect(error.problems).toHaveLength(4);
      expect(error.message.split('\n')).toHaveLength(5);
      expect(error.message).toMatch(/^The configuration has 4 problems:\n- PORT is/);
    });

    it('take nothing from the prototype of the environment', async () => {
      expect((await readConfig(Object.create({ PORT: '1' }))).port).toBe(8080);
    });
  });

  describe('unknown variables', () => {
    const unknown = [
      ['SWITCHYARD_CONFG', 'SWITCHYARD_CONFG is not a setting; did you mean SWITCHYARD_CONFIG?'],
      ['SWITCHYARD_PORT', 'SWITCHYARD_PORT is not a setting; did you mean PORT?'],
      ['SWITCHYARD_PROT', 'SWITCHYARD_PROT is not a setting; did you mean PORT?'],
      ['SWITCHYARD_API_KEYS', 'SWITCHYARD_API_KEYS is not a setting; did you mean API_KEYS?'],
      ['SWITCHYARD_WATERMELON', 'SWITCHYARD_WATERMELON is not a setting.'],
    ] as const;
    testEvery(
      'that look like ours are refused',
      unknown,
      async ([name, expected]) => {
        expect(await problemsOf(readConfig({ [name]: 'x' }))).toEqual([expected]);
      },
      { idOf: ([name]) => name },
    );

    it('that are not ours do not matter', async () => {
      await expect(readConfig({ PROT: 'x', PATH: '/bin', switchyard_port: '1' })).resolves.toBeDefined();
    });

    it('that hold the key and the server of a client in the same shell do not matter', async () => {
      const client = { SWITCHYARD_API_KEY: 'sw_live_x', SWITCHYARD_BASE_URL: 'https://other.example' };
      const { apiKeys } = await readConfig(client);
      expect(apiKeys).toEqual([]);
    });

    it('that Kubernetes makes for a service of our name do not matter', async () => {
      const made = {
        SWITCHYARD_SERVICE_HOST: '10.0.0.1',
        SWITCHYARD_SERVICE_PORT: '80',
        SWITCHYARD_SERVICE_PORT_HTTP: '80',
        SWITCHYARD_PORT: 'tcp://10.0.0.1:80',
        SWITCHYARD_PORT_80_TCP: 'tcp://10.0.0.1:80',
        SWITCHYARD_PORT_80_TCP_ADDR: '10.0.0.1',
      };
      await expect(readConfig({ KUBERNETES_SERVICE_HOST: '10.0.0.2', ...made })).resolves.toBeDefined();
      expect(await problemsOf(readConfig(made))).toHaveLength(6);
    });
  });

  describe('the table of settings', () => {
    it('names each variable once, with a readable default', () => {
      const names = allSettings.map(({ name }) => name);
      expect(new Set(names).size).toBe(names.length);
      for (const { name, type, defaultText } of allSettings) {
        expect(name).toMatch(/^[A-Z][A-Z_]+$/);
        if (defaultText !== null) expect(() => type.read(defaultText)).not.toThrow();
      }
    });
  });
});

describe('config digest', () => {
  it('is the same for what is the same, and another for what is not', () => {
    const value = { b: [1, 'x', { y: new Secret('k') }], a: true, none: null };
    const same = plainTextOf({ a: true, b: [1, 'x', { y: new Secret('k') }], none: undefined });
    expect(plainTextOf(value)).toBe(same);
    const different: readonly unknown[] = [
      { ...value, b: ['x', 1, { y: new Secret('k') }] },
      { ...value, b: [1, 'x', { y: new Secret('other') }] },
      { ...value, b: [1, 'x', { y: 'k,' }] },
      { ...value, b: ['1', 'x', { y: new Secret('k') }] },
      { ...value, b: [1, 'x,{"y":"k"}'] },
      { ...value, a: 'true' },
      { ...value, c: 0 },
      [value],
    ];
    expect(new Set([same, ...different.map(plainTextOf)]).size).toBe(different.length + 1);
  });

  async function configOf(text: string, env: Record<string, string> = {}) {
    const given = { text };
    const read = () =>
      readConfig({ ...env, SWITCHYARD_CONFIG: '/etc/switchyard.yaml' }, async () => given.text);
    const reloads = new Reloads({
      config: await read(),
      file: null,
      read,
      apply: async () => undefined,
      pseudonym: (plain) => createHash('sha256').update(plain).digest('base64url'),
      now: Date.now,
    });
    return { given, reloads };
  }

  const withKey = (key: string) => `providers: {groq: {base_url: "http://groq", api_key: ${key}}}`;
  const withIssuer = (more = '') =>
    `sign_in: {oidc: [{id: corp, issuer: "https://login.example.com", client_id: a, rules: [{claim: g, value: v, role: owner}]${more}}]}`;

  it('tells of a key that has changed, of the file alone, and shows nothing of it', async () => {
    const { reloads, given } = await configOf(withKey('sk-one'));
    const before = reloads.current().digest;
    expect(before).toMatch(/^[\w-]{8}$/);
    expect((await configOf(withKey('sk-one'), { PORT: '1234' })).reloads.current().digest).toBe(before);
    given.text = withKey('sk-two');
    await reloads.reload('test');
    const after = reloads.current().digest;
    expect(after).not.toBe(before);
    expect((await configOf(given.text)).reloads.current().digest).toBe(after);
  });

  it('changes by a limit that is none now, where the one of the plan was left out before', async () => {
    const { reloads, given } = await configOf('plans: {pro: {requests_per_minute: 100}}');
    given.text = 'plans: {pro: {requests_per_minute: 100, requests_per_day: null}}';
    expect(await reloads.reload('test')).toMatchObject([
      { section: 'plans', name: 'pro', change: 'changed', fields: ['requests_per_day'] },
    ]);
  });

  it('stays the old one of what a reload does not exchange, which needs a restart', async () => {
    const { reloads, given } = await configOf(withIssuer());
    const before = reloads.current().digest;
    given.text = withIssuer(', name: Corp');
    await reloads.reload('test');
    expect(reloads.current()).toMatchObject({
      digest: before,
      needsRestart: [{ section: 'sign_in.oidc', name: 'corp', change: 'changed', fields: ['name'] }],
    });
    expect((await configOf(given.text)).reloads.current().digest).not.toBe(before);
  });
});
