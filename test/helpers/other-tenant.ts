import type { TestApp } from './app.ts';

/** A key with all scopes of a tenant beside that of the test keys. */
export async function keyOfAnotherTenant(app: TestApp): Promise<string> {
  await app.accounts.tenants.create({ id: 'other', plan: 'pro' }, 'test');
  const { text } = await app.accounts.storedKeys.create({ tenantId: 'other' }, 'test');
  return text;
}
