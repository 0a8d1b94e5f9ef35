import { createHmac, randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { sql } from 'kysely';
import { ulidAt } from '../../lib/ids.ts';
import type { Secret } from '../../lib/redact.ts';
import type { Signals } from '../../lib/signals.ts';
import { repeat } from '../../lib/timers.ts';
import { dayMs } from '../../lib/utc.ts';
import { deleteRows, findRow } from '../../store/rows.ts';
import type { Store } from '../../store/store.ts';
import { AccountError } from './account-error.ts';
import { AdminAccess } from './admin-access.ts';
import { attemptsOf, sweepAttempts } from './attempts.ts';
import { openBudgets } from './budgets.ts';
import { actOn, Changes, listAudit } from './changes.ts';
import { ConfiguredKeys, checkConfiguredKeys, keyFor, localTenant, openKeySecret } from './key-secret.ts';
import { openKeyVerifier } from './key-verifier.ts';
import { type LimitsVariant, type PlanChanges, plansOf } from './plans.ts';
import { Sessions } from './sessions.ts';
import { openSignups } from './signups.ts';
import { openStoredKeys, type StoredKeys } from './stored-keys.ts';
import { newTenant, openTenants } from './tenants.ts';

export interface AdministrationSettings {
  readonly dataDir: string;
  /** `KEY_SECRET`; null: the file in the data directory. */
  readonly keySecret: Secret | null;
  readonly limitsVariant: LimitsVariant;
  readonly planChanges?: PlanChanges;
  /** Signals to other processes; left out: they poll. */
  readonly signals?: Signals;
}

/** How often one client may sign up. */
const signupLimit = { kind: 'signup', max: 5, windowMs: 3_600_000 } as const;

/** The administration of accounts without the parts that answer requests: enough for a command that runs beside the server. */
export type Administration = Awaited<ReturnType<typeof openAdministration>>;

/** Throws a `ConfigError` when the secret of the keys cannot be had or is not the database's. */
export async function openAdministration(
  store: Store,
  { dataDir, keySecret, limitsVariant, planChanges, signals }: AdministrationSettings,
) {
  const secret = await openKeySecret(store, dataDir, keySecret);
  const plans = plansOf(limitsVariant, planChanges);
  const changes = new Changes(store, signals);
  const storedKeys = openStoredKeys(store, changes, secret, plans);
  const admin = new AdminAccess(store, secret);
  const sessions = new Sessions(store, changes, secret, () => admin.configuredHolds());
  const attempts = attemptsOf(store, secret, signupLimit);
  return {
    plans,
    changes,
    /** Keys the digests of keys and tokens. */
    secret,
    tenants: openTenants(store, changes),
    budgets: openBudgets(store, changes),
    storedKeys,
    sessions,
    admin,
    signups: openSignups({ store, changes, storedKeys, sessions, attempts }),
  };
}

export interface AccountSettings extends AdministrationSettings {
  /** `API_KEYS`. */
  readonly apiKeys: readonly Secret[];
  /** `ADMIN_PASSWORD`. */
  readonly adminPassword: Secret | null;
  /** `AUDIT_RETENTION_DAYS` and `SIGNUP_RETENTION_DAYS`; without both nothing is thrown away. */
  readonly auditRetentionDays?: number;
  readonly signupRetentionDays?: number;
  /** Called with errors of background work. */
  readonly onError?: (error: unknown) => void;
}

/** How often it is written down when keys were last used, and what is too old is thrown away, in milliseconds. */
const choresMs = 60_000;
/** Pause between searches for entries of the audit log and sign-ups that are too old, in milliseconds. */
const retentionMs = 600_000;

/** Who there is and what they may do. */
export type Accounts = Awaited<ReturnType<typeof openAccounts>>;

/**
 * Opens the accounts on a store, and makes what the first start makes. Throws a `ConfigError` for settings that cannot be
 * used.
 */
export async function openAccounts(store: Store, settings: AccountSettings) {
  const { clock } = store;
  const { onError = ignore } = settings;
  const apiKeys = settings.apiKeys.map((key) => key.reveal());
  checkConfiguredKeys(apiKeys);
  const { secret, ...administration } = await openAdministration(store, settings);
  const { plans, changes, storedKeys, admin } = administration;
  const first = {
    key: await prepareFirstStart(store, changes, storedKeys, apiKeys.length > 0),
    adminPassword: await admin.ensure(settings.adminPassword, onError),
  };
  const configured = new ConfiguredKeys(randomBytes(32), apiKeys);
  const keys = openKeyVerifier({ store, clock, changes, secret, plans, configured });
  const flush = () => writeLastUsed(store, keys.takeUsed());
  const chores = async () => {
    await flush();
    await sweepAttempts(store);
  };
  const choring = repeat(choresMs, chores, onError);
  const { auditRetentionDays: audit, signupRetentionDays: decided } = settings;
  const retention =
    audit === undefined || decided === undefined
      ? null
      : repeat(retentionMs, (signal) => sweepOld(store, { audit, signups: decided }, signal), onError);
  return {
    ...administration,
    keys,
    /** The secrets that this start has made, in clear: to be shown to the operator now or never. */
    first,
    /** The audit log, latest first. Rejects with `AccountError('invalid')` for a broken cursor. */
    audit: (request?: Parameters<typeof listAudit>[1]) => listAudit(store, request),
    /** A name for something that must not be kept as it is: always the same, and useless without our secret. */
    pseudonym: (text: string) =>
      createHmac('sha256', secret).update(`pseudonym\0${text}`).digest('base64url'),
    /** A key of 32 bytes for one purpose, derived from our secret. */
    keyFor: (purpose: string) => keyFor(secret, purpose),
    /** Has the plans be what the operator now makes of them, from the next request on. */
    changePlans(changes: PlanChanges) {
      Object.assign(plans, plansOf(settings.limitsVariant, changes));
      keys.forget();
    },
    /** Writes down when keys were last used, as far as this process knows. */
    flush,
    /** The same at the end. The store stays open. */
    async close() {
      await Promise.all([choring.stop(), retention?.stop()]);
      await flush().catch(onError);
      await admin.close();
    },
  };
}

const ignore = () => undefined;

/**
 * Makes the tenant `local`, which may do everything, and a first key of all scopes for it, unless the configuration
 * has keys or a key was ever made. Of several processes that start at once, one makes them. Returns the key in clear,
 * this once; null when none was made.
 */
async function prepareFirstStart(
  store: Store,
  changes: Changes,
  keys: StoredKeys,
  hasConfiguredKeys: boolean,
): Promise<string | null> {
  const { db } = store;
  const [tenant, key] = [await findRow(db, 'tenants', { id: localTenant }), await findRow(db, 'keys', {})];
  if (!tenant) await makeTenant(changes);
  return key || hasConfiguredKeys ? null : makeKey(changes, keys);
}

async function makeTenant(changes: Changes): Promise<void> {
  const fields = { id: localTenant, name: 'This server', plan: 'enterprise' };
  await changes.perform((db, now) => newTenant(db, fields, 'system', now)).catch(ignoreExisting);
}

async function makeKey(changes: Changes, keys: StoredKeys): Promise<string | null> {
  return changes
    .perform(async (db, now) => {
      // Asked again, as changes wait for each other: another process may have made one since.
      if (await findRow(db, 'keys', {})) throw new AccountError('exists', 'There is a key already.');
      const { key, text } = await keys.insert(db, { tenantId: localTenant, label: 'First key' }, now);
      return { result: text, act: actOn('system', 'key', 'create', null, key) };
    })
    .catch(ignoreExisting);
}

/** Ignores the error that undoes a transaction with nothing to do. */
function ignoreExisting(error: unknown): null {
  if (error instanceof AccountError && error.reason === 'exists') return null;
  throw error;
}

/** Writes when keys were last used, all in one statement. A later time that is there already stays. */
async function writeLastUsed({ dialect, db }: Store, times: ReadonlyMap<string, number>): Promise<void> {
  if (times.size === 0) return;
  const json = JSON.stringify(Object.fromEntries(times));
  const entries =
    dialect === 'sqlite'
      ? sql`json_each(${json})`
      : sql`(select key, value::bigint from json_each_text(${json}::json))`;
  await sql`update keys set last_used_at = e.value from ${entries} as e
    where keys.id = e.key and (keys.last_used_at is null or keys.last_used_at < e.value)`.execute(db);
}

/** Rows that are deleted at once: on SQLite it holds the write lock and the event loop for about a millisecond. */
const batchSize = 200;
/** Pause between two batches, in milliseconds, in which requests have their turn. */
const pauseMs = 20;

interface RetentionDays {
  /** `AUDIT_RETENTION_DAYS`: of entries of the audit log. */
  readonly audit: number;
  /** `SIGNUP_RETENTION_DAYS`: of sign-ups, from their decision on; one that waits stays. */
  readonly signups: number;
}

/**
 * Deletes entries of the audit log and decided sign-ups that are older than so many days, in small batches, each a statement of
 * its own, so that several processes may do it at once. Ids begin with the time of their making, so that what is young is not even
 * looked at. Returns how many rows it has deleted; ends early when the signal is aborted.
 */
export async function sweepOld(store: Store, days: RetentionDays, signal: AbortSignal): Promise<number> {
  const { db, clock } = store;
  const deleteAudit = () => {
    const before = ulidAt(clock.now() - days.audit * dayMs);
    const oldest = sql`select id from audit where id < ${before} order by id limit ${batchSize}`;
    return deleteRows(db, 'audit', {}, sql`and id in (${oldest})`);
  };
  const deleteSignups = () => {
    const before = clock.now() - days.signups * dayMs;
    const oldest = sql`select id from signups where status in ('approved', 'rejected')
      and id < ${`sig_${ulidAt(before)}`} and decided_at < ${before} order by id limit ${batchSize}`;
    return deleteRows(db, 'signups', {}, sql`and id in (${oldest})`);
  };
  return (await inBatches(signal, deleteAudit)) + (await inBatches(signal, deleteSignups));
}

async function inBatches(signal: AbortSignal, deleteSome: () => Promise<number>): Promise<number> {
  let all = 0;
  while (!signal.aborted) {
    const deleted = await deleteSome();
    all += deleted;
    if (deleted < batchSize) break;
    await delay(pauseMs, undefined, { signal }).catch(() => undefined);
  }
  return all;
}
