import { createHmac, randomBytes } from 'node:crypto';
import { ulid } from '../lib/ids.ts';
import { repeat } from '../lib/repeat.ts';
import type { Secret } from '../lib/secret.ts';
import { writeLastUsed } from '../store/last-used.ts';
import type { Store } from '../store/store.ts';
import { AdminAccess } from './admin-access.ts';
import { type AdministrationSettings, openAdministration } from './administration.ts';
import type { AdmissionObserver } from './admission.ts';
import { Admissions } from './admissions.ts';
import { sweepAttempts } from './attempts.ts';
import { ConfiguredKeys, checkConfiguredKeys } from './configured-keys.ts';
import { prepareFirstStart } from './first-start.ts';
import { KeyVerifier } from './key-verifier.ts';
import { sweepLedger } from './ledger-retention.ts';
import type { Plans } from './plans.ts';
import { Presence } from './presence.ts';
import type { PriceOf } from './prices.ts';
import type { Sessions } from './sessions.ts';
import type { Signups } from './signups.ts';
import type { StoredKeys } from './stored-keys.ts';
import type { Tenants } from './tenants.ts';

export interface AccountSettings extends AdministrationSettings {
  /** `API_KEYS`. */
  readonly apiKeys: readonly Secret[];
  /** `ADMIN_PASSWORD`. */
  readonly adminPassword: Secret | null;
  readonly priceOf: PriceOf;
  /** `LEDGER_RETENTION_DAYS`; null: rows of the ledger are kept for good. */
  readonly ledgerRetentionDays?: number | null;
  readonly observer?: AdmissionObserver;
  /** Is told of what goes wrong in the background, where nobody waits for it. */
  readonly onError?: (error: unknown) => void;
}

/** How often a process shows that it lives, in milliseconds. */
const beatMs = 5_000;
/** When a request that was never settled is given up, in milliseconds: no request is allowed to take this long. */
const longestRequestMs = 3_600_000;
/** How often it is written down when keys were last used, and what is too old is thrown away, in milliseconds. */
const choresMs = 60_000;
/** How often the ledger is gone through for rows that are too old, in milliseconds. */
const retentionMs = 600_000;

/** Everything about who may do how much, and who did. */
export interface Accounts {
  readonly store: Store;
  readonly plans: Plans;
  readonly keys: KeyVerifier;
  readonly admissions: Admissions;
  readonly tenants: Tenants;
  readonly storedKeys: StoredKeys;
  readonly sessions: Sessions;
  readonly signups: Signups;
  readonly admin: AdminAccess;
  /** What this start has made, in clear: to be shown to the operator now or never. */
  readonly first: { readonly key: string | null; readonly adminPassword: string | null };
  /** This process among those on the database. */
  readonly instanceId: string;
  /** A name for something that must not be kept as it is: always the same, and useless without our secret. */
  pseudonym(text: string): string;
  /** Rows of the ledger that processes before this one left open. */
  readonly interrupted: number;
  /** The store, once all that this process knows of requests is in it: what was answered can be read there. */
  settled(): Promise<Store>;
  /** What runs every few seconds. */
  beat(): Promise<void>;
  /** Writes all that is not on disk yet. The store stays open. */
  close(): Promise<void>;
}

/**
 * Opens the accounts on a store, makes what the first start makes, and closes what a crash left open.
 * Throws a `ConfigError` for settings that cannot be used.
 */
export async function openAccounts(store: Store, settings: AccountSettings): Promise<Accounts> {
  const { clock } = store;
  const apiKeys = settings.apiKeys.map((key) => key.reveal());
  checkConfiguredKeys(apiKeys);
  const administration = await openAdministration(store, settings);
  const { plans, changes, secret, tenants, storedKeys, sessions, signups } = administration;
  const admin = new AdminAccess(store, secret);
  const first = {
    key: await prepareFirstStart(store, changes, storedKeys, apiKeys.length > 0),
    adminPassword: await admin.ensure(settings.adminPassword),
  };
  const configured = new ConfiguredKeys(randomBytes(32), apiKeys, []);
  const keys = new KeyVerifier({ store, clock, changes, secret, plans, configured });

  const instanceId = ulid();
  const presence = new Presence(store, instanceId);
  await presence.renew();
  const interrupted = await presence.sweep();
  const admissions = new Admissions({
    ledger: store.ledger,
    clock,
    synchroniseClock: () => store.synchroniseClock(),
    instanceId,
    priceOf: settings.priceOf,
    observer: settings.observer,
  });

  let choresAt = performance.now();
  const beat = async () => {
    // First: what follows goes by it.
    await store.synchroniseClock();
    await presence.renew();
    await presence.sweep();
    admissions.forgetIdle();
    giveUp(admissions, clock.ago(longestRequestMs));
    if (performance.now() - choresAt < choresMs) return;
    choresAt = performance.now();
    await writeLastUsed(store, keys.takeUsed());
    await sweepAttempts(store);
  };
  const onError = settings.onError ?? ignore;
  const pulse = repeat(beatMs, beat, onError);
  const { ledgerRetentionDays: days = null } = settings;
  const retention =
    days === null ? null : repeat(retentionMs, (signal) => sweepLedger(store, days, signal), onError);
  return {
    store,
    instanceId,
    plans,
    keys,
    admissions,
    tenants,
    storedKeys,
    sessions,
    signups,
    admin,
    first,
    pseudonym: (text) => createHmac('sha256', secret).update(`pseudonym\0${text}`).digest('base64url'),
    interrupted,
    async settled() {
      await Promise.all([admissions.flush(), writeLastUsed(store, keys.takeUsed())]);
      return store;
    },
    beat,
    async close() {
      await Promise.all([pulse.stop(), retention?.stop()]);
      await admissions.flush();
      // Without the database the others find out by themselves that this process is gone.
      await writeLastUsed(store, keys.takeUsed()).catch(onError);
      await presence.leave().catch(onError);
    },
  };
}

/** Settles what its handler has forgotten, so that it does not hold a place for ever. */
function giveUp({ open }: Admissions, before: number): void {
  for (const admission of open) {
    if (admission.createdAt > before) return;
    admission.settle({ status: 'failed', httpStatus: 500, errorCode: 'internal_error' });
  }
}

const ignore = () => undefined;
