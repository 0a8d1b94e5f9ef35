import { withAccounts } from '../accounts/service-errors.ts';
import type { Handlers } from '../contract/registry.ts';

/** The same handlers, with failures of the accounts as the errors that the client is told. */
export function guarded<T extends Partial<Handlers>>(handlers: T): T {
  type AnyHandler = (request: unknown, scope: unknown) => Promise<unknown>;
  const entries = Object.entries(handlers as unknown as Record<string, AnyHandler>);
  const wrapped = entries.map(([id, handle]): [string, AnyHandler] => [
    id,
    (request, scope) => withAccounts(() => handle(request, scope)),
  ]);
  return Object.fromEntries(wrapped) as unknown as T;
}
