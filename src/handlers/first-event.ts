import type { Scope } from '../contract/registry.ts';

/** After which event a stream begins: the one that a browser has seen last goes before the one of the address. */
export function firstEvent(after: number | undefined, scope: Scope): number {
  const last = scope.header('last-event-id') ?? '';
  return /^\d{1,15}$/.test(last) ? Number(last) : (after ?? 0);
}
