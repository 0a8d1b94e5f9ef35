import { ServiceError } from '../contract/errors.ts';
import type { Handlers } from '../contract/wire-operations.ts';
import { listOf } from '../tenants/accounts/admin-view.ts';
import { callerOf } from '../tenants/accounts/caller.ts';
import type { DayRange } from '../tenants/metering/usage.ts';
import type { UsageReports } from '../tenants/metering/usage-reports.ts';
import { groupsView, requestView, usageView } from '../tenants/metering/view.ts';
import { ok } from './replies.ts';

/** An export as a file that browsers save. */
export function csvFile({ from, to }: DayRange, chunks: AsyncIterable<string>) {
  const headers = { 'content-disposition': `attachment; filename="usage-${from}-${to}.csv"` };
  return { status: 200, mediaType: 'text/csv', chunks, headers } as const;
}

export function usageHandlers(reports: UsageReports) {
  return {
    getUsage: async ({ query }, { principal }) => {
      const { tenantId } = callerOf(principal);
      const report = await reports.own(tenantId, query?.from, query?.to);
      const body = usageView(report);
      if (!query?.group_by) return ok(body);
      const groups = groupsView(await reports.groups(tenantId, report.range, query.group_by));
      return ok({ ...body, ...groups });
    },
    exportUsage: async ({ query }, { principal }) => {
      const { tenantId } = callerOf(principal);
      const range = reports.range(query?.from, query?.to);
      return csvFile(range, await reports.export(tenantId, range, query?.format));
    },
    listRequests: async ({ query }, { principal }) => {
      const { tenantId } = callerOf(principal);
      return ok(listOf(await reports.requests(tenantId, query), requestView));
    },
    getRequest: async ({ path }, { principal }) => {
      const { tenantId } = callerOf(principal);
      const record = await reports.request(tenantId, path.request_id);
      if (record === null) throw new ServiceError('not_found', 'There is no request of this id.');
      return ok(requestView(record));
    },
  } satisfies Partial<Handlers>;
}
