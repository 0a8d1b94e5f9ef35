/** The request path below the operations: routing, ids, connections, shutdown. */
import type { ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { gunzipSync } from 'node:zlib';
import { request } from 'undici';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { listen } from '../../src/http/listen.ts';
import { appForThisTest, startApp, type TestApp, testKey } from '../helpers/app.ts';
import { ask, eventsOf, open, readAll } from '../helpers/http.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.close());

const key = 'Authorization: Bearer test-key-with-all-scopes';

function rawChat(body: unknown): string {
  const text = JSON.stringify(body);
  const head = ['POST /v1/chat HTTP/1.1', 'Host: x', key, 'Content-Type: application/json'];
  return `${head.join('\r\n')}\r\nContent-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`;
}

describe('routing', () => {
  it.each([
    '/nothing',
    '/v1',
    '/v1/chat/',
    '/v1//chat',
    '/V1/CHAT',
    '/v1/chat/more',
    '/__proto__',
    '/docs/../nothing',
    `/v1/agents/${'x'.repeat(257)}`,
  ])('%s is a 404', async (path) => {
    const { status, error } = await ask(app.url + path);
    expect(status).toBe(404);
    expect(error).toMatchObject({ code: 'not_found', type: 'not_found_error' });
  });

  it.each(['/%zz', '/v1/%', '/v1/chat%E0%A4%A', '/v1/agents/%E0%A4%A'])('%s is a 400', async (path) => {
    const socket = await open(app.port);
    socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
    const text = await readAll(socket);
    expect(text).toContain('HTTP/1.1 400');
    expect(text).toContain('malformed_request');
  });

  it('an escaped path finds its operation', async () => {
    expect((await ask(`${app.url}/health%7A`)).status).toBe(200);
  });

  it('every answer of a deprecated operation says since when, and where to read on (RFC 9745)', async () => {
    const url = `${app.url}/api/chat`;
    const headers = { authorization: 'Bearer test-key-with-all-scopes', 'content-type': 'application/json' };
    const whole = { message: 'hi', model: 'sandbox/echo' };
    const asked: [number, RequestInit][] = [
      [200, {}],
      [200, { body: JSON.stringify({ ...whole, stream: true }) }],
      [400, { body: '{}' }],
      [400, { body: '{' }],
      [401, { headers: { 'content-type': 'application/json' } }],
      [406, { headers: { ...headers, accept: 'image/png' } }],
      [413, { body: JSON.stringify({ ...whole, message: 'x'.repeat(1 << 20) }) }],
      [415, { headers: { ...headers, 'content-type': 'text/plain' } }],
    ];
    const link = `<${app.url}/docs/guides/upgrading#deprecated-operations>; rel="deprecation"; type="text/html"`;
    for (const [status, init] of asked) {
      const answer = await fetch(url, { method: 'POST', headers, body: JSON.stringify(whole), ...init });
      const said = ['deprecation', 'link', 'sunset'].map((name) => answer.headers.get(name));
      expect([answer.status, ...said]).toEqual([status, '@1795132800', link, null]);
      await answer.text();
    }
    const asking = { ...headers, origin: 'https://page.example' };
    const across = await fetch(url, { method: 'POST', headers: asking, body: JSON.stringify(whole) });
    expect(across.headers.get('access-control-expose-headers')).toContain('deprecation');
    const own = await fetch(`${app.url}/v1/chat`, { method: 'POST', headers, body: JSON.stringify(whole) });
    expect([own.status, own.headers.get('deprecation'), own.headers.get('link')]).toEqual([200, null, null]);
  });

  it('the second name of chat answers alike', async () => {
    const body = { message: 'hi', model: 'sandbox/echo' };
    const answer = await ask(`${app.url}/api/chat`, { body });
    expect(answer.status).toBe(200);
    expect(answer.json.content).toBe('hi');
  });
});

it('a 404 near a path that there is says it', async () => {
  const { status, error } = await ask(`${app.url}/v1/chats`, { method: 'POST', direct: true });
  expect([status, error.code]).toEqual([404, 'not_found']);
  expect(error.message).toMatch(/Did you mean POST \/v1\/chat\?$/);
});

describe('a whole number in the query', () => {
  it.each(['1e1', '+1', '%201', '1%20', '0x10', '1.0', '010', '', 'abc', '-0', 'Infinity'])(
    'is not limit=%s',
    async (text) => {
      const { status, error } = await ask(`${app.url}/v1/requests?limit=${text}`, { direct: true });
      expect(status).toBe(400);
      expect(error).toMatchObject({
        code: 'invalid_request',
        message: 'limit must be a whole number in digits only, such as 20.',
        param: 'limit',
        details: [{ path: 'limit', code: 'type' }],
      });
    },
  );

  it.each([
    ['0', 'limit must be at least 1.'],
    ['1&limit=2', 'limit must be given once.'],
    ['-1', 'limit must be at least 1.'],
    ['101', 'limit must be at most 100.'],
    ['99999999999999999999999', 'limit must be at most 100.'],
  ])('has its bounds: limit=%s', async (text, message) => {
    const { status, error } = await ask(`${app.url}/v1/requests?limit=${text}`, { direct: true });
    expect([status, error.message]).toEqual([400, message]);
  });

  it('is written in digits', async () => {
    expect((await ask(`${app.url}/v1/requests?limit=1`)).status).toBe(200);
  });
});

describe('request ids', () => {
  it('a well-formed one of the client is kept, in the header, the error and the log', async () => {
    const id = 'client-42.a_B';
    const { headers, error } = await ask(`${app.url}/nothing`, { headers: { 'x-request-id': id } });
    expect(headers['x-request-id']).toBe(id);
    expect(error.request_id).toBe(id);
    await sleep(20);
    expect(app.log.some((line) => line['request_id'] === id && line['status'] === 404)).toBe(true);
  });

  it.each(['', 'a b', 'x'.repeat(65), 'a"b', 'ümlaut'])('the ill-formed %j is replaced', async (id) => {
    const { headers } = await ask(`${app.url}/healthz`, {
      headers: { 'x-request-id': Buffer.from(id).toString('latin1') },
    });
    expect(headers['x-request-id']).toMatch(/^req_[0-9A-Z]{26}$/);
  });
});

describe.each([
  ['/docs', 'accept-encoding'],
  ['/docs/guides', 'accept-encoding'],
  ['/docs/guides/errors', 'accept-encoding'],
  ['/openapi.json', 'accept, accept-encoding'],
  ['/api/factory/postman', 'accept, accept-encoding'],
])('the large document %s', (path, vary) => {
  const get = (headers: Record<string, string> = {}) => request(app.url + path, { headers });

  it('comes compressed to who takes that, and means the same', async () => {
    const plain = await get();
    const packed = await get({ 'accept-encoding': 'br;q=0.9, gzip' });
    const seen = [plain, packed].map(({ statusCode, headers }) => [
      statusCode,
      headers['content-encoding'],
      headers['vary'],
    ]);
    expect(seen).toEqual([
      [200, undefined, vary],
      [200, 'gzip', vary],
    ]);
    const bytes = Buffer.from(await packed.body.arrayBuffer());
    expect(packed.headers['content-length']).toBe(String(bytes.length));
    expect(gunzipSync(bytes).equals(Buffer.from(await plain.body.arrayBuffer()))).toBe(true);
    for (const encoding of ['identity', 'br', 'gzip;q=0']) {
      const { statusCode, headers, body } = await get({ 'accept-encoding': encoding });
      expect([encoding, statusCode, headers['content-encoding']]).toEqual([encoding, 200, undefined]);
      await body.dump();
    }
  });

  it('is not sent again to who has it, in either form', async () => {
    for (const headers of [{}, { 'accept-encoding': 'gzip' }]) {
      const first = await get(headers);
      await first.body.dump();
      const etag = String(first.headers['etag']);
      const strong = etag.replace(/^W\//, '');
      const sameTags = [etag, strong, `W/${strong}`, `"x", W/${strong}`, '*'];
      for (const given of [...sameTags, '"other"', strong.slice(1, -1)]) {
        const again = await get({ ...headers, 'if-none-match': given });
        const text = await again.body.text();
        const same = sameTags.includes(given);
        expect([given, again.statusCode, text === '']).toEqual([given, same ? 304 : 200, same]);
      }
    }
  });
});

describe('what is no whole HTTP request', () => {
  const chunks = rawChat({}).replace(/Content-Length: .*/s, 'Transfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n');
  const large = `GET / HTTP/1.1\r\nHost: x\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`;

  it.each<[string, string, number?, string?]>([
    ['The request is not valid HTTP.', 'hello there\r\n\r\n'],
    ['The request is not valid HTTP.', rawChat({}).slice(0, 40)],
    ['The body ended before the length that its head gives.', rawChat({}).slice(0, -1)],
    ['The body ended before its last chunk.', chunks],
    ['The request headers are larger than 16 KiB.', large, 431, 'headers_too_large'],
  ])('gets an error: %s', async (message, bytes, status = 400, code = 'malformed_request') => {
    const socket = await open(app.port);
    socket.end(bytes);
    const [head = '', body = ''] = (await readAll(socket)).split('\r\n\r\n');
    expect(head.startsWith(`HTTP/1.1 ${status} `)).toBe(true);
    const { error } = JSON.parse(body);
    expect(error).toMatchObject({ code, message, docs_url: expect.stringContaining(code) });
  });
});

describe('the headers that HTTP asks of everybody', () => {
  const exchange = async (head: readonly string[]) => {
    const socket = await open(app.port);
    socket.write(`${head.join('\r\n')}\r\nConnection: close\r\n\r\n`);
    const [status = '', ...rest] = (await readAll(socket)).split('\r\n');
    return { status, body: rest.at(-1) ?? '' };
  };

  it('HTTP/1.1 without Host, or with two, gets a 400 in the one shape', async () => {
    for (const hosts of [[], ['Host: a', 'Host: b']]) {
      const { status, body } = await exchange(['GET /healthz HTTP/1.1', ...hosts]);
      expect(status).toBe('HTTP/1.1 400 Bad Request');
      expect(JSON.parse(body).error).toMatchObject({ code: 'malformed_request', param: null });
    }
  });

  it('HTTP/1.0 needs no Host', async () => {
    expect((await exchange(['GET /healthz HTTP/1.0'])).status).toBe('HTTP/1.1 200 OK');
  });

  it('an expectation that nobody knows is none', async () => {
    const { status } = await exchange(['GET /healthz HTTP/1.1', 'Host: x', 'Expect: 200-ok']);
    expect(status).toBe('HTTP/1.1 200 OK');
  });
});

describe('a body in another encoding than UTF-8', () => {
  const latin = Buffer.from('{"message":"caf\xe9"}', 'latin1');
  const send = (body: Buffer, type: string) =>
    ask(`${app.url}/v1/chat`, { body, headers: { 'content-type': type } });

  it.each(['iso-8859-1', 'utf-16le', 'bogus'])('is refused when it says so: %s', async (charset) => {
    const { status, error } = await send(latin, `application/json; charset=${charset}`);
    expect([status, error.code]).toEqual([415, 'unsupported_media_type']);
    expect(error.message).toContain('UTF-8');
  });

  it('is refused when it does not', async () => {
    const { status, error } = await send(latin, 'application/json');
    expect([status, error.code]).toEqual([400, 'malformed_json']);
    expect(error.message).toContain('UTF-8');
  });

  it.each(['UTF-8', '"utf-8"', 'utf8'])('is not one in %s', async (charset) => {
    const body = Buffer.from('{"message":"café","model":"sandbox/echo"}');
    const { status, json } = await send(body, `application/json; charset=${charset}`);
    expect([status, json.content]).toEqual([200, 'café']);
  });
});

describe('content negotiation', () => {
  it.each([
    ['*/*', 'application/json; charset=utf-8'],
    ['application/json', 'application/json; charset=utf-8'],
    ['application/yaml', 'application/yaml; charset=utf-8'],
    ['application/yaml; version="1; 2"', 'application/yaml; charset=utf-8'],
    ['application/yaml;q=0.9, application/json;q=0.5', 'application/yaml; charset=utf-8'],
    ['text/html, application/*;q=0.1', 'application/json; charset=utf-8'],
    ['application/json; charset=utf-8', 'application/json; charset=utf-8'],
    ['application/yaml;charset=UTF-8', 'application/yaml; charset=utf-8'],
    [
      'application/json;v="a;b,c";q=0.2, application/yaml; charset=utf-8; q=0.9',
      'application/yaml; charset=utf-8',
    ],
  ])('the contract for Accept: %s', async (accept, type) => {
    const { status, headers } = await ask(`${app.url}/api/factory/openapi`, { headers: { accept } });
    expect(status).toBe(200);
    expect(headers['content-type']).toBe(type);
    expect(headers['vary']).toContain('accept');
  });

  it.each(['image/png', 'application/json;q=0', 'text/*'])('none for Accept: %s', async (accept) => {
    const { status, error } = await ask(`${app.url}/api/factory/openapi`, { headers: { accept } });
    expect([status, error.code]).toEqual([406, 'not_acceptable']);
    expect(error.message).toContain('application/json or application/yaml');
  });

  it('JSON and YAML are the same document, with the address of this server', async () => {
    const { parse } = await import('yaml');
    const { json } = await ask(`${app.url}/openapi.json`);
    const { text } = await ask(`${app.url}/openapi.yaml`);
    expect(parse(text)).toEqual(json);
    expect(json.servers[0].url).toBe(app.url);
    expect(text).not.toContain('http://127.0.0.1:8080');
  });
});

describe('connections', () => {
  it('one that the client closes in the middle of a request does not disturb the server', async () => {
    const socket = await open(app.port);
    socket.write(rawChat({ message: 'x' }).slice(0, 150));
    socket.destroy();
    expect((await ask(`${app.url}/healthz`)).status).toBe(200);
  });

  it('a keep-alive connection serves one request after the other, errors included', async () => {
    const socket = await open(app.port);
    socket.write(rawChat({ message: 5 }));
    socket.write(rawChat({ message: 'one', model: 'sandbox/echo' }));
    socket.write(`GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
    const text = await readAll(socket);
    expect(text.match(/(?<=HTTP\/1\.1 )\d+/g)).toEqual(['400', '200', '200']);
  });

  it.each(['end', 'resetAndDestroy'] as const)(
    'a client that goes away by %s in a stream is noticed',
    async (leave) => {
      const socket = await open(app.port);
      socket.write(rawChat({ message: 'hello', model: 'sandbox/slow', stream: true }));
      while (app.running.size === 0) await sleep(5);
      await sleep(20);
      socket[leave]();
      while (app.running.size > 0) await sleep(5);
      await sleep(20);
      expect(app.log.some((line) => line['status'] === 499)).toBe(true);
    },
  );
});

describe('shutdown', () => {
  it('lets what runs finish, says that it drains, and takes no new connection', async () => {
    const server = await appForThisTest();
    const streaming = ask(`${server.url}/v1/chat`, {
      body: { message: 'one', model: 'sandbox/slow', maxTokens: 4, stream: true },
    });
    while (server.running.size === 0) await sleep(5);
    const socket = await open(server.port);
    await sleep(20);
    const drained = server.listener.drain(20_000);
    socket.write('GET /readyz HTTP/1.1\r\nHost: x\r\n\r\n');
    const ready = await readAll(socket);
    expect(ready).toContain('HTTP/1.1 503');
    expect(ready.toLowerCase()).toContain('connection: close');
    await expect(ask(`${server.url}/healthz`)).rejects.toThrow();
    expect(eventsOf((await streaming).text).at(-1)?.data.type).toBe('end');
    await drained;
  });

  it('does not wait for a connection on which nothing is asked', async () => {
    const server = await appForThisTest();
    const socket = await open(server.port);
    await server.listener.drain(600_000);
    expect(await readAll(socket)).toBe('');
  });

  it('after its patience ends what still runs with a terminal event', async () => {
    const server = await appForThisTest();
    // It resolves when the stream has begun, however slow the machine is.
    const streaming = await fetch(`${server.url}/v1/chat`, {
      method: 'POST',
      headers: { authorization: `Bearer ${testKey}`, 'content-type': 'application/json' },
      body: JSON.stringify({ message: 'word '.repeat(50), model: 'sandbox/slow', stream: true }),
    });
    await server.listener.drain(10);
    const events = eventsOf(await streaming.text()).map(({ data }) => data);
    expect(events[0]?.type).toBe('start');
    expect(events.at(-1)).toMatchObject({ type: 'error', error: { code: 'shutting_down', retryable: true } });
  });

  it('a request that has not begun to answer gets 503', async () => {
    const server = await appForThisTest();
    const waiting = ask(`${server.url}/v1/chat`, { body: { message: 'x', model: 'sandbox/slow' } });
    while (server.running.size === 0) await sleep(5);
    await server.listener.drain(10);
    const { status, error } = await waiting;
    expect([status, error.code]).toEqual([503, 'shutting_down']);
  });
});

describe('start', () => {
  it('a request that arrives before the application is ready is answered when it is', async () => {
    const reception = await listen('127.0.0.1', 0);
    const answer = ask(`http://127.0.0.1:${reception.port}/`);
    await sleep(50);
    reception.handOver((_req, res) => (res as ServerResponse).end('ready'));
    expect((await answer).text).toBe('ready');
    reception.server.close();
  });
});
