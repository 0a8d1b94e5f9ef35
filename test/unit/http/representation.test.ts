import request from 'supertest';
import { expect, it } from 'vitest';
import { encodedFor, isFresh } from '../../../src/http/representation.ts';
import { serverOf } from '../../helpers/koa.ts';

const etag = '"abc"';

it.each([
  [undefined, false],
  ['"abc"', true],
  ['W/"abc"', true],
  ['"x", W/"abc"', true],
  ['*', true],
  ['"abcd"', false],
  ['abc', false],
])('a copy with If-None-Match: %s is current: %s', async (header, fresh) => {
  const asked = request(serverOf((context) => isFresh(context, etag))).get('/');
  expect((await (header === undefined ? asked : asked.set('if-none-match', header))).body).toBe(fresh);
});

it.each([
  ['gzip', true],
  ['br, gzip;q=0.5', true],
  ['identity', false],
  ['gzip;q=0', false],
  ['br', false],
])('for Accept-Encoding: %s it is compressed: %s, under a tag of its own', async (header, compressed) => {
  const gzip = async () => Buffer.from('compressed');
  const server = serverOf(async (context) => {
    const { body, headers } = await encodedFor(context, 'text', etag, gzip);
    return { body: String(body), headers };
  });
  const { body } = await request(server).get('/').set('accept-encoding', header);
  expect(body).toEqual(
    compressed
      ? { body: 'compressed', headers: { etag: `W/${etag}`, 'content-encoding': 'gzip' } }
      : { body: 'text', headers: { etag } },
  );
});

it('what has no compressed form is sent as it is', async () => {
  const server = serverOf((context) => encodedFor(context, 'text', etag));
  const { body } = await request(server).get('/').set('accept-encoding', 'gzip');
  expect(body).toEqual({ body: 'text', headers: { etag } });
});
