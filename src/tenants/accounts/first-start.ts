import type { Store } from '../../store/store.ts';
import type { Changes } from './changes.ts';
import { localTenant } from './key-verifier.ts';
import type { StoredKeys } from './stored-keys.ts';
import { insertTenant, tenantOf } from './tenants.ts';

/**
 * Makes the tenant `local`, which may do everything, and a first key of all scopes for it, unless the configuration
 * has keys or a key was ever made. Of several processes that start at once, one makes them. Returns the key in clear,
 * this once; null when none was made.
 */
export async function prepareFirstStart(
  store: Store,
  changes: Changes,
  keys: StoredKeys,
  hasConfiguredKeys: boolean,
): Promise<string | null> {
  const { db } = store;
  const [tenant, key] = [
    await db.selectFrom('tenants').select('id').where('id', '=', localTenant).executeTakeFirst(),
    await db.selectFrom('keys').select('id').limit(1).executeTakeFirst(),
  ];
  if (!tenant) await makeTenant(changes);
  return key || hasConfiguredKeys ? null : makeKey(changes, keys);
}

async function makeTenant(changes: Changes): Promise<void> {
  await changes
    .perform(async (db, now) => {
      const row = {
        id: localTenant,
        name: 'This server',
        plan: 'enterprise',
        overrides: '{}',
        idempotency: 1,
        required_tags: null,
        suspended_at: null,
        created_at: now,
      };
      if (!(await insertTenant(db, row))) throw new AlreadyThere();
      const target = `tenant:${localTenant}`;
      const act = { actor: 'system', action: 'tenant.create', target, tenantId: localTenant };
      return { result: undefined, act: { ...act, before: null, after: tenantOf(row) } };
    })
    .catch(ignoreAlreadyThere);
}

async function makeKey(changes: Changes, keys: StoredKeys): Promise<string | null> {
  return changes
    .perform(async (db, now) => {
      // Asked again, as changes wait for each other: another process may have made one since.
      if (await db.selectFrom('keys').select('id').limit(1).executeTakeFirst()) throw new AlreadyThere();
      const { key, text } = await keys.insert(db, { tenantId: localTenant, label: 'First key' }, now);
      const act = { actor: 'system', action: 'key.create', target: `key:${key.id}`, tenantId: localTenant };
      return { result: text, act: { ...act, before: null, after: key } };
    })
    .catch(ignoreAlreadyThere);
}

/** Undoes a transaction that turned out to have nothing to do. */
class AlreadyThere extends Error {}

function ignoreAlreadyThere(error: unknown): null {
  if (error instanceof AlreadyThere) return null;
  throw error;
}
