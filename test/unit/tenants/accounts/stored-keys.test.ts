import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { Secret } from '../../../../src/lib/redact.ts';
import { StoreError } from '../../../../src/store/errors.ts';
import type { Caller } from '../../../../src/tenants/accounts/caller.ts';
import { generateKey } from '../../../../src/tenants/accounts/key-secret.ts';
import { sweepOld } from '../../../../src/tenants/accounts/open-accounts.ts';
import { onEveryStore } from '../../../helpers/store.ts';
import { testAccounts } from '../../../helpers/store-accounts.ts';
import { TestClock } from '../../../helpers/test-database.ts';

const day = 86_400_000;

onEveryStore('keys', (on) => {
  async function withTenant(settings: Parameters<typeof testAccounts>[1] = {}, plan = 'pro') {
    const accounts = await testAccounts(on, settings);
    await accounts.tenants.create({ id: 'acme', plan }, 'test');
    return accounts;
  }

  it('are good from their making on, with their tenant, plan, limits and scopes', async () => {
    const { storedKeys, keys } = await withTenant();
    const { key, text } = await storedKeys.create(
      { tenantId: 'acme', label: 'CI', scopes: ['chat', 'ai'] },
      'test',
    );
    expect(await keys.verify(text)).toEqual({
      keyId: key.id,
      tenantId: 'acme',
      plan: 'pro',
      scopes: new Set(['chat', 'ai']),
      limits: expect.objectContaining({ requestsPerMinute: 60, requestsPerMonth: 10_000 }),
    });
    expect(key).toMatchObject({
      label: 'CI',
      status: 'active',
      masked: `sw_live_${key.id}_…`,
      lastUsedAt: null,
    });
    expect(JSON.stringify(key)).not.toContain(text.split('_')[3]);
  });

  it('are found again by their ids, as they are by then', async () => {
    const { storedKeys, keys, tenants } = await withTenant({ apiKeys: [new Secret('a-key-of-our-own')] });
    const { key, text } = await storedKeys.create({ tenantId: 'acme', scopes: ['chat'] }, 'test');
    const [stored, local] = await Promise.all([keys.verify(text), keys.verify('a-key-of-our-own')]);
    if (!stored || !local) throw new Error('A key is not good.');
    const again = (caller: object) => keys.callerAgain(caller as Caller);
    expect(await again(stored)).toEqual(stored);
    expect(await again(local)).toEqual(local);
    expect(await again({ ...stored, tenantId: 'local' })).toBeNull();
    expect(await again({ ...stored, keyId: 'nobody000000' })).toBeNull();
    const token = { tenantId: 'acme', keyId: 'jwt_corp_somebody', scopes: new Set(['ai']) };
    expect(await again(token)).toMatchObject({ ...token, plan: 'pro' });
    await storedKeys.change({ id: key.id, tenantId: 'acme' }, { tags: { team: 'a' } }, 'test');
    expect((await again(stored))?.tags).toEqual({ team: 'a' });
    await storedKeys.revoke({ id: key.id, tenantId: 'acme' }, 'test');
    expect(await again(stored)).toBeNull();
    await tenants.change('acme', { suspended: true }, 'test');
    expect(await again(token)).toBeNull();
  });

  it('carry what a tenant overrides of its plan', async () => {
    const { tenants, storedKeys, keys } = await withTenant();
    const { text } = await storedKeys.create({ tenantId: 'acme' }, 'test');
    await tenants.change('acme', { overrides: { requestsPerMinute: 7, requestsPerMonth: null } }, 'test');
    expect((await keys.verify(text))?.limits).toMatchObject({ requestsPerMinute: 7, requestsPerMonth: null });
    await tenants.change('acme', { plan: 'free' }, 'test');
    expect(await keys.verify(text)).toMatchObject({ plan: 'free', limits: { requestsPerMinute: 7 } });
  });

  it('are replaced with a grace period, and not after it', async () => {
    const clock = new TestClock();
    const { storedKeys, keys } = await withTenant({ clock });
    const old = await storedKeys.create({ tenantId: 'acme', label: 'app', scopes: ['chat'] }, 'test');
    const next = await storedKeys.rotate({ id: old.key.id, tenantId: 'acme' }, day, 'test');
    expect(next.key).toMatchObject({
      rotatedFrom: old.key.id,
      label: 'app',
      scopes: ['chat'],
      status: 'active',
    });
    clock.time += day - 1;
    expect(await keys.verify(old.text)).not.toBeNull();
    expect(await storedKeys.get({ id: old.key.id, tenantId: null })).toMatchObject({ status: 'replaced' });
    clock.time += 1;
    expect(await keys.verify(old.text)).toBeNull();
    expect(await keys.verify(next.text)).not.toBeNull();
    await expect(storedKeys.rotate({ id: old.key.id, tenantId: null }, 0, 'test')).rejects.toMatchObject({
      reason: 'not_allowed',
    });
    const third = await storedKeys.rotate({ id: next.key.id, tenantId: null }, 0, 'test');
    expect(await keys.verify(next.text)).toBeNull();
    expect(await keys.verify(third.text)).not.toBeNull();
  });

  it('end when they expire, are revoked, or their tenant is suspended', async () => {
    const clock = new TestClock();
    const { storedKeys, keys, tenants } = await withTenant({ clock });
    const [short, long] = [
      await storedKeys.create({ tenantId: 'acme', expiresAt: clock.time + 1_000 }, 'test'),
      await storedKeys.create({ tenantId: 'acme' }, 'test'),
    ];
    expect(await keys.verify(short.text)).not.toBeNull();
    clock.time += 1_000;
    expect(await keys.verify(short.text)).toBeNull();
    await tenants.change('acme', { suspended: true }, 'test');
    expect(await keys.verify(long.text)).toBeNull();
    await tenants.change('acme', { suspended: false }, 'test');
    expect(await keys.verify(long.text)).not.toBeNull();
    await storedKeys.revoke({ id: long.key.id, tenantId: 'acme' }, 'test');
    expect(await keys.verify(long.text)).toBeNull();
    const { revokedAt } = await storedKeys.revoke({ id: long.key.id, tenantId: 'acme' }, 'test');
    expect(revokedAt).toBe(clock.time);
  });

  it('that are revoked, and tenants that are suspended, are heard of by another process within half a second', async () => {
    const database = await on.database();
    const { storedKeys, tenants } = await testAccounts(on, {}, database);
    const other = await testAccounts(on, {}, database);
    await tenants.create({ id: 'acme', plan: 'pro' }, 'test');
    const one = await storedKeys.create({ tenantId: 'acme' }, 'test');
    const next = await storedKeys.create({ tenantId: 'acme' }, 'test');
    const now = performance.now.bind(performance);
    let shift = 0;
    const clock = vi.spyOn(performance, 'now').mockImplementation(() => now() + shift);
    on.cleanUp(() => clock.mockRestore());
    const seen = async ({ text }: typeof one) => {
      shift += 500;
      return (await other.keys.verify(text))?.keyId;
    };
    expect(await seen(one)).toBe(one.key.id);
    await storedKeys.revoke({ id: one.key.id, tenantId: null }, 'test');
    expect(await seen(one)).toBeUndefined();
    expect(await seen(next)).toBe(next.key.id);
    await tenants.change('acme', { suspended: true }, 'test');
    expect(await seen(next)).toBeUndefined();
    await tenants.change('acme', { suspended: false }, 'test');
    expect(await seen(next)).toBe(next.key.id);
  });

  it('are never found in anything else', async () => {
    const { storedKeys, keys } = await withTenant({ apiKeys: [new Secret('configured')] });
    const { text } = await storedKeys.create({ tenantId: 'acme' }, 'test');
    await fc.assert(
      fc.asyncProperty(fc.oneof(fc.string({ unit: 'binary' }), fc.string()), async (presented) => {
        expect(await keys.verify(presented)).toBeNull();
      }),
      { numRuns: 300 },
    );
    for (let at = 0; at < text.length; at += 1) {
      const other = text[at] === 'x' ? 'y' : 'x';
      expect(await keys.verify(text.slice(0, at) + other + text.slice(at + 1))).toBeNull();
      expect(await keys.verify(text.slice(0, at))).toBeNull();
    }
    expect(await keys.verify(generateKey().text)).toBeNull();
    expect(await keys.verify(`${text} `)).toBeNull();
    for (const name of ['tenant local', "' or 1=1 --", '__proto__', text.split('_')[2] ?? '']) {
      expect(await keys.verify(name)).toBeNull();
    }
    expect(await keys.verify(text)).not.toBeNull();
  });

  it('of the configuration belong to the tenant local', async () => {
    const { keys, tenants } = await withTenant({ apiKeys: [new Secret('configured')] });
    expect(await keys.verify('configured')).toMatchObject({ tenantId: 'local', plan: 'enterprise' });
    await tenants.change('local', { suspended: true }, 'test');
    expect(await keys.verify('configured')).toBeNull();
  });

  it('are not for a plan that has none', async () => {
    const { storedKeys, keys, tenants } = await withTenant({ planChanges: { free: { keys: false } } });
    const { text } = await storedKeys.create({ tenantId: 'acme' }, 'test');
    await tenants.change('acme', { plan: 'free' }, 'test');
    expect(await keys.verify(text)).toBeNull();
    await expect(storedKeys.create({ tenantId: 'acme' }, 'test')).rejects.toMatchObject({
      reason: 'not_allowed',
    });
  });

  it.each([
    [{ tenantId: 'nobody' }, 'not_found', null],
    [{ tenantId: 'acme', scopes: [] }, 'invalid', 'scopes'],
    [{ tenantId: 'acme', scopes: ['chat', 'root'] }, 'invalid', 'scopes'],
    [{ tenantId: 'acme', expiresAt: 5 }, 'invalid', 'expires_at'],
    [{ tenantId: 'acme', label: 'x'.repeat(201) }, 'invalid', 'label'],
  ])('cannot be made from %o', async (fields, reason, field) => {
    const { storedKeys } = await withTenant();
    await expect(storedKeys.create(fields, 'test')).rejects.toMatchObject({ reason, field });
  });

  it('are out of reach for other tenants', async () => {
    const { storedKeys, tenants } = await withTenant();
    await tenants.create({ id: 'other', plan: 'pro' }, 'test');
    const { key } = await storedKeys.create({ tenantId: 'acme' }, 'test');
    const theirs = { id: key.id, tenantId: 'other' };
    for (const attempt of [
      () => storedKeys.get(theirs),
      () => storedKeys.revoke(theirs, 'test'),
      () => storedKeys.rotate(theirs, 0, 'test'),
    ]) {
      await expect(attempt()).rejects.toMatchObject({ reason: 'not_found' });
    }
    expect((await storedKeys.list('other')).items).toEqual([]);
    expect(await storedKeys.get({ id: key.id, tenantId: 'acme' })).toMatchObject({ status: 'active' });
  });

  it('are listed in pages, latest first, each once', async () => {
    const clock = new TestClock();
    const { storedKeys } = await withTenant({ clock });
    const ids: string[] = [];
    for (let n = 0; n < 7; n += 1) {
      clock.time += n % 2;
      ids.push((await storedKeys.create({ tenantId: 'acme', label: `${n}` }, 'test')).key.id);
    }
    const seen: string[] = [];
    let cursor: string | null = null;
    do {
      const page = await storedKeys.list('acme', { limit: 2, cursor });
      seen.push(...page.items.map(({ id }) => id));
      cursor = page.nextCursor;
    } while (cursor !== null);
    expect(seen).toHaveLength(7);
    expect(new Set(seen)).toEqual(new Set(ids));
    expect(seen[0]).toBe(ids.slice(5).sort()[0]);
    await expect(storedKeys.list('acme', { cursor: 'nonsense' })).rejects.toMatchObject({ field: 'cursor' });
  });

  it('remember when they were last used', async () => {
    const clock = new TestClock();
    const database = await on.database();
    const accounts = await testAccounts(on, { clock }, database);
    const { key, text } = await accounts.storedKeys.create({ tenantId: 'local' }, 'test');
    await accounts.keys.verify(text);
    clock.time += 5_000;
    await accounts.keys.verify(text);
    await accounts.close();
    expect(await accounts.storedKeys.get({ id: key.id, tenantId: null })).toMatchObject({
      lastUsedAt: clock.time,
    });
  });

  it('are not called bad when the database fails', async () => {
    const accounts = await withTenant();
    const { text } = await accounts.storedKeys.create({ tenantId: 'acme' }, 'test');
    await accounts.close();
    await accounts.store.db.schema.dropTable('changes').execute();
    await new Promise((resolve) => setTimeout(resolve, 520));
    await expect(accounts.keys.verify(text)).rejects.toBeInstanceOf(StoreError);
    await expect(accounts.keys.verify(generateKey().text)).rejects.toBeInstanceOf(StoreError);
    // A typing error needs no database to be found.
    expect(await accounts.keys.verify(`${text.slice(0, -1)}!`)).toBeNull();
  });
});

describe('retention', () => {
  const days = { audit: 400, signups: 90 };
  const never = new AbortController().signal;
  const dayMs = 86_400_000;

  onEveryStore('what administration keeps', (on) => {
    const numberOf = async (
      store: Awaited<ReturnType<typeof testAccounts>>['store'],
      table: 'audit' | 'signups',
    ) => (await store.db.selectFrom(table).select('id').execute()).length;

    it('loses entries of the audit log that are too old, in batches', async () => {
      const clock = new TestClock('2026-01-01T00:00:00.000Z');
      const { store, changes } = await testAccounts(on, { clock });
      const before = await numberOf(store, 'audit');
      const act = {
        actor: 'test',
        action: 'test.act',
        target: 'test',
        tenantId: null,
        before: null,
        after: null,
      };
      const acts = Array.from({ length: 450 }, () => act);
      await changes.perform(async () => ({ result: null, act: acts }));
      clock.time += 1;
      await changes.perform(async () => ({ result: null, act }));

      clock.time += 400 * dayMs - 1;
      expect(await sweepOld(store, days, never)).toBe(0);
      clock.time += 1;
      expect(await sweepOld(store, days, AbortSignal.abort())).toBe(0);
      expect(await sweepOld(store, days, never)).toBe(before + 450);
      expect(await numberOf(store, 'audit')).toBe(1);
      clock.time += 1;
      expect(await sweepOld(store, days, never)).toBe(1);
    });

    it('loses sign-ups some time after they were decided, and none that waits', async () => {
      const clock = new TestClock('2026-01-01T00:00:00.000Z');
      const { store, signups } = await testAccounts(on, { clock });
      for (const email of ['approved@example.com', 'rejected@example.com', 'waiting@example.com'])
        await signups.request({ email, orgName: email, tier: 'free' }, 'test');
      const { items } = await signups.list();
      const idOf = (start: string) => items.find(({ email }) => email.startsWith(start))?.id ?? '';
      clock.time += 50 * dayMs;
      await signups.approve(idOf('approved'), { give: 'dashboard_link' }, 'test');
      await signups.reject(idOf('rejected'), 'test');

      clock.time += 90 * dayMs;
      expect(await sweepOld(store, days, never)).toBe(0);
      clock.time += 1;
      expect(await sweepOld(store, days, never)).toBe(2);
      expect((await signups.list()).items.map(({ email }) => email)).toEqual(['waiting@example.com']);
    });
  });
});
