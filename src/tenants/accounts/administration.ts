import type { Secret } from '../../lib/redact.ts';
import type { Signals } from '../../lib/signals.ts';
import type { Store } from '../../store/store.ts';
import { AdminAccess } from './admin-access.ts';
import { Attempts } from './attempts.ts';
import { Budgets } from './budgets.ts';
import { Changes } from './changes.ts';
import { openKeySecret } from './key-secret.ts';
import { type LimitsVariant, type PlanChanges, plansOf } from './plans.ts';
import { Sessions } from './sessions.ts';
import { Signups } from './signups.ts';
import { StoredKeys } from './stored-keys.ts';
import { Tenants } from './tenants.ts';

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

/** What administers the accounts, without what answers requests: enough for a command that runs beside the server. */
export type Administration = Awaited<ReturnType<typeof openAdministration>>;

/** Throws a `ConfigError` when the secret of the keys cannot be had or is not the database's. */
export async function openAdministration(
  store: Store,
  { dataDir, keySecret, limitsVariant, planChanges, signals }: AdministrationSettings,
) {
  const secret = await openKeySecret(store, dataDir, keySecret);
  const plans = plansOf(limitsVariant, planChanges);
  const changes = new Changes(store, signals);
  const storedKeys = new StoredKeys(store, changes, secret, plans);
  const admin = new AdminAccess(store, secret);
  const sessions = new Sessions(store, changes, secret, () => admin.configuredHolds());
  const attempts = new Attempts(store, secret, signupLimit);
  return {
    plans,
    changes,
    /** What the digests of keys and tokens are keyed with. */
    secret,
    tenants: new Tenants(store, changes),
    budgets: new Budgets(store, changes),
    storedKeys,
    sessions,
    admin,
    signups: new Signups({ store, changes, storedKeys, sessions, attempts }),
  };
}
