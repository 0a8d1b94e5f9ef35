/** The admin interface: sessions and their protection, and what an administrator does with tenants and keys. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { appForThisTest, startApp, type TestApp, testAdminPassword } from '../helpers/app.ts';
import { type Ask, ask } from '../helpers/http.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.close());

/** A call as scripts make it. */
const call = (path: string, asking: Ask = {}) =>
  ask(`${app.url}/api/admin${path}`, { key: testAdminPassword, ...asking });

async function signIn(on = app) {
  const reply = await ask(`${on.url}/api/admin/session`, {
    body: { password: testAdminPassword },
    key: null,
  });
  const setCookie = String(reply.headers['set-cookie']);
  return { reply, setCookie, cookie: setCookie.split(';')[0] ?? '', csrf: String(reply.json.csrf_token) };
}

describe('a session', () => {
  it('begins with the password, in a cookie that no script and no other site gets', async () => {
    const { reply, setCookie } = await signIn();
    expect(reply.status).toBe(201);
    expect(setCookie).toMatch(/^switchyard_admin=\w{43}; Path=\/; Max-Age=43200; HttpOnly; SameSite=Strict$/);
    expect(reply.headers['cache-control']).toBe('no-store');
  });

  it('reads with its cookie alone', async () => {
    const { cookie } = await signIn();
    expect((await call('/tenants', { key: null, headers: { cookie } })).status).toBe(200);
  });

  it.each<[string, (csrf: string, origin: string) => Record<string, string>]>([
    ['without its token', (_csrf, origin) => ({ origin })],
    ['with another token', (csrf, origin) => ({ origin, 'x-csrf-token': csrf.replace(/.$/, '-') })],
    ['from another origin', (csrf) => ({ origin: 'https://evil.example', 'x-csrf-token': csrf })],
    ['from another site', (csrf) => ({ 'sec-fetch-site': 'same-site', 'x-csrf-token': csrf })],
    ['from nowhere', (csrf) => ({ 'x-csrf-token': csrf })],
  ])('changes nothing %s', async (_how, headersOf) => {
    const { cookie, csrf } = await signIn();
    const headers = { cookie, ...headersOf(csrf, app.url) };
    const reply = await call('/tenants', { key: null, headers, body: { id: 'forged', plan: 'free' } });
    expect([reply.status, reply.error.code]).toEqual([403, 'csrf_refused']);
    expect((await call('/tenants/forged')).status).toBe(404);
  });

  it('changes something with its token from a page of this server', async () => {
    const { cookie, csrf } = await signIn();
    for (const [id, from] of [
      ['by-origin', { origin: app.url }],
      ['by-fetch', { 'sec-fetch-site': 'same-origin' }],
    ] as const) {
      const headers = { cookie, 'x-csrf-token': csrf, ...from };
      expect((await call('/tenants', { key: null, headers, body: { id, plan: 'free' } })).status).toBe(201);
    }
  });

  it('is over after signing out', async () => {
    const { cookie, csrf } = await signIn();
    const headers = { cookie, 'x-csrf-token': csrf, origin: app.url };
    const out = await call('/session', { method: 'DELETE', key: null, headers });
    expect([out.status, out.text]).toEqual([204, '']);
    expect(out.headers['set-cookie']).toContain('switchyard_admin=; Path=/; Max-Age=0');
    expect((await call('/tenants', { key: null, headers: { cookie } })).status).toBe(401);
  });

  it('is seen by others, without what would open it, and is over at once when one of them ends it', async () => {
    const [mine, theirs] = [await signIn(), await signIn()];
    expect(theirs.reply.json.id).toMatch(/^ses_\w{26}$/);
    const headers = { cookie: mine.cookie, 'x-csrf-token': mine.csrf, origin: app.url };
    const as = { key: null, headers };
    const list = await call('/sessions?limit=2', as);
    const shown = list.json.data.map(({ id, current, method, role }: Record<string, unknown>) => [
      ...[id, current],
      ...[method, role],
    ]);
    expect(shown).toEqual([
      [theirs.reply.json.id, false, 'password', 'owner'],
      [mine.reply.json.id, true, 'password', 'owner'],
    ]);
    for (const { cookie, csrf } of [mine, theirs])
      for (const secret of [cookie.split('=')[1] ?? '', csrf]) expect(list.text).not.toContain(secret);
    const scripts = await call('/sessions?limit=2');
    expect(scripts.json.data.map(({ current }: { current: boolean }) => current)).toEqual([false, false]);
    const path = `/sessions/${theirs.reply.json.id}`;
    const forged = await call(path, { method: 'DELETE', key: null, headers: { cookie: mine.cookie } });
    expect([forged.status, forged.error.code]).toEqual([403, 'csrf_refused']);
    expect((await call('/tenants', { key: null, headers: { cookie: theirs.cookie } })).status).toBe(200);
    const end = await call(path, { ...as, method: 'DELETE' });
    expect([end.status, end.text]).toEqual([204, '']);
    expect((await call('/tenants', { key: null, headers: { cookie: theirs.cookie } })).status).toBe(401);
    expect((await call('/tenants', as)).status).toBe(200);
    const again = await call(path, { ...as, method: 'DELETE' });
    expect([again.status, again.error.code]).toEqual([404, 'not_found']);
    const [entry] = (await call('/audit?limit=1')).json.data;
    expect(entry).toMatchObject({ actor: 'admin', action: 'session.end', before: { method: 'password' } });
  });

  it('of a tenant is none of an administrator', async () => {
    await app.accounts.tenants.create({ id: 'curious', plan: 'free' }, 'test');
    const { token } = await app.accounts.sessions.begin('curious');
    const headers = { cookie: `switchyard_admin=${token}` };
    expect((await call('/tenants', { key: null, headers })).status).toBe(401);
  });
});

it('answers 429 with Retry-After after 10 wrong passwords, also to the right one', async () => {
  const server = await appForThisTest();
  const wrong = { body: { password: 'wrong' }, key: null };
  for (let n = 1; n < 10; n++) {
    expect((await ask(`${server.url}/api/admin/session`, wrong)).status).toBe(401);
  }
  const tenth = await ask(`${server.url}/api/admin/session`, wrong);
  expect([tenth.status, tenth.error.code]).toEqual([429, 'too_many_attempts']);
  expect(Number(tenth.headers['retry-after'])).toBeGreaterThan(800);
  const right = await ask(`${server.url}/api/admin/tenants`, { key: testAdminPassword });
  expect(right.status).toBe(429);
});

describe('tenants and keys', () => {
  it('are made, changed, listed and ended, and every act is in the audit log without secrets', async () => {
    const tenant = await call('/tenants', { body: { id: 'acme', name: 'Acme', plan: 'free' } });
    expect(tenant.status).toBe(201);
    expect((await call('/tenants', { body: { id: 'acme', plan: 'free' } })).error.code).toBe('conflict');
    const changed = await call('/tenants/acme', {
      method: 'PATCH',
      body: { plan: 'enterprise', overrides: { requests_per_minute: 600, tokens_per_minute: null } },
    });
    expect(changed.json).toMatchObject({
      plan: 'enterprise',
      overrides: { requests_per_minute: 600, tokens_per_minute: null },
    });

    const made = await call('/keys', {
      body: { tenant_id: 'acme', label: 'Site', scopes: ['chat'], expires_at: '2099-01-01T00:00:00Z' },
    });
    const { secret, key } = made.json;
    expect(secret).toMatch(/^sw_live_/);
    expect(key).toMatchObject({ tenant_id: 'acme', label: 'Site', scopes: ['chat'], status: 'active' });
    const asking = { body: { message: 'Hello' }, key: secret };
    expect((await ask(`${app.url}/v1/chat`, asking)).status).toBe(200);

    const rotated = await call(`/keys/${key.id}/rotate`, { body: { grace_seconds: 60 } });
    expect(rotated.json.key).toMatchObject({ rotated_from: key.id, label: 'Site' });
    const again = await call(`/keys/${key.id}/rotate`, { body: {} });
    expect([again.status, again.error.code]).toEqual([409, 'conflict']);
    const revoked = await call(`/keys/${key.id}/revoke`, { method: 'POST' });
    expect(revoked.json).toMatchObject({ status: 'revoked' });
    expect((await ask(`${app.url}/v1/chat`, asking)).status).toBe(401);

    const keys = await call('/keys?tenant_id=acme&limit=1');
    const rest = await call(`/keys?tenant_id=acme&limit=1&cursor=${keys.json.next_cursor}`);
    const ids = [...keys.json.data, ...rest.json.data].map(({ id }) => id).sort();
    expect(ids).toEqual([key.id, rotated.json.key.id].sort());
    expect(rest.json.next_cursor).toBeNull();

    const link = await call('/tenants/acme/dashboard-link', { method: 'POST' });
    expect(link.json.url).toMatch(new RegExp(`^${app.url}/dashboard/sign-in#\\w{43}$`));

    const log = await call('/audit?tenant_id=acme');
    expect(log.json.data.map(({ actor, action }: Record<string, string>) => `${actor} ${action}`)).toEqual([
      'admin link.create',
      'admin key.revoke',
      'admin key.rotate',
      'admin key.create',
      'admin tenant.change',
      'admin tenant.create',
    ]);
    expect(log.json.data[4]).toMatchObject({
      before: { plan: 'free', suspended_at: null, created_at: tenant.json.created_at },
      after: { plan: 'enterprise', overrides: { requests_per_minute: 600, tokens_per_minute: null } },
    });
    expect(JSON.stringify(log.json)).not.toMatch(/"[a-z]+[A-Z]\w*":/);
    const written = JSON.stringify([log.json, keys.json, app.log]);
    const secrets = [secret, rotated.json.secret, link.json.url.split('#')[1], testAdminPassword];
    for (const canary of secrets) expect(written).not.toContain(canary);
    for (const text of [secret, rotated.json.secret]) expect(written).not.toContain(text.split('_').at(-2));
  });

  it('shows each tenant by itself', async () => {
    await call('/tenants', { body: { id: 'one', plan: 'pro' } });
    await call('/tenants', { body: { id: 'two', plan: 'pro' } });
    await call('/keys', { body: { tenant_id: 'one', label: 'of one' } });
    expect((await call('/keys?tenant_id=two')).json.data).toEqual([]);
    expect((await call('/audit?tenant_id=two')).json.data).toHaveLength(1);
  });

  it('answers 404 for what there is not, and 400 for what cannot be', async () => {
    expect((await call('/tenants/nobody')).error.code).toBe('not_found');
    expect((await call('/tenants/nobody', { method: 'PATCH', body: { plan: 'pro' } })).status).toBe(404);
    expect((await call('/tenants/nobody/dashboard-link', { method: 'POST' })).status).toBe(404);
    expect((await call('/keys', { body: { tenant_id: 'nobody' } })).status).toBe(404);
    expect((await call('/keys/none/rotate', { body: {} })).status).toBe(404);
    expect((await call('/keys/none/revoke', { method: 'POST' })).status).toBe(404);
    for (const path of ['/tenants', '/keys', '/audit', '/usage']) {
      const { status, error } = await call(`${path}?cursor=broken`);
      expect([status, error.param]).toEqual([400, 'cursor']);
    }
    const past = await call('/keys', {
      body: { tenant_id: 'local', expires_at: '2001-01-01T00:00:00Z' },
    });
    expect([past.status, past.error.param]).toEqual([400, 'expires_at']);
  });

  it('answers 409 to a key for a tenant whose plan has none', async () => {
    const server = await appForThisTest({ plans: { free: { keys: false } } });
    await server.accounts.tenants.create({ id: 'keyless', plan: 'free' }, 'test');
    const asking = { body: { tenant_id: 'keyless' }, key: testAdminPassword };
    const { status, error } = await ask(`${server.url}/api/admin/keys`, asking);
    expect([status, error.code]).toEqual([409, 'conflict']);
  });

  it('suspends a tenant, whose keys are then refused', async () => {
    await call('/tenants', { body: { id: 'late', plan: 'free' } });
    const { secret } = (await call('/keys', { body: { tenant_id: 'late' } })).json;
    const suspended = await call('/tenants/late', { method: 'PATCH', body: { suspended: true } });
    expect(suspended.json.suspended_at).not.toBeNull();
    expect((await ask(`${app.url}/v1/models`, { key: secret })).status).toBe(401);
    await call('/tenants/late', { method: 'PATCH', body: { suspended: false } });
    expect((await ask(`${app.url}/v1/models`, { key: secret })).status).toBe(200);
  });

  it('compares the usage of tenants, up to the last answer', async () => {
    await call('/tenants', { body: { id: 'busy', plan: 'pro' } });
    const { secret } = (await call('/keys', { body: { tenant_id: 'busy' } })).json;
    await ask(`${app.url}/v1/chat`, { body: { message: 'Hello' }, key: secret });
    expect((await call('/usage')).json.data).toContainEqual(
      expect.objectContaining({ tenant_id: 'busy', requests: 1, succeeded: 1 }),
    );
    await ask(`${app.url}/v1/models`, { key: secret });
    const [key] = (await call('/keys?tenant_id=busy')).json.data;
    expect(key.last_used_at).not.toBeNull();
  });
});
