import { ascendingUlid } from '../../lib/ids.ts';
import type { ListPage, ListRequest } from '../../store/list-page.ts';
import { addRows, findRow, findRows } from '../../store/rows.ts';
import type { BudgetRow } from '../../store/schema.ts';
import type { Store } from '../../store/store.ts';
import { AccountError } from './account-error.ts';
import { actOn, type Changes, listRows, rowOf } from './changes.ts';
import { localTenant, tokenPrefix } from './key-secret.ts';

export type BudgetUnit = 'requests' | 'tokens' | 'money' | 'concurrency';
export type BudgetWindow = 'minute' | 'day' | 'month' | 'ever' | 'running';

/** The requests that count: all of the tenant's for null. Never a key and a tag. */
interface BudgetScope {
  readonly keyId: string | null;
  readonly tag: { readonly name: string; readonly value: string } | null;
  /** Any of its names: requests that lead to the same model count. */
  readonly model: string | null;
}

/** A limit on what some of a tenant's requests may use. */
export interface Budget {
  readonly id: string;
  readonly tenantId: string;
  readonly label: string;
  readonly scope: BudgetScope;
  readonly unit: BudgetUnit;
  readonly window: BudgetWindow;
  /** A whole number; millionths of a US dollar for money. */
  readonly limit: number;
  /** Whether what goes beyond it is refused. */
  readonly hard: boolean;
  /** The percentages of the limit that raise an alert. */
  readonly alertsAt: readonly number[];
  /** Milliseconds since the epoch. */
  readonly createdAt: number;
}

export type NewBudget = Omit<Budget, 'id' | 'createdAt'>;
export type BudgetChange = Partial<Pick<Budget, 'label' | 'limit' | 'hard' | 'alertsAt'>>;

/** So many may a tenant have: each request is held against those that it concerns. */
const maxBudgets = 100;

export type Budgets = ReturnType<typeof openBudgets>;

/** The budgets. Every method that changes one takes the actor for the audit log. All throw `AccountError`. */
export function openBudgets(store: Store, changes: Changes) {
  async function create(fields: NewBudget, actor: string): Promise<Budget> {
    check(fields);
    return changes.perform(async (db, now) => {
      const { tenantId } = fields;
      await rowOf(db, 'tenant', tenantId);
      if ((await findRows(db, 'budgets', { tenant_id: tenantId })).length >= maxBudgets)
        throw new AccountError('exists', `The tenant ${tenantId} has ${maxBudgets} budgets already.`);
      await checkKey(db, tenantId, fields.scope.keyId);
      const budget: Budget = { ...fields, id: `bgt_${ascendingUlid(now)}`, createdAt: now };
      await addRows(db, 'budgets', [budgetRow(budget)]);
      return { result: budget, act: actOn(actor, 'budget', 'create', null, budget) };
    });
  }

  async function get(id: string): Promise<Budget> {
    return budgetOf(await rowOf(store.db, 'budget', id));
  }

  /** In the order of their ids; of all tenants for null. */
  async function list(tenantId: string | null, request: ListRequest = {}): Promise<ListPage<Budget>> {
    const where = tenantId === null ? {} : { tenant_id: tenantId };
    return listRows(store.db, 'budgets', { where }, request, budgetOf);
  }

  /** Changes what is given; in force within a second everywhere. */
  async function change(id: string, change: BudgetChange, actor: string): Promise<Budget> {
    const changed = (row: BudgetRow) => {
      const after = { ...budgetOf(row), ...change };
      check(after);
      return budgetRow(after);
    };
    return changes.change({ kind: 'budget', id, actor, verb: 'change' }, changed, budgetOf);
  }

  async function remove(id: string, actor: string): Promise<void> {
    await changes.delete({ kind: 'budget', id, actor }, budgetOf);
  }

  return { create, get, list, change, delete: remove };
}

/** Throws `AccountError('invalid')` with the field that is wrong. */
function check({ scope, unit, window, limit }: NewBudget): void {
  if ((unit === 'concurrency') !== (window === 'running')) {
    const message =
      unit === 'concurrency'
        ? 'The unit "concurrency" takes the window "running" only.'
        : 'The window "running" is for the unit "concurrency" only.';
    throw new AccountError('invalid', message, 'window');
  }
  if (scope.keyId !== null && scope.tag !== null) {
    throw new AccountError('invalid', 'A key and a tag cannot be combined.', 'scope.tag');
  }
  if (!Number.isSafeInteger(limit) || limit < 0) {
    const form = unit === 'money' ? 'has at most six decimals' : 'is a whole number';
    throw new AccountError('invalid', `The limit ${form}.`, 'limit');
  }
}

/** Throws `AccountError('invalid')` for an id that no key of the tenant can have: no request would ever count. */
async function checkKey(db: Store['db'], tenantId: string, id: string | null): Promise<void> {
  if (id === null || tokenName.test(id)) return;
  const key = await findRow(db, 'keys', { id });
  // Keys of the environment are in no table, and another server may have others.
  if (key ? key.tenant_id === tenantId : tenantId === localTenant && /^[0-9A-Za-z]{12}$/.test(id)) return;
  const message = `The tenant ${tenantId} has no key with this id; \`switchyard keys list --tenant ${tenantId}\` lists the ids of its keys.`;
  throw new AccountError('invalid', message, 'scope.key_id');
}

const tokenName = new RegExp(`^${tokenPrefix}[a-z0-9-]{1,32}_[\\w-]{12}$`);

export function budgetOf(row: BudgetRow): Budget {
  const { tag_name: name, tag_value: value } = row;
  return {
    id: row.id,
    tenantId: row.tenant_id,
    label: row.label,
    scope: {
      keyId: row.key_id,
      tag: name === null || value === null ? null : { name, value },
      model: row.model,
    },
    unit: row.unit as BudgetUnit,
    window: row.span as BudgetWindow,
    limit: row.most,
    hard: row.hard === 1,
    alertsAt: JSON.parse(row.alerts_at) as number[],
    createdAt: row.created_at,
  };
}

function budgetRow(budget: Budget): BudgetRow {
  const { keyId, tag, model } = budget.scope;
  return {
    id: budget.id,
    tenant_id: budget.tenantId,
    label: budget.label,
    key_id: keyId,
    tag_name: tag?.name ?? null,
    tag_value: tag?.value ?? null,
    model,
    unit: budget.unit,
    span: budget.window,
    most: budget.limit,
    hard: budget.hard ? 1 : 0,
    alerts_at: JSON.stringify(budget.alertsAt),
    created_at: budget.createdAt,
  };
}
