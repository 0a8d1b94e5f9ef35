import { expect, it } from 'vitest';
import { operationsOf } from '../../../src/contract/served/document.ts';
import { contract } from '../../helpers/contract.ts';

const groups = contract['x-tagGroups'] as { name: string; tags: string[] }[];
const tags = groups.filter(({ name }) => name.endsWith(' interface')).flatMap((group) => group.tags);
const operations = operationsOf(contract).filter(({ operation }) => tags.includes(operation.tags[0]));

/** The operations of the chat and the factory interface without a program that begins so in a language. */
function without(lang: string, beginning: RegExp): string[] {
  const lacks = operations.filter(({ operation }) => {
    const samples = (operation['x-codeSamples'] ?? []).filter((sample) => sample.lang === lang);
    return samples.length !== 1 || !beginning.test(samples[0]?.source ?? '');
  });
  return lacks.map(({ id }) => id);
}

it('shows every operation of both interfaces with the libraries', () => {
  expect(operations.length).toBeGreaterThan(35);
  expect(without('curl', /^(?:# .*\n)?curl /)).toEqual([]);
  expect(without('JavaScript', /^import [^;]* from '@switchyard\/client';$/m)).toEqual([]);
  // The second name of another operation has no method of its own.
  expect(without('Python', /^from switchyard import /m)).toEqual(['createChatAlias']);
  expect(without('Go', /^client := switchyard\.New\(/)).toEqual([]);
  expect(without('Ruby', /^require 'switchyard'$/m)).toEqual([]);
  expect(without('PHP', /^use Switchyard\\Switchyard;$/m)).toEqual([]);
  expect(without('Java', /^SwitchyardClient switchyard = /m)).toEqual([]);
});

it('prints nothing of a test in a sample', () => {
  const sources = operations.flatMap(({ operation }) => operation['x-codeSamples'] ?? []);
  expect(sources.filter(({ source }) => /\bt\.(?:Fatal|Error)|\bassert|\bcheck\(/.test(source))).toEqual([]);
});
