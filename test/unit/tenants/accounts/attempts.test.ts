import { createSecretKey, randomBytes } from 'node:crypto';
import { expect, it } from 'vitest';
import { type AttemptLimit, Attempts, sweepAttempts } from '../../../../src/tenants/accounts/attempts.ts';
import { onEveryStore } from '../../../helpers/store.ts';
import { type TestAccounts, testAccounts, testPassword } from '../../../helpers/store-accounts.ts';
import { TestClock } from '../../../helpers/test-database.ts';

const limit: AttemptLimit = { kind: 'signup', max: 3, windowMs: 60_000 };

onEveryStore('attempts', (on) => {
  const secret = createSecretKey(randomBytes(32));
  async function limited() {
    const clock = new TestClock();
    const store = await on.open(await on.database(), clock);
    return { clock, store, attempts: new Attempts(store, secret, limit) };
  }

  it('are so many in any window, for each client by itself', async () => {
    const { clock, attempts } = await limited();
    for (const seconds of [0, 20, 20]) {
      clock.time += seconds * 1000;
      expect(await attempts.take('192.0.2.1')).toBe(0);
    }
    expect(await attempts.take('192.0.2.1')).toBe(20_000);
    expect(await attempts.take('192.0.2.2')).toBe(0);
    clock.time += 19_999;
    expect(await attempts.take('192.0.2.1')).toBe(1);
    clock.time += 1;
    expect(await attempts.take('192.0.2.1')).toBe(0);
    expect(await attempts.waitMs('192.0.2.1')).toBe(20_000);
    await attempts.forget('192.0.2.1');
    expect(await attempts.waitMs('192.0.2.1')).toBe(0);
  });

  it('are never more when two processes are asked at once', async () => {
    const database = await on.database();
    const both = [await on.open(database), await on.open(database)].map(
      (store) => new Attempts(store, secret, limit),
    );
    const waits = await Promise.all(
      both.flatMap((attempts) => Array.from({ length: 10 }, () => attempts.take('x'))),
    );
    expect(waits.filter((wait) => wait === 0)).toHaveLength(3);
  });

  it('are counted for the network of an IPv6 client', async () => {
    const { attempts } = await limited();
    for (const host of ['::1', 'a::', 'ffff:ffff:ffff:ffff']) {
      const address = `2001:db8:0:1:${host}`.replace(/:::/, '::');
      expect(await attempts.take(address)).toBe(0);
    }
    expect(await attempts.take('2001:0db8:0000:0001::99')).toBeGreaterThan(0);
    expect(await attempts.take('2001:db8:0:2::1')).toBe(0);
  });

  it('hold no address, and are forgotten when they are too old', async () => {
    const { clock, store, attempts } = await limited();
    await attempts.take('192.0.2.1');
    const rows = await store.db.selectFrom('attempts').selectAll().execute();
    expect(rows).toHaveLength(1);
    expect(JSON.stringify(rows)).not.toContain('192.0.2.1');
    clock.time += 3_599_999;
    await sweepAttempts(store);
    expect(await store.db.selectFrom('attempts').selectAll().execute()).toHaveLength(1);
    clock.time += 1;
    await sweepAttempts(store);
    expect(await store.db.selectFrom('attempts').selectAll().execute()).toEqual([]);
  });

  it('at the password stay limited where the right one was used from elsewhere', async () => {
    const { admin } = await testAccounts(on, {});
    expect(await admin.check(testPassword.reveal(), '192.0.2.9')).toEqual({ ok: true });
    for (let n = 0; n < 10; n += 1) await admin.check('wrong', '192.0.2.1');
    expect(await admin.check(testPassword.reveal(), '192.0.2.1')).toMatchObject({ ok: false });
    expect(await admin.check(testPassword.reveal(), '192.0.2.9')).toEqual({ ok: true });
  });

  it('at the password are ten wrong ones in two processes together', async () => {
    const database = await on.database();
    const both = [await testAccounts(on, {}, database), await testAccounts(on, {}, database)];
    const client = '192.0.2.1';
    const wrong = await Promise.all(
      both.flatMap(({ admin }) => Array.from({ length: 8 }, () => admin.check('wrong', client))),
    );
    expect(wrong.every(({ ok }) => !ok)).toBe(true);
    const { times } = await (both[0] as TestAccounts).store.db
      .selectFrom('attempts')
      .select('times')
      .executeTakeFirstOrThrow();
    expect(JSON.parse(times)).toHaveLength(10);
    for (const { admin } of both) {
      const right = await admin.check(testPassword.reveal(), client);
      expect(right).toMatchObject({ ok: false, retryAfterMs: expect.any(Number) });
      expect(await admin.check(testPassword.reveal(), '192.0.2.2')).toEqual({ ok: true });
    }
  });
});
