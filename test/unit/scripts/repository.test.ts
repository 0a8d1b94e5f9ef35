import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { repositoryUrl, withRepository } from '../../../scripts/repository.ts';
import { contract, root } from '../../helpers/contract.ts';
import { testEvery } from '../../helpers/test-every.ts';

const url = 'https://git.example.com/switchyard';

it('is one address, however it is written, and none where it is not set', () => {
  expect(repositoryUrl({ repository: { url: `git+${url}.git` } })).toBe(url);
  expect(repositoryUrl({ repository: url })).toBe(url);
  for (const none of [{}, { repository: '' }, { repository: { url: '' } }])
    expect(repositoryUrl(none)).toBeNull();
});

const folder = path.join(root, 'scripts/clients');
const asking = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  .map((name) => [name, path.join(folder, name)] as const)
  .filter(([name]) => /\.(?:md|json|xml|toml|gemspec)$/.test(name))
  .filter(([, file]) => readFileSync(file, 'utf8').includes('{{repository}}'));

it('is asked for by packages of every language', () => {
  expect(new Set(asking.map(([name]) => name.split('/')[0])).size).toBe(6);
});

testEvery(
  'stands in each of them where it is set, and leaves no trace where it is not',
  asking,
  ([name, file]) => {
    const text = readFileSync(file, 'utf8');
    expect(withRepository(text, url)).toContain(url);
    const without = withRepository(text, null);
    expect(without).not.toMatch(/repository\}|\[Switchyard\]|homepage|<scm>|^urls/m);
    expect(without).toContain('Switchyard');
    if (name.endsWith('.json')) expect(() => JSON.parse(without)).not.toThrow();
  },
  { idOf: ([name]) => name },
);

it('is that of the contract', () => {
  expect(contract.info.contact?.url ?? null).toBe(repositoryUrl());
});
