import { callerOf } from '../accounts/caller.ts';
import type { Accounts } from '../accounts/open-accounts.ts';
import { ownUsage } from '../accounts/own-usage.ts';
import { findRequest, listRequests } from '../accounts/requests.ts';
import { withAccounts } from '../accounts/service-errors.ts';
import { requestOnWire, usageOnWire } from '../accounts/wire.ts';
import { ServiceError } from '../contract/errors.ts';
import type { Handlers } from '../contract/registry.ts';

export function usageHandlers(accounts: Accounts) {
  return {
    getUsage: async ({ query }, { principal }) => {
      const { tenantId } = callerOf(principal);
      const report = await withAccounts(() => ownUsage(accounts, tenantId, query?.from, query?.to));
      return { status: 200, body: usageOnWire(report) };
    },
    listRequests: async ({ query }, { principal }) => {
      const { tenantId } = callerOf(principal);
      const page = await withAccounts(async () => listRequests(await accounts.settled(), tenantId, query));
      return {
        status: 200,
        body: { object: 'list', data: page.items.map(requestOnWire), next_cursor: page.nextCursor },
      };
    },
    getRequest: async ({ path }, { principal }) => {
      const { tenantId } = callerOf(principal);
      const record = await withAccounts(async () =>
        findRequest(await accounts.settled(), tenantId, path.request_id),
      );
      if (record === null) throw new ServiceError('not_found', 'There is no request of this id.');
      return { status: 200, body: requestOnWire(record) };
    },
  } satisfies Partial<Handlers>;
}
