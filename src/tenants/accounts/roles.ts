import { type OperationInfo, operations } from '../../../generated/operations.gen.ts';
import type { OperationId, Principal } from '../../contract/registry.ts';

/** The rights of each role of the admin area, in the words that the contract secures its operations with. */
const rights = {
  viewer: new Set(['view']),
  operator: new Set(['view', 'operate']),
  owner: new Set(['view', 'operate', 'own']),
} as const satisfies Record<string, ReadonlySet<string>>;

export type Role = keyof typeof rights;

/** The rights of a stored session's role; none if this version does not know it. */
export function rightsOf(role: string | null): ReadonlySet<string> {
  return Object.entries(rights).find(([name]) => name === role)?.[1] ?? new Set();
}

/** Whether these rights suffice for an operation of the admin area. */
export function mayUse(held: ReadonlySet<string>, operation: OperationId): boolean {
  const { security }: OperationInfo = operations[operation];
  return security.some(({ adminSession }) => adminSession?.every((right) => held.has(right)) ?? false);
}

/** Who the audit log names for what is done by an operation of the admin area. */
export function actorOf(principal: Principal | null): string {
  if (principal !== null && 'actor' in principal) return String(principal.actor);
  throw new Error('the operation was reached without an administrator');
}
