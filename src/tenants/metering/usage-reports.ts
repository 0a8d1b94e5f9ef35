import type { ListPage, ListRequest } from '../../store/list-page.ts';
import type { Store } from '../../store/store.ts';
import { limitsOf, type Plans } from '../accounts/plans.ts';
import type { Tenants } from '../accounts/tenants.ts';
import type { Admissions } from './admissions.ts';
import { type ExportFormat, exportUsage } from './exports/export-usage.ts';
import { findRequest, listRequests, type RequestRecord, type RequestsRequest } from './requests.ts';
import {
  type DayRange,
  type DayUsage,
  dayRange,
  daysIn,
  daysUpTo,
  total,
  type UsageSums,
  usageByDay,
  usageByTenant,
} from './usage.ts';
import { readDimensions, usageGroups } from './usage-groups.ts';

/** A tenant's view of its own account: `state` is the state of its limits. */
export type OwnUsage = Awaited<ReturnType<UsageReports['own']>>;
/** Usage by what was asked for. */
export type Grouped = Awaited<ReturnType<UsageReports['groups']>>;

export interface UsageReportsParts {
  readonly store: Store;
  readonly admissions: Pick<Admissions, 'flush' | 'limitState'>;
  readonly plans: Plans;
  readonly tenants: Pick<Tenants, 'get'>;
}

/**
 * The usage, read once all settlements of this process are on disk: it includes every answered request. All methods
 * reject with `StoreError`, and with `AccountError('invalid')` for a range or a cursor that is none.
 */
export class UsageReports {
  readonly #parts: UsageReportsParts;

  constructor(parts: UsageReportsParts) {
    this.#parts = parts;
  }

  /**
   * A tenant's plan, what is left of its limits, and its usage by day and model. Rejects with `AccountError('not_found')`.
   * @param from first day, `YYYY-MM-DD`; null: 30 days back. `to`: last day; null: today.
   */
  async own(tenantId: string, from: string | null = null, to: string | null = null) {
    const { plans, tenants, admissions } = this.#parts;
    const store = await this.#written();
    const range = dayRange(store.clock.now(), from, to);
    const { plan, overrides } = await tenants.get(tenantId);
    const [state, days] = await Promise.all([
      admissions.limitState(tenantId, limitsOf(plans[plan], overrides)),
      usageByDay(store, tenantId, range),
    ]);
    return { tenantId, plan, state, range, days, total: total(days) };
  }

  /** The range that is asked for, by default the 30 days up to today. Throws `AccountError('invalid')`. */
  range(from: string | null = null, to: string | null = null): DayRange {
    return dayRange(this.#parts.store.clock.now(), from, to);
  }

  /** The range of so many days of which today is the last. */
  daysUpToNow(days: number): DayRange {
    return daysUpTo(this.#parts.store.clock.now(), days);
  }

  /** A tenant's usage by day and model. */
  async byDay(tenantId: string, range: DayRange): Promise<readonly DayUsage[]> {
    return usageByDay(await this.#written(), tenantId, range);
  }

  /** Usage of the tenants that have any in the range, in the order of their ids: of all or of those that are named. */
  async byTenant(
    range: DayRange,
    request: ListRequest & { readonly tenantIds?: readonly string[] } = {},
  ): Promise<ListPage<UsageSums & { readonly tenantId: string }>> {
    return usageByTenant(await this.#written(), range, request);
  }

  /** A tenant's requests, latest first: of all or of those with a tag. */
  async requests(tenantId: string, request: RequestsRequest = {}): Promise<ListPage<RequestRecord>> {
    return listRequests(await this.#written(), tenantId, request);
  }

  /**
   * Usage by one or two dimensions, with commas between.
   * @param tenantId null: of all tenants
   */
  async groups(tenantId: string | null, range: DayRange, by: string) {
    const names = readDimensions(by, tenantId !== null);
    const request = { by: names, days: daysIn(range), tenantId };
    return { by: names, groups: await usageGroups(await this.#written(), request) };
  }

  /**
   * Usage as CSV, in pieces; see `exportUsage`. Rejects with `AccountError('not_found')` for a tenant that there is not.
   * @param tenantId null: of all tenants
   */
  async export(
    tenantId: string | null,
    range: DayRange,
    format: ExportFormat = 'csv',
  ): Promise<AsyncIterable<string>> {
    if (tenantId !== null) await this.#parts.tenants.get(tenantId);
    return exportUsage(await this.#written(), { format, tenantId, days: daysIn(range) });
  }

  /** A tenant's request; null when the tenant has none of this id. */
  async request(tenantId: string, requestId: string): Promise<RequestRecord | null> {
    return findRequest(await this.#written(), tenantId, requestId);
  }

  async #written(): Promise<Store> {
    await this.#parts.admissions.flush();
    return this.#parts.store;
  }
}
