import { createHmac, type KeyObject, randomBytes } from 'node:crypto';
import type { Secret } from '../../lib/redact.ts';
import { repeat } from '../../lib/repeat.ts';
import { writeLastUsed } from '../../store/last-used.ts';
import type { ListPage, ListRequest } from '../../store/list-page.ts';
import type { Store } from '../../store/store.ts';
import type { AdminAccess } from './admin-access.ts';
import { type AdministrationSettings, openAdministration } from './administration.ts';
import { sweepAttempts } from './attempts.ts';
import { type AuditEntry, listAudit } from './audit.ts';
import type { Budgets } from './budgets.ts';
import type { Changes } from './changes.ts';
import { ConfiguredKeys, checkConfiguredKeys } from './configured-keys.ts';
import { prepareFirstStart } from './first-start.ts';
import { keyFor } from './key-secret.ts';
import { KeyVerifier } from './key-verifier.ts';
import { type PlanChanges, type Plans, plansOf } from './plans.ts';
import { sweepOld } from './retention.ts';
import type { Sessions } from './sessions.ts';
import type { Signups } from './signups.ts';
import type { StoredKeys } from './stored-keys.ts';
import type { Tenants } from './tenants.ts';

export interface AccountSettings extends AdministrationSettings {
  /** `API_KEYS`. */
  readonly apiKeys: readonly Secret[];
  /** `ADMIN_PASSWORD`. */
  readonly adminPassword: Secret | null;
  /** `AUDIT_RETENTION_DAYS` and `SIGNUP_RETENTION_DAYS`; without both nothing is thrown away. */
  readonly auditRetentionDays?: number;
  readonly signupRetentionDays?: number;
  /** Is told of what goes wrong in the background, where nobody waits for it. */
  readonly onError?: (error: unknown) => void;
}

/** How often it is written down when keys were last used, and what is too old is thrown away, in milliseconds. */
const choresMs = 60_000;
/** How often entries of the audit log and sign-ups are gone through for those that are too old, in milliseconds. */
const retentionMs = 600_000;

/** Who there is and what they may do. */
export interface Accounts {
  readonly plans: Plans;
  readonly keys: KeyVerifier;
  readonly tenants: Tenants;
  readonly budgets: Budgets;
  /** The way in which administration changes the database. */
  readonly changes: Changes;
  readonly storedKeys: StoredKeys;
  readonly sessions: Sessions;
  readonly signups: Signups;
  readonly admin: AdminAccess;
  /** What this start has made, in clear: to be shown to the operator now or never. */
  readonly first: { readonly key: string | null; readonly adminPassword: string | null };
  /** The audit log, latest first. Rejects with `AccountError('invalid')` for a broken cursor. */
  audit(request?: ListRequest & { readonly tenantId?: string }): Promise<ListPage<AuditEntry>>;
  /** A name for something that must not be kept as it is: always the same, and useless without our secret. */
  pseudonym(text: string): string;
  /** A key of 32 bytes for one purpose, derived from our secret. */
  keyFor(purpose: string): KeyObject;
  /** Has the plans be what the operator now makes of them, from the next request on. */
  changePlans(changes: PlanChanges): void;
  /** Writes down when keys were last used, as far as this process knows. */
  flush(): Promise<void>;
  /** The same at the end. The store stays open. */
  close(): Promise<void>;
}

/**
 * Opens the accounts on a store, and makes what the first start makes. Throws a `ConfigError` for settings that cannot be
 * used.
 */
export async function openAccounts(store: Store, settings: AccountSettings): Promise<Accounts> {
  const { clock } = store;
  const { onError = ignore } = settings;
  const apiKeys = settings.apiKeys.map((key) => key.reveal());
  checkConfiguredKeys(apiKeys);
  const administration = await openAdministration(store, settings);
  const { plans, changes, secret, tenants, budgets, storedKeys, sessions, signups, admin } = administration;
  const first = {
    key: await prepareFirstStart(store, changes, storedKeys, apiKeys.length > 0),
    adminPassword: await admin.ensure(settings.adminPassword, onError),
  };
  const configured = new ConfiguredKeys(randomBytes(32), apiKeys, []);
  const keys = new KeyVerifier({ store, clock, changes, secret, plans, configured });
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
    plans,
    budgets,
    changes,
    keys,
    tenants,
    storedKeys,
    sessions,
    signups,
    admin,
    first,
    audit: (request) => listAudit(store, request),
    pseudonym: (text) => createHmac('sha256', secret).update(`pseudonym\0${text}`).digest('base64url'),
    keyFor: (purpose) => keyFor(secret, purpose),
    changePlans(changes) {
      Object.assign(plans, plansOf(settings.limitsVariant, changes));
      keys.forget();
    },
    flush,
    async close() {
      await Promise.all([choring.stop(), retention?.stop()]);
      await flush().catch(onError);
      await admin.close();
    },
  };
}

const ignore = () => undefined;
