import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { fileSchema } from '../../../src/config/file-schema.ts';
import {
  fileFormats,
  fileValidator,
  isCompiledAhead,
  validatorOptions,
} from '../../../src/config/parse-file.ts';
import { publishedSchema } from '../../../src/config/published-schema.ts';
import { markdownFiles, readMarkdown } from '../../helpers/guides.ts';
import { testEvery } from '../../helpers/test-every.ts';
import { problemsOf, readWithFile, publishedCheck as validate } from './helpers.ts';

describe('published schema', () => {
  const published = publishedSchema() as { properties: Record<string, { description?: string }> };

  /** Every YAML file that is printed in the documentation, by where it stands. */
  function printed(): readonly (readonly [string, unknown])[] {
    const found = markdownFiles.map((name) => {
      const blocks = [...readMarkdown(name).matchAll(/^```yaml\n([\s\S]*?)^```/gm)].map(
        ([, block = '']) => parse(block) ?? {},
      );
      return blocks.map((block, index): [string, unknown] => [`${name} ${index + 1}`, block]);
    });
    return found.flat().filter(([, block]) => isOurs(block));
  }

  /** Not what configures other programs, such as that of Continue, which names its version. */
  function isOurs(block: unknown): boolean {
    const keys = Object.keys(block as object);
    return !keys.includes('schema') && keys.some((key) => Object.hasOwn(published.properties, key));
  }

  describe('the published schema', () => {
    const blocks = printed();

    it('has examples to be held against', () => {
      expect(blocks.length).toBeGreaterThan(8);
    });

    testEvery(
      'takes every file that is printed',
      blocks,
      ([, block]) => {
        validate(block);
        expect(validate.errors ?? []).toEqual([]);
      },
      { idOf: ([place]) => place },
    );

    it.each([
      'alias: {}',
      'models: [a]',
      'models: {a: {}}',
      'models: {"a b": {provider: openai}}',
      'models: {a: {provider: openai, temperature: {max: 3}}}',
      'models: {a: {provider: openai, temperature: never}}',
      'providers: {x: {base_url: localhost}}',
      'providers: {x: {base_url: "ftp://x"}}',
      'providers: {x: {base_url: "https://user:password@x"}}',
      'providers: {x: {base_url: "https://x/?a=b"}}',
      'providers: {X: {base_url: "https://x"}}',
      'providers: {x: {base_url: "https://x", connections: "5"}}',
      'providers: {x: {base_url: "https://x", speaks: []}}',
      'prices: {gpt: {prompt: 1, completion: 1}}',
      'prices: {a/b: {prompt: 1}}',
      'prices: {a/b: {prompt: 1, completion: 1, changes: [{from: soon, prompt: 1, completion: 1}]}}',
      'exchange_rates: {EUR: {usd: 1.1, on: 2026-02-31}}',
      'exchange_rates: {EUR: {usd: 0, on: 2026-11-01}}',
      'plans: {basic: {}}',
      'plans: {free: {build_weight: 65}}',
      'fetch_url: {allow: [x], private_networks: [here]}',
      'mcp_servers: {features: {url: "http://x"}}',
      'agents: {a: {instructions: ""}}',
    ])('refuses, as the server does: %s', async (text) => {
      expect(await problemsOf(readWithFile(text))).not.toEqual([]);
      expect(validate(parse(text))).toBe(false);
    });

    it('describes every section', () => {
      for (const { description } of Object.values(published.properties)) expect(description).toMatch(/\w/);
    });
  });
});

describe('file validator', () => {
  const contents: readonly unknown[] = [
    {},
    [],
    { providers: { one: { base_url: 'http://127.0.0.1:1/v1', api_key: 'sk-1', patterns: ['gpt-*'] } } },
    { providers: { one: { base_url: 'no address', wire: 'morse' } }, unknown: 1 },
    {
      prices: { 'one/gpt': { prompt: -1, completion: 'much' } },
      plans: { free: { requests_per_minute: 0.5 } },
    },
    { trusted_proxies: ['10.0.0.0/99'], sign_in: { issuers: { own: { issuer: 'http://example.com' } } } },
  ];

  it('is compiled ahead, and says of every content what it says compiled here', async () => {
    expect(isCompiledAhead()).toBe(true);
    const ahead = await fileValidator();
    const here = new Ajv2020({ ...validatorOptions, formats: fileFormats }).compile(fileSchema);
    const said = contents.map((content) => [ahead(content), ahead.errors]);
    expect(said).toEqual(contents.map((content) => [here(content), here.errors]));
    expect(said.map(([holds]) => holds)).toEqual([true, false, true, false, false, false]);
  });
});

describe('prices', () => {
  it('reads tiers and changes in the order in which they hold, and other currencies in US dollars', async () => {
    const { prices } = await readWithFile(`exchange_rates:
  EUR: { usd: 1.08, on: 2026-11-01 }
prices:
  gemini/gemini-3.1-pro-preview:
    prompt: 2
    completion: 12
    tiers:
      - { above_prompt_tokens: 500000, prompt: 8, completion: 36 }
      - { above_prompt_tokens: 200000, prompt: 4, completion: 18, cached_prompt: 0.4 }
    changes:
      - { from: 2027-06-01T12:00:00Z, prompt: 1, completion: 5 }
      - from: 2027-01-01
        prompt: 3
        completion: 13
        tiers: [{ above_prompt_tokens: 9, prompt: 6, completion: 26 }]
  mistral/large: { prompt: 1.1, completion: 3.3, currency: EUR }
  openai/gpt-5.5: { prompt: 1, completion: 2, currency: USD }
`);
    expect({ ...prices }).toEqual({
      'gemini/gemini-3.1-pro-preview': {
        prompt: 2,
        completion: 12,
        tiers: [
          { above: 200_000, prompt: 4, completion: 18, cachedPrompt: 0.4 },
          { above: 500_000, prompt: 8, completion: 36 },
        ],
        changes: [
          {
            from: Date.UTC(2027, 0, 1),
            price: { prompt: 3, completion: 13, tiers: [{ above: 9, prompt: 6, completion: 26 }] },
          },
          { from: Date.UTC(2027, 5, 1, 12), price: { prompt: 1, completion: 5 } },
        ],
      },
      'mistral/large': { prompt: 1.188, completion: 3.564 },
      'openai/gpt-5.5': { prompt: 1, completion: 2 },
    });
  });

  it.each([
    [
      'prices:\n  a/b: { prompt: 1, completion: 1, currency: EUR }',
      'file:2:46: prices.a/b.currency: expected an entry of `exchange_rates` for EUR.',
    ],
    [
      'prices:\n  a/b: { prompt: 1, completion: 1, currency: euro }',
      'file:2:46: prices.a/b.currency: expected a currency of ISO 4217, such as `EUR`.',
    ],
    [
      'prices:\n  a/b:\n    prompt: 1\n    completion: 1\n    changes: [{ from: 2026-02-30, prompt: 1, completion: 1 }]',
      'file:5:23: prices.a/b.changes.0.from: expected a day such as 2026-12-01, or a time in UTC such as 2026-12-01T06:00:00Z.',
    ],
    [
      'prices:\n  a/b:\n    prompt: 1\n    completion: 1\n    changes: [{ from: 2026-12-01, prompt: 1, completion: 1 }, { from: 2026-12-01T00:00:00Z, prompt: 2, completion: 1 }]',
      'prices.a/b.changes.1.from: expected each threshold and each time once.',
    ],
    [
      'prices:\n  a/b:\n    prompt: 1\n    completion: 1\n    tiers: [{ prompt: 1, completion: 1 }]',
      'expected the key `above_prompt_tokens`, which is missing.',
    ],
    [
      'prices:\n  a/b: { prompt: 1, completion: 0, tiers: [{ above_prompt_tokens: 9, prompt: 0.0000000001, completion: 1 }] }',
      'file:2:78: prices.a/b.tiers.0.prompt: this is zero US dollars at nine decimals; expected 0, or at least 0.000000001 US dollars.',
    ],
    [
      'exchange_rates:\n  IDR: { usd: 0.00006, on: 2026-11-01 }\nprices:\n  a/b: { prompt: 0.000001, completion: 9, currency: IDR }',
      'file:4:18: prices.a/b.prompt: this is zero US dollars at nine decimals',
    ],
    [
      'exchange_rates:\n  IDR: { usd: 0.0000000001, on: 2026-11-01 }',
      'file:2:15: exchange_rates.IDR.usd: this is zero at nine decimals; expected at least 0.000000001.',
    ],
    ['exchange_rates:\n  EUR: { usd: 1.1 }', 'exchange_rates.EUR: expected the key `on`, which is missing.'],
  ])('refuses %j: %s', async (text, expected) => {
    expect(await problemsOf(readWithFile(text))).toEqual([expect.stringContaining(expected)]);
  });
});
