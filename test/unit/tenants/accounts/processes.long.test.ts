import { setTimeout as delay } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { onEveryStore } from '../../../helpers/store.ts';
import { testAccounts } from '../../../helpers/store-accounts.ts';
import { startProcess } from '../../../helpers/store-process.ts';

onEveryStore('several processes', (on) => {
  it('hear of a revoked key, a suspended tenant and a new key within a second', async () => {
    const database = await on.database();
    const accounts = await testAccounts(on, {}, database);
    await accounts.tenants.create({ id: 'acme', plan: 'pro' }, 'test');
    const [{ key, text }, other] = [
      await accounts.storedKeys.create({ tenantId: 'acme' }, 'test'),
      await accounts.storedKeys.create({ tenantId: 'acme' }, 'test'),
    ];
    const child = await startProcess(on, database, 'verify');
    const verify = async (presented: string) => {
      child.say(presented);
      return child.next();
    };
    const becomes = async (presented: string, expected: string) => {
      const since = performance.now();
      while ((await verify(presented)) !== expected) {
        expect(performance.now() - since).toBeLessThan(1_000);
        await delay(20);
      }
    };
    expect(await verify(text)).toBe(`acme ${key.id}`);
    await accounts.storedKeys.revoke({ id: key.id, tenantId: null }, 'test');
    await becomes(text, 'no');
    expect(await verify(other.text)).toBe(`acme ${other.key.id}`);
    await accounts.tenants.change('acme', { suspended: true }, 'test');
    await becomes(other.text, 'no');
    await accounts.tenants.change('acme', { suspended: false }, 'test');
    await becomes(other.text, `acme ${other.key.id}`);
  });
});
