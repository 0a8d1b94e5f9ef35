import { generateKeyPair, SignJWT, UnsecuredJWT } from 'jose';
import { request } from 'undici';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isForAdmin } from '../../scripts/generate/document.ts';
import { operationsOf } from '../../src/contract/served/document.ts';
import { requireRight } from '../../src/pages/account/parts.ts';
import type { JwtSettings } from '../../src/tenants/accounts/oidc/settings.ts';
import type { Role } from '../../src/tenants/accounts/roles.ts';
import { appForThisTest, startApp, type TestApp, testKey } from '../helpers/app.ts';
import { contract } from '../helpers/contract.ts';
import { ask } from '../helpers/http.ts';
import { startIssuer, type TestIssuer } from '../helpers/issuer.ts';
import { testEvery } from '../helpers/test-every.ts';

/** JSON Web Tokens of an issuer as credentials of a tenant: those that are good, and of every wrong kind. */
describe('tokens of an issuer', () => {
  let issuer: TestIssuer;
  let app: TestApp;
  const settingsOf = ({ url }: TestIssuer, more: Partial<JwtSettings> = {}): JwtSettings => ({
    id: 'corp',
    issuer: url,
    audience: 'switchyard-api',
    jwksUrl: null,
    tenant: null,
    tenantClaim: 'tenant',
    scopesClaim: 'scope',
    scopes: [],
    ...more,
  });
  beforeAll(async () => {
    issuer = await startIssuer();
    app = await startApp({ signIn: { jwt: [settingsOf(issuer)] }, jwksCooldownMs: 0 });
    await app.accounts.tenants.create({ id: 'acme', plan: 'pro' }, 'test');
  });
  afterAll(async () => {
    await app.close();
    await issuer.close();
  });

  const good = { aud: 'switchyard-api', sub: 'robot', tenant: 'acme', scope: 'chat openid' };
  const chat = (key: string, on = app, headers: Record<string, string> = {}) =>
    ask(`${on.url}/v1/chat`, { body: { message: 'Hello' }, key, headers });
  const nowS = () => Math.floor(Date.now() / 1000);

  describe('a token', () => {
    it('opens what its scopes say, in the name of its tenant, with its limits and its ledger', async () => {
      const token = await issuer.sign(good);
      const { status, headers } = await chat(token);
      expect([status, 'ratelimit-policy' in headers]).toEqual([200, true]);
      expect((await ask(`${app.url}/v1/chat`, { body: { message: 'Hello' }, key: token })).status).toBe(200);
      const { reports } = app.accounts;
      const rows = await reports.requests('acme', { limit: 1 });
      expect(rows.items[0]).toMatchObject({ keyId: expect.stringMatching(/^jwt_corp_[\w-]{12}$/) });
      const refused = await ask(`${app.url}/v1/agents`, { key: token });
      expect([refused.status, refused.json.error.code]).toEqual([403, 'insufficient_scope']);
    });

    it('has the answer to an Idempotency-Key again, as a key of its tenant would', async () => {
      const key = { 'idempotency-key': 'once' };
      const first = await chat(await issuer.sign(good), app, key);
      const again = await chat(await issuer.sign(good, 61), app, key);
      expect([first.status, again.headers['idempotent-replayed']]).toEqual([200, 'true']);
    });

    it.each<[string, () => Promise<string> | string]>([
      ['another audience', () => issuer.sign({ ...good, aud: 'another' })],
      ['another issuer', () => issuer.sign({ ...good, iss: 'https://evil.example' })],
      ['no tenant', () => issuer.sign({ ...good, tenant: undefined })],
      ['a tenant that is not there', () => issuer.sign({ ...good, tenant: 'nowhere' })],
      ['no subject', () => issuer.sign({ ...good, sub: undefined })],
      ['no end', () => issuer.sign({ ...good, exp: undefined })],
      ['an end in the past', () => issuer.sign(good, -31)],
      ['a beginning in the future', () => issuer.sign({ ...good, nbf: nowS() + 60 })],
      ['no signature', () => new UnsecuredJWT({ ...good, iss: issuer.url, exp: nowS() + 60 }).encode()],
      [
        'a signature by a shared secret',
        () =>
          new SignJWT({ ...good, iss: issuer.url, exp: nowS() + 60 })
            .setProtectedHeader({ alg: 'HS256', kid: 'key 1' })
            .sign(Buffer.alloc(32, 1)),
      ],
      [
        'a signature by another key',
        async () =>
          new SignJWT({ ...good, iss: issuer.url, exp: nowS() + 60 })
            .setProtectedHeader({ alg: 'ES256', kid: 'key 1' })
            .sign((await generateKeyPair('ES256')).privateKey),
      ],
      ['a changed claim', async () => tampered(await issuer.sign(good))],
      ['no form of a token', () => 'eyJhbGciOiJFUzI1NiJ9.nonsense'],
      ['too much in it', () => issuer.sign({ ...good, more: 'x'.repeat(7000) })],
    ])('with %s is refused', async (_what, make) => {
      const { status, json } = await chat(await make());
      expect([status, json.error.code]).toEqual([401, 'invalid_api_key']);
    });

    it('is taken within the leeway of clocks', async () => {
      expect((await chat(await issuer.sign(good, -20))).status).toBe(200);
      expect((await chat(await issuer.sign({ ...good, nbf: nowS() + 20 }))).status).toBe(200);
    });

    it('is refused as soon as its tenant is suspended', async () => {
      await app.accounts.tenants.create({ id: 'brief', plan: 'pro' }, 'test');
      const token = await issuer.sign({ ...good, tenant: 'brief' });
      expect((await chat(token)).status).toBe(200);
      await app.accounts.tenants.change('brief', { suspended: true }, 'test');
      expect((await chat(token)).status).toBe(401);
    });

    it('by new keys of the issuer is taken, and one by the old ones is not', async () => {
      const rotating = await startIssuer();
      const on = await appForThisTest({ signIn: { jwt: [settingsOf(rotating)] }, jwksCooldownMs: 0 });
      await on.accounts.tenants.create({ id: 'acme', plan: 'pro' }, 'test');
      const old = await rotating.sign({ ...good, sub: 'not seen before' });
      expect((await chat(await rotating.sign(good), on)).status).toBe(200);
      await rotating.rotate();
      expect((await chat(await rotating.sign(good), on)).status).toBe(200);
      expect((await chat(old, on)).status).toBe(401);
      await rotating.close();
    });

    it('of an issuer that is away is neither good nor bad, and keys go on', async () => {
      const late = await startIssuer();
      const on = await appForThisTest({ signIn: { jwt: [settingsOf(late)] } });
      const { key } = await on.accounts.tenants
        .create({ id: 'acme', plan: 'pro' }, 'test')
        .then(async () => ({
          key: (await on.accounts.storedKeys.create({ tenantId: 'acme' }, 'test')).text,
        }));
      late.broken = true;
      const { status, json } = await chat(await late.sign(good), on);
      expect([status, json.error.code]).toEqual([503, 'issuer_unavailable']);
      expect((await chat(key, on)).status).toBe(200);
      late.broken = false;
      expect((await chat(await late.sign(good), on)).status).toBe(200);
      await late.close();
    });

    it.each(
      ['/.well-known/openid-configuration', '/keys'].flatMap((path) =>
        (['silent', 'dripping'] as const).map((how) => [path, how] as const),
      ),
    )(
      'of an issuer whose %s is %s is neither good nor bad, and keeps no other waiting',
      async (path, how) => {
        const slow = await startIssuer();
        const signIn = { jwt: [settingsOf(slow), { ...settingsOf(issuer), id: 'other' }] };
        const on = await appForThisTest({ signIn, issuerTimeoutMs: 300 });
        await on.accounts.tenants.create({ id: 'acme', plan: 'pro' }, 'test');
        slow.slow = { path, how };
        const waiting = chat(await slow.sign(good), on);
        while (!slow.asked.includes(path)) await new Promise(setImmediate);
        expect((await chat(testKey, on)).status).toBe(200);
        expect((await chat(await issuer.sign(good), on)).status).toBe(200);
        const { status, json } = await waiting;
        expect([status, json.error.code]).toEqual([503, 'issuer_unavailable']);
        slow.slow = null;
        expect((await chat(await slow.sign(good), on)).status).toBe(200);
        await slow.close();
      },
    );

    it('means nothing in another header, nor where no issuer is configured', async () => {
      const token = await issuer.sign({ ...good, scope: 'chat factory' });
      const inHeader = await ask(`${app.url}/v1/models`, { key: token, keyAs: 'x-api-key' });
      expect(inHeader.status).toBe(401);
      const plain = await appForThisTest();
      expect((await chat(token, plain)).status).toBe(401);
    });

    it('is asked about once: of many requests with it the issuer sees none', async () => {
      const token = await issuer.sign(good);
      await chat(token);
      const before = issuer.asked.length;
      for (const answer of await Promise.all(Array.from({ length: 20 }, () => chat(token))))
        expect(answer.status).toBe(200);
      expect(issuer.asked.length).toBe(before);
    });
  });

  function tampered(token: string): string {
    const [head, claims = '', mac] = token.split('.');
    const changed = Buffer.from(claims, 'base64url').toString().replace('"acme"', '"local"');
    return [head, Buffer.from(changed).toString('base64url'), mac].join('.');
  }
});

/** Every operation of the admin area, and every form of its page, against every role. */
describe('roles in the admin area', () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await startApp();
  });
  afterAll(() => app.close());

  async function sessionOf(role: Role) {
    const { sessions } = app.accounts;
    const { token } = await sessions.begin(null, { role, actor: `corp:${role}`, issuer: 'corp' });
    const csrf = (await sessions.find(token))?.csrfToken ?? '';
    return { cookie: `switchyard_admin=${token}`, 'x-csrf-token': csrf, origin: app.url };
  }

  const forAdmins = operationsOf(contract).filter(({ operation }) => isForAdmin(operation));
  const roles: readonly Role[] = ['viewer', 'operator', 'owner'];
  /** What is written here by hand, so that a wrong word in the contract shows. */
  const everybodys = ['deleteAdminSession'];
  const owners = ['reloadConfig', 'endSession'];

  function lowest(id: string, method: string): Role {
    if (owners.includes(id)) return 'owner';
    return method === 'get' || everybodys.includes(id) ? 'viewer' : 'operator';
  }

  for (const role of roles) {
    testEvery(
      `every operation answers the role ${role} as it may`,
      forAdmins,
      async ({ id, method, path }) => {
        const target = `${app.url}${path.replaceAll(/\{\w+\}/g, 'nothing')}?surprise=1`;
        const headers = await sessionOf(role);
        const body = method === 'post' || method === 'patch' ? { body: {} } : {};
        const { status, json } = await ask(target, {
          method: method.toUpperCase(),
          headers,
          key: null,
          ...body,
        });
        const code = json?.error?.code;
        if (roles.indexOf(role) < roles.indexOf(lowest(id, method)))
          expect([status, code]).toEqual([403, 'insufficient_scope']);
        else expect([status, code]).toEqual([400, 'invalid_request']);
      },
    );
  }

  describe('the forms of the admin area', () => {
    const actions = [
      'create-tenant',
      'suspend-tenant',
      'invite-tenant',
      'create-key',
      'create-webhook',
      'reload-config',
      'end-session',
    ];

    async function send(role: Role, fields: Record<string, string>) {
      const { cookie, origin, 'x-csrf-token': csrf } = await sessionOf(role);
      const reply = await request(`${app.url}/admin/factory/settings/api-keys`, {
        method: 'POST',
        headers: { cookie, origin, 'content-type': 'application/x-www-form-urlencoded' },
        body: new URLSearchParams({ csrf, ...fields }).toString(),
      });
      await reply.body.dump();
      const value = String(reply.headers['set-cookie']).split(/[=;]/)[1] ?? '';
      return { status: reply.statusCode, flash: Buffer.from(value, 'base64url').toString() };
    }

    testEvery('do nothing for a viewer', actions, async (action) => {
      const other = await app.accounts.sessions.begin(null);
      const before = await app.accounts.changes.version();
      const { status, flash } = await send('viewer', {
        action,
        tenant: 'local',
        id: 'new',
        plan: 'pro',
        scope: 'chat',
        url: 'https://a.example',
        session: other.id,
      });
      expect([status, flash.includes('Your role does not allow this')]).toEqual([303, true]);
      expect(await app.accounts.changes.version()).toBe(before);
      expect(await app.accounts.sessions.find(other.token)).not.toBeNull();
    });

    it('end-session is for owners', async () => {
      const other = await app.accounts.sessions.begin(null);
      const fields = { action: 'end-session', session: other.id };
      expect((await send('operator', fields)).flash).toContain('Your role does not allow this');
      expect(await app.accounts.sessions.find(other.token)).not.toBeNull();
      expect((await send('owner', fields)).flash).toContain('The session has ended');
      expect(await app.accounts.sessions.find(other.token)).toBeNull();
      expect((await send('owner', fields)).flash).toContain('There is no session');
    });
  });

  testEvery(
    'a form whose action no row names is refused, also to an owner',
    ['', 'drop-tenant', 'constructor', 'Create-Tenant'],
    (action) => {
      const all = new Set(['view', 'operate', 'own']);
      expect(() => requireRight(action, all)).toThrow('This form is unknown.');
    },
    { idOf: JSON.stringify },
  );
});
