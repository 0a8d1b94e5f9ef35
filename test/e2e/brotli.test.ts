/** What a server does with bodies in Brotli while it runs on a Node.js that must not decode them. */
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { request } from 'undici';
import { describe, expect, it } from 'vitest';
import { adminPath } from '../../src/pages/account/parts.ts';
import { appForThisTest, testAdminPassword, testKey } from '../helpers/app.ts';

const chat = JSON.stringify({ message: 'Hello!', model: 'sandbox/echo' });
const foreign = JSON.stringify({
  model: 'sandbox/echo',
  max_tokens: 50,
  messages: [{ role: 'user', content: 'Hello!' }],
});
const form = [
  '--x\r\nContent-Disposition: form-data; name="model"\r\n\r\nsandbox\r\n',
  '--x\r\nContent-Disposition: form-data; name="file"; filename="a.mp3"\r\nContent-Type: audio/mpeg\r\n\r\nID3\x04\0\0\0\0\0\0\r\n--x--\r\n',
].join('');
const password = new URLSearchParams({ action: 'sign-in', password: testAdminPassword }).toString();
const key = { authorization: `Bearer ${testKey}` };
const json = 'application/json';

/** Path, media type, body, credentials, and what is taken in place of Brotli. */
type Way = readonly [name: string, path: string, type: string, body: string, own: object, taken: string];
const ways: readonly Way[] = [
  ['an operation of ours', '/v1/chat', json, chat, key, 'gzip, deflate'],
  ["OpenAI's interface", '/v1/chat/completions', json, foreign, key, 'gzip, deflate, zstd'],
  ["Anthropic's interface", '/v1/messages', json, foreign, key, 'gzip, deflate, zstd'],
  [
    'a form with files',
    '/v1/audio/transcriptions',
    'multipart/form-data; boundary=x',
    form,
    key,
    'gzip, deflate, zstd',
  ],
  [
    'an operation without a key',
    '/api/factory/public-demo',
    json,
    '{"prompt":"a list of books"}',
    {},
    'gzip, deflate',
  ],
  ['the page to sign in', adminPath, 'application/x-www-form-urlencoded', password, {}, 'gzip, deflate'],
];

async function send(brotli: boolean, [, path, type, body, own]: Way, encoding: string) {
  const app = await appForThisTest({ brotli });
  const bytes = encoding === 'br' ? brotliCompressSync(body) : gzipSync(body);
  const headers = { ...own, origin: app.url, 'content-type': type, 'content-encoding': encoding };
  const reply = await request(app.url + path, { method: 'POST', headers, body: bytes });
  return { status: reply.statusCode, headers: reply.headers, text: await reply.body.text() };
}

describe.each(ways)('%s', (...way) => {
  it('refuses it with what to send in its place', async () => {
    const { status, headers, text } = await send(false, way, 'br');
    expect([status, headers['accept-encoding']]).toEqual([415, way[5]]);
    expect(text).toContain('gzip');
    expect(text).not.toContain('CVE');
  });

  it('takes gzip, and Brotli where that is safe', async () => {
    expect((await send(false, way, 'gzip')).status).toBeLessThan(400);
    expect((await send(true, way, 'br')).status).toBeLessThan(400);
  });
});
