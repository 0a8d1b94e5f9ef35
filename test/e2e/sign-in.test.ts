/** Signing in by OpenID Connect, against issuers and browsers that do everything wrong. */
import { generateKeyPair } from 'jose';
import { request } from 'undici';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Rule } from '../../src/tenants/accounts/oidc/settings.ts';
import { appForThisTest, startApp, type TestApp, testAdminPassword } from '../helpers/app.ts';
import { ask } from '../helpers/http.ts';
import { startIssuer, type TestIssuer } from '../helpers/issuer.ts';

const admin = '/admin/factory/settings/api-keys';
const ruleFor = (role: Rule['role'], value: string | null, claim = 'groups'): Rule => ({
  claim,
  value,
  role,
  tenant: null,
});
const rules = [
  ruleFor('viewer', 'readers'),
  ruleFor('operator', 'operators'),
  ruleFor('owner', 'owners'),
  ruleFor('member', null, 'realm.tenant'),
];

let issuer: TestIssuer;
let other: TestIssuer;
let app: TestApp;
beforeAll(async () => {
  [issuer, other] = await Promise.all([startIssuer(), startIssuer()]);
  app = await startApp({ signIn: { oidc: [issuer.settings(rules), other.settings(rules, 'other')] } });
  for (const id of ['acme', 'gone']) await app.accounts.tenants.create({ id, plan: 'pro' }, 'test');
  await app.accounts.tenants.change('gone', { suspended: true }, 'test');
});
afterAll(async () => {
  await app.close();
  await Promise.all([issuer.close(), other.close()]);
});
beforeEach(() => {
  Object.assign(issuer, { claims: { groups: ['owners'] }, otherKey: null, broken: false });
});

async function get(path: string, cookie = '', on = app) {
  const reply = await request(on.url + path, { headers: { cookie } });
  const cookies = [reply.headers['set-cookie'] ?? []].flat();
  const cookieOf = (name: string) => cookies.find((one) => one.startsWith(`${name}=`)) ?? '';
  return {
    status: reply.statusCode,
    headers: reply.headers,
    text: await reply.body.text(),
    cookies,
    cookieOf,
  };
}

/** Goes to an issuer and asks it to sign in; how it would send the browser back. */
async function begin(area = 'admin', id = 'corp', on = app) {
  const reply = await get(`/sign-in/${id}?for=${area}`, '', on);
  expect(reply.status).toBe(303);
  const url = new URL(String(reply.headers['location']));
  await (await request(url)).body.dump();
  const ticket = reply.cookieOf('switchyard_sign_in').split(';')[0] ?? '';
  const back = `/sign-in/${id}/callback?${new URLSearchParams({ code: 'c', state: url.searchParams.get('state') ?? '' })}`;
  return { reply, url, ticket, back };
}

async function signIn(area = 'admin', id = 'corp', on = app) {
  const { ticket, back } = await begin(area, id, on);
  return get(back, ticket, on);
}

/** The cookie of a session that a reply begins. */
const sessionOf = ({ cookies }: { cookies: readonly string[] }) =>
  cookies.find((one) => /^switchyard_(admin|tenant)=\w/.test(one))?.split(';')[0] ?? null;

describe('a sign-in', () => {
  it('goes to the issuer with PKCE, state and nonce, and comes back to a session of this server alone', async () => {
    const { url, reply, ticket, back } = await begin();
    expect(Object.fromEntries(url.searchParams)).toMatchObject({
      response_type: 'code',
      client_id: 'switchyard',
      redirect_uri: `${app.url}/sign-in/corp/callback`,
      scope: 'openid email',
      code_challenge_method: 'S256',
    });
    expect(reply.cookieOf('switchyard_sign_in')).toMatch(/; HttpOnly; SameSite=Lax$/);
    const arrived = await get(back, ticket);
    expect([arrived.status, arrived.headers['refresh']]).toEqual([200, `0; url=${admin}`]);
    expect(arrived.cookieOf('switchyard_admin')).toMatch(/Max-Age=43200; HttpOnly; SameSite=Strict$/);
    expect(arrived.cookieOf('switchyard_sign_in')).toContain('Max-Age=0');
    expect(issuer.redeemed.at(-1)?.get('code_verifier')).toMatch(/^[\w-]{43}$/);
    const page = await get(admin, sessionOf(arrived) ?? '');
    expect([page.status, page.text.includes('New tenant')]).toEqual([200, true]);
  });

  it('cannot be used again, nor by another browser, nor at another issuer', async () => {
    const { ticket: stranger } = await begin();
    const { ticket, back } = await begin();
    expect((await get(back, '')).status).toBe(400);
    expect((await get(back.replace('/corp/', '/other/'), ticket)).status).toBe(400);
    // Its code would be in the hands of that one.
    expect(other.redeemed).toEqual([]);
    expect((await get(back, stranger)).status).toBe(400);
    const first = await get(back, ticket);
    const again = await get(back, ticket);
    expect([sessionOf(first) !== null, sessionOf(again)]).toEqual([true, null]);
    expect([again.status, again.text.includes('was used already')]).toEqual([400, true]);
  });

  it('is refused with a ticket that was changed', async () => {
    const { ticket, back } = await begin('dashboard');
    const reply = await get(back, ticket.replace('.dashboard.', '.admin.'));
    expect([reply.status, sessionOf(reply)]).toEqual([400, null]);
  });

  it.each<[string, Record<string, unknown>]>([
    ['another nonce', { nonce: 'another' }],
    ['no nonce', { nonce: undefined }],
    ['another audience', { aud: 'another client' }],
    ['another issuer', { iss: 'https://evil.example' }],
    ['an end in the past', { exp: Math.floor(Date.now() / 1000) - 3600 }],
  ])('is refused with an ID token that has %s', async (_what, claims) => {
    issuer.claims = { groups: ['owners'], ...claims };
    const reply = await signIn();
    expect([reply.status, sessionOf(reply)]).toEqual([400, null]);
    expect(reply.text).toContain('Issuer corp did not sign you in');
  });

  it('is refused with an ID token that the issuer has not signed', async () => {
    issuer.otherKey = (await generateKeyPair('ES256')).privateKey;
    const reply = await signIn();
    expect([reply.status, sessionOf(reply)]).toEqual([400, null]);
  });

  it('takes an ID token of a clock that is off by seconds', async () => {
    issuer.claims = { groups: ['owners'], iat: Math.floor(Date.now() / 1000) + 20 };
    expect(sessionOf(await signIn())).not.toBeNull();
  });

  it('says so when the issuer is away, and works when it is back', async () => {
    const late = await startIssuer();
    const on = await appForThisTest({ signIn: { oidc: [late.settings(rules)] } });
    late.broken = true;
    const refused = await get('/sign-in/corp?for=admin', '', on);
    expect([refused.status, refused.text.includes('cannot be reached')]).toEqual([503, true]);
    late.broken = false;
    late.claims = { groups: ['owners'] };
    expect(sessionOf(await signIn('admin', 'corp', on))).not.toBeNull();
    const begun = await begin('admin', 'corp', on);
    late.broken = true;
    expect((await get(begun.back, begun.ticket, on)).status).toBe(503);
    await late.close();
    const gone = await begin('admin', 'corp', on).catch(() => null);
    expect(gone).toBeNull();
    expect((await get('/healthz', '', on)).status).toBe(200);
  });

  it.each(
    ['/.well-known/openid-configuration', '/token', '/keys', '/userinfo'].flatMap((path) =>
      (['silent', 'dripping'] as const).map((how) => [path, how] as const),
    ),
  )('says so when %s of the issuer is %s, which keeps nobody else waiting', async (path, how) => {
    const slow = await startIssuer();
    const on = await appForThisTest({
      signIn: { oidc: [slow.settings(rules), issuer.settings(rules, 'other')] },
      // Long enough for an issuer that only shares a busy machine.
      issuerTimeoutMs: 2_000,
    });
    slow.claims = { groups: path === '/userinfo' ? undefined : ['owners'] };
    slow.slow = { path, how };
    const { cookieOf, ...refusal } = await (async () => {
      if (path.startsWith('/.well-known')) return get('/sign-in/corp?for=admin', '', on);
      const { back, ticket } = await begin('admin', 'corp', on);
      const waiting = get(back, ticket, on);
      let over = false;
      void waiting.finally(() => {
        over = true;
      });
      while (!slow.asked.includes(path) && !over) await new Promise(setImmediate);
      expect(slow.asked).toContain(path);
      expect((await get('/readyz', '', on)).status).toBe(200);
      expect(sessionOf(await signIn('admin', 'other', on))).not.toBeNull();
      return waiting;
    })();
    expect([refusal.status, refusal.text.includes('Issuer corp cannot be reached')]).toEqual([503, true]);
    expect(cookieOf('switchyard_admin')).toBe('');
    slow.slow = null;
    slow.claims = { groups: ['owners'] };
    expect(sessionOf(await signIn('admin', 'corp', on))).not.toBeNull();
    await slow.close();
  });

  it('works with the new keys of an issuer, at the latest on the second try', async () => {
    const rotating = await startIssuer();
    const on = await appForThisTest({ signIn: { oidc: [rotating.settings(rules)] } });
    rotating.claims = { groups: ['owners'] };
    expect(sessionOf(await signIn('admin', 'corp', on))).not.toBeNull();
    await rotating.rotate();
    await signIn('admin', 'corp', on);
    expect(sessionOf(await signIn('admin', 'corp', on))).not.toBeNull();
    await rotating.close();
  });

  it('leads to pages of this server only, whatever the address asks for', async () => {
    const { ticket, back } = await begin('https://evil.example');
    const reply = await get(`${back}&next=https://evil.example&redirect_uri=https://evil.example`, ticket);
    expect(reply.headers['refresh']).toBe(`0; url=${admin}`);
    expect((await get('/sign-in/unknown')).status).toBe(404);
  });

  it('tells of a refusal in the words of the issuer, without letting it write the page', async () => {
    const { ticket, back } = await begin();
    const state = new URL(back, app.url).searchParams.get('state') ?? '';
    const path = (error: string) => `/sign-in/corp/callback?${new URLSearchParams({ error, state })}`;
    expect((await get(path('access_denied'), ticket)).text).toContain('It says: access_denied.');
    expect((await get(path('<b>call us</b>'), ticket)).text).not.toContain('call us');
  });
});

describe('who is let in', () => {
  it('is nobody without a rule that fits: the page names the claim', async () => {
    issuer.claims = { groups: ['guests'] };
    const reply = await signIn();
    expect([reply.status, sessionOf(reply)]).toEqual([403, null]);
    expect(reply.text).toContain('It looked at “groups”.');
  });

  it('is a member of the tenant that the claim names, if it is there and not suspended', async () => {
    for (const [tenant, status] of [
      ['acme', 200],
      ['gone', 403],
      ['nowhere', 403],
      ["acme' or 1=1", 403],
    ] as const) {
      issuer.claims = { groups: [], realm: { tenant } };
      const reply = await signIn('dashboard');
      expect([tenant, reply.status]).toEqual([tenant, status]);
      if (status === 200) expect((await get('/dashboard', sessionOf(reply) ?? '')).text).toContain('acme');
    }
    issuer.claims = { realm: { tenant: 'acme' } };
    expect((await signIn('admin')).status).toBe(403);
  });

  it('signs in by either of two issuers', async () => {
    other.claims = { groups: ['owners'] };
    expect(sessionOf(await signIn('admin', 'other'))).not.toBeNull();
    const page = await get(admin);
    for (const name of ['Issuer corp', 'Issuer other']) expect(page.text).toContain(`Sign in with ${name}`);
  });

  it('stands in the audit log under the name that the issuer has for them', async () => {
    issuer.claims = { groups: ['operators'], sub: 'u-17', email: 'ann@example.com', email_verified: true };
    const cookie = sessionOf(await signIn()) ?? '';
    const csrf = /name="csrf" value="(\w+)"/.exec((await get(admin, cookie)).text)?.[1] ?? '';
    const made = await ask(`${app.url}/api/admin/tenants`, {
      body: { id: 'by-ann', plan: 'free' },
      key: null,
      headers: { cookie, 'x-csrf-token': csrf, origin: app.url },
    });
    expect(made.status).toBe(201);
    const { items } = await app.accounts.audit({ tenantId: 'by-ann' });
    expect(items[0]).toMatchObject({ action: 'tenant.create', actor: 'corp:u-17 <ann@example.com>' });
  });
});

describe('signing out', () => {
  it('ends the session here and offers the way to end it at the issuer', async () => {
    const cookie = sessionOf(await signIn()) ?? '';
    const csrf = /name="csrf" value="(\w+)"/.exec((await get(admin, cookie)).text)?.[1] ?? '';
    const reply = await request(app.url + admin, {
      method: 'POST',
      headers: { cookie, origin: app.url, 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ action: 'sign-out', csrf }).toString(),
    });
    const text = await reply.body.text();
    const link = new URL(/href="([^"]+\/end[^"]*)"/.exec(text)?.[1]?.replaceAll('&amp;', '&') ?? '');
    expect(link.origin + link.pathname).toBe(`${issuer.url}/end`);
    expect(Object.fromEntries(link.searchParams)).toEqual({
      client_id: 'switchyard',
      post_logout_redirect_uri: app.url + admin,
    });
    expect((await get(admin, cookie)).text).toContain('<h1>Sign in</h1>');
  });
});

describe('where passwords are switched off', () => {
  it('neither a password nor a link opens anything, and an issuer still does', async () => {
    const on = await appForThisTest({ signIn: { oidc: [issuer.settings(rules)] }, passwordSignIn: false });
    const page = await get(admin, '', on);
    expect([page.text.includes('type="password"'), page.text.includes('Sign in with')]).toEqual([
      false,
      true,
    ]);
    expect((await ask(`${on.url}/api/admin/tenants`, { key: testAdminPassword })).status).toBe(401);
    const asked = { body: { password: testAdminPassword }, key: null };
    expect((await ask(`${on.url}/api/admin/session`, asked)).status).toBe(401);
    const { token } = await on.accounts.sessions.invite('local', 'test');
    const link = await request(`${on.url}/dashboard/sign-in`, {
      method: 'POST',
      headers: { origin: on.url, 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ link: token }).toString(),
    });
    await link.body.dump();
    expect(link.statusCode).toBe(401);
    expect(sessionOf(await signIn('admin', 'corp', on))).not.toBeNull();
  });
});
