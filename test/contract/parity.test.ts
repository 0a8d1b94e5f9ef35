import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { errorCodes } from '../../generated/error-codes.gen.ts';
import { operations } from '../../generated/operations.gen.ts';
import { isForeign, operationsOf } from '../../src/contract/served/document.ts';
import { publicDocuments } from '../../src/contract/served/documents.ts';
import { contract, root } from '../helpers/contract.ts';
import { testEvery } from '../helpers/test-every.ts';

const inContract = operationsOf(contract)
  .map(({ id, method, path }) => `${id} ${method.toUpperCase()} ${path}`)
  .sort();

const documents = publicDocuments('http://127.0.0.1:8080', { features: [], agents: [], opened: new Set() });

describe('every operation of the contract stands', () => {
  it('in the routing table', () => {
    const table = Object.entries(operations).map(([id, { method, path }]) => `${id} ${method} ${path}`);
    expect(table.sort()).toEqual(inContract);
  });

  it('in the manifest', async () => {
    const manifest = JSON.parse((await documents.manifest()).text) as {
      operations: { operation_id: string; method: string; path: string }[];
    };
    const listed = manifest.operations.map(
      ({ operation_id, method, path }) => `${operation_id} ${method} ${path}`,
    );
    expect(listed.sort()).toEqual(inContract);
  });

  it('in the Postman collection, once for each example of its body', async () => {
    type Header = { key: string; value: string };
    type Item = { request: { method: string; url: { path: string[] }; header: Header[] } };
    const { item: folders, variable } = JSON.parse((await documents.postman()).text) as {
      item: { item: Item[] }[];
      variable: { key: string; value: string }[];
    };
    const requests = folders.flatMap((folder) =>
      folder.item.map(({ request }) => `${request.method} /${request.url.path.join('/')}`),
    );
    const expected = operationsOf(contract).flatMap(({ method, path, operation }) => {
      const [media] = Object.values(operation.requestBody?.content ?? {});
      const bodies = Object.keys(media?.examples ?? { none: null });
      // Postman has no parameter that is part of a segment: such a one is a variable of the collection.
      const address = path.replaceAll(/\{(\w+)\}(?=[^/])/g, '{{$1}}').replaceAll(/\/\{(\w+)\}/g, '/:$1');
      return bodies.map(() => `${method.toUpperCase()} ${address}`);
    });
    expect(requests.sort()).toEqual(expected.sort());
    const used = requests.flatMap((address) =>
      [...address.matchAll(/\{\{(\w+)\}\}/g)].map(([, name]) => name),
    );
    const values = new Map(variable.map(({ key, value }) => [key, value]));
    expect(used).not.toEqual([]);
    expect(used.filter((name = '') => !values.get(name))).toEqual([]);
    // Two requests with the same key would get the same answer.
    const headers = folders.flatMap((folder) => folder.item.flatMap(({ request }) => request.header));
    const keys = headers.filter(({ key }) => key.toLowerCase() === 'idempotency-key');
    expect(new Set(keys.map(({ value }) => value))).toEqual(new Set(['{{$guid}}']));
  });
});

const requestSamples = ['curl', 'JavaScript', 'Python'];

testEvery('every operation says what Redoc and a reader need', operationsOf(contract), ({ operation }) => {
  expect(operation.summary.split(' ').length).toBeLessThanOrEqual(8);
  expect(operation.description.length).toBeGreaterThan(80);
  expect(Object.keys(operation.responses)).toContain('500');
  const labels = operation['x-codeSamples']?.map(({ label }) => label);
  // A foreign interface is called with its vendor's own clients.
  if (isForeign(operation)) return expect(labels).toEqual(['curl']);
  // What every client library is tested with is shown in all of their languages.
  expect([requestSamples, [...requestSamples, 'Go', 'Ruby', 'PHP', 'Java']]).toContainEqual(labels);
});

describe('the error codes', () => {
  const table = Object.keys(errorCodes);

  it('each have a section in the documentation, and no other has', () => {
    const tag = contract.tags.find(({ name }) => name === 'Errors');
    const headings = [...(tag?.description ?? '').matchAll(/^## (\w+)$/gm)].map(([, code]) => code);
    expect(headings).toEqual(table);
  });

  it('each stand under a status that some operation declares, or that answers what is no operation', () => {
    const declared = new Set(
      operationsOf(contract).flatMap(({ operation }) => Object.keys(operation.responses)),
    );
    const outside = new Set(['404', '405', '408', '426', '431']);
    const statuses = Object.values(errorCodes).map(({ status }) => String(status));
    expect(statuses.filter((status) => !declared.has(status) && !outside.has(status))).toEqual([]);
  });
});

it('the contract has the version of the package', () => {
  const { version } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));
  expect(contract.info.version).toBe(version);
});
