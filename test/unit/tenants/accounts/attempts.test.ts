import { createSecretKey, randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { Secret } from '../../../../src/lib/redact.ts';
import { AdminAccess } from '../../../../src/tenants/accounts/admin-access.ts';
import { type AttemptLimit, attemptsOf, sweepAttempts } from '../../../../src/tenants/accounts/attempts.ts';
import { PasswordLimits } from '../../../../src/tenants/accounts/password-limits.ts';
import { onEveryStore } from '../../../helpers/store.ts';
import {
  seedPassword,
  type TestAccounts,
  testAccounts,
  testPassword,
} from '../../../helpers/store-accounts.ts';
import { TestClock } from '../../../helpers/test-database.ts';

const limit: AttemptLimit = { kind: 'signup', max: 3, windowMs: 60_000 };

onEveryStore('attempts', (on) => {
  const secret = createSecretKey(randomBytes(32));
  async function limited() {
    const clock = new TestClock();
    const store = await on.open(await on.database(), clock);
    return { clock, store, attempts: attemptsOf(store, secret, limit) };
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
    const both = [await on.open(database), await on.open(database)].map((store) =>
      attemptsOf(store, secret, limit),
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

describe('the limits of passwords', () => {
  const minute = 60_000;
  const day = 86_400_000;
  const right = 'the right password of a test';

  onEveryStore('the limits of passwords', (on) => {
    const secret = createSecretKey(randomBytes(32));

    async function open() {
      const clock = new TestClock();
      const store = await on.open(await on.database(), clock);
      const limits = new PasswordLimits(store, secret);
      const guess = async (client: string) => limits.take(client, await limits.isKnown(client));
      /** Wrong ones, each from an address of its own. */
      const flood = async (times = 100) => {
        for (let n = 0; n < times; n += 1) expect((await guess(`198.51.100.${n}`)).ms).toBe(0);
      };
      return { clock, store, limits, guess, flood };
    }

    it('count an IPv6 /48 as well, whichever of its /64 networks is used', async () => {
      const { clock, guess } = await open();
      for (let n = 0; n < 30; n += 1) expect((await guess(`2001:db8:7:${n.toString(16)}::1`)).ms).toBe(0);
      expect(await guess('2001:db8:7:ffff::1')).toEqual({ ms: 15 * minute, whose: 'site' });
      expect((await guess('2001:db8:8:ffff::1')).ms).toBe(0);
      expect((await guess('192.0.2.1')).ms).toBe(0);
      clock.time += 15 * minute;
      expect((await guess('2001:db8:7:ffff::1')).ms).toBe(0);
    });

    it('count all strangers in sum, and a refused guess costs nothing', async () => {
      const { clock, guess, flood } = await open();
      await flood();
      for (let n = 0; n < 50; n += 1) {
        expect(await guess('192.0.2.1')).toEqual({ ms: 15 * minute, whose: 'all' });
        expect((await guess(`2001:db8:${n.toString(16)}::1`)).whose).toBe('all');
      }
      clock.time += 15 * minute;
      for (let n = 0; n < 10; n += 1) expect((await guess('192.0.2.1')).ms).toBe(0);
      expect(await guess('192.0.2.1')).toMatchObject({ whose: 'client' });
    });

    it('let who was right before, and this machine, try in the middle of a flood', async () => {
      const { guess, limits, flood } = await open();
      await limits.succeeded('192.0.2.1');
      await limits.succeeded('2001:db8:7:1::1');
      await flood();
      expect((await guess('192.0.2.2')).whose).toBe('all');
      for (const client of ['192.0.2.1', '2001:db8:7:1:ffff::2', '127.0.0.1', '::1']) {
        for (let n = 0; n < 10; n += 1) expect((await guess(client)).ms).toBe(0);
        expect(await guess(client)).toMatchObject({ ms: 15 * minute, whose: 'client' });
      }
    });

    it('do not count the guesses of those against strangers', async () => {
      const { guess, limits } = await open();
      for (let n = 0; n < 20; n += 1) {
        await limits.succeeded(`203.0.113.${n}`);
        for (let m = 0; m < 10; m += 1) expect((await guess(`203.0.113.${n}`)).ms).toBe(0);
      }
      expect((await guess('192.0.2.1')).ms).toBe(0);
    });

    it('remember who was right for 30 days, without an address, and sweep no sooner', async () => {
      const { clock, store, limits } = await open();
      await limits.succeeded('192.0.2.1');
      const rows = () => store.db.selectFrom('attempts').selectAll().execute();
      expect(JSON.stringify(await rows())).not.toContain('192.0.2.1');
      clock.time += 30 * day - 1;
      await sweepAttempts(store);
      expect(await limits.isKnown('192.0.2.1')).toBe(true);
      clock.time += 1;
      expect(await limits.isKnown('192.0.2.1')).toBe(false);
      await sweepAttempts(store);
      expect(await rows()).toEqual([]);
    });

    it('hold in all processes of a store', async () => {
      const database = await on.database();
      const both = [await on.open(database), await on.open(database)].map(
        (store) => new PasswordLimits(store, secret),
      );
      const waits = await Promise.all(
        both.flatMap((limits, at) =>
          Array.from({ length: 20 }, (_, n) => limits.take(`2001:db8:7:${at}${n}::1`, false)),
        ),
      );
      expect(waits.filter(({ ms }) => ms === 0)).toHaveLength(30);
    });

    it('keep a stranger out even with the right one, and never the administrator', async () => {
      const { store, guess, flood } = await open();
      await seedPassword(store, new Secret(right));
      const admin = new AdminAccess(store, secret);
      await admin.ensure(new Secret(right));
      expect(await admin.check(right, '192.0.2.1')).toEqual({ ok: true });
      // The right one was a stranger's attempt too.
      await flood(99);
      for (const access of [admin, new AdminAccess(store, secret)]) {
        expect(await access.check(right, '192.0.2.2')).toMatchObject({ ok: false, whose: 'all' });
        expect(await access.check(right, '192.0.2.1')).toEqual({ ok: true });
        expect(await access.check(right, '127.0.0.1')).toEqual({ ok: true });
      }
      expect((await guess('192.0.2.3')).whose).toBe('all');
    });
  });
});
