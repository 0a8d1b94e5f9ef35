import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { Secret } from '../../../../src/lib/redact.ts';
import { StoreError } from '../../../../src/store/errors.ts';
import type { Store } from '../../../../src/store/store.ts';
import { AdminAccess } from '../../../../src/tenants/accounts/admin-access.ts';
import { Changes } from '../../../../src/tenants/accounts/changes.ts';
import {
  type AccountSettings,
  openAccounts,
  openAdministration,
} from '../../../../src/tenants/accounts/open-accounts.ts';
import { Sessions } from '../../../../src/tenants/accounts/sessions.ts';
import { onEveryStore } from '../../../helpers/store.ts';
import { seedPassword, testPassword } from '../../../helpers/store-accounts.ts';
import { type Database, TestClock } from '../../../helpers/test-database.ts';

const client = '192.0.2.1';

onEveryStore('opening the accounts', (on) => {
  async function start(database: Database, settings: Partial<AccountSettings> = {}, clock?: TestClock) {
    const store = await on.open(database, clock);
    if (Object.keys(settings).length > 0) await seedPassword(store, settings.adminPassword ?? testPassword);
    const accounts = await openAccounts(store, {
      dataDir: database.dataDir,
      keySecret: null,
      apiKeys: [],
      adminPassword: null,
      limitsVariant: 'A',
      ...settings,
    });
    on.cleanUp(() => accounts.close());
    return accounts;
  }

  it('makes a tenant, a key and a password on the first start, and gives both once', async () => {
    const database = await on.database();
    const { first, keys, admin, tenants } = await start(database);
    expect(await keys.verify(first.key ?? '')).toMatchObject({
      tenantId: 'local',
      plan: 'enterprise',
      scopes: new Set(['chat', 'media', 'files', 'agents', 'ai', 'factory', 'mcp']),
    });
    expect(await admin.check(first.adminPassword ?? '', client)).toEqual({ ok: true });
    expect((await tenants.list()).items.map(({ id }) => id)).toEqual(['local']);
    const later = await start(database);
    expect(later.first).toEqual({ key: null, adminPassword: null });
    expect(await later.keys.verify(first.key ?? '')).not.toBeNull();
  });

  it('makes them once when several start at the same time', async () => {
    const database = await on.database();
    const all = await Promise.all(Array.from({ length: 4 }, () => start(database)));
    expect(all.filter(({ first }) => first.key !== null)).toHaveLength(1);
    expect(all.filter(({ first }) => first.adminPassword !== null)).toHaveLength(1);
    const key = all.find(({ first }) => first.key !== null)?.first.key ?? '';
    for (const { keys } of all) expect(await keys.verify(key)).not.toBeNull();
  });

  it('makes no key when the configuration has some', async () => {
    const { first, keys } = await start(await on.database(), { apiKeys: [new Secret('configured')] });
    expect(first.key).toBeNull();
    expect(await keys.verify('configured')).not.toBeNull();
  });

  it('takes the configured password over the one before, and ends the sessions of admins', async () => {
    const database = await on.database();
    const one = await start(database, { adminPassword: new Secret('one') });
    const { token } = await one.sessions.begin(null);
    const tenant = await one.sessions.begin('local');
    const same = await start(database, { adminPassword: new Secret('one') });
    expect(await same.sessions.find(token)).not.toBeNull();
    const two = await start(database, { adminPassword: new Secret('two') });
    expect(await two.sessions.find(token)).toBeNull();
    expect(await two.sessions.find(tenant.token)).not.toBeNull();
    expect(await two.admin.check('one', client)).toMatchObject({ ok: false });
    expect(await two.admin.check('two', client)).toEqual({ ok: true });
    expect(await one.admin.check('one', client)).toMatchObject({ ok: false });
  });

  it('lets nobody in before the configured password holds, and tries again where that went wrong', async () => {
    const database = await on.database();
    const one = await start(database, { adminPassword: new Secret('one') });
    expect(await one.admin.check('one', client)).toEqual({ ok: true });
    const { token } = await one.sessions.begin(null);
    const store = await on.open(database);
    let away = true;
    const shaky: Store = {
      ...store,
      get db() {
        if (away) throw new StoreError('unreachable', 'The database is away.');
        return store.db;
      },
    };
    const { secret } = await openAdministration(store, {
      dataDir: database.dataDir,
      keySecret: null,
      limitsVariant: 'A',
    });
    const two = new AdminAccess(shaky, secret);
    const sessions = new Sessions(store, new Changes(store), secret, () => two.configuredHolds());
    const problems: unknown[] = [];
    expect(await two.ensure(new Secret('two'), (error) => problems.push(error))).toBeNull();
    await expect(sessions.find(token)).rejects.toThrow('The database is away.');
    await expect(two.check('one', client)).rejects.toThrow('The database is away.');
    expect(problems).toHaveLength(1);
    away = false;
    expect(await sessions.find(token)).toBeNull();
    expect(await two.check('two', client)).toEqual({ ok: true });
  });

  it('lets a client try ten wrong passwords in a quarter of an hour', async () => {
    const clock = new TestClock();
    const { admin } = await start(await on.database(), { adminPassword: testPassword }, clock);
    const tries = await Promise.all(Array.from({ length: 11 }, (_, n) => admin.check(`wrong ${n}`, client)));
    const waits = tries.map((result) => (result.ok ? null : result.retryAfterMs)).sort();
    expect(waits).toEqual([...Array(9).fill(0), 900_000, 900_000]);
    expect(await admin.check(testPassword.reveal(), client)).toMatchObject({ ok: false });
    expect(await admin.check(testPassword.reveal(), '192.0.2.2')).toEqual({ ok: true });
    clock.time += 900_000;
    expect(await admin.check(testPassword.reveal(), client)).toEqual({ ok: true });
  });

  it('refuses another secret than the keys were made with', async () => {
    const database = await on.database();
    await start(database, { limitsVariant: 'A' });
    const path = join(database.dataDir, 'key-secret');
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    const text = await readFile(path, 'utf8');
    for (const other of [{ keySecret: new Secret('x'.repeat(32)) }, { keySecret: new Secret('short') }]) {
      await expect(start(database, other)).rejects.toThrow(/KEY_SECRET is (not the secret|too short)/);
    }
    await writeFile(path, text.slice(0, 20));
    await expect(start(database)).rejects.toThrow(/key-secret is damaged; restore it/);
    await rm(path);
    await expect(start(database)).rejects.toThrow(/key-secret is missing; expected the secret that the keys/);
    await expect(stat(path), 'no other one is made').rejects.toThrow('ENOENT');
    await writeFile(path, text);
    await start(database);
  });

  it('needs no file with a configured secret', async () => {
    const database = await on.database();
    const elsewhere = await mkdtemp(join(tmpdir(), 'switchyard-elsewhere-'));
    on.cleanUp(() => rm(elsewhere, { recursive: true }));
    const keySecret = new Secret('a secret that is long enough to be one');
    const { first } = await start(database, { keySecret });
    await expect(stat(join(database.dataDir, 'key-secret'))).rejects.toThrow('ENOENT');
    const { keys } = await start(database, { keySecret, dataDir: elsewhere });
    expect(await keys.verify(first.key ?? '')).not.toBeNull();
  });
});
