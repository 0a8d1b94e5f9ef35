import { readFileSync } from 'node:fs';
import path from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { errorCodes } from '../../generated/error-codes.gen.ts';
import { operations } from '../../generated/operations.gen.ts';
import {
  type Document,
  isForeign,
  operationsOf,
  resolve,
  type Schema,
} from '../../src/contract/served/document.ts';
import { publicDocuments } from '../../src/contract/served/documents.ts';
import { agentOf } from '../helpers/agents.ts';
import { contract, root } from '../helpers/contract.ts';
import { testEvery } from '../helpers/test-every.ts';
import { ticketTriage } from '../helpers/vendor-answers.ts';

/** What tools of others read wrongly in the documents as they are served: each rule holds for the whole of each document. */
describe('served documents', async () => {
  const publicUrl = 'https://ai.example.com';
  const documents = publicDocuments(publicUrl, { features: [], agents: [], opened: new Set() });
  const served = JSON.parse((await documents.openApiJson()).text) as Document;
  const served30 = JSON.parse((await documents.openApi30Json()).text) as Document;
  const both = [
    ['3.1', served],
    ['3.0', served30],
  ] as const;

  /** Every object of a document by its place, but what stands in examples. */
  function objectsIn(document: object): { at: string; value: Schema }[] {
    const found: { at: string; value: Schema }[] = [];
    const visit = (value: unknown, at: string) => {
      if (typeof value !== 'object' || value === null) return;
      if (!Array.isArray(value)) found.push({ at, value: value as Schema });
      for (const [name, member] of Object.entries(value))
        if (!['example', 'examples', 'default'].includes(name)) visit(member, `${at}/${name}`);
    };
    visit(document, '#');
    expect(found.length).toBeGreaterThan(5000);
    return found;
  }

  /** The entries of a list that stand in it more than once. */
  function repeated(names: readonly string[]): string[] {
    return names.filter((name, n) => names.indexOf(name) !== n);
  }

  // kin-openapi reads the digits of `\u00AD` in upper case only, and hey-api writes U+2028 and U+2029 into JavaScript as they are.
  it.each(both)('%s has patterns that Go, Rust and JavaScript read', (_, document) => {
    const patterns = objectsIn(document).flatMap(({ value: { pattern } }) =>
      typeof pattern === 'string' ? pattern : [],
    );
    expect(patterns.length).toBeGreaterThan(20);
    const lowerCase = /\\u[0-9A-F]*[a-f]/;
    const lineSeparator = /\\u202[89]/i;
    // RE2 and Rust have neither.
    const lookAround = /\(\?<?[=!]|\\[1-9]/;
    const wrong = patterns.filter((text) =>
      [lowerCase, lineSeparator, lookAround].some((one) => one.test(text)),
    );
    expect(wrong).toEqual([]);
  });

  // oapi-codegen makes one type of a parameter and a schema; kubb a file of each name, which are one where case does not count.
  it.each(both)('%s has no two names that are one type or one file', (_, { components, ...document }) => {
    const names = ['schemas', 'parameters', 'headers'].flatMap((section) =>
      Object.keys(components[section] ?? {}),
    );
    const operations = operationsOf({ components, ...document }).map(({ id }) => id);
    expect([names.length > 300, operations.length > 100]).toEqual([true, true]);
    expect(repeated(names.map((name) => name.toLowerCase()))).toEqual([]);
    const schemas = new Set(Object.keys(components.schemas).map((name) => name.toLowerCase()));
    expect(operations.filter((id) => schemas.has(id.toLowerCase()))).toEqual([]);
  });

  // Ogen makes one type of a status and a default that have the same error and headers, unless they have names; oapi-codegen gives
  // each function a `server` beside the parameters of the path; kubb gives the replies of each operation a type by its id and status.
  it.each(both)('%s has names that ogen, oapi-codegen and kubb leave free', (_, document) => {
    const operations = operationsOf(document);
    const failures = operations.flatMap(({ operation }) => operation.responses['default'] ?? []);
    expect(failures.length).toBeGreaterThan(100);
    expect(failures.filter(({ $ref }) => $ref === undefined)).toEqual([]);
    expect(operations.filter(({ path }) => path.includes('{server}'))).toEqual([]);
    const ofReplies = operations.flatMap(({ id, operation }) =>
      Object.keys(operation.responses).map((status) => id + status),
    );
    const shared = Object.keys(document.components.responses).map((name) => name.toLowerCase());
    expect(ofReplies.filter((name) => shared.includes(name.toLowerCase()))).toEqual([]);
  });

  // OpenAPI Generator's PHP template declares them in each of its classes.
  it.each(both)('%s has no operation that is called as an accessor of a template', (_, document) => {
    const accessors = [
      'getConfig',
      'getHostIndex',
      'setHostIndex',
      'getBasePath',
      'setBasePath',
      'getApiClient',
    ];
    const own = [...accessors, 'setApiClient', 'getConfiguration', 'toString', 'hashCode', 'getClass'];
    expect(operationsOf(document).filter(({ id }) => own.includes(id))).toEqual([]);
  });

  // openapi-zod-client writes it as z.enum([…, null]), which does not compile.
  it('3.1 has no enumeration with null among texts', () => {
    const enums = objectsIn(served).filter(({ value }) => Array.isArray(value['enum']));
    expect(enums.length).toBeGreaterThan(50);
    expect(
      enums.filter(({ value }) => (value['enum'] as unknown[]).includes(null)).map(({ at }) => at),
    ).toEqual([]);
  });

  // To the letter of 3.0.3 `nullable` beside a reference changes nothing, and beside a type validators read it in two ways.
  it('3.0 says null of the very schema that may be null, beside its type', () => {
    const nullable = objectsIn(served30).filter(({ value }) => value['nullable'] === true);
    expect(nullable.length).toBeGreaterThan(100);
    const elsewhere = nullable.filter(
      ({ value }) => 'allOf' in value || '$ref' in value || ('type' in value ? false : !('enum' in value)),
    );
    expect(elsewhere.map(({ at }) => at)).toEqual([]);
    const types = objectsIn(served30).filter(({ value }) => Array.isArray(value['allOf']) && value.type);
    expect(types.map(({ at }) => at)).toEqual([]);
  });

  // openapi-typescript and others would have callers send every field with a default. The server fills it in all the same.
  it.each(both)(
    '%s says a default of a field in its description, and has it of parameters only',
    (_, document) => {
      const schemas = objectsIn(document).filter(({ value }) => 'default' in value && 'type' in value);
      expect(schemas.length).toBeGreaterThan(0);
      expect(
        schemas.filter(({ at }) => !/\/parameters\/(?:\w+)\/schema$/.test(at)).map(({ at }) => at),
      ).toEqual([]);
      const { Temperature, KeyRotation, ModerateInput } = document.components.schemas;
      expect(Temperature?.['description']).toMatch(/ Default: 0\.7\.$/);
      expect(KeyRotation?.properties?.['grace_seconds']?.['description']).toMatch(/ Default: 86400\.$/);
      expect(ModerateInput?.properties?.['categories']?.['description']).toMatch(
        /^What to look for\. By default everything\.$/,
      );
    },
  );

  it.each(both)('%s names media types without parameters, as validators look them up', (_, document) => {
    const types = objectsIn(document).flatMap(({ value }) => Object.keys((value['content'] as object) ?? {}));
    expect(types.length).toBeGreaterThan(200);
    expect(types.filter((type) => type.includes(';'))).toEqual([]);
  });

  it.each(both)('%s calls the server by its address, and by no other place', (_, { servers }) => {
    expect(servers).toEqual([expect.objectContaining({ url: publicUrl, description: 'This server.' })]);
  });

  it.each(both)('%s takes a list of parts for what a message says, as the server does', (_, document) => {
    const content = document.components.schemas['ChatMessage']?.properties?.['content'];
    expect(content?.oneOf).toEqual([
      expect.objectContaining({ maxLength: 1048576 }),
      { $ref: '#/components/schemas/ChatParts' },
    ]);
    const part = resolve(document, document.components.schemas['ChatParts']?.['items'] as Schema);
    expect(Object.keys(part.properties ?? {})).toEqual(['type', 'text', 'image_url', 'file', 'input_audio']);
  });

  // A cursor is one that a list has given, and a key that is used twice gets the answer of the first request.
  it.each(both)('%s has no example of what is good only once', (_, document) => {
    const parameters = objectsIn(document).filter(({ value }) => 'in' in value && 'schema' in value);
    const once = parameters.filter(({ value }) =>
      ['cursor', 'idempotency-key'].includes(String(value['name'])),
    );
    expect(once.length).toBeGreaterThan(1);
    expect(once.filter(({ value }) => 'example' in value || 'examples' in value)).toEqual([]);
  });
});

/** What importers of others need of the Postman collection: `npm run verify -- contract` runs it in Newman and in Bruno. */
describe('the Postman collection', () => {
  interface Url {
    raw?: string;
    host: string[];
    path: string[];
    query?: { key: string; value: string; disabled?: boolean }[];
  }
  interface Item {
    name: string;
    request: {
      url: Url;
      header: { key: string; value: string }[];
      body?: { formdata?: { key: string; type: string; value?: string; src?: string }[] };
    };
    response: { code: number; originalRequest: { url: Url } }[];
    event: { script: { exec: string[] } }[];
  }

  let items: Item[];
  beforeAll(async () => {
    const served = {
      features: [ticketTriage],
      agents: [agentOf({ id: 'support' })],
      opened: new Set<never>(),
    };
    const { text } = await publicDocuments('http://127.0.0.1:9999', served).postman();
    items = (JSON.parse(text) as { item: { item: Item[] }[] }).item.flatMap((folder) => folder.item);
  });

  // Bruno reads it alone, and puts `http://` before a host without it.
  it('has the address of every request, and of what was sent for a reply, as a text beside its parts', () => {
    const urls = items.flatMap(({ request, response }) => [
      request.url,
      ...response.map(({ originalRequest }) => originalRequest.url),
    ]);
    expect(urls.length).toBeGreaterThan(300);
    const other = urls.filter(({ raw, host, path, query = [] }) => {
      const search = query.filter(({ disabled }) => !disabled).map(({ key, value }) => `${key}=${value}`);
      return (
        raw !== [`${host.join('.')}/${path.join('/')}`, ...(search[0] ? [search.join('&')] : [])].join('?')
      );
    });
    expect(other).toEqual([]);
  });

  it('sends no file of a computer, no cursor, and a key of its own with every request', () => {
    const fields = items.flatMap(({ request }) => request.body?.formdata ?? []);
    const ofFiles = fields.filter((field) => 'fileName' in field);
    expect(ofFiles.length).toBeGreaterThan(3);
    expect(fields.filter(({ type, src }) => type === 'file' || src !== undefined)).toEqual([]);
    const cursors = items.flatMap(({ request }) =>
      (request.url.query ?? []).filter(({ key }) => key === 'cursor'),
    );
    expect(cursors.length).toBeGreaterThan(10);
    expect(cursors.filter(({ disabled, value }) => !disabled || value !== '')).toEqual([]);
    const keys = items.flatMap(({ request }) =>
      request.header.filter(({ key }) => key === 'idempotency-key'),
    );
    expect([keys.length > 30, ...new Set(keys.map(({ value }) => value))]).toEqual([true, '{{$guid}}']);
  });

  it('says why a status is another one, and takes what a second run is refused for', () => {
    const scripts = items.map(({ name, event }) => [name, event[0]?.script.exec.join('\n') ?? ''] as const);
    const silent = scripts.filter(([, script]) => !script.includes('pm.response.json().error'));
    expect(silent).toEqual([]);
    const taking = (code: string) => scripts.filter(([, script]) => script.includes(code)).length;
    // Three builds, a revision and a plan of the demo; tenants, budgets and approvals by their examples.
    expect([taking("'demo_limited'"), taking("'conflict'")]).toEqual([5, 5]);
  });

  it('saves with each request what it is answered with where all goes well', () => {
    const codes = items.flatMap(({ response }) => response.map(({ code }) => code));
    expect(codes.length).toBeGreaterThan(130);
    expect(codes.filter((code) => code >= 400)).toEqual([]);
  });
});

describe('parity', () => {
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
});
