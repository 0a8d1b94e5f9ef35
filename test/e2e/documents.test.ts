import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { request } from 'undici';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { operationsOf } from '../../src/contract/served/document.ts';
import { adminPath } from '../../src/pages/account/parts.ts';
import { assetAddress, importedBy } from '../../src/pages/asset-files.ts';
import { appForThisTest, startApp, type TestApp, testAdminPassword, testKey } from '../helpers/app.ts';
import { contract } from '../helpers/contract.ts';
import { ask } from '../helpers/http.ts';

/** What the server publishes about itself: small enough to be read, and true of this very server. */
describe('documents', () => {
  /** Bytes of each document for one operation, uncompressed. They grow with the operations and with nothing else. */
  const bytesPerOperation = {
    '/openapi.json': 2_800,
    '/api/factory/openapi': 2_800,
    '/api/factory/manifest': 360,
    '/api/factory/postman': 5_050,
  };
  const bounds = Object.entries(bytesPerOperation).map(
    ([path, bytes]) => [path, bytes * operationsOf(contract).length] as const,
  );

  interface Collection {
    variable: { key: string; value: string }[];
    item: {
      item: {
        name: string;
        request: {
          method: string;
          url: { path: string[]; variable?: { key: string; value: string }[] };
          body?: { raw: string };
        };
      }[];
    }[];
  }

  async function collectionOf(url: string) {
    const { variable, item } = (await ask(`${url}/api/factory/postman`, { key: null })).json as Collection;
    const requests = item.flatMap((folder) => folder.item.map(({ request }) => request));
    const paths = requests.map(({ method, url }) => `${method} /${url.path.join('/')}`);
    const at = (path: string) => requests.find(({ url }) => `/${url.path.join('/')}` === path);
    return { variable: Object.fromEntries(variable.map(({ key, value }) => [key, value])), at, paths };
  }

  describe('what the server publishes', () => {
    it.each(bounds)('%s has at most %i bytes', async (path, bound) => {
      const { url } = await appForThisTest();
      const { status, text } = await ask(url + path, { key: null });
      expect(status).toBe(200);
      expect(Buffer.byteLength(text)).toBeLessThanOrEqual(bound);
      expect(Buffer.byteLength(text)).toBeGreaterThan(5_000);
    });

    it('says in the manifest what streams, and which operations are of a foreign interface', async () => {
      const { url } = await appForThisTest();
      const manifest = (await ask(`${url}/api/factory/manifest`, { key: null })).json;
      const rows = manifest.operations.map((operation: Record<string, unknown>) => [
        operation['operation_id'],
        [operation['wire'], operation['streams']],
      ]);
      expect(Object.fromEntries(rows)).toMatchObject({
        createChat: [undefined, false],
        streamChat: [undefined, true],
        getModel: ['openai', false],
        createChatCompletion: ['openai', true],
        createMessage: ['anthropic', true],
        countMessageTokens: ['anthropic', false],
        streamGenerateContent: ['gemini', true],
      });
    });

    it('names in the manifest the place of each event in the contract, and how to begin', async () => {
      const { url } = await appForThisTest();
      const manifest = (await ask(`${url}/api/factory/manifest`, { key: null })).json;
      const contract = (await ask(`${url}/openapi.json`, { key: null })).json;
      const references = Object.values(manifest.events as Record<string, { $ref: string }>);
      expect(references.length).toBeGreaterThan(5);
      for (const { $ref } of references) {
        const [document, name = ''] = $ref.split('#/components/schemas/');
        expect(document).toBe(`${url}/openapi.json`);
        expect(contract.components.schemas).toHaveProperty(name);
      }
      const { url: first, body } = manifest.start.first_call;
      const answer = await ask(first, { body });
      expect([answer.status, typeof answer.json.content]).toEqual([200, 'string']);
    });

    it('expects of planned operations in the collection what this server does', async () => {
      const closed = await appForThisTest({ signupOpen: false });
      const open = await appForThisTest({ signupOpen: true });
      expect((await collectionOf(closed.url)).variable['planned']).toBe('signUp');
      expect((await collectionOf(open.url)).variable['planned']).toBe('');
    });

    it('hands ids on in the collection, and leaves the password to its environment', async () => {
      const { url } = await appForThisTest();
      const { variable, at, paths } = await collectionOf(url);
      const ofSessions = paths.filter((path) => /\/admin\/sessions?(\/|$)/.test(path));
      expect(ofSessions).toEqual([
        'POST /api/admin/session',
        'GET /api/admin/sessions',
        'DELETE /api/admin/sessions/:session_id',
        'DELETE /api/admin/session',
      ]);
      const handedOn = [
        '/api/admin/keys/:key_id/rotate',
        '/api/admin/keys/:key_id/revoke',
        '/api/admin/signups/:signup_id/approve',
        '/api/admin/signups/:signup_id/reject',
      ].map((path) => at(path)?.url.variable?.[0]?.value);
      expect(handedOn).toEqual([
        '{{rotateKey_key_id}}',
        '{{revokeKey_key_id}}',
        '{{approveSignup_signup_id}}',
        '{{rejectSignup_signup_id}}',
      ]);
      expect(handedOn.filter((name = '') => !(name.slice(2, -2) in variable))).toEqual([]);
      expect(JSON.parse(at('/api/admin/session')?.body?.raw ?? '')).toEqual({
        password: '{{adminPassword}}',
      });
      expect(at('/api/admin/sessions/:session_id')?.url.variable?.[0]?.value).toBe(
        '{{endSession_session_id}}',
      );
    });
  });
});

describe('assets', () => {
  describe('files of pages', () => {
    let app: TestApp;
    beforeAll(async () => {
      app = await startApp();
    });
    afterAll(() => app.close());

    const get = (path: string) => fetch(app.url + path);

    it('may be kept for good under their version, and shortly under another or none', async () => {
      const address = assetAddress('demo.js');
      const kept = await get(address);
      expect(kept.headers.get('content-type')).toBe('text/javascript; charset=utf-8');
      expect(kept.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
      const text = await kept.text();
      for (const other of ['/assets/demo.js', '/assets/of-another-server/demo.js']) {
        const answer = await get(other);
        expect(answer.headers.get('cache-control'), other).toBe('public, max-age=300');
        expect(await answer.text()).toBe(text);
      }
    });

    it('are scripts, styles and pictures, and nothing else of the folder', async () => {
      for (const path of ['/assets/nothing.js', '/assets/tsconfig.json', '/assets/x/..%2Fpages.ts']) {
        expect((await get(path)).status, path).toBe(404);
      }
      expect(() => assetAddress('tsconfig.json')).toThrow('there is no asset');
    });

    it('are all asked for by the page that needs them', async () => {
      const page = await (await get('/')).text();
      const modules = importedBy('demo.js');
      expect(modules).toContain('html.js');
      for (const name of modules)
        expect(page).toContain(`<link rel="modulepreload" href="${assetAddress(name)}">`);
    });
  });
});

/** What a server does with bodies in Brotli while it runs on a Node.js that must not decode them. */
describe('bodies in Brotli', () => {
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
    ['an operation of ours', '/v1/chat', json, chat, key, 'gzip, deflate, zstd'],
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
      'gzip, deflate, zstd',
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
});

describe('upgrades', () => {
  it('refuses a WebSocket at once with 426, where nothing else stands', async () => {
    const { port } = await appForThisTest();
    const socket = connect(port, '127.0.0.1');
    socket.write(
      'GET /v1/responses HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n',
    );
    const reply = await text(socket);
    expect(reply).toMatch(/^HTTP\/1\.1 426 Upgrade Required\r\n/);
    expect(reply).toContain('"code":"websocket_unsupported"');
  });
});
