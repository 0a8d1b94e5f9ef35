import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { publishedSchema } from '../../../src/config/published-schema.ts';
import { markdownFiles, readMarkdown } from '../../helpers/guides.ts';
import { testEvery } from '../../helpers/test-every.ts';
import { problemsOf, readWithFile, publishedCheck as validate } from './helpers.ts';

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
