/** Hostile and unusual requests on raw sockets: each gets one answer in the one shape, and the server lives on. */
import type { Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startApp, type TestApp, testKey } from '../helpers/app.ts';
import { ask, open, readAll } from '../helpers/http.ts';
import { testEvery } from '../helpers/test-every.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.close());

const auth = `Authorization: Bearer ${testKey}`;
const json = 'Content-Type: application/json';
const chat = JSON.stringify({ message: 'hi', model: 'sandbox/echo' });

/** Sends a head, and a body if there is one; the connection is closed with the answer. */
async function send(head: readonly string[], body = '', close = true) {
  const socket = await open(app.port);
  socket.write(`${[...head, ...(close ? ['Connection: close'] : [])].join('\r\n')}\r\n\r\n${body}`);
  return answerOf(await readAll(socket));
}

function answerOf(text: string) {
  const [status = '', ...rest] = text.split('\r\n');
  const body = text.slice(text.indexOf('\r\n\r\n') + 4);
  return { status: Number(status.split(' ')[1]), headers: rest.join('\n').toLowerCase(), body, text };
}

function codeOf({ body }: { body: string }): string {
  return JSON.parse(body).error.code;
}

/** What has arrived when it holds the text. The test's own time limit is the only one. */
async function received(socket: Socket, text: string): Promise<string> {
  let all = '';
  for await (const chunk of socket) {
    all += String(chunk);
    if (all.includes(text)) break;
  }
  return all;
}

describe('the target of a request', () => {
  const notTaken = [
    'http://',
    'https://',
    'http://?',
    'http://#',
    'http://[',
    'http://[/healthz',
    'http:///healthz',
    'http://x:99999/healthz',
    'http://y/healthz',
    'http://user@x/healthz',
    'http://x@y/healthz',
    'ftp://x/healthz',
    'file:///etc/passwd',
    'javascript:alert(1)',
    'x:80',
    '*',
  ];
  testEvery('is refused where it is none', notTaken, async (target) => {
    const answer = await send([`GET ${target} HTTP/1.1`, 'Host: x']);
    expect([target, answer.status, codeOf(answer)]).toEqual([target, 400, 'malformed_request']);
  });

  testEvery(
    'may be absolute',
    ['http://x/healthz', 'HTTP://X/healthz', 'https://x/healthz', 'http://x/healthz#part'],
    async (target) => {
      expect((await send([`GET ${target} HTTP/1.1`, 'Host: x'])).body).toBe('{"status":"ok"}');
    },
  );

  testEvery(
    'without a path is the start page',
    ['http://x', 'http://x?a=b', 'http://x/?a=b'],
    async (target) => {
      const answer = await send([`GET ${target} HTTP/1.1`, 'Host: x']);
      expect([answer.status, answer.body.includes('<title>Switchyard')]).toEqual([200, true]);
    },
  );

  it('may hold anything else, and is answered', async () => {
    for (const target of [
      '//[',
      '//[#',
      '/#',
      '/\\',
      '/%00',
      '/..//../',
      '/?[',
      '/;',
      '/:80',
      '//x@y',
      '/a\u00a0',
    ])
      expect([200, 400, 404]).toContain((await send([`GET ${target} HTTP/1.1`, 'Host: x'])).status);
  });

  it('of OPTIONS may be the server as a whole', async () => {
    const { status, headers } = await send(['OPTIONS * HTTP/1.1', 'Host: x']);
    expect(status).toBe(204);
    expect(headers).toMatch(/^allow: .*get.*options.*post/m);
  });
});

describe('what asks for something else than an answer', () => {
  testEvery('CONNECT gets a 405', ['x:80', '/', 'x', '[::1]:80', '/healthz'], async (target) => {
    const answer = await send([`CONNECT ${target} HTTP/1.1`, 'Host: x']);
    expect([answer.status, codeOf(answer)]).toEqual([405, 'method_not_allowed']);
    expect(answer.headers).toMatch(/^allow:/m);
  });

  it('a CONNECT whose client resets at once does no harm', async () => {
    for (let n = 0; n < 20; n += 1) {
      const socket = await open(app.port);
      socket.on('error', () => undefined);
      socket.write('CONNECT x:80 HTTP/1.1\r\nHost: x\r\n\r\n');
      if (n % 2) await new Promise((resolve) => setImmediate(resolve));
      socket.resetAndDestroy();
    }
    expect((await ask(`${app.url}/healthz`)).status).toBe(200);
  });

  testEvery('Upgrade is not followed', ['websocket', 'h2c', 'TLS/1.0'], async (protocol) => {
    const answer = await send(
      [`GET /healthz HTTP/1.1`, 'Host: x', `Upgrade: ${protocol}`, 'Connection: Upgrade, close'],
      '',
      false,
    );
    expect([answer.status, answer.body]).toEqual([200, '{"status":"ok"}']);
  });

  it('the preface of HTTP/2 is no request', async () => {
    const socket = await open(app.port);
    socket.write('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n');
    expect(answerOf(await readAll(socket)).status).toBe(400);
  });
});

type Headers = readonly [name: string, headers: readonly string[]];
const nameOf = ([name]: Headers) => name;

describe('headers that a request has once', () => {
  const post = ['POST /v1/chat HTTP/1.1', 'Host: x', `Content-Length: ${chat.length}`];
  const repeated: readonly Headers[] = [
    ['two Authorization', [auth, auth, json]],
    ['two Authorization that differ', [auth, 'Authorization: Bearer other', json]],
    ['an Authorization that is empty beside one', ['authorization:', auth, json]],
    ['two Content-Type', [auth, json, json]],
    ['two Content-Type that differ', [auth, 'content-type: text/plain', json]],
    ['two Host', [auth, json, 'Host: y']],
    ['two Content-Length', [auth, json, `Content-Length: ${chat.length}`]],
    ['two X-API-Key', ['X-API-Key: a', 'x-api-key: b', auth, json]],
    ['two X-CSRF-Token', ['X-CSRF-Token: a', 'x-csrf-token: b', auth, json]],
    ['two Origin', ['Origin: http://x', 'Origin: http://y', auth, json]],
  ];
  testEvery(
    'are refused where there are two',
    repeated,
    async ([, headers]) => {
      const answer = await send([...post, ...headers], chat);
      expect([answer.status, codeOf(answer)]).toEqual([400, 'malformed_request']);
    },
    { idOf: nameOf },
  );

  it('one of each is taken, and lists may be repeated', async () => {
    const lists = ['Accept: text/html;q=0.1', 'Accept: application/json', 'Cookie: a=b', 'Cookie: c=d'];
    expect((await send([...post, auth, json, 'X-API-Key: a', ...lists], chat)).status).toBe(200);
  });
});

describe('how a body is framed', () => {
  const post = ['POST /v1/chat HTTP/1.1', 'Host: x', auth, json];
  const chunked = `${chat.length.toString(16)}\r\n${chat}\r\n0\r\n\r\n`;
  const notFramed: readonly Headers[] = [
    ['another coding before chunked', ['Transfer-Encoding: gzip, chunked']],
    ['another coding in a header of its own', ['Transfer-Encoding: gzip', 'Transfer-Encoding: chunked']],
    ['another coding after chunked', ['Transfer-Encoding: chunked, gzip']],
    ['chunked twice', ['Transfer-Encoding: chunked, chunked']],
    ['identity', ['Transfer-Encoding: identity, chunked']],
    ['a coding that is none', ['Transfer-Encoding: xchunked']],
    ['chunked with a parameter', ['Transfer-Encoding: chunked;a=b']],
    ['chunked and a length', ['Transfer-Encoding: chunked', `Content-Length: ${chat.length}`]],
    ['TE that names chunked', ['TE: gzip, chunked', 'Transfer-Encoding: chunked']],
    ['TE that names chunked with a weight', ['TE: trailers, Chunked;q=1', 'Transfer-Encoding: chunked']],
  ];
  testEvery(
    'is refused where it is unclear, and nothing more is read',
    notFramed,
    async ([, headers]) => {
      const socket = await open(app.port);
      const smuggled = 'GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n';
      socket.write(`${[...post, ...headers].join('\r\n')}\r\n\r\n${chunked}${smuggled}`);
      const text = await readAll(socket);
      expect(text).toMatch(/^HTTP\/1.1 400 /);
      expect(text.match(/HTTP\/1\.1 \d\d\d/g)).toHaveLength(1);
      expect(text).toContain('malformed_request');
    },
    { idOf: nameOf },
  );

  testEvery('may be chunks', ['Transfer-Encoding: chunked', 'transfer-encoding: Chunked'], async (header) => {
    expect((await send([...post, header, 'TE: trailers, gzip'], chunked)).status).toBe(200);
  });

  it('HTTP/1.0 knows no chunks', async () => {
    const answer = await send(
      ['POST /v1/chat HTTP/1.0', 'Host: x', auth, json, 'Transfer-Encoding: chunked'],
      chunked,
    );
    expect([answer.status, codeOf(answer)]).toEqual([400, 'malformed_request']);
  });
});

describe('a length that is too large', () => {
  const lengths = [
    '1048577',
    '2147483648',
    '4294967296',
    '4294967297',
    '107374182400',
    '9007199254740993',
    '999999999999999999',
  ];
  const heads: readonly [string, string][] = [
    ['a call', `POST /v1/chat HTTP/1.1\r\nHost: x\r\n${auth}\r\n${json}\r\n`],
    [
      'a compressed call',
      `POST /v1/chat HTTP/1.1\r\nHost: x\r\n${auth}\r\n${json}\r\nContent-Encoding: gzip\r\n`,
    ],
    [
      'a form',
      `POST /dashboard HTTP/1.1\r\nHost: ${'127.0.0.1'}\r\nContent-Type: application/x-www-form-urlencoded\r\n`,
    ],
  ];
  const cases = lengths.flatMap((length) =>
    heads.map(([of, head]) => ({ id: `${length} bytes for ${of}`, length, head })),
  );
  testEvery('is refused before the bytes come', cases, async ({ length, head }) => {
    const socket = await open(app.port);
    socket.write(`${head}Accept: application/json\r\nContent-Length: ${length}\r\n\r\n`);
    const answer = answerOf(await readAll(socket));
    expect([answer.status, codeOf(answer)]).toEqual([413, 'payload_too_large']);
    expect(answer.headers).toMatch(/^connection: close/m);
  });

  it('is no reason to wait for a caller without a key', async () => {
    const socket = await open(app.port);
    socket.write(`POST /v1/chat HTTP/1.1\r\nHost: x\r\n${json}\r\nContent-Length: 107374182400\r\n\r\n`);
    const answer = answerOf(await readAll(socket));
    expect([answer.status, codeOf(answer)]).toEqual([401, 'missing_api_key']);
  });

  it('of more digits than any number has is none', async () => {
    const answer = await send([
      'POST /v1/chat HTTP/1.1',
      'Host: x',
      auth,
      json,
      `Content-Length: ${'9'.repeat(30)}`,
    ]);
    expect(answer.status).toBe(400);
  });
});

describe('Expect: 100-continue', () => {
  const head = (...headers: readonly string[]) =>
    `${['POST /v1/chat HTTP/1.1', 'Host: x', json, 'Expect: 100-continue', ...headers].join('\r\n')}\r\n\r\n`;

  it.each<[string, readonly string[], number]>([
    ['without a key', ['Content-Length: 10'], 401],
    ['with a wrong key', ['Authorization: Bearer sw_live_wrong', 'Content-Length: 10'], 401],
    ['with a body that is too long', [auth, 'Content-Length: 1000000000'], 413],
    ['with a body of another type', [auth, 'Content-Length: 10', 'Content-Encoding: bogus'], 415],
    ['for an answer that nobody has', [auth, 'Content-Length: 10', 'Accept: image/png'], 406],
  ])('%s is refused at once', async (_, headers, status) => {
    const socket = await open(app.port);
    socket.write(head(...headers));
    const text = await readAll(socket);
    expect(text).not.toContain('100 Continue');
    expect(answerOf(text).status).toBe(status);
  });

  it('is granted when the body is wanted', async () => {
    const socket = await open(app.port);
    socket.write(head(auth, `Content-Length: ${chat.length}`));
    expect(await new Promise((resolve) => socket.once('data', (data) => resolve(String(data))))).toBe(
      'HTTP/1.1 100 Continue\r\n\r\n',
    );
    socket.write(chat);
    const text = await received(socket, '"content":"hi"');
    expect(answerOf(text).status).toBe(200);
  });

  it('is granted to a form', async () => {
    const socket = await open(app.port);
    const form = 'application/x-www-form-urlencoded';
    socket.write(
      `POST /dashboard HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: ${form}\r\nContent-Length: 3\r\nExpect: 100-continue\r\nConnection: close\r\n\r\n`,
    );
    expect(await new Promise((resolve) => socket.once('data', (data) => resolve(String(data))))).toContain(
      '100 Continue',
    );
    socket.write('a=b');
    expect(answerOf(await readAll(socket)).status).toBe(403);
  });

  it('from HTTP/1.0 is none', async () => {
    const answer = await send(
      [
        'POST /v1/chat HTTP/1.0',
        'Host: x',
        auth,
        json,
        'Expect: 100-continue',
        `Content-Length: ${chat.length}`,
      ],
      chat,
    );
    expect(answer.status).toBe(200);
  });
});

describe('a body that is nested without end', () => {
  const deep = `${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}`;
  it.each<[string, string, RegExp]>([
    ['the body', deep, /required/],
    ['a list', `${'['.repeat(300_000)}${']'.repeat(300_000)}`, /must be an object/],
    [
      'tools',
      `{"message":"x","model":"sandbox/echo","tools":[{"type":"function","function":{"name":"a","parameters":{"type":"object","properties":${deep}}}}]}`,
      /^tools .* levels/,
    ],
    [
      'response_format',
      `{"message":"x","model":"sandbox/echo","response_format":{"type":"json_schema","json_schema":{"name":"a","schema":${deep}}}}`,
      /^response_format .* levels/,
    ],
  ])('%s is refused', async (_, body, message) => {
    const { status, error } = await ask(`${app.url}/v1/chat`, { body });
    expect([status, error.code]).toEqual([400, 'invalid_request']);
    expect(error.message).toMatch(message);
  });

  it('but brackets in text are none', async () => {
    const { status } = await ask(`${app.url}/v1/chat`, {
      body: { message: '[{'.repeat(5000), model: 'sandbox/echo' },
    });
    expect(status).toBe(200);
  });
});

describe('what is not there', () => {
  const unknownJob = 'job_00000000000000000000000000';
  const paths = [
    '/nothing',
    '/assets/nothing.js',
    '/assets/0123456789ab/nothing.js',
    `/factory/jobs/${unknownJob}`,
    '/factory/jobs/x',
    `/preview/${unknownJob}/`,
    '/preview/x/',
  ];
  testEvery('is an error to a program and a page to a person', paths, async (path) => {
    const asked = (accept: string) => ask(app.url + path, { headers: { accept }, direct: true });
    const program = await asked('application/json');
    expect([program.status, program.error.code, program.headers['content-type']]).toEqual([
      404,
      'not_found',
      'application/json; charset=utf-8',
    ]);
    expect(program.error.request_id).toBe(program.headers['x-request-id']);
    const person = await asked('text/html,application/xhtml+xml,*/*;q=0.8');
    expect([person.status, person.headers['content-type']]).toEqual([404, 'text/html; charset=utf-8']);
    expect(person.text).toContain('<h1>');
  });

  testEvery(
    'is an error to who loads it with a page',
    ['/assets/nothing.js', '/assets/0123456789ab/nothing.css'],
    async (path) => {
      const { status, error } = await ask(app.url + path, { headers: { accept: '*/*' }, direct: true });
      expect([status, error.code]).toEqual([404, 'not_found']);
    },
  );
});
