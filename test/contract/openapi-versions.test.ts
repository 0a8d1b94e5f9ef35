/** The contract in OpenAPI 3.0 and 3.2, as this server serves it. */
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import request from 'supertest';
import { expect, it, onTestFinished } from 'vitest';
import {
  type Document,
  eventSchemaOf,
  operationsOf,
  repliesOf,
  type Schema,
} from '../../src/contract/served/document.ts';
import { publicDocuments } from '../../src/contract/served/documents.ts';
import { downConverted } from '../../src/contract/served/openapi-30.ts';
import { appForThisTest } from '../helpers/app.ts';
import { contract, root } from '../helpers/contract.ts';

const run = promisify(execFile);

/** One schema, as it is written in 3.0. */
function schemaOf(schema: object, others: object = {}): unknown {
  const document = { info: {}, components: { schemas: { Tested: schema, ...others } } };
  const converted = downConverted(document) as { components: { schemas: Record<string, unknown> } };
  return converted.components.schemas['Tested'];
}

it.each([
  ['3.0.3', '/openapi-3.0.json'],
  ['3.2.0', '/openapi-3.2.json'],
])('is valid OpenAPI %s with every operation, by a validator of others', async (version, address) => {
  const app = await appForThisTest();
  const { status, headers, text } = await request(app.url).get(address);
  expect([status, headers['content-type']]).toEqual([200, 'application/json; charset=utf-8']);
  const served = JSON.parse(text) as Document;
  expect(served.openapi).toBe(version);
  expect(operationsOf(served).map(({ id }) => id)).toEqual(operationsOf(contract).map(({ id }) => id));

  const folder = await mkdtemp(path.join(tmpdir(), 'switchyard-openapi-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const file = path.join(folder, 'openapi.json');
  await writeFile(file, text);
  // Redocly's own rules for what the specification says, and it is told that `x-event-schema` is a schema.
  const config = path.join(folder, 'redocly.yaml');
  await writeFile(config, `extends: [spec]\nplugins: [${path.join(root, 'openapi/redocly-plugin.js')}]\n`);
  const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };
  const redocly = path.join(root, 'node_modules/.bin/redocly');
  const lint = () => run(redocly, ['lint', file, '--config', config], { env }).catch((error) => error);
  const output = await lint();
  expect(output, `${output.stdout}\n${output.stderr}`).not.toBeInstanceOf(Error);
  // The same validator refuses what only another version can say.
  const other = version === '3.0.3' ? { ...contract, openapi: version } : { ...served, openapi: '3.1.1' };
  await writeFile(file, JSON.stringify(other));
  expect(await lint()).toBeInstanceOf(Error);
});

it('says in 3.2 what each event of a stream is, and which tags belong together', async () => {
  const documents = publicDocuments('http://127.0.0.1:8080', {
    features: [],
    agents: [],
    opened: new Set(),
  });
  const [is31, is32] = await Promise.all(
    [documents.openApiJson(), documents.openApi32Json()].map(async (made) => JSON.parse((await made).text)),
  );
  const streams = operationsOf(is31).flatMap(({ id, operation }) =>
    repliesOf(is31, operation).flatMap(([status, { content = {} }]) => {
      const event = eventSchemaOf(content['text/event-stream']);
      return event ? [[id, status, event]] : [];
    }),
  );
  expect(streams.length).toBeGreaterThan(6);
  const items = operationsOf(is32).flatMap(({ id, operation }) =>
    repliesOf(is32, operation).flatMap(([status, { content = {} }]) => {
      const media = content['text/event-stream'] as { schema?: object; itemSchema: Schema } | undefined;
      expect(media?.schema).toBeUndefined();
      const data = media?.itemSchema.properties?.['data'];
      return data?.['contentSchema'] ? [[id, status, data['contentSchema']]] : [];
    }),
  );
  expect(items).toEqual(streams);
  const tags = is32.tags as { name: string; parent?: string; kind?: string }[];
  const parents = tags.filter(({ parent }) => parent === undefined).map(({ name }) => name);
  expect(parents).toEqual(['Chat interface', 'Existing clients', 'Factory interface', 'Operation']);
  const children = tags.filter(({ parent }) => parent !== undefined);
  expect(children.map(({ name }) => name)).toEqual(is31.tags.map(({ name }: { name: string }) => name));
  expect(children.every(({ parent = '' }) => parents.includes(parent))).toBe(true);
  expect(new Set(tags.map(({ kind }) => kind))).toEqual(new Set(['nav']));
});

it.each([
  [
    { type: 'string', const: 'a' },
    { type: 'string', enum: ['a'] },
  ],
  [{ type: ['string', 'null'] }, { type: 'string', nullable: true }],
  [
    { type: ['string', 'null'], enum: ['a', null] },
    { type: 'string', enum: ['a', null], nullable: true },
  ],
  [
    { type: ['string', 'number'], maxLength: 3, description: 'd' },
    { description: 'd', anyOf: [{ type: 'string', maxLength: 3 }, { type: 'number' }] },
  ],
  [
    { type: ['string', 'array', 'null'], items: {}, description: 'd' },
    {
      description: 'd',
      anyOf: [
        { type: 'string', nullable: true },
        { type: 'array', items: {} },
      ],
    },
  ],
  [
    { description: 'd', anyOf: [{ $ref: '#/components/schemas/Other' }, { type: 'null' }] },
    { description: 'd', allOf: [{ $ref: '#/components/schemas/Other' }] },
  ],
  [
    { anyOf: [{ type: 'string', enum: ['a'] }, { type: 'null' }] },
    { type: 'string', enum: ['a', null], nullable: true },
  ],
  [
    { description: 'd', $ref: '#/components/schemas/Other' },
    { description: 'd', allOf: [{ $ref: '#/components/schemas/Other' }] },
  ],
  [
    { type: 'number', exclusiveMinimum: 0, exclusiveMaximum: 5 },
    { type: 'number', minimum: 0, exclusiveMinimum: true, maximum: 5, exclusiveMaximum: true },
  ],
  [
    { type: 'string', examples: ['a', 'b'] },
    { type: 'string', example: 'a' },
  ],
  [
    { type: 'array', items: true },
    { type: 'array', items: {} },
  ],
  [
    { type: 'object', properties: { const: { type: 'string' }, examples: { type: 'null' } } },
    {
      type: 'object',
      properties: { const: { type: 'string' }, examples: { enum: [null], nullable: true } },
    },
  ],
  [{ type: 'object', dependentRequired: { a: ['b'] } }, { type: 'object' }],
])('writes %j as 3.0 does: %j', (schema, expected) => {
  expect(schemaOf(schema, { Other: { type: 'object' } })).toEqual(expected);
});
