import { sql } from 'kysely';
import { ServiceError } from '../../contract/errors.ts';
import { ascendingUlid } from '../../lib/ids.ts';
import { type Camel, camelCased } from '../../lib/names.ts';
import { minutesInWords } from '../../lib/utc.ts';
import type { ListPage, ListRequest } from '../../store/list-page.ts';
import { addNewRow, changeRows } from '../../store/rows.ts';
import type { SignupRow } from '../../store/schema.ts';
import type { Store } from '../../store/store.ts';
import { AccountError } from './account-error.ts';
import type { Attempts } from './attempts.ts';
import { actOn, type Changes, listRows, rowOf } from './changes.ts';
import { isPlanId, type PlanId, planIds } from './plans.ts';
import type { NewToken, Sessions } from './sessions.ts';
import type { MadeKey, StoredKeys } from './stored-keys.ts';
import { freeTenantId, newTenant, type Tenant } from './tenants.ts';

/** A stranger's wish for an account. Times are milliseconds since the epoch, the address is in lower case. */
export type Signup = Camel<Omit<SignupRow, 'tier'>> & { readonly tier: PlanId };

export interface NewSignup {
  readonly email: string;
  readonly orgName: string;
  readonly tier: string;
}

/** The credential that a new tenant gets. */
export type Handover = 'dashboard_link' | 'key';

interface Approval {
  readonly give?: Handover;
  /** Made from the name of the organisation if it is not given. */
  readonly tenantId?: string | undefined;
}

/** The result of a sign-up. The link's token and the key are in clear: to be shown now or never. */
export interface ApprovedSignup {
  readonly signup: Signup;
  readonly tenant: Tenant;
  readonly link: NewToken | null;
  readonly key: MadeKey | null;
}

/** Maximum number of sign-ups that wait to be decided on. */
const maxPending = 10_000;
/** When to come back while so many wait, in milliseconds. */
const fullWaitMs = 3_600_000;

interface SignupsParts {
  readonly store: Store;
  readonly changes: Changes;
  readonly storedKeys: StoredKeys;
  readonly sessions: Sessions;
  readonly attempts: Attempts;
}

export type Signups = ReturnType<typeof openSignups>;

/** The sign-ups. The operator's methods take the actor for the audit log and throw `AccountError`. */
export function openSignups({ store, attempts, changes, sessions, storedKeys }: SignupsParts) {
  /**
   * Stores a sign-up, unless the address has a pending one: that stays as it is, and the answer is the same.
   * Returns the milliseconds that the client has to wait before it may sign up; 0: it is stored. Throws
   * `AccountError('invalid')`.
   * @param client the one who signs up, by its address.
   */
  async function request(fields: NewSignup, client: string): Promise<number> {
    const { email, orgName, tier } = checkedSignup(fields);
    const wait = await attempts.take(client);
    if (wait > 0) return wait;
    if ((await countPending()) >= maxPending) return fullWaitMs;
    const now = store.clock.now();
    const decision = { status: 'pending', decided_at: null, tenant_id: null } as const;
    const id = `sig_${ascendingUlid(now)}`;
    await addNewRow(store.db, 'signups', {
      id,
      email,
      org_name: orgName,
      tier,
      created_at: now,
      ...decision,
    });
    return 0;
  }

  async function countPending(): Promise<number> {
    const counted = sql<{ count: number }>`select count(*) as count from signups where status = 'pending'`;
    return (await counted.execute(store.db)).rows[0]?.count ?? 0;
  }

  async function get(id: string): Promise<Signup> {
    return signupOf(await rowOf(store.db, 'sign-up', id));
  }

  /** Latest first. */
  async function list({
    status,
    ...request
  }: ListRequest & { readonly status?: SignupRow['status'] } = {}): Promise<ListPage<Signup>> {
    const where = status === undefined ? {} : { status };
    return listRows(store.db, 'signups', { where, latestFirst: true }, request, signupOf);
  }

  /** Makes a tenant on the plan of the sign-up's tier and what opens it. All of it happens or nothing. */
  async function approve(
    id: string,
    { give = 'dashboard_link', tenantId }: Approval,
    actor: string,
  ): Promise<ApprovedSignup> {
    return changes.perform(async (db, now) => {
      const row = await rowOf(db, 'sign-up', id);
      if (row.status !== 'pending') throw decided(row);
      const fields = { id: tenantId ?? (await freeTenantId(db, row.org_name)), name: row.org_name };
      const making = newTenant(db, { ...fields, plan: row.tier }, actor, now);
      const { result: tenant, act: creation } = await making.catch(namingTenantId);
      const link = give === 'key' ? null : await sessions.newLink(db, tenant.id, actor, now);
      const key = give === 'key' ? await storedKeys.newKey(db, { tenantId: tenant.id }, actor, now) : null;
      const decision = { status: 'approved', decided_at: now, tenant_id: tenant.id } as const;
      await changeRows(db, 'signups', { id }, decision);
      const signup = signupOf({ ...row, ...decision });
      const approval = actOn(actor, 'sign-up', 'approve', signupOf(row), signup);
      const made = link ?? key;
      return {
        result: {
          signup,
          tenant,
          link: link?.result ?? null,
          key: key?.result ?? null,
        },
        act: [approval, creation, ...(made ? [made.act] : [])],
      };
    });
  }

  /** Turns a sign-up down. Doing so again changes nothing. */
  async function reject(id: string, actor: string): Promise<Signup> {
    const rejected = (row: SignupRow, now: number) => {
      if (row.status === 'approved') throw decided(row);
      return { status: 'rejected', decided_at: row.decided_at ?? now } as const;
    };
    return changes.change({ kind: 'sign-up', id, actor, verb: 'reject' }, rejected, signupOf);
  }

  return { request, countPending, get, list, approve, reject };
}

/** The fields of a sign-up as they are kept. Throws `AccountError('invalid')`. */
export function checkedSignup({ email, orgName, tier }: NewSignup): NewSignup & { readonly tier: PlanId } {
  const address = email.trim().toLowerCase();
  if (address.length > 254 || !/^[^\s@<>"]+@[^\s@<>"]+\.[^\s@<>".]+$/.test(address)) {
    throw new AccountError('invalid', 'An e-mail address has the form name@example.com.', 'email');
  }
  const name = orgName.trim();
  if (name === '' || name.length > 200) {
    throw new AccountError('invalid', 'The name of the organisation has 1 to 200 characters.', 'orgName');
  }
  if (!isPlanId(tier)) throw new AccountError('invalid', `A tier is one of ${planIds.join(', ')}.`, 'tier');
  return { email: address, orgName: name, tier };
}

/** The id that a tenant is to have is `tenant_id` here. */
function namingTenantId(error: unknown): never {
  if (!(error instanceof AccountError) || error.field !== 'id') throw error;
  throw new AccountError(error.reason, error.message, 'tenant_id');
}

function decided({ id, status }: SignupRow): AccountError {
  return new AccountError('not_allowed', `The sign-up ${id} is ${status} already.`);
}

function signupOf(row: SignupRow): Signup {
  return { ...camelCased(row), tier: row.tier as PlanId };
}

/** The error of a client that may not sign up for a while. */
export function tooManySignups(waitMs: number): ServiceError {
  const message = `Too many sign-ups came from your address. Try again in ${minutesInWords(waitMs)}.`;
  return new ServiceError('too_many_signups', message, { retryAfter: Math.ceil(waitMs / 1000) });
}
