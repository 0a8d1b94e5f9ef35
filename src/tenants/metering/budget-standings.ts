import type { StoreClock } from '../../lib/clock.ts';
import type { Standing } from '../../limits/authority.ts';
import type { Budget } from '../accounts/budgets.ts';
import type { Admissions } from './admissions.ts';
import { endOf, needOf } from './budget-needs.ts';

/** How budgets stand, by the authority of limits. */
export class BudgetStandings {
  readonly #admissions: Pick<Admissions, 'standings'>;
  readonly #clock: StoreClock;

  constructor(admissions: Pick<Admissions, 'standings'>, clock: StoreClock) {
    this.#admissions = admissions;
    this.#clock = clock;
  }

  /** By the time of the store, in milliseconds since the epoch. */
  now(): number {
    return this.#clock.now();
  }

  /** In the order of the budgets. Rejects with `StoreError`. */
  async of<const Some extends readonly Budget[]>(
    budgets: Some,
  ): Promise<{ [Index in keyof Some]: Standing }> {
    const needs = budgets.map((budget) => needOf(budget, 0));
    const sorted = [...needs].sort((one, other) => (one.bucket.id < other.bucket.id ? -1 : 1));
    const found = needs.length === 0 ? [] : await this.#admissions.standings(sorted);
    const now = this.now();
    return budgets.map((budget, index) => {
      const standing = found[sorted.indexOf(needs[index] as (typeof needs)[number])];
      const { used = 0, resetMs = null } = standing ?? {};
      const end = endOf(budget, now);
      if (end !== null) return { used, resetMs: end - now };
      return { used, resetMs: budget.window === 'minute' ? resetMs : null };
    }) as { [Index in keyof Some]: Standing };
  }
}
