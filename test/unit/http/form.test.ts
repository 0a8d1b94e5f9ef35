import { brotliCompressSync, gzipSync } from 'node:zlib';
import request from 'supertest';
import { expect, it } from 'vitest';
import { readForm } from '../../../src/http/answer-page.ts';
import { serverOf } from '../../helpers/koa.ts';

const type = 'application/x-www-form-urlencoded';
const server = (budget?: number, brotli = true) =>
  request(serverOf(async (context, { memory }) => [...(await readForm(context, memory, brotli))], budget));

it.each([
  ['scope=chat&scope=ai&a=1', 'scope: chat, scope: ai, a: 1'],
  ['a%5Bb%5D=1&c.d=2&__proto__=3', 'a[b]: 1, c.d: 2, __proto__: 3'],
  ['a=1+2%2B3&b=Z%C3%BCrich&c', 'a: 1 2+3, b: Zürich, c: '],
  ['a=%zz', 'a: %zz'],
])('reads %s as %s', async (sent, fields) => {
  const { status, body } = await server().post('/').type(type).send(sent);
  expect([status, body.map((field: string[]) => field.join(': ')).join(', ')]).toEqual([200, fields]);
});

it('reads a compressed one', async () => {
  const asked = server().post('/').type(type).set('content-encoding', 'gzip');
  asked.write(gzipSync('a=1'));
  expect((await asked).body).toEqual([['a', '1']]);
});

it('reads one in Brotli where that is safe, and refuses it elsewhere', async () => {
  const inBrotli = (brotli: boolean) => {
    const asked = server(undefined, brotli).post('/').type(type).set('content-encoding', 'br');
    asked.write(brotliCompressSync('a=1'));
    return asked;
  };
  expect((await inBrotli(true)).body).toEqual([['a', '1']]);
  const { status, body, headers } = await inBrotli(false);
  expect([status, body.code, headers['accept-encoding']]).toEqual([
    415,
    'unsupported_media_type',
    'gzip, deflate',
  ]);
});

it('has no fields without a body, and on GET', async () => {
  expect((await server().get('/?a=1')).body).toEqual([]);
  expect((await server().post('/').type(type).set('content-length', '0')).body).toEqual([]);
});

it.each([
  ['another type', 'application/json', '{}', 415, 'unsupported_media_type'],
  ['more than 64 KiB', type, `a=${'x'.repeat(64 * 1024)}`, 413, 'payload_too_large'],
  ['more than 64 KiB, compressed', type, gzipSync(`a=${'x'.repeat(64 * 1024)}`), 413, 'payload_too_large'],
  ['damaged bytes', type, Buffer.from('not gzip'), 400, 'malformed_request'],
])('refuses %s', async (_, mediaType, sent, status, code) => {
  const asked = server().post('/').type(mediaType);
  if (typeof sent === 'string') asked.send(sent);
  else asked.set('content-encoding', 'gzip').write(sent);
  const reply = await asked;
  expect([reply.status, reply.body.code]).toEqual([status, code]);
});

it('is refused when there is no memory for it', async () => {
  const reply = await server(32 * 1024)
    .post('/')
    .type(type)
    .send('a=1');
  expect([reply.status, reply.body.code]).toEqual([503, 'buffers_full']);
});
