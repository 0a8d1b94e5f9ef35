import { expect, it } from 'vitest';
import { onEveryStore } from '../../../helpers/store.ts';
import { testAccounts } from '../../../helpers/store-accounts.ts';
import { TestClock } from '../../../helpers/test-database.ts';

const minute = 60_000;

onEveryStore('sessions', (on) => {
  const seenAt = (rows: readonly { lastSeenAt: number }[]) => rows.map(({ lastSeenAt }) => lastSeenAt);

  it('are listed, latest first, with who it is and how they have signed in, and nothing that opens one', async () => {
    const clock = new TestClock();
    const { sessions, tenants, store } = await testAccounts(on, { clock });
    await tenants.create({ id: 'acme', plan: 'pro' }, 'test');
    const person = { actor: 'corp:ann', issuer: 'corp' };
    const begun = [];
    for (const [tenantId, who] of [
      [null, undefined],
      ['acme', undefined],
      [null, { ...person, role: 'operator' as const }],
      ['acme', { ...person, role: null }],
    ] as const) {
      clock.time += 1;
      begun.unshift(await sessions.begin(tenantId, who));
    }
    const { items } = await sessions.list();
    expect(items.map(({ id }) => id)).toEqual(begun.map(({ id }) => id));
    const outline = items.map(({ actor, role, tenantId, method, issuer }) => [
      ...[actor, role, tenantId],
      ...[method, issuer],
    ]);
    expect(outline).toEqual([
      ['corp:ann', 'member', 'acme', 'oidc', 'corp'],
      ['corp:ann', 'operator', null, 'oidc', 'corp'],
      ['tenant:acme', 'member', 'acme', 'link', null],
      ['admin', 'owner', null, 'password', null],
    ]);
    const digests = await store.db.selectFrom('sessions').select('digest').execute();
    const text = JSON.stringify(items);
    for (const secret of [...begun.map(({ token }) => token), ...digests.map(({ digest }) => digest)])
      expect(text).not.toContain(secret);
    for (const { id } of begun) expect(await sessions.find(id)).toBeNull();
  });

  it('are listed in pages, without those that are over', async () => {
    const clock = new TestClock();
    const { sessions } = await testAccounts(on, { clock });
    const old = await sessions.begin(null);
    clock.time += old.expiresAt - clock.now() - 1;
    const ids: string[] = [];
    for (let n = 0; n < 3; n += 1) ids.unshift((await sessions.begin(null)).id);
    expect((await sessions.list()).items).toHaveLength(4);
    clock.time += 1;
    const first = await sessions.list({ limit: 2 });
    const second = await sessions.list({ limit: 2, cursor: first.nextCursor });
    expect([first, second].map(({ items }) => items.length)).toEqual([2, 1]);
    expect([...first.items, ...second.items].map(({ id }) => id).sort()).toEqual(ids.sort());
    expect(second.nextCursor).toBeNull();
    await expect(sessions.list({ cursor: 'WzFd' })).rejects.toMatchObject({ reason: 'invalid' });
  });

  it('say when they were last used, which is written down at most once a minute', async () => {
    const clock = new TestClock();
    const { sessions, store } = await testAccounts(on, { clock });
    const { token } = await sessions.begin(null);
    const begunAt = clock.now();
    const written = async () =>
      (await store.db.selectFrom('sessions').select('seen_at').executeTakeFirstOrThrow()).seen_at;
    clock.time += minute - 1;
    await sessions.find(token);
    expect([await written(), ...seenAt((await sessions.list()).items)]).toEqual([null, begunAt]);
    clock.time += 1;
    await Promise.all([sessions.find(token), sessions.find(token)]);
    await expect.poll(written).toBe(begunAt + minute);
    expect(seenAt((await sessions.list()).items)).toEqual([begunAt + minute]);
    clock.time += minute - 1;
    await sessions.find(token);
    clock.time += 1;
    await sessions.find(token);
    // Had the one before it been written down, this one would not have been.
    await expect.poll(written).toBe(begunAt + 2 * minute);
  });

  it('are good while their row cannot be written', async () => {
    const clock = new TestClock();
    const database = await on.database();
    const { sessions } = await testAccounts(on, { clock }, database);
    const { token, id } = await sessions.begin(null);
    clock.time += minute;
    const { store: other } = await testAccounts(on, { clock }, database);
    await other.db.transaction().execute(async (db) => {
      await db.updateTable('sessions').set({ actor: 'other' }).where('id', '=', id).execute();
      expect(await sessions.find(token)).toMatchObject({ id, actor: 'admin' });
    });
  });

  it('are ended by their id, in every process at once, and the audit log says so', async () => {
    const database = await on.database();
    const [one, other] = [await testAccounts(on, {}, database), await testAccounts(on, {}, database)];
    const [ended, kept] = [await one.sessions.begin(null), await one.sessions.begin(null)];
    expect(await other.sessions.find(ended.token)).not.toBeNull();
    await one.sessions.endById(ended.id, 'corp:owner');
    expect(await other.sessions.find(ended.token)).toBeNull();
    expect(await other.sessions.find(kept.token)).not.toBeNull();
    expect((await other.sessions.list()).items.map(({ id }) => id)).toEqual([kept.id]);
    const [entry] = (await one.audit()).items;
    expect(entry).toMatchObject({
      ...{ actor: 'corp:owner', action: 'session.end', target: `session:${ended.id}` },
      ...{ before: { actor: 'admin', role: 'owner' }, after: null },
    });
    expect(JSON.stringify(entry)).not.toContain(ended.token);
    for (const id of [ended.id, 'ses_%', ''])
      await expect(one.sessions.endById(id, 'corp:owner')).rejects.toMatchObject({ reason: 'not_found' });
  });

  it('that an older server has begun without an id can be listed and ended, too', async () => {
    const { sessions, store } = await testAccounts(on);
    const [older, newer] = [await sessions.begin(null), await sessions.begin(null)];
    await store.db
      .updateTable('sessions')
      .set({ id: null, role: null, actor: null })
      .where('id', '=', older.id)
      .execute();
    const row = (await sessions.list()).items.find(({ id }) => id !== newer.id);
    expect(row).toMatchObject({ actor: 'admin', role: 'owner', method: 'password' });
    await sessions.endById(row?.id ?? '', 'admin');
    expect(await sessions.find(older.token)).toBeNull();
    expect(await sessions.find(newer.token)).not.toBeNull();
  });
});
