import { scryptSync } from 'node:crypto';
import { ledgerStatus } from '../../src/http/exchange.ts';
import type { Clock } from '../../src/lib/clock.ts';
import { Secret } from '../../src/lib/redact.ts';
import { tokenUsage } from '../../src/model/usage.ts';
import type { Store } from '../../src/store/store.ts';
import {
  type AccountSettings,
  type Accounts,
  openAccounts,
} from '../../src/tenants/accounts/open-accounts.ts';
import type { Limits, Overrides } from '../../src/tenants/accounts/plans.ts';
import type {
  Admission,
  AdmissionRequest,
  AdmissionResult,
  Outcome,
} from '../../src/tenants/metering/admission.ts';
import type { Rejection } from '../../src/tenants/metering/limit-state.ts';
import {
  type Metering,
  type MeteringSettings,
  openMetering,
} from '../../src/tenants/metering/open-metering.ts';
import { UsageReports } from '../../src/tenants/metering/usage-reports.ts';
import type { TestApp } from './app.ts';
import type { StoreTests } from './store.ts';
import { type Database, openDatabase } from './test-database.ts';

/** A password of tests. */
export const testPassword = new Secret('a password of tests');

/** Puts a password where accounts that open find it, hashed at next to no cost, as most tests are about something else. */
export async function seedPassword({ db }: Store, password = testPassword): Promise<void> {
  const hash = scryptSync(password.reveal(), 'salt', 32, { N: 2, r: 1, p: 1 });
  await db
    .insertInto('settings')
    .values({ name: 'admin_password', value: `scrypt$2$1$1$c2FsdA==$${hash.toString('base64')}` })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

export type TestSettings = Partial<AccountSettings & MeteringSettings> & { readonly clock?: Clock };

/** What a server has on its database: the accounts, the metering of their requests, and the store itself. */
export interface TestAccounts
  extends Omit<Accounts, 'close'>,
    Pick<Metering, 'admissions' | 'instanceId' | 'interrupted' | 'beat'> {
  readonly store: Store;
  readonly reports: UsageReports;
  /** Closes all of it but the store. */
  close(): Promise<void>;
}

/** Joins what stands on a store. */
export function testAccountsOf(store: Store, accounts: Accounts, metering: Metering): TestAccounts {
  const { admissions, instanceId, interrupted, beat } = metering;
  const { plans, tenants } = accounts;
  return {
    ...accounts,
    store,
    admissions,
    instanceId,
    interrupted,
    beat,
    reports: new UsageReports({ store, admissions, plans, tenants }),
    async close() {
      await metering.close();
      await accounts.close();
    },
  };
}

/** Accounts and their metering on a database, as a server has them. Close both when done. */
export async function openAccountsAt(
  database: Database,
  { clock, ...settings }: TestSettings = {},
): Promise<TestAccounts> {
  const store = await openDatabase(database, clock);
  await seedPassword(store);
  const accounts = await openAccounts(store, {
    dataDir: database.dataDir,
    keySecret: null,
    apiKeys: [],
    adminPassword: testPassword,
    limitsVariant: 'A',
    ...settings,
  });
  const metering = await openMetering(store, {
    priceOf: (provider, model) =>
      provider === 'openai' && model === 'gpt-4o'
        ? { prompt: 2.5, cachedPrompt: 1.25, completion: 10 }
        : null,
    statusOf: ledgerStatus,
    ...settings,
  });
  return testAccountsOf(store, accounts, metering);
}

/** The same, closed after the test; on a new database unless one is given. */
export async function testAccounts(
  on: StoreTests,
  settings: TestSettings = {},
  database?: Database,
): Promise<TestAccounts> {
  const accounts = await openAccountsAt(database ?? (await on.database()), settings);
  on.cleanUp(async () => {
    await accounts.close();
    await accounts.store.close();
  });
  return accounts;
}

/** Makes a tenant and returns what asks for admission in its name. */
export async function tenantOn(
  accounts: TestAccounts,
  id: string,
  plan: 'free' | 'pro' | 'enterprise',
  overrides: Overrides = {},
) {
  await accounts.tenants.create({ id, plan, overrides }, 'test');
  const { keys: _, ...planLimits } = accounts.plans[plan];
  return askFor(accounts, id, { ...planLimits, ...overrides });
}

let asked = 0;

export function askFor(accounts: TestAccounts, tenantId: string, limits: Limits) {
  return (request: Partial<AdmissionRequest> = {}): Promise<AdmissionResult> => {
    asked += 1;
    return accounts.admissions.admit({
      caller: { tenantId, keyId: 'testkey00000', limits },
      requestId: `req_${asked}`,
      operation: 'createChat',
      model: 'gpt-4o',
      ...request,
    });
  };
}

export function admitted(result: AdmissionResult): Admission {
  if (result.admitted) return result.admission;
  throw new Error(`rejected by ${result.rejection.limit.name}`);
}

export function rejected(result: AdmissionResult): Rejection {
  if (!result.admitted) return result.rejection;
  throw new Error('admitted');
}

export const success: Outcome = {
  status: 'succeeded',
  provider: 'openai',
  model: 'gpt-4o',
  finishReason: 'stop',
  usage: {
    tokens: tokenUsage({ inputUncached: 60, cacheRead: 40, output: 20, reasoning: 5 }),
    source: 'provider',
  },
  attempts: [
    {
      provider: 'openai',
      model: 'gpt-4o',
      outcome: 'succeeded',
      errorCode: null,
      status: 200,
      durationMs: 12,
    },
  ],
  firstByteMs: 7,
};

/** All rows of the ledger, in the order of admission. */
export function ledgerRows(accounts: TestAccounts, tenantId: string) {
  return accounts.store.db
    .selectFrom('ledger_rows')
    .selectAll()
    .where('tenant_id', '=', tenantId)
    .orderBy('created_at')
    .orderBy('id')
    .execute();
}

/** A key with all scopes of a tenant beside that of the test keys. */
export async function keyOfAnotherTenant(app: TestApp): Promise<string> {
  await app.accounts.tenants.create({ id: 'other', plan: 'pro' }, 'test');
  const { text } = await app.accounts.storedKeys.create({ tenantId: 'other' }, 'test');
  return text;
}
