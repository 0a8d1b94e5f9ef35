/** Every operation of the admin area, and every form of its page, against every role. */
import { request } from 'undici';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isForAdmin, operationsOf } from '../../src/contract/served/document.ts';
import { requireRight } from '../../src/pages/account/parts.ts';
import type { Role } from '../../src/tenants/accounts/roles.ts';
import { startApp, type TestApp } from '../helpers/app.ts';
import { contract } from '../helpers/contract.ts';
import { ask } from '../helpers/http.ts';
import { testEvery } from '../helpers/test-every.ts';

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
  testEvery(`every operation answers the role ${role} as it may`, forAdmins, async ({ id, method, path }) => {
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
  });
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
    expect((await send('owner', fields)).flash).toContain('The session is over');
    expect(await app.accounts.sessions.find(other.token)).toBeNull();
    expect((await send('owner', fields)).flash).toContain('There is no session');
  });
});

testEvery(
  'a form whose action no row names is refused, also to an owner',
  ['', 'drop-tenant', 'constructor', 'Create-Tenant'],
  (action) => {
    const all = new Set(['view', 'operate', 'own']);
    expect(() => requireRight(action, all)).toThrow('This form is not known.');
  },
  { idOf: JSON.stringify },
);
