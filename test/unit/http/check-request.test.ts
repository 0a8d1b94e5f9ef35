import type { Context } from 'koa';
import request from 'supertest';
import { describe, expect, it } from 'vitest';
import { operations } from '../../../generated/operations.gen.ts';
import type { ServiceError } from '../../../src/contract/errors.ts';
import type { OperationId } from '../../../src/contract/registry.ts';
import { operationsOf, resolve } from '../../../src/contract/served/document.ts';
import { bodyReader } from '../../../src/http/body.ts';
import {
  acceptable,
  asksForJson,
  check,
  checkBody,
  loadRequestValidators,
  nestedTooDeep,
  queryOf,
  wantsPage,
} from '../../../src/http/check-request.ts';
import { deepestJson } from '../../../src/lib/json.ts';
import { contract } from '../../helpers/contract.ts';
import { serverOf } from '../../helpers/koa.ts';

await loadRequestValidators();

const { body: info } = operations.createChat;

/** What is wrong with a body of a chat, as paths and codes; null: nothing. */
async function problemsOf(body: object) {
  const server = serverOf(async (context, { memory }) => {
    const read = await bodyReader(info)(context, memory);
    try {
      await checkBody('createChat', info, read?.value, context);
      return null;
    } catch (thrown) {
      return (thrown as ServiceError).details.map(({ path, code }) => `${path}: ${code}`);
    }
  });
  return (await request(server).post('/').send(body)).body;
}

const messages = [{ role: 'user', content: 'hi' }];

it.each([
  ['nothing with the one', { model: 'm', messages }, null],
  ['nothing with the other', { message: 'hi' }, null],
  [
    'each problem of the one that is there',
    { model: 5, messages: [{ role: 'nobody' }] },
    ['model: type', 'messages[0].role: enum'],
  ],
])('of exclusive variants it finds %s', async (_, body, problems) => {
  expect(await problemsOf(body)).toEqual(problems);
});

it.each([
  ['neither variant', {}, ['messages: one_of', 'message: one_of']],
  [
    'neither variant, and a field that neither knows',
    { model: 'm', prompt: 'hi' },
    ['messages: one_of', 'message: one_of', 'prompt: unknown_field'],
  ],
  ['both', { model: 'm', messages, message: 'hi' }, ['messages: one_of', 'message: one_of']],
])('of %s it names the fields', async (_, body, problems) => {
  expect(await problemsOf(body)).toEqual(problems);
});

it('tells of a large body its first problem alone, as finding all could cost far more than the request', async () => {
  const wrong = (content: string) => ({
    model: 5,
    messages: [{ role: 'nobody', content }, { role: 'nobody' }],
  });
  expect(await problemsOf(wrong('short'))).toHaveLength(3);
  expect(await problemsOf(wrong('x'.repeat(64 * 1024)))).toHaveLength(1);
});

it('costs a valid request no promise', () => {
  expect(check('createChat', 'query', {}, {} as never)).toBeUndefined();
});

it('names the field that is nested too deeply', () => {
  const deep = JSON.parse('['.repeat(deepestJson) + ']'.repeat(deepestJson));
  expect(nestedTooDeep({ fine: [1], deep })).toMatchObject({
    code: 'invalid_request',
    param: 'deep',
    details: [{ path: 'deep', code: 'depth' }],
  });
});

it.each<readonly [OperationId, string, object, string]>([
  ['listRequests', 'query', { limit: ['1', '2'] }, 'limit must be given once.'],
  ['listRequests', 'query', { cursor: ['a', 'b'] }, 'cursor must be given once.'],
  [
    'getFactoryJob',
    'path',
    { job_id: 'nope' },
    'job_id must be `job_` and 26 lower-case letters and digits.',
  ],
  [
    'changeKey',
    'body',
    { tags: { 'a b': 'c' } },
    'tags.a b must be 1 to 64 letters, digits, and `_`, `.`, `:`, `/` and `-` after the first.',
  ],
])('says to %s, in the %s, of %j in words what it must be', async (id, part, value, message) => {
  const context = { request: { length: 100 } } as Context;
  await expect(check(id, part, value, context)).rejects.toThrow(message);
});

it('has words for every pattern of a request', () => {
  const wordless = new Set<string>();
  const seen = new Set<unknown>();
  const visit = (value: unknown, at: string): void => {
    if (typeof value !== 'object' || value === null || seen.has(value)) return;
    seen.add(value);
    const schema = value as { readonly [key: string]: unknown };
    if (typeof schema['$ref'] === 'string') visit(resolve(contract, schema as never), schema['$ref']);
    if (typeof schema['pattern'] === 'string' && !schema['x-expected']) wordless.add(at);
    for (const [name, member] of Object.entries(schema))
      if (name !== 'example' && name !== 'examples') visit(member, `${at}/${name}`);
  };
  for (const { id, operation } of operationsOf(contract)) {
    visit(operation.parameters, id);
    visit(operation.requestBody, id);
  }
  expect(seen.size).toBeGreaterThan(1000);
  expect([...wordless]).toEqual([]);
});

it.each([
  ['application/json', 'application/json'],
  ['text/html', 'not_acceptable'],
])(
  'an operation without a body in its reply has, for Accept: %s, that of its errors: %s',
  async (accept, type) => {
    const { body } = await request(serverOf((context) => acceptable(context, [])))
      .get('/')
      .set('accept', accept);
    expect(body.code ?? body).toBe(type);
  },
);

describe('a failure is shown', () => {
  const browser = 'text/html,application/xhtml+xml,*/*;q=0.8';
  it.each([
    ['at a page, to a browser', '/page', null, browser, true],
    ['at a page, to a program that takes anything', '/page', null, '*/*', true],
    ['at a page, to a program that asks for JSON', '/page', null, 'application/json', false],
    ['where nothing is, to a browser', null, null, browser, true],
    ['where nothing is, to a program', null, null, '*/*', false],
    ['at an operation, to a browser', null, 'getHealth', browser, false],
  ] as const)('%s', async (_, page, operation, accept, asPage) => {
    const server = serverOf((context, exchange) => {
      exchange.page = page;
      exchange.operation = operation;
      return [wantsPage(context, exchange), asksForJson(context)];
    });
    const { body } = await request(server).get('/').set('accept', accept);
    expect(body).toEqual([asPage, accept === 'application/json']);
  });
});

it.each<readonly [string, object]>([
  ['', {}],
  ['a=1&b=x+y&c', { a: '1', b: 'x y', c: '' }],
  ['a=1&a=2', { a: ['1', '2'] }],
  ['limit=20', { limit: 20 }],
  ['limit=0', { limit: 0 }],
  ['limit=-5', { limit: -5 }],
  ['limit=1&limit=2', { limit: ['1', '2'] }],
])('%j is read as %o', (text, query) => {
  expect({ ...queryOf(text, ['limit', 'other']) }).toEqual(query);
});

it('any name is only a name', () => {
  const query = queryOf('__proto__=1&constructor=2', []);
  expect(Object.entries(query)).toEqual([
    ['__proto__', '1'],
    ['constructor', '2'],
  ]);
});
