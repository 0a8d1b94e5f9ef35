/** Tags of requests: where they come from, who sees them, and what is refused without them. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { appForThisTest, startApp, type TestApp, testAdminPassword } from '../helpers/app.ts';
import { ask } from '../helpers/http.ts';
import { openAiFixture } from '../helpers/vendor-fixtures.ts';
import { providerOf, vendorFor } from '../helpers/vendor-gateway.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.close());

const admin = (path: string, body?: object, method?: 'PATCH') =>
  ask(`${app.url}/api/admin${path}`, {
    key: testAdminPassword,
    ...(body && { body }),
    ...(method && { method }),
  });

/** A tenant with a key, both of this test. */
async function tenantWith(id: string, tenant: object = {}, key: object = {}) {
  expect((await admin('/tenants', { id, plan: 'enterprise', ...tenant })).status).toBe(201);
  const made = await admin('/keys', { tenant_id: id, ...key });
  expect(made.status).toBe(201);
  return { secret: String(made.json.secret), keyId: String(made.json.key.id) };
}

const chat = (key: string, headers: Record<string, string> = {}, more: object = {}) =>
  ask(`${app.url}/v1/chat`, { key, headers, body: { model: 'sandbox', message: 'Hi', ...more } });

async function tagsOfLast(key: string) {
  const { json } = await ask(`${app.url}/v1/requests?limit=1`, { key });
  return json.data[0].tags;
}

describe('the tags of a request', () => {
  it('come from header, body and key, and stand in its record', async () => {
    const { secret } = await tenantWith('sources', {}, { tags: { team: 'search' } });
    const reply = await chat(
      secret,
      { 'x-switchyard-tags': 'team=other, env="pre prod"' },
      { metadata: { job: 'nightly' } },
    );
    expect(reply.status).toBe(200);
    expect(await tagsOfLast(secret)).toEqual({ team: 'search', env: 'pre prod', job: 'nightly' });
  });

  it('are none for a request without any', async () => {
    const { secret } = await tenantWith('untagged');
    await chat(secret);
    expect(await tagsOfLast(secret)).toEqual({});
  });

  it.each<[string, string, object]>([
    ['chat completions', '/v1/chat/completions', { messages: [{ role: 'user', content: 'Hi' }] }],
    ['responses', '/v1/responses', { input: 'Hi' }],
    ['completions', '/v1/completions', { prompt: 'Hi' }],
  ])('come from the metadata of %s', async (_name, path, body) => {
    const { secret } = await tenantWith(`wire${path.replaceAll('/', '-')}`);
    const metadata = { team: 'search', 'not a tag': 'x' };
    const headers = { 'x-switchyard-tags': 'env=prod' };
    const reply = await ask(app.url + path, {
      key: secret,
      headers,
      body: { model: 'sandbox', metadata, ...body },
    });
    expect(reply.status).toBe(200);
    expect(await tagsOfLast(secret)).toEqual({ team: 'search', env: 'prod' });
  });

  it('come from the header alone on Anthropic’s and Gemini’s interface', async () => {
    const { secret } = await tenantWith('other-wires');
    const headers = { 'x-switchyard-tags': 'env=prod', 'x-api-key': secret };
    const message = { model: 'sandbox', max_tokens: 9, messages: [{ role: 'user', content: 'Hi' }] };
    const body = { ...message, metadata: { user_id: 'somebody' } };
    expect((await ask(`${app.url}/v1/messages`, { key: null, headers, body })).status).toBe(200);
    expect(await tagsOfLast(secret)).toEqual({ env: 'prod' });
    const asked = { contents: [{ role: 'user', parts: [{ text: 'Hi' }] }] };
    const path = '/v1beta/models/sandbox:generateContent';
    expect(
      (await ask(app.url + path, { key: secret, headers: { 'x-switchyard-tags': 'env=test' }, body: asked }))
        .status,
    ).toBe(200);
    expect(await tagsOfLast(secret)).toEqual({ env: 'test' });
  });

  it('reach the vendor in the body as they came, and never in a header', async () => {
    const vendor = await vendorFor(({ reply }) => reply(200, JSON.stringify(openAiFixture.reply)));
    const own = await appForThisTest({
      models: { providers: [providerOf('openai', vendor.baseUrl, { speaks: ['openai-chat'] })] },
    });
    const metadata = { team: 'search', 'not a tag': 'x' };
    const body = { model: 'openai/gpt-4o', messages: [{ role: 'user', content: 'Hi' }], metadata };
    const headers = { 'x-switchyard-tags': 'env=prod' };
    expect((await ask(`${own.url}/v1/chat/completions`, { headers, body })).status).toBe(200);
    expect(JSON.parse(vendor.requests[0]?.body ?? '')).toMatchObject({ metadata });
    expect(vendor.requests[0]?.headers).not.toHaveProperty('x-switchyard-tags');
  });

  it('go along with builds, features and agents', async () => {
    const { secret } = await tenantWith('builds', { required_tags: ['team'] });
    const headers = { 'x-switchyard-tags': 'team=apps' };
    const build = await ask(`${app.url}/api/v1/factory/jobs`, {
      key: null,
      headers: { ...headers, 'x-api-key': secret },
      body: { prompt: 'A list of books to read' },
    });
    expect(build.status).toBe(202);
    expect(await tagsOfLast(secret)).toEqual({ team: 'apps' });
    const keywords = await ask(`${app.url}/v1/ai/keywords`, {
      key: secret,
      headers,
      body: { input: { text: 'Trains run late.' } },
    });
    expect(keywords.status).toBe(200);
    expect(await tagsOfLast(secret)).toEqual({ team: 'apps' });
  });

  it('are refused with the place where the header is wrong, before anything is admitted', async () => {
    const { secret } = await tenantWith('malformed');
    const reply = await chat(secret, { 'x-switchyard-tags': 'team=search, env' });
    expect([reply.status, reply.error.code, reply.error.param]).toEqual([
      400,
      'invalid_request',
      'x-switchyard-tags',
    ]);
    expect(reply.error.message).toContain('Tag 2, at character 13');
    expect((await ask(`${app.url}/v1/requests`, { key: secret })).json.data).toEqual([]);
  });

  it('are checked in the body of a chat', async () => {
    const { secret } = await tenantWith('chat-body');
    const reply = await chat(secret, {}, { metadata: { 'a b': 'x' } });
    expect([reply.status, reply.error.code]).toEqual([400, 'invalid_request']);
    expect((await chat(secret, {}, { metadata: { a: 'x'.repeat(257) } })).error.param).toBe('metadata.a');
  });
});

describe('required tags', () => {
  it('are asked for on every interface, in its own form', async () => {
    const { secret } = await tenantWith('required', { required_tags: ['team', 'env'] });
    const own = await chat(secret, { 'x-switchyard-tags': 'env=prod' });
    expect([own.status, own.error.code, own.error.details.length]).toEqual([400, 'tag_required', 1]);
    const messages = [{ role: 'user', content: 'Hi' }];
    const openai = await ask(`${app.url}/v1/chat/completions`, {
      key: secret,
      body: { model: 'sandbox', messages },
    });
    expect([openai.status, openai.json.error.code, openai.json.error.type]).toEqual([
      400,
      'tag_required',
      'invalid_request_error',
    ]);
    const anthropic = await ask(`${app.url}/v1/messages`, {
      key: null,
      headers: { 'x-api-key': secret },
      body: { model: 'sandbox', max_tokens: 9, messages },
    });
    expect([anthropic.status, anthropic.json.type, anthropic.json.error.type]).toEqual([
      400,
      'error',
      'invalid_request_error',
    ]);
    const gemini = await ask(`${app.url}/v1beta/models/sandbox:generateContent`, {
      key: secret,
      body: { contents: [{ role: 'user', parts: [{ text: 'Hi' }] }] },
    });
    expect([gemini.status, gemini.json.error.status]).toEqual([400, 'INVALID_ARGUMENT']);
    expect(gemini.json.error.message).toContain('"team"');
    expect((await chat(secret, { 'x-switchyard-tags': 'env=prod, team=search' })).status).toBe(200);
  });

  it('come with a key as well, and stop to be asked for within a second', async () => {
    const { secret, keyId } = await tenantWith('changing', { required_tags: ['team'] });
    expect((await chat(secret)).status).toBe(400);
    const changed = await admin(`/keys/${keyId}`, { tags: { team: 'search' } }, 'PATCH');
    expect([changed.status, changed.json.tags]).toEqual([200, { team: 'search' }]);
    expect((await chat(secret)).status).toBe(200);
    expect(await tagsOfLast(secret)).toEqual({ team: 'search' });
    await admin(`/keys/${keyId}`, { tags: {} }, 'PATCH');
    expect((await chat(secret)).status).toBe(400);
    const tenant = await admin('/tenants/changing', { required_tags: [] }, 'PATCH');
    expect(tenant.json.required_tags).toEqual([]);
    expect((await chat(secret)).status).toBe(200);
  });

  it('stay with a key that takes the place of another', async () => {
    const { keyId } = await tenantWith('rotated', {}, { tags: { team: 'search' } });
    const made = await admin(`/keys/${keyId}/rotate`, {});
    expect(made.json.key.tags).toEqual({ team: 'search' });
    await admin(`/keys/${keyId}/revoke`, {});
    expect((await admin(`/keys/${keyId}`, { label: 'late' }, 'PATCH')).status).toBe(409);
  });
});

it('lists requests by a tag, with or without its value', async () => {
  const { secret } = await tenantWith('filtered');
  for (const tags of ['team=a', 'team=b', 'team=a, x="team=b"', 'other=a'])
    await chat(secret, { 'x-switchyard-tags': tags });
  const listed = async (tag: string, more = '') => {
    const { json } = await ask(`${app.url}/v1/requests?tag=${encodeURIComponent(tag)}${more}`, {
      key: secret,
    });
    return json;
  };
  expect((await listed('team=a')).data).toHaveLength(2);
  expect((await listed('team=b')).data).toHaveLength(1);
  expect((await listed('team')).data).toHaveLength(3);
  expect((await listed('team=')).data).toHaveLength(0);
  const first = await listed('team', '&limit=2');
  expect(first.data).toHaveLength(2);
  const second = await listed('team', `&limit=2&cursor=${first.next_cursor}`);
  expect(second.data.map((record: { tags: object }) => record.tags)).toEqual([{ team: 'a' }]);
  expect(second.next_cursor).toBeNull();
});
