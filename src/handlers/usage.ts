import { callerOf } from '../accounts/caller.ts';
import { ServiceError } from '../contract/errors.ts';
import type { Handlers } from '../contract/handlers.ts';
import { requestOnWire, usageOnWire } from '../metering/on-wire.ts';
import type { UsageReports } from '../metering/usage-reports.ts';

export function usageHandlers(reports: UsageReports) {
  return {
    getUsage: async ({ query }, { principal }) => {
      const { tenantId } = callerOf(principal);
      const report = await reports.own(tenantId, query?.from, query?.to);
      return { status: 200, body: usageOnWire(report) };
    },
    listRequests: async ({ query }, { principal }) => {
      const { tenantId } = callerOf(principal);
      const page = await reports.requests(tenantId, query);
      return {
        status: 200,
        body: { object: 'list', data: page.items.map(requestOnWire), next_cursor: page.nextCursor },
      };
    },
    getRequest: async ({ path }, { principal }) => {
      const { tenantId } = callerOf(principal);
      const record = await reports.request(tenantId, path.request_id);
      if (record === null) throw new ServiceError('not_found', 'There is no request of this id.');
      return { status: 200, body: requestOnWire(record) };
    },
  } satisfies Partial<Handlers>;
}
