/** The limits of a tenant; null: unlimited. All count whole requests or tokens, from 0. */
export interface Limits {
  /** In any 60 seconds. */
  readonly requestsPerMinute: number | null;
  /** In a calendar day in UTC. */
  readonly requestsPerDay: number | null;
  /** In a calendar month in UTC. */
  readonly requestsPerMonth: number | null;
  /** Prompt and completion together, in any 60 seconds by the time of admission. */
  readonly tokensPerMinute: number | null;
  /** Requests that run at the same time, in all processes. */
  readonly concurrentRequests: number | null;
}

/** Limits of a single tenant that take the place of its plan's; null: unlimited. */
export type Overrides = Partial<Limits>;

export type PlanId = 'free' | 'pro' | 'enterprise';

interface Plan extends Limits {
  /** Whether its tenants may hold keys. */
  readonly keys: boolean;
  /** How many builds its tenants begin for each one of a tenant of weight 1 while both wait; from 1 to 64. */
  readonly buildWeight: number;
  /** How many requests a tenant may have running in a busy process for each one of a tenant of weight 1; from 1 to 64. */
  readonly requestWeight: number;
}

export type Plans = Readonly<Record<PlanId, Plan>>;

/** The operator's changes of the plans. */
export type PlanChanges = Partial<Readonly<Record<PlanId, Partial<Plan>>>>;

/** The documented tables of limits. */
export type LimitsVariant = 'A' | 'B';

export const planIds: readonly PlanId[] = ['free', 'pro', 'enterprise'];

const unlimited: Plan = {
  keys: true,
  buildWeight: 16,
  requestWeight: 16,
  requestsPerMinute: null,
  requestsPerDay: null,
  requestsPerMonth: null,
  tokensPerMinute: null,
  concurrentRequests: null,
};

const variants: Readonly<Record<LimitsVariant, Plans>> = {
  A: {
    free: { ...unlimited, buildWeight: 1, requestWeight: 1, requestsPerMinute: 10, requestsPerMonth: 1_000 },
    pro: { ...unlimited, buildWeight: 4, requestWeight: 4, requestsPerMinute: 60, requestsPerMonth: 10_000 },
    // "Custom" requests per minute: a number that a tenant's overrides set.
    enterprise: unlimited,
  },
  B: {
    free: { ...unlimited, buildWeight: 1, requestWeight: 1, requestsPerMinute: 10, requestsPerDay: 100 },
    pro: { ...unlimited, buildWeight: 4, requestWeight: 4, requestsPerMinute: 60, requestsPerDay: 10_000 },
    enterprise: unlimited,
  },
};

/** The plans of a variant, with the operator's changes. A new object each time. */
export function plansOf(variant: LimitsVariant, changes: PlanChanges = {}): Plans {
  const table = variants[variant];
  return {
    free: { ...table.free, ...changes.free },
    pro: { ...table.pro, ...changes.pro },
    enterprise: { ...table.enterprise, ...changes.enterprise },
  };
}

/** The limits that hold for a tenant. */
export function limitsOf(plan: Plan, overrides: Overrides): Limits {
  const { keys: _keys, buildWeight: _builds, requestWeight: _requests, ...limits } = plan;
  return { ...limits, ...overrides };
}

export function isPlanId(text: string): text is PlanId {
  return (planIds as readonly string[]).includes(text);
}

/** The names of the limits, as overrides are written in. */
export const limitNames: readonly (keyof Limits)[] = [
  'requestsPerMinute',
  'requestsPerDay',
  'requestsPerMonth',
  'tokensPerMinute',
  'concurrentRequests',
];
