import request from 'supertest';
import { expect, it } from 'vitest';
import { operations } from '../../../generated/operations.gen.ts';
import type { ServiceError } from '../../../src/contract/errors.ts';
import { bodyReader } from '../../../src/http/body.ts';
import { check, checkBody, loadRequestValidators, nestedTooDeep } from '../../../src/http/check-request.ts';
import { deepestJson } from '../../../src/lib/json.ts';
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
