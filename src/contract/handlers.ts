import type { Handler, OperationId } from './registry.ts';
import type { WireHandler, WireOperationId } from './wire-operations.ts';

/** What answers each operation. */
export type Handlers = {
  readonly [Id in OperationId]: Id extends WireOperationId ? WireHandler : Handler<Id>;
};

/** Joins the handlers. A missing one does not compile, and neither does an extra one, even when it comes by spread. */
export function defineHandlers<T extends Handlers>(
  handlers: T & { readonly [Extra in Exclude<keyof T, OperationId>]: never },
): Handlers {
  return handlers;
}
