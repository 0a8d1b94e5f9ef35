import type { Transaction } from 'kysely';
import { isTagName, maxTags, tagNameRule } from '../../lib/tags.ts';
import type { ListPage, ListRequest } from '../../store/list-page.ts';
import { addNewRow, addRows, findRow } from '../../store/rows.ts';
import type { Tables, TenantRow } from '../../store/schema.ts';
import type { Store } from '../../store/store.ts';
import { AccountError } from './account-error.ts';
import { actOn, type Changes, listRows, rowOf } from './changes.ts';
import { isPlanId, limitNames, type Overrides, type PlanId, planIds } from './plans.ts';

const maxLength = 63;

export interface Tenant {
  /** Lower-case letters, digits and `-`; at most 63. */
  readonly id: string;
  readonly name: string;
  readonly plan: PlanId;
  readonly overrides: Overrides;
  /** Whether the `Idempotency-Key` of its requests is honoured. */
  readonly idempotency: boolean;
  /** Names of tags without which its requests are refused. */
  readonly requiredTags: readonly string[];
  /** Since when its keys are refused; null when they are not. Times are milliseconds since the epoch. */
  readonly suspendedAt: number | null;
  readonly createdAt: number;
}

export interface NewTenant {
  readonly id: string;
  /** As the id if it is not given. */
  readonly name?: string;
  readonly plan: string;
  readonly overrides?: Overrides | undefined;
  /** True if it is not given. */
  readonly idempotency?: boolean;
  /** None if they are not given. */
  readonly requiredTags?: readonly string[];
}

export type TenantChange = Partial<
  Pick<NewTenant, 'name' | 'plan' | 'overrides' | 'idempotency' | 'requiredTags'>
> & {
  readonly suspended?: boolean;
};

export type Tenants = ReturnType<typeof openTenants>;

/** The tenants. Every method that changes one takes the actor for the audit log. All throw `AccountError`. */
export function openTenants(store: Store, changes: Changes) {
  async function create(fields: NewTenant, actor: string): Promise<Tenant> {
    return changes.perform((db, now) => newTenant(db, fields, actor, now));
  }

  async function get(id: string): Promise<Tenant> {
    return tenantOf(await rowOf(store.db, 'tenant', id));
  }

  /** In the order of their ids. */
  async function list(request: ListRequest = {}): Promise<ListPage<Tenant>> {
    return listRows(store.db, 'tenants', {}, request, tenantOf);
  }

  /** Changes what is given; in force within a second everywhere. Overrides are replaced as a whole. */
  async function change(id: string, change: TenantChange, actor: string): Promise<Tenant> {
    const { name, plan, overrides, idempotency, requiredTags } = checked(change);
    const changed = (row: TenantRow, now: number) => {
      const suspended = change.suspended ?? row.suspended_at !== null;
      return {
        name: name ?? row.name,
        plan: plan ?? row.plan,
        overrides: overrides ? JSON.stringify(overrides) : row.overrides,
        idempotency: idempotency === undefined ? row.idempotency : Number(idempotency),
        required_tags: requiredTags ? namesText(requiredTags) : row.required_tags,
        suspended_at: suspended ? (row.suspended_at ?? now) : null,
      };
    };
    return changes.change({ kind: 'tenant', id, actor, verb: 'change' }, changed, tenantOf);
  }

  return { create, get, list, change };
}

/** Makes a tenant within a transaction of the caller, which also records the act. Throws `AccountError`. */
export async function newTenant(db: Transaction<Tables>, fields: NewTenant, actor: string, now: number) {
  const { id, name = id, plan, overrides = {}, idempotency = true, requiredTags = [] } = checked(fields);
  if (!isTenantId(id)) {
    throw new AccountError('invalid', 'A tenant id has 1 to 63 lower-case letters, digits and "-".', 'id');
  }
  const row: TenantRow = {
    id,
    name,
    plan,
    overrides: JSON.stringify(overrides),
    idempotency: Number(idempotency),
    required_tags: namesText(requiredTags),
    suspended_at: null,
    created_at: now,
  };
  if (!(await addNewRow(db, 'tenants', row)))
    throw new AccountError('exists', `There is a tenant ${id} already.`, 'id');
  const counters = { seq: 0, last_at: 0, day: 0, day_used: 0, month: 0, month_used: 0 };
  await addRows(db, 'counters', [{ tenant_id: id, ...counters }]);
  const tenant = tenantOf(row);
  return { result: tenant, act: actOn(actor, 'tenant', 'create', null, tenant) };
}

export function tenantOf(row: TenantRow): Tenant {
  return {
    id: row.id,
    name: row.name,
    plan: row.plan as PlanId,
    overrides: JSON.parse(row.overrides) as Overrides,
    idempotency: row.idempotency !== 0,
    requiredTags: row.required_tags === null ? [] : (JSON.parse(row.required_tags) as string[]),
    suspendedAt: row.suspended_at,
    createdAt: row.created_at,
  };
}

function checked<T extends TenantChange>(fields: T): T {
  const { name, plan, overrides, requiredTags = [] } = fields;
  if (name !== undefined && (name.trim() === '' || name.length > 200)) {
    throw new AccountError('invalid', 'A name has 1 to 200 characters.', 'name');
  }
  if (plan !== undefined && !isPlanId(plan)) {
    throw new AccountError('invalid', `A plan is one of ${planIds.join(', ')}.`, 'plan');
  }
  if (requiredTags.length > maxTags || !requiredTags.every(isTagName)) {
    const message = `At most ${maxTags} tags are required. ${tagNameRule}`;
    throw new AccountError('invalid', message, 'required_tags');
  }
  for (const [limit, value] of Object.entries(overrides ?? {})) {
    if (!(limitNames as readonly string[]).includes(limit)) {
      throw new AccountError('invalid', `A limit is one of ${limitNames.join(', ')}.`, 'overrides');
    }
    if (value !== null && !(Number.isSafeInteger(value) && value >= 0)) {
      throw new AccountError(
        'invalid',
        `${limit} is a whole number from 0, or null for unlimited.`,
        'overrides',
      );
    }
  }
  return fields;
}

function namesText(names: readonly string[]): string | null {
  return names.length === 0 ? null : JSON.stringify([...new Set(names)]);
}

/** Whether a text has the form of a tenant's id. */
export function isTenantId(text: string): boolean {
  return /^[a-z0-9][a-z0-9-]{0,62}$/.test(text);
}

/** An id that reads like the name and is free, with a number at its end if need be. */
export async function freeTenantId(db: Transaction<Tables>, name: string): Promise<string> {
  const plain = tenantIdFrom(name);
  for (let number = 1; ; number += 1) {
    const end = number === 1 ? '' : `-${number}`;
    const id = `${plain.slice(0, maxLength - end.length)}${end}`;
    if (!(await findRow(db, 'tenants', { id }))) return id;
  }
}

function tenantIdFrom(name: string): string {
  const plain = name
    .normalize('NFKD')
    .replaceAll(/\p{Mark}/gu, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, maxLength)
    .replaceAll(/^-|-$/g, '');
  return plain === '' ? 'tenant' : plain;
}
