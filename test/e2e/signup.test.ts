/** Sign-ups: by the interface, by the form without JavaScript, and what an operator makes of them. */
import { request } from 'undici';
import { describe, expect, it } from 'vitest';
import { appForThisTest, testAdminPassword } from '../helpers/app.ts';
import { ask } from '../helpers/http.ts';
import type { TestAccounts } from '../helpers/store-accounts.ts';

const ada = { email: 'Ada@Example.com', orgName: 'Analytical Engines', tier: 'pro' };
const signUp = (url: string, body: unknown) => ask(`${url}/api/factory/signup`, { body, key: null });
const stored = async ({ signups }: TestAccounts) => (await signups.list({ limit: 200 })).items;

async function send(url: string, fields: Record<string, string>, headers: Record<string, string> = {}) {
  const reply = await request(`${url}/factory/signup`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded', origin: url, ...headers },
    body: new URLSearchParams(fields).toString(),
  });
  return { status: reply.statusCode, text: await reply.body.text() };
}

describe('where sign-ups are closed', () => {
  it('the endpoint is planned: 404 whatever is sent, nothing stored, and the documents say so', async () => {
    const { url, accounts } = await appForThisTest({ signupOpen: false });
    for (const body of [ada, {}, 'not JSON', { ...ada, email: 'x' }]) {
      const { status, error } = await signUp(url, body);
      expect([status, error.code]).toEqual([404, 'endpoint_planned']);
    }
    expect(await stored(accounts)).toEqual([]);
    expect(await stagesOf(url)).toEqual(['planned', 'planned', 'planned']);
  });

  it('the form shows its success all the same', async () => {
    const { url, accounts } = await appForThisTest({ signupOpen: false });
    const { status, text } = await send(url, ada);
    expect(status).toBe(200);
    expect(text).toContain('Thank you');
    expect(text).toMatch(/<p data-outcome="closed" >[^<]*Nothing was stored/);
    expect(await stored(accounts)).toEqual([]);
  });
});

/** What the contract in both forms and the manifest say of the endpoint. */
async function stagesOf(url: string) {
  const json = (await ask(`${url}/openapi.json`)).json.paths['/api/factory/signup'].post['x-lifecycle'].stage;
  const yaml = (await ask(`${url}/openapi.yaml`)).text;
  const manifest = (await ask(`${url}/api/factory/manifest`)).json.operations;
  const ours = manifest.find(({ operation_id }: { operation_id: string }) => operation_id === 'signUp');
  return [json, /operationId: signUp[\s\S]*?stage: (\w+)/.exec(yaml)?.[1], ours.lifecycle];
}

describe('where sign-ups are open', () => {
  it('one is stored as pending, and the documents say that the endpoint is available', async () => {
    const { url, accounts, log } = await appForThisTest();
    const { status, json } = await signUp(url, ada);
    expect([status, json]).toEqual([202, { object: 'signup', status: 'pending' }]);
    expect(await stored(accounts)).toMatchObject([
      { email: 'ada@example.com', orgName: 'Analytical Engines', tier: 'pro', status: 'pending' },
    ]);
    expect(await stagesOf(url)).toEqual(['available', 'available', 'available']);
    expect(JSON.stringify(log)).not.toMatch(/ada@example/i);
  });

  it('another of the same address is answered alike and changes nothing', async () => {
    const { url, accounts } = await appForThisTest();
    const first = await signUp(url, ada);
    const again = await signUp(url, { ...ada, orgName: 'Somebody else', tier: 'free' });
    expect([again.status, again.text]).toEqual([first.status, first.text]);
    expect(await stored(accounts)).toMatchObject([{ orgName: 'Analytical Engines', tier: 'pro' }]);
    const [{ id = '' } = {}] = await stored(accounts);
    await accounts.signups.reject(id, 'test');
    expect((await signUp(url, ada)).text).toBe(first.text);
    expect((await stored(accounts)).map(({ status }) => status)).toEqual(['pending', 'rejected']);
  });

  it.each([
    [{ email: 'nobody' }, 'email'],
    [{ email: `${'x'.repeat(250)}@example.com` }, 'email'],
    [{ orgName: '' }, 'orgName'],
    [{ orgName: '   ' }, 'orgName'],
    [{ orgName: 'x'.repeat(201) }, 'orgName'],
    [{ tier: 'gold' }, 'tier'],
    [{ tier: undefined }, 'tier'],
  ])('%j is a 400 that names the field, by the interface and by the form', async (wrong, field) => {
    const { url, accounts } = await appForThisTest();
    const { status, error } = await signUp(url, { ...ada, ...wrong });
    expect([status, error.param]).toEqual([400, field]);
    const fields = JSON.parse(JSON.stringify({ ...ada, ...wrong })) as Record<string, string>;
    const form = await send(url, fields);
    expect(form.status).toBe(400);
    expect(form.text).toContain(`id="${field}-problem"`);
    expect(await stored(accounts)).toEqual([]);
  });

  it('a client has five an hour, by the interface and the form together', async () => {
    const { url, accounts } = await appForThisTest();
    const email = (n: number) => `ada-${n}@example.com`;
    for (let n = 0; n < 4; n += 1) expect((await signUp(url, { ...ada, email: email(n) })).status).toBe(202);
    expect((await send(url, { ...ada, email: email(4) })).status).toBe(200);
    const { status, headers, error } = await signUp(url, { ...ada, email: email(5) });
    expect([status, error.code]).toEqual([429, 'too_many_signups']);
    expect(Number(headers['retry-after'])).toBeGreaterThan(3_500);
    // The form says that nothing may be stored, too.
    expect((await send(url, { ...ada, email: email(6) })).text).toMatch(/<p data-outcome="unknown" >/);
    expect(await stored(accounts)).toHaveLength(5);
  });

  it('a form from another site is refused', async () => {
    const { url, accounts } = await appForThisTest();
    expect((await send(url, ada, { origin: 'https://evil.example' })).status).toBe(403);
    expect(await stored(accounts)).toEqual([]);
  });
});

describe('an operator', () => {
  const call = (url: string, path: string, body?: unknown) =>
    ask(`${url}/api/admin/signups${path}`, { key: testAdminPassword, ...(body !== undefined && { body }) });

  it('approves with a link that opens the dashboard of the new tenant', async () => {
    const { url, accounts } = await appForThisTest();
    await signUp(url, ada);
    const { data } = (await call(url, '?status=pending')).json;
    const { status, json } = await call(url, `/${data[0].id}/approve`, {});
    expect(status).toBe(201);
    expect(json).toMatchObject({
      signup: { status: 'approved', tenant_id: 'analytical-engines' },
      tenant: { id: 'analytical-engines', name: 'Analytical Engines', plan: 'pro' },
      created_key: null,
    });
    const token = new URL(json.dashboard_link.url).hash.slice(1);
    const session = await accounts.sessions.redeem(token);
    expect(await accounts.sessions.find(session?.token ?? '')).toMatchObject({
      tenantId: 'analytical-engines',
    });
    const { json: log } = await ask(`${url}/api/admin/audit?tenant_id=analytical-engines`, {
      key: testAdminPassword,
    });
    const acts = log.data.map(({ action }: { action: string }) => action);
    expect(acts.sort()).toEqual(['link.create', 'signup.approve', 'tenant.create']);
    expect(JSON.stringify(log)).not.toContain(token);
    const again = await call(url, `/${data[0].id}/approve`, {});
    expect([again.status, again.error.code]).toEqual([409, 'conflict']);
    expect((await call(url, `/${data[0].id}/reject`, '')).status).toBe(409);
  });

  it('approves with a key that works, under an id of choice', async () => {
    const { url, accounts } = await appForThisTest();
    await signUp(url, { ...ada, orgName: 'Örgánisation №1!' });
    const [{ id = '' } = {}] = await stored(accounts);
    const { json } = await call(url, `/${id}/approve`, { give: 'key', tenant_id: 'chosen' });
    expect(json).toMatchObject({ tenant: { id: 'chosen' }, dashboard_link: null });
    const answer = await ask(`${url}/v1/usage`, { key: json.created_key.secret });
    expect(answer.json).toMatchObject({ tenant_id: 'chosen', plan: 'pro' });
  });

  it.each([
    ['Analytical Engines', 'analytical-engines-2'],
    ['Müller & Söhne', 'muller-sohne'],
    ['日本', 'tenant'],
    ['--', 'tenant'],
    [`${'x'.repeat(80)}`, 'x'.repeat(63)],
  ])('gets for %j the tenant %s', async (orgName, expected) => {
    const { url, accounts } = await appForThisTest();
    await accounts.tenants.create({ id: 'analytical-engines', plan: 'free' }, 'test');
    await signUp(url, { ...ada, orgName });
    const [{ id = '' } = {}] = await stored(accounts);
    expect((await call(url, `/${id}/approve`, {})).json.tenant.id).toBe(expected);
  });

  it('makes nothing where something is wrong', async () => {
    const { url, accounts } = await appForThisTest({ plans: { pro: { keys: false } } });
    await signUp(url, ada);
    const [{ id = '' } = {}] = await stored(accounts);
    expect((await call(url, `/${id}/approve`, { give: 'key' })).status).toBe(409);
    expect((await call(url, `/${id}/approve`, { tenant_id: 'local' })).error.param).toBe('tenant_id');
    expect((await call(url, '/none/approve', {})).status).toBe(404);
    expect((await call(url, '/none/reject', '')).status).toBe(404);
    expect((await accounts.tenants.list()).items.map((tenant) => tenant.id)).toEqual(['local']);
    expect((await stored(accounts))[0]?.status).toBe('pending');
  });

  it('lists by status and in pages', async () => {
    const { url, accounts } = await appForThisTest();
    for (let n = 0; n < 3; n += 1) {
      await accounts.signups.request({ ...ada, email: `${n}@example.com` }, `client ${n}`);
    }
    // Those of one millisecond stand in any order.
    const [latest, ...rest] = await stored(accounts);
    await accounts.signups.reject(latest?.id ?? '', 'test');
    const emails = (reply: Awaited<ReturnType<typeof call>>) =>
      reply.json.data.map(({ email }: { email: string }) => email);
    const first = await call(url, '?status=pending&limit=1');
    const second = await call(url, `?status=pending&limit=1&cursor=${first.json.next_cursor}`);
    expect([emails(first), emails(second)]).toEqual(rest.map(({ email }) => [email]));
    expect(second.json.next_cursor).toBeNull();
    expect(emails(await call(url, '?status=rejected'))).toEqual([latest?.email]);
    expect((await call(url, '?cursor=broken')).error.param).toBe('cursor');
  });
});
