import type { BudgetScope, Budget as BudgetView, CreateBudgetRequest } from '../../../generated/types.gen.ts';
import { isoTime } from '../../lib/utc.ts';
import { AccountError } from './account-error.ts';
import type { Budget, BudgetChange, BudgetUnit, NewBudget } from './budgets.ts';

/** The state of a budget: the use in its own unit, and its reset in milliseconds since the epoch, where known. */
export interface BudgetStatus {
  readonly used: number;
  readonly resetsAt: number | null;
}

const defaultAlerts = [50, 80, 100];

type Loose<Fields> = { readonly [Name in keyof Fields]?: Readonly<Fields[Name]> | undefined };
type Changes = Loose<Pick<CreateBudgetRequest, 'label' | 'kind' | 'alerts_at'>>;

export function budgetView(budget: Budget, { used, resetsAt }: BudgetStatus): BudgetView {
  const { id, tenantId, label, scope, unit, window, limit, hard, alertsAt, createdAt } = budget;
  const { keyId, tag, model } = scope;
  const shown = (amount: number) => (unit === 'money' ? amount / 1e6 : amount);
  return {
    object: 'budget',
    id,
    tenant_id: tenantId,
    label,
    scope: {
      ...(keyId !== null && { key_id: keyId }),
      ...(tag && { tag }),
      ...(model !== null && { model }),
    },
    unit,
    window,
    limit: shown(limit),
    kind: hard ? 'hard' : 'soft',
    alerts_at: [...alertsAt],
    created_at: isoTime(createdAt),
    state: {
      used: shown(used),
      remaining: shown(Math.max(0, limit - used)),
      resets_at: resetsAt === null ? null : isoTime(resetsAt),
    },
  };
}

/** Throws `AccountError('invalid')` for a limit that its unit cannot have. */
export function newBudgetOf({
  label = '',
  scope = {},
  kind = 'hard',
  ...fields
}: Changes &
  Pick<CreateBudgetRequest, 'tenant_id' | 'unit' | 'window' | 'limit'> & {
    readonly scope?: Loose<BudgetScope>;
  }): NewBudget {
  const {
    tenant_id: tenantId,
    unit,
    window,
    alerts_at = tellsOf(unit, window) ? defaultAlerts : [],
  } = fields;
  const { key_id: keyId, tag, model } = scope;
  const held = { keyId: keyId ?? null, tag: tag ?? null, model: model ?? null };
  const [limit, alertsAt] = [limitOf(fields.limit, unit), sorted(alerts_at)];
  return { tenantId, label, scope: held, unit, window, limit, hard: kind === 'hard', alertsAt };
}

/** The same for what is changed of a budget. */
export function budgetChangeOf(
  { label, limit, kind, alerts_at }: Changes & Loose<Pick<CreateBudgetRequest, 'limit'>>,
  unit: BudgetUnit,
): BudgetChange {
  return {
    ...(label !== undefined && { label }),
    ...(limit !== undefined && { limit: limitOf(limit, unit) }),
    ...(kind !== undefined && { hard: kind === 'hard' }),
    ...(alerts_at !== undefined && { alertsAt: sorted(alerts_at) }),
  };
}

/** Whether its thresholds raise alerts: a minute is over before anyone could look. */
export function tellsOf(unit: BudgetUnit, window: Budget['window']): boolean {
  return unit !== 'concurrency' && window !== 'minute';
}

const sorted = (percents: readonly number[]) => [...percents].sort((one, other) => one - other);

/** Dollars as millionths. A sixth decimal is as fine as it gets. */
function limitOf(limit: number, unit: BudgetUnit): number {
  if (unit !== 'money') return limit;
  const micro = Math.round(limit * 1e6);
  if (Math.abs(micro - limit * 1e6) > 1e-3) {
    throw new AccountError('invalid', 'The limit has at most six decimals.', 'limit');
  }
  return micro;
}
