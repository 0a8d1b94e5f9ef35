import { expect, it } from 'vitest';
import { listAudit } from '../../../../src/tenants/accounts/changes.ts';
import { isCsrfToken, linkMs, sessionMs } from '../../../../src/tenants/accounts/sessions.ts';
import { findRequest, listRequests } from '../../../../src/tenants/metering/requests.ts';
import { dayRange, total, usageByDay, usageByTenant } from '../../../../src/tenants/metering/usage.ts';
import { onEveryStore } from '../../../helpers/store.ts';
import { admitted, success, tenantOn, testAccounts } from '../../../helpers/store-accounts.ts';
import { TestClock } from '../../../helpers/test-database.ts';

onEveryStore('tenants', (on) => {
  it('are made once, changed, suspended and listed', async () => {
    const { tenants } = await testAccounts(on);
    const acme = await tenants.create({ id: 'acme', plan: 'pro', name: 'Acme Ltd' }, 'test');
    expect(acme).toMatchObject({ plan: 'pro', overrides: {}, suspendedAt: null });
    await expect(tenants.create({ id: 'acme', plan: 'free' }, 'test')).rejects.toMatchObject({
      reason: 'exists',
    });
    const changed = await tenants.change(
      'acme',
      { plan: 'enterprise', overrides: { requestsPerMinute: 500 } },
      'test',
    );
    expect(changed).toMatchObject({
      name: 'Acme Ltd',
      plan: 'enterprise',
      overrides: { requestsPerMinute: 500 },
    });
    expect((await tenants.change('acme', { suspended: true }, 'test')).suspendedAt).not.toBeNull();
    expect(await tenants.get('acme')).toMatchObject({ overrides: { requestsPerMinute: 500 } });
    const first = await tenants.list({ limit: 1 });
    const second = await tenants.list({ limit: 1, cursor: first.nextCursor });
    expect([...first.items, ...second.items].map(({ id }) => id)).toEqual(['acme', 'local']);
    expect(second.nextCursor).toBeNull();
    await expect(tenants.get('nobody')).rejects.toMatchObject({ reason: 'not_found' });
  });

  it.each([
    [{ id: 'Acme', plan: 'pro' }, 'id'],
    [{ id: '', plan: 'pro' }, 'id'],
    [{ id: 'acme', plan: 'gold' }, 'plan'],
    [{ id: 'acme', plan: 'pro', name: ' ' }, 'name'],
    [{ id: 'acme', plan: 'pro', overrides: { requestsPerMinute: -1 } }, 'overrides'],
    [{ id: 'acme', plan: 'pro', overrides: { requestsPerHour: 1 } as never }, 'overrides'],
  ])('cannot be made from %o', async (fields, field) => {
    const { tenants } = await testAccounts(on);
    await expect(tenants.create(fields, 'test')).rejects.toMatchObject({ reason: 'invalid', field });
  });

  it('leave a trace of every act, with the change and without secrets', async () => {
    const { store, tenants, storedKeys, sessions } = await testAccounts(on);
    await tenants.create({ id: 'acme', plan: 'pro' }, 'admin');
    await tenants.change('acme', { plan: 'free' }, 'admin');
    const { key, text } = await storedKeys.create({ tenantId: 'acme' }, 'tenant:acme');
    const { text: next } = await storedKeys.rotate({ id: key.id, tenantId: null }, 60_000, 'cli');
    await storedKeys.revoke({ id: key.id, tenantId: null }, 'admin');
    const { token } = await sessions.invite('acme', 'cli');
    const { items } = await listAudit(store, { tenantId: 'acme' });
    expect(items.map(({ action, actor }) => `${actor} ${action}`).sort()).toEqual([
      'admin key.revoke',
      'admin tenant.change',
      'admin tenant.create',
      'cli key.rotate',
      'cli link.create',
      'tenant:acme key.create',
    ]);
    expect(items.find(({ action }) => action === 'tenant.change')).toMatchObject({
      target: 'tenant:acme',
      before: { plan: 'pro' },
      after: { plan: 'free' },
    });
    const all = JSON.stringify(items);
    for (const secret of [text, next].map((key) => key.split('_')[3] ?? '').concat(token)) {
      expect(all).not.toContain(secret);
    }
    const seen = new Set<string>();
    for (let cursor: string | null = null; ; ) {
      const page = await listAudit(store, { limit: 3, cursor });
      for (const { id } of page.items) seen.add(id);
      cursor = page.nextCursor;
      if (cursor === null) break;
    }
    // The first start made a tenant and a key.
    expect(seen.size).toBe(items.length + 2);
  });
});

onEveryStore('sessions', (on) => {
  it('last for their time, and end when they are ended', async () => {
    const clock = new TestClock();
    const { sessions } = await testAccounts(on, { clock });
    const admin = await sessions.begin(null);
    const tenant = await sessions.begin('local');
    expect(await sessions.find(admin.token)).toMatchObject({ tenantId: null });
    const session = await sessions.find(tenant.token);
    expect(session).toMatchObject({ tenantId: 'local', expiresAt: clock.time + sessionMs });
    if (!session) return;
    expect(isCsrfToken(session, session.csrfToken)).toBe(true);
    expect(isCsrfToken(session, 'x')).toBe(false);
    expect(session.csrfToken).not.toBe((await sessions.find(admin.token))?.csrfToken);
    expect(await sessions.find('unknown')).toBeNull();
    await sessions.end(admin.token);
    expect(await sessions.find(admin.token)).toBeNull();
    clock.time += sessionMs;
    expect(await sessions.find(tenant.token)).toBeNull();
  });

  it('of a suspended tenant are refused', async () => {
    const { sessions, tenants } = await testAccounts(on);
    const { token } = await sessions.begin('local');
    await tenants.change('local', { suspended: true }, 'test');
    expect(await sessions.find(token)).toBeNull();
  });

  it('begin by a link once, in time', async () => {
    const clock = new TestClock();
    const { sessions } = await testAccounts(on, { clock });
    const [first, second] = [await sessions.invite('local', 'test'), await sessions.invite('local', 'test')];
    const begun = await Promise.all(Array.from({ length: 5 }, () => sessions.redeem(first.token)));
    expect(begun.filter((session) => session !== null)).toHaveLength(1);
    expect(await sessions.find(first.token)).toBeNull();
    clock.time += linkMs;
    expect(await sessions.redeem(second.token)).toBeNull();
    await expect(sessions.invite('nobody', 'test')).rejects.toMatchObject({ reason: 'not_found' });
  });
});

onEveryStore('usage', (on) => {
  it('is summed by day and model, and by tenant, each seeing its own', async () => {
    const clock = new TestClock('2026-03-10T23:59:59.000Z');
    const accounts = await testAccounts(on, { clock });
    const [acme, other] = [
      await tenantOn(accounts, 'acme', 'enterprise'),
      await tenantOn(accounts, 'other', 'enterprise'),
    ];
    const before = admitted(await acme({ requestId: 'req_1' }));
    clock.set('2026-03-11T00:00:01.000Z');
    // It counts for the day of its admission.
    await before.settle(success);
    await admitted(await acme({ requestId: 'req_2' })).settle({
      status: 'failed',
      errorCode: 'provider_error',
    });
    await admitted(await acme({ requestId: 'req_3' })).settle({ status: 'cancelled' });
    await admitted(await other({ requestId: 'req_1' })).settle({
      ...success,
      usage: { ...success.usage, source: 'estimated' } as never,
    });
    const range = dayRange(clock.time);
    expect(range).toEqual({ from: '2026-02-10', to: '2026-03-11' });
    const days = await usageByDay(accounts.store, 'acme', range);
    expect(days).toMatchObject([
      {
        day: '2026-03-10',
        model: 'gpt-4o',
        requests: 1,
        promptTokens: 100,
        completionTokens: 20,
        cachedTokens: 40,
        reasoningTokens: 5,
        costMicroUsd: 400,
      },
      { day: '2026-03-11', model: null, requests: 2, failed: 1, cancelled: 1, promptTokens: 0 },
    ]);
    expect(total(days)).toMatchObject({ requests: 3, succeeded: 1, costMicroUsd: 400 });
    expect(await usageByDay(accounts.store, 'acme', { from: '2026-03-11', to: '2026-03-11' })).toHaveLength(
      1,
    );
    const first = await usageByTenant(accounts.store, range, { limit: 1 });
    expect(first.items).toMatchObject([{ tenantId: 'acme', requests: 3 }]);
    const second = await usageByTenant(accounts.store, range, { limit: 1, cursor: first.nextCursor });
    expect(second).toMatchObject({ items: [{ tenantId: 'other', requests: 1 }], nextCursor: null });

    const own = await accounts.reports.own('acme', '2026-03-11');
    expect(own).toMatchObject({
      plan: 'enterprise',
      state: [],
      total: { requests: 2 },
      range: { to: '2026-03-11' },
    });
    await expect(accounts.reports.own('nobody')).rejects.toMatchObject({ reason: 'not_found' });
    await accounts.tenants.change('acme', { overrides: { requestsPerMinute: 5 } }, 'test');
    expect((await accounts.reports.own('acme')).state).toMatchObject([
      { name: 'minute', limit: 5, remaining: 2 },
    ]);

    expect(await findRequest(accounts.store, 'other', 'req_1')).toMatchObject({
      usage: { source: 'estimated' },
    });
    expect(await findRequest(accounts.store, 'other', 'req_2')).toBeNull();
    const page = await listRequests(accounts.store, 'acme', { limit: 2 });
    expect(page.items.map(({ requestId }) => requestId)).toEqual(['req_3', 'req_2']);
    const rest = await listRequests(accounts.store, 'acme', { limit: 2, cursor: page.nextCursor });
    expect(rest).toMatchObject({ items: [{ requestId: 'req_1', status: 'succeeded' }], nextCursor: null });
  });

  it.each([
    ['2026-02-30', null, 'from'],
    ['2026-1-1', null, 'from'],
    [null, 'today', 'to'],
    ['2026-03-02', '2026-03-01', 'from'],
    ['2020-01-01', '2026-03-01', 'from'],
  ])('has no range from %s to %s', (from, to, field) => {
    expect(() => dayRange(Date.parse('2026-03-10'), from, to)).toThrow(expect.objectContaining({ field }));
  });
});
