/** Usage by dimension and its exports, as they come over the wire. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startApp, type TestApp, testAdminPassword } from '../helpers/app.ts';
import { readCsv } from '../helpers/csv.ts';
import { ask } from '../helpers/http.ts';

let app: TestApp;
const keys: Record<string, string> = {};
beforeAll(async () => {
  app = await startApp();
  for (const id of ['acme', 'globex']) {
    await app.accounts.tenants.create({ id, name: `=${id}`, plan: 'enterprise' }, 'test');
    const { text } = await app.accounts.storedKeys.create({ tenantId: id, label: 'Web, main' }, 'test');
    keys[id] = text;
    for (const team of ['search', 'ads', 'ads']) {
      const headers = { 'x-switchyard-tags': `team=${team}` };
      const reply = await ask(`${app.url}/v1/chat`, {
        key: text,
        headers,
        body: { model: 'sandbox', message: 'Hi' },
      });
      expect(reply.status).toBe(200);
    }
  }
});
afterAll(() => app.close());

const own = (path: string, id = 'acme') => ask(app.url + path, { key: keys[id] ?? '' });
const admin = (path: string, headers: Record<string, string> = {}) =>
  ask(`${app.url}/api/admin${path}`, { key: testAdminPassword, headers });

it('tells a tenant its usage by what it asks for, and nothing of others', async () => {
  const { json } = await own('/v1/usage?group_by=tag:team,operation');
  expect(json.group_by).toEqual(['tag:team', 'operation']);
  expect(
    json.groups.map((group: { values: string[]; requests: number }) => [...group.values, group.requests]),
  ).toEqual([
    ['ads', 'createChat', 2],
    ['search', 'createChat', 1],
  ]);
  expect(json.total.requests).toBe(3);
  expect((await own('/v1/usage')).json).not.toHaveProperty('groups');
});

it.each(['tenant', 'colour', 'day,day', 'tag:', 'day,model,key'])(
  'refuses to tell a tenant usage by %j',
  async (by) => {
    const reply = await own(`/v1/usage?group_by=${encodeURIComponent(by)}`);
    expect([reply.status, reply.error.code, reply.error.param]).toEqual([400, 'invalid_request', 'group_by']);
  },
);

it('refuses to read the ledger of more than 31 days', async () => {
  const range = 'from=2026-01-01&to=2026-02-01';
  expect((await own(`/v1/usage?group_by=tag:team&${range}`)).error.message).toContain('at most 31 days');
  expect((await own(`/v1/usage?group_by=provider,key&${range}`)).status).toBe(200);
});

it('tells the administrator usage over all tenants', async () => {
  const { json } = await admin('/usage?group_by=tenant,tag:team');
  const found = json.groups.map((group: { values: string[]; requests: number }) => [
    ...group.values,
    group.requests,
  ]);
  expect(found).toEqual([
    ['acme', 'ads', 2],
    ['globex', 'ads', 2],
    ['acme', 'search', 1],
    ['globex', 'search', 1],
  ]);
  expect(json.data).toEqual([]);
});

it('exports a tenant’s usage as a file', async () => {
  const { status, headers, text } = await own('/v1/usage/export');
  expect([status, headers['content-type']]).toEqual([200, 'text/csv; charset=utf-8']);
  expect(headers['content-disposition']).toMatch(
    /^attachment; filename="usage-\d{4}-\d\d-\d\d-\d{4}-\d\d-\d\d\.csv"$/,
  );
  const rows = readCsv(text);
  expect(rows.map(({ tenant_id, tags, requests }) => [tenant_id, tags, requests]).sort()).toEqual([
    ['acme', '{"team":"ads"}', '2'],
    ['acme', '{"team":"search"}', '1'],
  ]);
});

it('exports FOCUS of all tenants, and of one, for the administrator', async () => {
  const rows = readCsv((await admin('/usage/export?format=focus')).text);
  expect(rows).toHaveLength(4);
  expect(rows.find((row) => row['BillingAccountId'] === 'acme')).toMatchObject({
    BillingAccountName: "'=acme",
    SubAccountName: 'Web, main',
    ChargeCategory: 'Usage',
    ProviderName: 'Switchyard',
    PublisherName: 'sandbox',
    ConsumedUnit: 'Tokens',
    Tags: expect.stringMatching(/^\{"team":"(ads|search)"\}$/),
  });
  expect(readCsv((await admin('/usage/export?format=focus&tenant_id=globex')).text)).toHaveLength(2);
  expect((await admin('/usage/export?tenant_id=nobody')).status).toBe(404);
  expect((await ask(`${app.url}/api/admin/usage/export`, { key: keys['acme'] ?? '' })).status).toBe(401);
});

it('exports from the dashboard to whoever is signed in', async () => {
  const { token } = await app.accounts.sessions.begin('acme');
  const get = (cookie: string) =>
    ask(`${app.url}/dashboard/usage.csv?format=focus`, { key: null, headers: { cookie }, direct: true });
  expect(readCsv((await get(`switchyard_tenant=${token}`)).text)).toHaveLength(2);
  const nobody = await get('');
  expect([nobody.status, nobody.headers['location']]).toEqual([303, '/dashboard']);
});
