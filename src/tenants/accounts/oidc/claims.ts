import type { Role } from '../roles.ts';
import { isTenantId } from '../tenants.ts';
import type { Rule } from './settings.ts';

export type Claims = Readonly<Record<string, unknown>>;

/** The area that a sign-in opens. */
export type Area = 'admin' | 'dashboard';

/** The texts that a claim holds: one, or those of a list. None for one that is not there or holds something else. */
export function textsOf(claims: Claims, name: string): readonly string[] {
  const value = Object.hasOwn(claims, name) ? claims[name] : within(claims, name);
  const values = Array.isArray(value) ? value : [value];
  return values.filter((text) => typeof text === 'string' && text !== '');
}

function within(claims: Claims, path: string): unknown {
  return path.split('.').reduce<unknown>((value, step) => {
    const isMap = typeof value === 'object' && value !== null && Object.hasOwn(value, step);
    return isMap ? (value as Claims)[step] : undefined;
  }, claims);
}

const highestFirst: readonly Role[] = ['owner', 'operator', 'viewer'];

/** The highest role that the rules give; null: none. */
export function roleOf(rules: readonly Rule[], claims: Claims): Role | null {
  return highestFirst.find((role) => rules.some((rule) => rule.role === role && fits(rule, claims))) ?? null;
}

/** The ids of the tenants that a user is a member of, in the order of the rules. There may be no tenant of some. */
export function tenantsOf(rules: readonly Rule[], claims: Claims): readonly string[] {
  const found = rules
    .filter((rule) => rule.role === 'member' && fits(rule, claims))
    .flatMap(({ claim, value, tenant }) => tenant ?? value ?? textsOf(claims, claim));
  return [...new Set(found)].filter(isTenantId);
}

/** The claims that decide on who is let in. */
export function claimsFor(rules: readonly Rule[], area: Area): readonly string[] {
  const names = rules
    .filter(({ role }) => (role === 'member') === (area === 'dashboard'))
    .map(({ claim }) => claim);
  return [...new Set(names)];
}

function fits({ claim, value }: Rule, claims: Claims): boolean {
  const texts = textsOf(claims, claim);
  return value === null ? texts.length > 0 : texts.includes(value);
}
