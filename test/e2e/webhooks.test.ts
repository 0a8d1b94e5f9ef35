/** Webhooks: what receivers get, and what becomes of what they do not take. */
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { Webhook as Verifier } from 'standardwebhooks';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { CreatedWebhook, WebhookDeliveryList } from '../../generated/types.gen.ts';
import { appForThisTest, startApp, type TestApp, testAdminPassword } from '../helpers/app.ts';
import { type Ask, ask } from '../helpers/http.ts';
import { onEveryStore } from '../helpers/store.ts';

const administer = (app: TestApp, path: string, asking: Ask = {}) =>
  ask(`${app.url}/api/admin${path}`, { key: testAdminPassword, ...asking });

interface Got {
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

/** A receiver that answers as the test says: a status, nothing at all, or another address. */
async function receiver(answer: (index: number) => number | 'nothing' | 'redirect') {
  const got: Got[] = [];
  const server = createServer(async (request, response) => {
    const index = got.length;
    got.push({ headers: request.headers, body: await text(request) });
    const said = answer(index);
    if (said === 'nothing') return;
    if (said === 'redirect') response.writeHead(302, { location: '/elsewhere' }).end();
    else response.writeHead(said).end('thanks');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`, got };
}

async function webhookOn(app: TestApp, body: object): Promise<CreatedWebhook> {
  const reply = await administer(app, '/webhooks', { body });
  expect([reply.status, reply.error]).toEqual([201, undefined]);
  return reply.json as unknown as CreatedWebhook;
}

const deliveriesOf = async (app: TestApp, id: string) =>
  ((await administer(app, `/webhooks/${id}/deliveries`)).json as unknown as WebhookDeliveryList).data;

const chat = (app: TestApp) => ask(`${app.url}/v1/chat`, { body: { message: 'Hi' } });

onEveryStore('webhooks', (on) => {
  it('tell once of each threshold of a budget, signed so that the library of the specification takes it', async () => {
    const app = await startApp({ database: await on.database() });
    on.cleanUp(() => app.close());
    const { url, got } = await receiver(() => 204);
    const { secret, webhook } = await webhookOn(app, { url, tenant_id: 'local' });
    const body = { tenant_id: 'local', label: 'All', unit: 'requests', window: 'day', limit: 4 };
    const budget = (await administer(app, '/budgets', { body })).json as { id: string };
    for (const status of [200, 200, 200]) expect((await chat(app)).status).toBe(status);
    await expect.poll(() => got.length).toBe(1);
    expect((await chat(app)).status).toBe(200);
    expect((await chat(app)).status).toBe(429);
    await expect.poll(() => got.length).toBe(3);
    // They may come in any order.
    const events = got.map(({ headers, body: payload }) => {
      const signed = new Verifier(secret).verify(payload, headers as Record<string, string>);
      return signed as { type: string; timestamp: string; data: Record<string, unknown> };
    });
    events.sort((one, other) => Number(one.data['percent']) - Number(other.data['percent']));
    expect(events.map(({ type, data }) => [type, data['percent']])).toEqual([
      ['budget.threshold_reached', 50],
      ['budget.threshold_reached', 80],
      ['budget.exceeded', 100],
    ]);
    expect(events[2]?.data).toMatchObject({
      budget_id: budget.id,
      tenant_id: 'local',
      label: 'All',
      unit: 'requests',
      limit: 4,
      used: 4,
    });
    // What a receiver has is written down when its answer is there.
    const statesOf = async () => (await deliveriesOf(app, webhook.id)).map(({ state }) => state);
    await expect.poll(statesOf).toEqual(['delivered', 'delivered', 'delivered']);
    const deliveries = await deliveriesOf(app, webhook.id);
    expect(deliveries).toMatchObject([
      { state: 'delivered', attempts: [{ status: 204, failure: null }], next_attempt_at: null },
      { state: 'delivered' },
      { state: 'delivered' },
    ]);
    expect(new Set(got.map(({ headers }) => headers['webhook-id']))).toEqual(
      new Set(deliveries.map(({ event_id }) => event_id)),
    );
  });
});

describe('a webhook', () => {
  it('is refused for a tenant that is not there', async () => {
    const app = await appForThisTest();
    const body = { tenant_id: 'nobody', url: 'https://hooks.example/switchyard' };
    const { status, error } = await administer(app, '/webhooks', { body });
    expect([status, error.code]).toEqual([404, 'not_found']);
  });

  it('is tried again under the same id while its receiver fails, and by hand', async () => {
    const app = await appForThisTest();
    const { url, got } = await receiver((index) => (index === 0 ? 500 : 200));
    const { webhook } = await webhookOn(app, { url });
    expect((await administer(app, `/webhooks/${webhook.id}/test`, { method: 'POST' })).status).toBe(202);
    await expect
      .poll(async () => (await deliveriesOf(app, webhook.id))[0])
      .toMatchObject({ state: 'waiting', attempts: [{ status: 500, failure: 'status' }] });
    const [delivery] = await deliveriesOf(app, webhook.id);
    expect(delivery?.next_attempt_at).not.toBeNull();
    expect((await administer(app, `/webhooks/${webhook.id}`)).json['failing_since']).not.toBeNull();
    const again = await administer(app, `/webhook-deliveries/${delivery?.id}/redeliver`, { method: 'POST' });
    expect(again.status).toBe(202);
    await expect
      .poll(async () => (await deliveriesOf(app, webhook.id))[0])
      .toMatchObject({ state: 'delivered', attempts: [{ status: 500 }, { status: 200 }] });
    expect(got[1]?.headers['webhook-id']).toBe(got[0]?.headers['webhook-id']);
    expect((await administer(app, `/webhooks/${webhook.id}`)).json['failing_since']).toBeNull();
  });

  it('follows no redirect, and is told nothing more when its receiver says that it is gone', async () => {
    const app = await appForThisTest({ errorsExpected: true });
    const { url, got } = await receiver((index) => (index === 0 ? 'redirect' : 410));
    const { webhook } = await webhookOn(app, { url });
    const test = () => administer(app, `/webhooks/${webhook.id}/test`, { method: 'POST' });
    await test();
    await expect
      .poll(async () => (await deliveriesOf(app, webhook.id))[0]?.attempts)
      .toMatchObject([{ status: 302, failure: 'status' }]);
    expect(got).toHaveLength(1);
    await test();
    await expect
      .poll(async () => (await deliveriesOf(app, webhook.id))[0])
      .toMatchObject({ state: 'failed', attempts: [{ status: 410 }] });
    await expect
      .poll(async () => (await administer(app, `/webhooks/${webhook.id}`)).json['disabled_at'])
      .not.toBeNull();
    await expect
      .poll(async () => JSON.stringify((await administer(app, '/audit')).json))
      .toContain('"webhook.disable"');
    await expect.poll(() => JSON.stringify(app.log)).toContain('was disabled: its receiver answered 410');
    const body = { disabled: false };
    const changed = await administer(app, `/webhooks/${webhook.id}`, { method: 'PATCH', body });
    expect(changed.json).toMatchObject({ disabled_at: null, failing_since: null });
  });

  it('is sent nothing while it is disabled, nor what cannot be signed, and the delivery says so', async () => {
    const app = await appForThisTest({ errorsExpected: true });
    const { url, got } = await receiver(() => 200);
    const { webhook } = await webhookOn(app, { url });
    const test = () => administer(app, `/webhooks/${webhook.id}/test`, { method: 'POST' });
    const change = (body: object) => administer(app, `/webhooks/${webhook.id}`, { method: 'PATCH', body });
    await change({ disabled: true });
    await test();
    const latest = async () => (await deliveriesOf(app, webhook.id))[0];
    await expect
      .poll(latest)
      .toMatchObject({ state: 'failed', attempts: [{ failure: 'disabled' }], next_attempt_at: null });
    await change({ disabled: false });
    await app.accounts.store.db
      .updateTable('webhooks')
      .set({ secret: Buffer.alloc(64) })
      .execute();
    await test();
    await expect
      .poll(latest)
      .toMatchObject({ state: 'failed', attempts: [{ failure: 'unsigned' }], next_attempt_at: null });
    await expect.poll(() => JSON.stringify(app.log)).toContain('cannot be opened');
    expect(got).toHaveLength(0);
  });

  it('that hangs with much to be told holds up no other', async () => {
    const app = await appForThisTest();
    const hanging = await receiver(() => 'nothing');
    const quick = await receiver(() => 200);
    const { webhook: slow } = await webhookOn(app, { url: hanging.url });
    const { webhook } = await webhookOn(app, { url: quick.url });
    const row = { webhook_id: slow.id, type: 'webhook.test', payload: '{}', state: 'waiting', log: '[]' };
    const many = Array.from({ length: 300 }, (_, index) => ({
      ...row,
      ...{ id: `d${index}`, event_id: `e${index}`, attempts: 0, due_at: 1, claimed_until: 0, created_at: 1 },
    }));
    await app.accounts.store.db.insertInto('webhook_deliveries').values(many).execute();
    await administer(app, `/webhooks/${webhook.id}/test`, { method: 'POST' });
    await expect.poll(() => quick.got.length).toBe(1);
  });

  it('signs with the old secret beside the new one after a rotation', async () => {
    const app = await appForThisTest();
    const { url, got } = await receiver(() => 200);
    const { secret: old, webhook } = await webhookOn(app, { url });
    const rotated = await administer(app, `/webhooks/${webhook.id}/rotate`, { method: 'POST' });
    const secret = String(rotated.json['secret']);
    expect(secret).not.toBe(old);
    await administer(app, `/webhooks/${webhook.id}/test`, { method: 'POST' });
    await expect.poll(() => got.length).toBe(1);
    const [{ headers, body } = { headers: {}, body: '' }] = got;
    for (const each of [old, secret]) {
      expect(new Verifier(each).verify(body, headers as Record<string, string>)).toMatchObject({
        type: 'webhook.test',
      });
    }
    const other = new Verifier(`whsec_${Buffer.alloc(32).toString('base64')}`);
    expect(() => other.verify(body, headers as Record<string, string>)).toThrow('No matching signature');
  });

  it('reaches nothing but public addresses, wherever a name leads', async () => {
    const app = await appForThisTest();
    // A name of this machine that is no name of loopback in the configuration of a webhook.
    const { webhook } = await webhookOn(app, { url: 'https://localtest.invalid/hook' });
    const local = await administer(app, `/webhooks/${webhook.id}`, {
      method: 'PATCH',
      body: { url: 'https://10.0.0.1/hook' },
    });
    expect(local.status).toBe(200);
    await administer(app, `/webhooks/${webhook.id}/test`, { method: 'POST' });
    await expect
      .poll(async () => (await deliveriesOf(app, webhook.id))[0]?.attempts)
      .toMatchObject([{ status: null, failure: 'refused' }]);
  });

  it.each([
    ['http://example.org/hook', 'begins with https://'],
    ['https://user:word@example.org/hook', 'no user and no password'],
    ['ftp://example.org', 'begins with https://'],
    ['not an address', 'is not a URL'],
  ])('is not made for %s', async (url, message) => {
    const app = await appForThisTest();
    const reply = await administer(app, '/webhooks', { body: { url } });
    expect([reply.status, reply.error.param]).toEqual([400, 'url']);
    expect(reply.error.message).toContain(message);
  });

  it('keeps its secret out of the database and of what is shown of it', async () => {
    const app = await appForThisTest();
    const { secret, webhook } = await webhookOn(app, { url: 'https://example.org/hook', label: 'Finance' });
    const shown = JSON.stringify([
      (await administer(app, `/webhooks/${webhook.id}`)).json,
      (await administer(app, '/webhooks')).json,
      (await administer(app, '/audit')).json,
      app.log,
    ]);
    expect(shown).toContain('Finance');
    expect(shown).not.toContain(secret.slice(6, 30));
    expect((await administer(app, `/webhooks/${webhook.id}`, { method: 'DELETE' })).status).toBe(204);
    expect((await administer(app, `/webhooks/${webhook.id}`)).status).toBe(404);
  });
});
