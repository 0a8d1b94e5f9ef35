import { operations } from '../../generated/operations.gen.ts';
import type { Config } from '../config/config.ts';
import type { ByteBudget } from '../lib/byte-budget.ts';
import { OpenSockets } from '../sockets/open-sockets.ts';
import { callerOf } from '../tenants/accounts/caller.ts';
import type { Accounts } from '../tenants/accounts/open-accounts.ts';

/** The sockets that the operator wants; null: there are to be none. */
export function openSockets(
  { responsesSockets, responsesSocketsPerKey, responsesSocketIdleMs }: Config,
  { keys, changes }: Pick<Accounts, 'keys' | 'changes'>,
  budget: ByteBudget,
  onError: (error: unknown) => void,
): Promise<OpenSockets | null> {
  return OpenSockets.create({
    settings: {
      maxSockets: responsesSockets,
      maxPerKey: responsesSocketsPerKey,
      idleMs: responsesSocketIdleMs,
    },
    budget,
    maxMessage: operations.createResponse.body.maxBytes,
    accountsVersion: () => changes.version(),
    stillGood: async (principal) => (await keys.callerAgain(callerOf(principal))) !== null,
    onError,
  });
}
