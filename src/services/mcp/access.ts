import type { Caller } from '../../tenants/accounts/caller.ts';
import type { McpAccessRule } from '../agents/settings.ts';

const patterns = new Map<string, RegExp>();

/**
 * Whether a key may call a tool, named `server/tool`: by the first of the operator's rules that the key fits, and without one it may.
 * Whoever asks for a server that has no tool for the key sees an empty list.
 */
export function mayCall(rules: readonly McpAccessRule[], caller: Caller): (tool: string) => boolean {
  const rule = rules.find((one) => fits(one, caller));
  if (!rule) return () => true;
  const { allow, deny } = rule;
  return (tool) => allow.some((one) => isOf(one, tool)) && !deny.some((one) => isOf(one, tool));
}

function fits(
  { keys, tenants, plans, tags }: McpAccessRule,
  { keyId, tenantId, plan, tags: own = {} }: Caller,
): boolean {
  return (
    (keys === null || keys.includes(keyId)) &&
    (tenants === null || tenants.includes(tenantId)) &&
    (plans === null || plans.includes(plan)) &&
    Object.entries(tags).every(([name, value]) => own[name] === value)
  );
}

/** The operator's patterns are few, and each is compiled once. */
function isOf(pattern: string, tool: string): boolean {
  let compiled = patterns.get(pattern);
  if (!compiled) {
    compiled = new RegExp(`^${pattern.replaceAll(/[.+?^${}()|[\]\\]/g, '\\$&').replaceAll('*', '.*')}$`, 's');
    patterns.set(pattern, compiled);
  }
  return compiled.test(tool);
}
