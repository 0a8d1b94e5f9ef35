/**
 * Finds the caller of a presented key. Keys are cached in memory, so most requests do not query the database; yet no answer relies
 * on anything older than half a second: after that, the verifier queries the version of the accounts, one number that every change
 * of a key or a tenant increments, in any process, and empties its cache when it has changed. A signal from another process makes it
 * query at once. The signal does not save the query, two a second at most: a signal can be missed, a queried number cannot.
 */
import { hash, type KeyObject, randomBytes, timingSafeEqual } from 'node:crypto';
import { sql } from 'kysely';
import type { Principal } from '../../contract/registry.ts';
import type { Clock } from '../../lib/clock.ts';
import { tagsIn } from '../../lib/tags.ts';
import { findRow, findRows } from '../../store/rows.ts';
import type { Store } from '../../store/store.ts';
import { type Budget, budgetOf } from './budgets.ts';
import type { Caller } from './caller.ts';
import type { Changes } from './changes.ts';
import {
  type ConfiguredKeys,
  digestOf,
  localTenant,
  looksGenerated,
  parseKey,
  tokenPrefix,
} from './key-secret.ts';
import { limitsOf, type Plans } from './plans.ts';
import { statusOf } from './stored-keys.ts';
import { isTenantId, tenantOf } from './tenants.ts';

/** Age at which the cache is no longer believed, in milliseconds. */
const freshMs = 500;
/** Maximum number of keys and tenants in the cache. */
const cacheSize = 10_000;
/** Known to this process alone, so that its marks are of no use to others. */
const salt = randomBytes(32).toString('base64');
/** The mark by which the cache knows a key: a tenth of the work of the stored digest. */
const markOf = (presented: string) => hash('sha256', salt + presented, 'base64');

interface Entry {
  /** The public id of a key. */
  readonly id: string;
  /** Null for a tenant, which is no key. */
  readonly digest: Buffer | null;
  readonly caller: Caller;
  /** Whether it is good apart from its times. */
  readonly good: boolean;
  readonly expires_at: number | null;
  readonly revoked_at: number | null;
  readonly grace_until: number | null;
}

interface KeyVerifierParts {
  readonly store: Store;
  readonly clock: Clock;
  readonly changes: Changes;
  readonly secret: KeyObject;
  readonly plans: Plans;
  /** The keys of the configuration. */
  readonly configured: Pick<ConfiguredKeys, 'verify' | 'find'>;
}

export type KeyVerifier = ReturnType<typeof openKeyVerifier>;

export function openKeyVerifier({ configured, secret, clock, store, plans, changes }: KeyVerifierParts) {
  let entries = new Map<string, Entry>();
  /** Keys whose digest was found to be right, by their marks; forgotten with the cache. */
  let right = new Map<string, Entry>();
  /** Callers with keys of the configuration, by their ids. */
  let local = new Map<string, Caller>();
  const loads = new Map<string, Promise<Entry | null>>();
  let knownVersion = -1;
  /** When the version was last asked for, on the clock of `performance.now()`. */
  let checkedAt = Number.NEGATIVE_INFINITY;
  /** When another process last said that it has changed something, on the same clock. */
  let doubtedAt = Number.NEGATIVE_INFINITY;
  let checking: Promise<void> | null = null;
  let uses = new Map<string, number>();
  changes.onChange(() => forget());
  changes.onOthersChange(() => {
    doubtedAt = performance.now();
  });

  /**
   * The owner of a key; null for one that is unknown, expired, revoked or replaced, or whose tenant is suspended or has a
   * plan without keys. Rejects with a `StoreError` when the database cannot be asked: that says nothing about the key.
   */
  async function verify(presented: string): Promise<Caller | null> {
    const mark = markOf(presented);
    if (!isStale()) {
      const verified = right.get(mark);
      if (verified) return callerNow(verified);
    }
    const id = parseKey(presented)?.id;
    // One that is mistyped costs the database nothing.
    if (id === undefined && looksGenerated(presented)) return null;
    if (isStale()) await freshen();
    return (id === undefined ? null : await stored(id, presented, mark)) ?? ofConfiguration(presented);
  }

  /**
   * The caller that another issuer has vouched for: of a tenant, by a name in place of a key's, with some scopes. Null where the
   * tenant does not exist, is suspended or has a plan without keys.
   */
  async function callerOf(vouched: Principal & { readonly tenantId: string }): Promise<Caller | null> {
    const { tenantId, keyId, scopes } = vouched;
    if (!isTenantId(tenantId)) return null;
    if (isStale()) await freshen();
    const name = `tenant ${tenantId}`;
    const tenant = entries.get(name) ?? (await load(name));
    return tenant?.good ? Object.freeze({ ...tenant.caller, keyId, scopes }) : null;
  }

  /**
   * A former caller as it is now: work that outlasts its request is still done for the key that asked for it.
   * Null where `verify` would no longer take that key. Of a token, which may have expired meanwhile, the tenant has to be good.
   */
  async function callerAgain(was: Principal & { readonly tenantId: string }): Promise<Caller | null> {
    const { tenantId, keyId } = was;
    if (keyId.startsWith(tokenPrefix)) return callerOf(was);
    if (isStale()) await freshen();
    const entry = entries.get(keyId) ?? (await load(keyId));
    const stored = entry && callerNow(entry);
    const caller = stored ?? (await localCaller(configured.find(keyId)));
    return caller?.tenantId === tenantId ? caller : null;
  }

  /** When keys were used since this was last called, by their ids, in milliseconds since the epoch. */
  function takeUsed(): ReadonlyMap<string, number> {
    const used = uses;
    uses = new Map();
    return used;
  }

  async function stored(id: string, presented: string, mark: string): Promise<Caller | null> {
    const verified = right;
    const entry = entries.get(id) ?? (await load(id));
    if (entry === null || entry.digest === null) return null;
    if (!timingSafeEqual(entry.digest, digestOf(presented, secret))) return null;
    if (verified.size >= cacheSize) verified.delete(verified.keys().next().value as string);
    verified.set(mark, entry);
    return callerNow(entry);
  }

  /** The owner of a key that was found to be right, if it is valid now. */
  function callerNow(entry: Entry): Caller | null {
    const now = clock.now();
    const status = statusOf(entry, now);
    if (!entry.good || (status !== 'active' && status !== 'replaced')) return null;
    uses.set(entry.id, now);
    return entry.caller;
  }

  /** The keys of the configuration hold every scope in the tenant `local`, and its plan and limits. */
  async function ofConfiguration(presented: string): Promise<Caller | null> {
    return localCaller(await configured.verify(presented));
  }

  async function localCaller(principal: Principal | null): Promise<Caller | null> {
    if (principal === null) return null;
    // The name of no key: those have twelve characters.
    const name = `tenant ${localTenant}`;
    const tenant = entries.get(name) ?? (await load(name));
    if (tenant === null || !tenant.good) return null;
    // Made once for each key: every request of it has the same one.
    let caller = local.get(principal.keyId);
    if (caller === undefined) {
      caller = Object.freeze({ ...tenant.caller, ...principal });
      local.set(principal.keyId, caller);
    }
    return caller;
  }

  function load(name: string): Promise<Entry | null> {
    const loading = loads.get(name) ?? read(name);
    loads.set(name, loading);
    return loading;
  }

  async function read(name: string): Promise<Entry | null> {
    const cache = entries;
    try {
      const entry = await (name.includes(' ') ? readTenant(name.slice('tenant '.length)) : readKey(name));
      if (entry) {
        // A cache that was emptied in the meantime is not read any more.
        if (cache.size >= cacheSize) cache.delete(cache.keys().next().value as string);
        cache.set(name, entry);
      }
      return entry;
    } finally {
      if (cache === entries) loads.delete(name);
    }
  }

  async function readKey(id: string): Promise<Entry | null> {
    const row = await store.quick
      .selectFrom('keys')
      .innerJoin('tenants', 'tenants.id', 'keys.tenant_id')
      .select(['keys.digest', 'keys.scopes', 'keys.tags', 'keys.expires_at', 'keys.revoked_at'])
      .select(['keys.grace_until', 'tenants.created_at', 'tenants.idempotency', 'tenants.required_tags'])
      .select(['tenants.id', 'tenants.name', 'tenants.plan', 'tenants.overrides', 'tenants.suspended_at'])
      .where('keys.id', '=', id)
      .executeTakeFirst();
    if (!row) return null;
    const scopes = new Set(row.scopes.split(' ').filter(Boolean));
    const { expires_at, revoked_at, grace_until } = row;
    const digest = Buffer.from(row.digest, 'hex');
    const budgets = await budgetsOf(row.id, id);
    const entry = tenant(row, id, scopes, { tags: row.tags, budgets });
    return { ...entry, id, digest, expires_at, revoked_at, grace_until };
  }

  async function readTenant(id: string): Promise<Entry | null> {
    const row = await findRow(store.quick, 'tenants', { id });
    if (!row) return null;
    const times = { expires_at: null, revoked_at: null, grace_until: null };
    const budgets = await budgetsOf(row.id, null);
    return { ...tenant(row, '', new Set(), { tags: null, budgets }), id: '', digest: null, ...times };
  }

  /** Without those of other keys; null: of any key. */
  async function budgetsOf(tenantId: string, keyId: string | null): Promise<readonly Budget[]> {
    const { quick } = store;
    const all = (await findRows(quick, 'budgets', { tenant_id: tenantId }, sql`order by id`)).map(budgetOf);
    return keyId === null ? all : all.filter(({ scope }) => scope.keyId === null || scope.keyId === keyId);
  }

  function tenant(
    row: Parameters<typeof tenantOf>[0],
    keyId: string,
    scopes: ReadonlySet<string>,
    { tags, budgets }: { readonly tags: string | null; readonly budgets: readonly Budget[] },
  ) {
    const tenant = tenantOf(row);
    const plan = plans[tenant.plan];
    const limits = limitsOf(plan, tenant.overrides);
    const { id: tenantId, plan: planId, idempotency, requiredTags } = tenant;
    const caller: Caller = Object.freeze({
      keyId,
      scopes,
      tenantId,
      plan: planId,
      limits,
      ...(!idempotency && { idempotency }),
      ...(tags !== null && { tags: Object.freeze(tagsIn(tags)) }),
      ...(requiredTags.length > 0 && { requiredTags }),
      ...(budgets.length > 0 && { budgets }),
    });
    return { caller, good: tenant.suspendedAt === null && plan.keys };
  }

  function isStale(): boolean {
    return checkedAt <= doubtedAt || performance.now() - checkedAt > freshMs;
  }

  async function freshen(): Promise<void> {
    // A check that was under way when the doubt came says nothing about it.
    if (checking) await checking;
    if (!isStale()) return;
    checking ??= check().finally(() => {
      checking = null;
    });
    await checking;
  }

  async function check(): Promise<void> {
    const started = performance.now();
    const version = await changes.version();
    if (version !== knownVersion) forget();
    knownVersion = version;
    checkedAt = started;
  }

  /** Reads everything again. New maps, so that what is being read at the moment, and may be out of date, reaches neither. */
  function forget(): void {
    entries = new Map();
    right = new Map();
    local = new Map();
    loads.clear();
  }

  return { verify, callerOf, callerAgain, takeUsed, forget };
}
