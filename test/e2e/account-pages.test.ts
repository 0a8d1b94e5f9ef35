/** The admin area and the dashboard against requests that their own pages would not send. */
import { request } from 'undici';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { setCookie } from '../../src/lib/cookies.ts';
import { dayName, dayOf } from '../../src/lib/utc.ts';
import { tokenUsage } from '../../src/model/usage.ts';
import { byName, sumColumns } from '../../src/store/token-columns.ts';
import { appForThisTest, startApp, type TestApp, testAdminPassword } from '../helpers/app.ts';
import { admitted, askFor, success } from '../helpers/store-accounts.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
  for (const id of ['alpha', 'beta']) await app.accounts.tenants.create({ id, plan: 'pro' }, 'test');
});
afterAll(() => app.close());

const html = 'text/html; charset=utf-8';
const admin = '/admin/factory/settings/api-keys';

async function get(path: string, cookie = '') {
  const reply = await request(app.url + path, { headers: { cookie } });
  return { status: reply.statusCode, headers: reply.headers, text: await reply.body.text() };
}

async function post(path: string, fields: Record<string, string>, headers: Record<string, string> = {}) {
  const reply = await request(app.url + path, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded', origin: app.url, ...headers },
    body: new URLSearchParams(fields).toString(),
  });
  return { status: reply.statusCode, headers: reply.headers, text: await reply.body.text() };
}

/** A session of a tenant, of the administrator for null, as its cookie and form token. */
async function session(tenantId: string | null) {
  const { token } = await app.accounts.sessions.begin(tenantId);
  const csrf = (await app.accounts.sessions.find(token))?.csrfToken ?? '';
  return { cookie: `${tenantId === null ? 'switchyard_admin' : 'switchyard_tenant'}=${token}`, csrf };
}

const countTenants = async () => (await app.accounts.tenants.list()).items.length;

describe('a form', () => {
  const fields = { action: 'create-tenant', id: 'forged', plan: 'pro' };

  it.each<[string, Record<string, string>, boolean]>([
    ['from another origin', { origin: 'https://evil.example' }, true],
    ['from a frame without an origin', { origin: 'null' }, true],
    ['from another site', { 'sec-fetch-site': 'cross-site' }, true],
    ['without its token', {}, false],
  ])('%s is refused and changes nothing', async (_how, headers, withToken) => {
    const { cookie, csrf } = await session(null);
    const before = await countTenants();
    const reply = await post(admin, { ...fields, ...(withToken && { csrf }) }, { cookie, ...headers });
    expect(reply.status).toBe(403);
    expect(await countTenants()).toBe(before);
  });

  it('without a session is refused', async () => {
    expect((await post(admin, fields)).status).toBe(403);
    expect((await post('/dashboard', { action: 'create-key' })).status).toBe(403);
  });

  it('to sign in is refused from another site', async () => {
    const asking = { action: 'sign-in', password: testAdminPassword };
    expect((await post(admin, asking, { 'sec-fetch-site': 'cross-site' })).status).toBe(403);
  });

  it('leads on, with a message that is shown once and says what was wrong', async () => {
    const { cookie, csrf } = await session(null);
    const reply = await post(admin, { ...fields, id: 'Not an id', csrf }, { cookie });
    expect([reply.status, reply.headers['location']]).toEqual([303, admin]);
    const flash = String(reply.headers['set-cookie']).split(';')[0];
    const page = await get(admin, `${cookie}; ${flash}`);
    expect(page.text).toContain('A tenant id has 1 to 63 lower-case letters');
    expect(String(page.headers['set-cookie'])).toContain('switchyard_flash=; Path=/; Max-Age=0');
  });

  it('that is too large or no form is refused', async () => {
    const large = await post(admin, { action: 'x'.repeat(70_000) });
    expect([large.status, large.headers['content-type']]).toEqual([413, html]);
    const json = await post(admin, { action: 'sign-in' }, { 'content-type': 'application/json' });
    expect([json.status, json.headers['content-type']]).toEqual([415, html]);
  });
});

describe('a key in place of a link', () => {
  const signIn = async (link: string) => {
    const reply = await post('/dashboard/sign-in', { link });
    return { ...reply, cookie: String(reply.headers['set-cookie']).split(';')[0] ?? '' };
  };

  it('opens the dashboard until it is revoked', async () => {
    const { key, text } = await app.accounts.storedKeys.create({ tenantId: 'alpha' }, 'test');
    const { status, cookie } = await signIn(text);
    expect(status).toBe(303);
    expect((await get('/dashboard', cookie)).text).toContain('Last requests');
    await app.accounts.storedKeys.revoke({ id: key.id, tenantId: 'alpha' }, 'test');
    expect((await get('/dashboard', cookie)).text).toContain('sign-in link');
    expect((await get('/dashboard/usage.csv', cookie)).status).toBe(303);
  });

  // Whoever has found a key would else have others when it is revoked.
  it('changes no keys, whatever its scopes', async () => {
    const { text } = await app.accounts.storedKeys.create({ tenantId: 'beta' }, 'test');
    const { cookie } = await signIn(text);
    const page = await get('/dashboard', cookie);
    expect(page.text).toContain('To change keys, sign in with a link');
    expect(page.text).not.toMatch(/Create key|Revoke/);
    const { csrfToken = '' } = (await app.accounts.sessions.find(cookie.split('=')[1] ?? '')) ?? {};
    const count = async () => (await app.accounts.storedKeys.list('beta')).items.length;
    const before = await count();
    const fields = { action: 'create-key', label: 'more', scope: 'factory', csrf: csrfToken };
    expect((await post('/dashboard', fields, { cookie })).status).toBe(303);
    expect(await count()).toBe(before);
  });

  it('that nobody has is refused', async () => {
    expect((await signIn('sw_live_nothing')).status).toBe(401);
  });
});

it('/admin leads to the admin area', async () => {
  const { status, headers } = await get('/admin');
  expect([status, headers['location']]).toEqual([303, admin]);
});

describe('a failure', () => {
  const browser = { accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' };
  const asked = async (path: string, headers: Record<string, string> = browser, method = 'GET') => {
    const reply = await request(app.url + path, { method: method as 'GET', headers });
    return { status: reply.statusCode, headers: reply.headers, text: await reply.body.text() };
  };

  it('is a page where a page is asked for', async () => {
    for (const [path, method, status] of [
      ['/nothing-here', 'GET', 404],
      ['/dashboard', 'DELETE', 405],
      ['/%zz', 'GET', 400],
      ['/v1/chat', 'GET', 405],
    ] as const) {
      const reply = await asked(path, browser, method);
      expect([path, reply.status, reply.headers['content-type']]).toEqual([path, status, html]);
      expect(reply.text).toContain(String(reply.headers['x-request-id']));
      expect(String(reply.headers['content-security-policy'])).toContain("default-src 'none'");
      if (status === 405) expect(reply.headers['allow']).toBeDefined();
    }
    expect((await asked('/<script>alert(1)</script>')).text).not.toContain('<script>alert');
  });

  it('to find an app is a page in our design, while its address stays out of search engines', async () => {
    for (const id of ['nothing', 'job_01h455vb4pex5vsknk084sn02q']) {
      const reply = await asked(`/preview/${id}/`);
      expect([reply.status, reply.headers['content-type']]).toEqual([404, html]);
      expect(reply.text).toContain('There is no app here');
      expect(reply.text).toMatch(/href="\/assets\/[^"]+\/switchyard\.css"/);
      expect(reply.headers['x-robots-tag']).toBe('noindex');
    }
  });

  it('is JSON where programs ask, and at every operation', async () => {
    for (const [path, headers] of [
      ['/nothing-here', {}],
      ['/nothing-here', { accept: '*/*' }],
      ['/dashboard?cursor=broken', { accept: 'application/json', cookie: (await session('alpha')).cookie }],
      ['/v1/models', browser],
    ] as const) {
      const reply = await asked(path, headers);
      expect([path, reply.headers['content-type']]).toEqual([path, 'application/json; charset=utf-8']);
      expect(JSON.parse(reply.text).error.request_id).toBe(reply.headers['x-request-id']);
    }
  });

  it('to find what the address names is 404 or 400', async () => {
    const { cookie } = await session(null);
    for (const [query, status] of [
      ['tenant=nobody', 404],
      ['tenant=alpha&rotate=none', 404],
      ['signup=none', 404],
      ['cursor=broken', 400],
      ['tenant=alpha&cursor=broken', 400],
      ['view=changes&cursor=broken', 400],
    ] as const) {
      expect([query, (await get(`${admin}?${query}`, cookie)).status]).toEqual([query, status]);
    }
    const tenant = await session('alpha');
    expect((await get('/dashboard?requests=broken', tenant.cookie)).status).toBe(400);
  });

  it('of the database is told, with what to do', async () => {
    const server = await appForThisTest({ errorsExpected: true });
    const { token } = await server.accounts.sessions.begin(null);
    await server.breakDatabase();
    for (const path of [admin, '/dashboard']) {
      const cookie = `switchyard_admin=${token}; switchyard_tenant=${token}`;
      const reply = await request(server.url + path, { headers: { cookie } });
      expect([reply.statusCode, reply.headers['content-type']]).toEqual([503, html]);
      expect(await reply.body.text()).toContain('Try again later');
    }
    const fields = { email: 'ada@example.com', orgName: 'Analytical Engines', tier: 'pro' };
    const reply = await request(`${server.url}/factory/signup`, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded', origin: server.url },
      body: new URLSearchParams(fields).toString(),
    });
    expect([reply.statusCode, (await reply.body.text()).includes('Thank you')]).toEqual([200, true]);
  });
});

describe('usage', () => {
  it('is shown for 7, 30 or 90 days, of more models than there are colours', async () => {
    const { cookie } = await session('beta');
    const today = dayOf(Date.now());
    const { db } = app.accounts.store;
    for (let n = 0; n < 30; n += 1) {
      const row = { tenant_id: 'beta', day: today - n, operation: 'createChat', model: `model <${n}>` };
      const used = { ...row, ...byName(sumColumns, () => 0), requests: 100 - n };
      await db.insertInto('usage_days').values(used).execute();
    }
    for (const [query, days, requests] of [
      ['?days=7', 7, 679],
      ['', 30, 2_565],
      ['?days=90', 90, 2_565],
      ['?days=1000', 30, 2_565],
    ] as const) {
      const { text } = await get(`/dashboard${query}`, cookie);
      expect(text).toContain(`aria-current="true">${days} days`);
      expect(text).toContain(
        `aria-label="${requests.toLocaleString('en')} requests from ${dayName(today - days + 1)} to ${dayName(today)}"`,
      );
      expect(text).toContain('other models: ');
      expect(text).not.toContain('model <');
    }
    const wrong = await get('/dashboard?tag=bad+tag!', cookie);
    expect([wrong.status, wrong.text]).toEqual([
      400,
      expect.stringContaining('A tag name has 1 to 64 letters'),
    ]);
    const { text } = await get(`${admin}?tenant=beta&days=90`, (await session(null)).cookie);
    expect(text).toContain('aria-current="true">90 days');
    expect(text.match(/<td data-label="Model">/g)).toHaveLength(21);
  });
});

describe('a request on the dashboard', () => {
  it('shows every class of tokens and what was dropped or adapted, escaped', async () => {
    const { cookie } = await session('alpha');
    const tokens = { inputUncached: 16, cacheRead: 8, cacheWrite1h: 4_000, output: 11, reasoning: 3 };
    const ask = askFor(app.accounts, 'alpha', app.accounts.plans.pro);
    await admitted(await ask()).settle({
      ...success,
      usage: { tokens: tokenUsage({ ...tokens, audioOut: 2 }), source: 'provider' },
      warnings: [
        { code: 'unknown_field_dropped', message: 'Dropped.', param: '<b>x' },
        { code: 'fallback_used', message: 'Another answered.', param: null },
      ],
    });
    const { text } = await get('/dashboard', cookie);
    expect(text).toContain(
      '4,024 <small class="muted">(8 read from the cache, 4,000 written to it for an hour)</small> in, 11 <small class="muted">(3 reasoning, 2 audio)</small> out, counted by the provider',
    );
    expect(text).toContain(
      '<dt>Warnings</dt><dd><code>unknown_field_dropped</code> (<code>&lt;b&gt;x</code>), <code>fallback_used</code></dd>',
    );
    expect(text).toContain('<td data-label="Tokens in">4,024 <small class="muted">(8 read');
  });
});

describe('a tenant', () => {
  it('cannot reach the admin area with its session, nor an administrator the dashboard', async () => {
    const tenant = await session('alpha');
    const cookie = tenant.cookie.replace('switchyard_tenant', 'switchyard_admin');
    expect((await get(admin, cookie)).text).toContain('name="password"');
    const forged = { action: 'create-tenant', id: 'forged', plan: 'pro', csrf: tenant.csrf };
    expect((await post(admin, forged, { cookie })).status).toBe(403);
    const { cookie: ofAdmin } = await session(null);
    const swapped = ofAdmin.replace('switchyard_admin', 'switchyard_tenant');
    expect((await get('/dashboard', swapped)).text).toContain('name="link"');
  });

  it("cannot see, rotate or revoke another tenant's key", async () => {
    const { storedKeys } = app.accounts;
    const { key } = await storedKeys.create({ tenantId: 'beta', label: 'of beta' }, 'test');
    const { cookie, csrf } = await session('alpha');
    expect((await get('/dashboard', cookie)).text).not.toContain(key.id);
    for (const step of ['rotate', 'revoke']) {
      const page = await get(`/dashboard?${step}=${key.id}`, cookie);
      expect(page.text).toContain('There is no key');
      expect(page.text).not.toContain('of beta');
      await post(
        '/dashboard',
        { action: `${step}-key`, key: key.id, grace: '0', tenant: 'beta', csrf },
        { cookie },
      );
    }
    expect((await storedKeys.get({ id: key.id, tenantId: 'beta' })).status).toBe('active');
  });

  it('names itself in the audit log', async () => {
    const { cookie, csrf } = await session('alpha');
    await post('/dashboard', { action: 'create-key', scope: 'chat', csrf }, { cookie });
    const [latest] = (await app.accounts.storedKeys.list('alpha')).items;
    expect(latest).toMatchObject({ tenantId: 'alpha', scopes: ['chat'] });
  });

  it('loses its session when it is suspended, and is told so, also by its link', async () => {
    const { tenants, sessions } = app.accounts;
    await tenants.create({ id: 'late', plan: 'free' }, 'test');
    const { cookie } = await session('late');
    const { token } = await sessions.invite('late', 'test');
    expect((await get('/dashboard', cookie)).text).toContain('Sign out');
    await tenants.change('late', { suspended: true }, 'test');
    const closed = await get('/dashboard', cookie);
    expect(closed.text).not.toContain('Sign out');
    const link = await post('/dashboard/sign-in', { link: token });
    for (const { status, text } of [closed, link]) {
      expect([status, text.includes('This account is suspended')]).toEqual([403, true]);
    }
    expect(link.headers['set-cookie']).toBeUndefined();
    expect((await get('/dashboard')).text).not.toContain('suspended');
    await tenants.change('late', { suspended: false }, 'test');
    expect((await post('/dashboard/sign-in', { link: token })).status).toBe(303);
  });

  it('is suspended in two steps, and gets no links until it is let in again', async () => {
    await app.accounts.tenants.create({ id: 'risky', name: 'Risky <Ltd>', plan: 'free' }, 'test');
    const { cookie, csrf } = await session(null);
    const shown = await get(`${admin}?tenant=risky`, cookie);
    expect(shown.text).toContain('Make a sign-in link');
    expect(shown.text).not.toContain('value="suspend-tenant"');
    expect(shown.text).toContain('?tenant=risky&amp;suspend=yes');
    const step = await get(`${admin}?tenant=risky&suspend=yes`, cookie);
    expect(step.text).toContain('Suspend the tenant “Risky &lt;Ltd&gt;”?');
    expect(step.text).toContain('value="suspend-tenant"');
    await post(admin, { action: 'suspend-tenant', tenant: 'risky', csrf }, { cookie });
    for (const query of ['', '&suspend=yes']) {
      const { text } = await get(`${admin}?tenant=risky${query}`, cookie);
      expect(text).toContain('Resume tenant');
      expect(text).not.toContain('Make a sign-in link');
      expect(text).not.toContain('value="suspend-tenant"');
    }
  });

  it.each([
    ['the admin area', `${admin}?tenant=alpha`, admin, null, { tenant: 'alpha' }],
    ['the dashboard', '/dashboard', '/dashboard', 'alpha', {}],
  ] as const)('keeps what was typed for a key that was refused: %s', async (_where, place, to, who, more) => {
    const { cookie, csrf } = await session(who);
    const formOf = async (fields: Record<string, string>) => {
      const reply = await post(to, { action: 'create-key', ...more, ...fields, csrf }, { cookie });
      expect([reply.status, reply.headers['location']]).toEqual([303, `${place}#new-key`]);
      const flash = String(reply.headers['set-cookie']).split(';')[0];
      const { text } = await get(place, `${cookie}; ${flash}`);
      expect(text.match(/role="alert"/g)).toHaveLength(1);
      return text.slice(text.indexOf('id="new-key"'), text.indexOf('Create key'));
    };
    const none = await formOf({ label: 'For "Ada"', expires: '2999-01-31' });
    expect(none).toContain('Choose at least one scope.');
    expect(none).toContain('value="For &quot;Ada&quot;"');
    expect(none).toContain('value="2999-01-31"');
    expect(none).not.toContain(' checked');
    const past = await formOf({ label: 'Old', expires: '2001-01-31', scope: 'chat' });
    expect(past).toContain('A key expires at a time in the future.');
    expect(past.match(/value="(\w+)" checked/g)).toEqual(['value="chat" checked']);
    expect((await get(place, cookie)).text.match(/ checked>/g)?.length).toBeGreaterThan(2);
  });
});

it('pages with forms are never stored, framed or told to other sites', async () => {
  for (const path of [admin, '/dashboard', '/dashboard/sign-in']) {
    const { headers } = await get(path);
    expect(headers).toMatchObject({
      'cache-control': 'no-store',
      'referrer-policy': 'same-origin',
      'x-frame-options': 'DENY',
    });
    expect(headers['content-security-policy']).toContain("script-src 'self'");
    expect(headers['access-control-allow-origin']).toBeUndefined();
  }
});

it('cookies travel over HTTPS only where the server is reached by it', () => {
  expect(setCookie('name', 'value', { secure: true, maxAge: 60 })).toBe(
    '__Host-name=value; Path=/; Max-Age=60; HttpOnly; SameSite=Strict; Secure',
  );
});
