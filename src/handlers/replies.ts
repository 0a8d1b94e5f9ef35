import type { Scope } from '../contract/registry.ts';
import type { Attempt } from '../model/port.ts';
import { callerOf } from '../tenants/accounts/caller.ts';
import { tagsHeader } from '../tenants/metering/demand.ts';

export const ok = <Body>(body: Body) => ({ status: 200, body }) as const;

export const created = <Body>(body: Body) => ({ status: 201, body }) as const;

/** A document of JSON that is ready to be sent. */
export const document = <Text>(text: Text) =>
  ({ status: 200, mediaType: 'application/json', ...text }) as const;

/**
 * What a call of a model knows of the request that it is for.
 * @param operation the name in the ledger, whatever the form of the answer
 * @param headers of a request to a foreign interface
 */
export function contextOf<Headers = undefined>(scope: Scope, operation: string, headers?: Headers) {
  const attempts: Attempt[] = [];
  scope.note('attempts', attempts);
  return {
    caller: callerOf(scope.principal),
    requestId: scope.requestId,
    tagsHeader: scope.header(tagsHeader),
    operation,
    signal: scope.signal,
    memory: scope.memory,
    tellLimits: scope.tellLimits,
    dryRun: scope.dryRun ?? undefined,
    onAttempt: (attempt: Attempt) => attempts.push(attempt),
    headers: headers as Headers,
  };
}
