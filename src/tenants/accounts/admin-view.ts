/** The records that the administrator works with, in the words of the contract. */

import type * as T from '../../../generated/types.gen.ts';
import { isoTime } from '../../lib/utc.ts';
import type { ListPage } from '../../store/list-page.ts';
import type { AuditEntry } from './changes.ts';
import type { Overrides } from './plans.ts';
import type { SessionView } from './sessions.ts';
import type { ApprovedSignup, Signup } from './signups.ts';
import type { KeyView, MadeKey } from './stored-keys.ts';
import type { Tenant } from './tenants.ts';

function timeOrNull(ms: number | null): string | null {
  return ms === null ? null : isoTime(ms);
}

export function listOf<Item, Shown>({ items, nextCursor }: ListPage<Item>, show: (item: Item) => Shown) {
  return { object: 'list' as const, data: items.map(show), next_cursor: nextCursor };
}

export function tenantView(tenant: Tenant): T.Tenant {
  return {
    object: 'tenant',
    id: tenant.id,
    name: tenant.name,
    plan: tenant.plan,
    overrides: renamed(tenant.overrides, wireNames),
    idempotency: tenant.idempotency,
    required_tags: [...tenant.requiredTags],
    suspended_at: timeOrNull(tenant.suspendedAt),
    created_at: isoTime(tenant.createdAt),
  };
}

export function keyView(key: KeyView): T.Key {
  return {
    object: 'key',
    id: key.id,
    tenant_id: key.tenantId,
    label: key.label,
    scopes: key.scopes as T.KeyScope[],
    tags: { ...key.tags },
    masked: key.masked,
    status: key.status,
    created_at: isoTime(key.createdAt),
    expires_at: timeOrNull(key.expiresAt),
    revoked_at: timeOrNull(key.revokedAt),
    rotated_from: key.rotatedFrom,
    grace_until: timeOrNull(key.graceUntil),
    last_used_at: timeOrNull(key.lastUsedAt),
  };
}

export function createdKeyView({ key, text }: MadeKey): T.CreatedKey {
  return { object: 'created_key', secret: text, key: keyView(key) };
}

/** @param current id of the session that asks; null: it is none */
export function sessionView(session: SessionView, current: string | null): T.Session {
  return {
    object: 'session',
    id: session.id,
    actor: session.actor,
    role: session.role as T.Session['role'],
    tenant_id: session.tenantId,
    method: session.method,
    issuer: session.issuer,
    created_at: isoTime(session.createdAt),
    last_seen_at: isoTime(session.lastSeenAt),
    expires_at: isoTime(session.expiresAt),
    current: session.id === current,
  };
}

export function auditView(entry: AuditEntry): T.AuditEntry {
  const { id, actor, action, target, before, after } = entry;
  return {
    id,
    at: isoTime(entry.at),
    actor,
    action,
    target,
    tenant_id: entry.tenantId,
    before: recordView(before),
    after: recordView(after),
  };
}

/** A record as it was kept, with the names and times of the wire. */
function recordView(record: object | null): Record<string, unknown> | null {
  if (record === null) return null;
  return Object.fromEntries(
    Object.entries(record).map(([name, value]) => [
      name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
      fieldView(name, value),
    ]),
  );
}

function fieldView(name: string, value: unknown): unknown {
  if (typeof value === 'number' && /(?:At|Until)$/.test(name)) return isoTime(value);
  // The names of tags are their own.
  if (name === 'tags') return value;
  const isRecord = typeof value === 'object' && value !== null && !Array.isArray(value);
  return isRecord ? recordView(value) : value;
}

export function overridesOf(overrides: T.LimitOverrides): Overrides {
  return renamed(overrides, domainNames);
}

/** The domain's names of the limits and those of the wire. */
const wireNames = {
  requestsPerMinute: 'requests_per_minute',
  requestsPerDay: 'requests_per_day',
  requestsPerMonth: 'requests_per_month',
  tokensPerMinute: 'tokens_per_minute',
  concurrentRequests: 'concurrent_requests',
} as const;

const domainNames = Object.fromEntries(Object.entries(wireNames).map(([ours, wire]) => [wire, ours]));

function renamed(limits: object, names: Readonly<Record<string, string>>): Record<string, number | null> {
  return Object.fromEntries(Object.entries(limits).map(([name, value]) => [names[name] ?? name, value]));
}

export function signupView(signup: Signup): T.SignupRecord {
  return {
    object: 'signup',
    id: signup.id,
    email: signup.email,
    orgName: signup.orgName,
    tier: signup.tier,
    status: signup.status,
    tenant_id: signup.tenantId,
    created_at: isoTime(signup.createdAt),
    decided_at: timeOrNull(signup.decidedAt),
  };
}

/** @param linkOf the address of a sign-in link by its token. */
export function approvedView(
  { signup, tenant, link, key }: ApprovedSignup,
  linkOf: (token: string) => string,
): T.ApprovedSignup {
  return {
    object: 'approved_signup',
    signup: signupView(signup),
    tenant: tenantView(tenant),
    dashboard_link: link && {
      object: 'dashboard_link',
      url: linkOf(link.token),
      expires_at: isoTime(link.expiresAt),
    },
    created_key: key && createdKeyView(key),
  };
}
