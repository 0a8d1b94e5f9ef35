/** Who asks for the pages with sign-in under a name that is not the server's, and what cookies are called behind TLS. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { appForThisTest, startApp, type TestApp, testAdminPassword, testKey } from '../helpers/app.ts';
import { open, readAll } from '../helpers/http.ts';

const adminPath = '/admin/factory/settings/api-keys';
const pages = [adminPath, '/dashboard', '/dashboard/sign-in'];

interface Raw {
  readonly host: string | null;
  readonly headers?: readonly string[];
  readonly body?: string;
}

async function send(app: TestApp, request: string, { host, headers = [], body = '' }: Raw) {
  const socket = await open(app.port);
  const version = host === null ? 'HTTP/1.0' : 'HTTP/1.1';
  const length = body === '' ? [] : [`Content-Length: ${Buffer.byteLength(body)}`];
  const head = [`${request} ${version}`, ...(host === null ? [] : [`Host: ${host}`]), ...headers, ...length];
  socket.write(`${head.join('\r\n')}\r\nConnection: close\r\n\r\n${body}`);
  const text = await readAll(socket);
  const status = Number(text.split(' ')[1]);
  const cookies = [...text.matchAll(/^set-cookie: (.*)$/gim)].map(([, cookie = '']) => cookie.trim());
  return { status, text, cookies, body: text.slice(text.indexOf('\r\n\r\n') + 4) };
}

const json = ['Accept: application/json', 'Content-Type: application/json'];
const signIn = { headers: json, body: JSON.stringify({ password: testAdminPassword }) };

describe('the pages and operations that people sign in to', () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await startApp({ publicUrl: 'http://gateway.example:8080', allowedHosts: ['other.example'] });
  });
  afterAll(() => app.close());

  const foreign = [
    'evil.example',
    'evil.example:8080',
    'gateway.example.evil.example',
    'evilgateway.example',
    'evil.other.example',
    'gateway.example.',
    'evillocalhost',
    'localhost.evil.example',
    '127.0.0.1.evil.example',
    '1.2.3.4.5',
    '[::1].evil.example',
    '',
    null,
  ];
  it.each(foreign)('are refused under the name %j', async (host) => {
    for (const path of pages) {
      const page = await send(app, `GET ${path}`, { host, headers: ['Accept: text/html'] });
      expect([path, page.status]).toEqual([path, 400]);
      expect(page.text).toContain('ALLOWED_HOSTS');
      expect((await send(app, `POST ${path}`, { host, headers: json })).body).toContain('"host_not_allowed"');
    }
    const session = await send(app, 'POST /api/admin/session', { host, ...signIn });
    expect([session.status, session.cookies]).toEqual([400, []]);
    const cookie = await send(app, 'GET /api/admin/tenants', {
      host,
      headers: [...json, 'Cookie: switchyard_admin=x'],
    });
    expect(cookie.body).toContain('"host_not_allowed"');
  });

  const own = [
    'gateway.example',
    'GATEWAY.example:8080',
    'other.example:81',
    'localhost',
    'LOCALHOST:8080',
    'my.localhost',
    '127.0.0.1',
    '[::1]:8080',
    '192.0.2.7:8080',
    '[2001:db8::7]',
  ];
  it.each(own)('are there under %s', async (host) => {
    for (const path of pages) expect((await send(app, `GET ${path}`, { host })).status).toBe(200);
    expect((await send(app, 'POST /api/admin/session', { host, ...signIn })).status).toBe(201);
  });

  it.each(foreign)('leave programs with keys alone under %j', async (host) => {
    const models = await send(app, 'GET /v1/models', { host, headers: [`Authorization: Bearer ${testKey}`] });
    expect(models.status).toBe(200);
    const password = `Authorization: Bearer ${testAdminPassword}`;
    expect((await send(app, 'GET /api/admin/tenants', { host, headers: [password] })).status).toBe(200);
    for (const path of ['/', '/docs', '/playground', '/healthz', '/openapi.json'])
      expect((await send(app, `GET ${path}`, { host })).status).toBe(200);
  });
});

describe('cookies behind TLS', () => {
  const host = 'gateway.example';
  const behindTls = () => appForThisTest({ publicUrl: `https://${host}` });

  it('are bound to the host, and taken under that name only', async () => {
    const app = await behindTls();
    const { cookies, body } = await send(app, 'POST /api/admin/session', { host, ...signIn });
    expect(cookies).toEqual([
      expect.stringMatching(
        /^__Host-switchyard_admin=\w{43}; Path=\/; Max-Age=43200; HttpOnly; SameSite=Strict; Secure$/,
      ),
    ]);
    const [cookie = ''] = cookies[0]?.split(';') ?? [];
    const listed = (given: string) =>
      send(app, 'GET /api/admin/tenants', { host, headers: [`Cookie: ${given}`] });
    expect((await listed(cookie)).status).toBe(200);
    const bare = cookie.replace('__Host-', '');
    expect((await listed(bare)).status).toBe(401);
    expect((await listed(`${bare.replace(/=.*/, '=planted')}; ${cookie}`)).status).toBe(200);

    const token = `X-CSRF-Token: ${JSON.parse(body).csrf_token}`;
    const headers = [...json, token, `Cookie: ${cookie}`, 'Sec-Fetch-Site: same-origin'];
    const out = await send(app, 'DELETE /api/admin/session', { host, headers });
    expect(out.cookies).toEqual([
      expect.stringMatching(/^__Host-switchyard_admin=; Path=\/; Max-Age=0;.*Secure$/),
    ]);
    expect((await listed(cookie)).status).toBe(401);
  });

  it('of the pages too, with what they say after a form', async () => {
    const app = await behindTls();
    const form = (path: string, fields: Record<string, string>, cookie = '') =>
      send(app, `POST ${path}`, {
        host,
        headers: [
          'Content-Type: application/x-www-form-urlencoded',
          `Origin: https://${host}`,
          ...(cookie === '' ? [] : [`Cookie: ${cookie}`]),
        ],
        body: new URLSearchParams(fields).toString(),
      });
    const admin = await form(adminPath, { action: 'sign-in', password: testAdminPassword });
    expect([admin.status, admin.cookies]).toEqual([
      303,
      [expect.stringMatching(/^__Host-switchyard_admin=\w{43};.*Secure$/)],
    ]);
    const [cookie = ''] = admin.cookies[0]?.split(';') ?? [];
    const page = await send(app, `GET ${adminPath}`, { host, headers: [`Cookie: ${cookie}`] });
    const csrf = /name="csrf" value="([^"]+)"/.exec(page.body)?.[1] ?? '';
    const made = await form(adminPath, { action: 'create-tenant', csrf, id: 'acme', plan: 'pro' }, cookie);
    expect([made.status, made.cookies]).toEqual([
      303,
      [expect.stringMatching(/^__Host-switchyard_flash=.*Secure$/)],
    ]);

    const { token } = await app.accounts.sessions.invite('acme', 'test');
    const tenant = await form('/dashboard/sign-in', { link: token });
    expect([tenant.status, tenant.cookies]).toEqual([
      303,
      [expect.stringMatching(/^__Host-switchyard_tenant=\w{43};.*Secure$/)],
    ]);
    const headers = [`Cookie: ${tenant.cookies[0]?.split(';')[0]}`];
    expect((await send(app, 'GET /dashboard', { host, headers })).body).toContain('acme');
  });
});
