/** The records that the administrator works with, in the words of the contract. */

import type * as T from '../../../generated/types.gen.ts';
import { camelCased, onWire } from '../../lib/names.ts';
import { isoTime } from '../../lib/utc.ts';
import type { ListPage } from '../../store/list-page.ts';
import type { AuditEntry } from './changes.ts';
import type { Overrides } from './plans.ts';
import type { ServerProcess } from './servers.ts';
import type { SessionView } from './sessions.ts';
import type { ApprovedSignup, Signup } from './signups.ts';
import type { KeyView, MadeKey } from './stored-keys.ts';
import type { Tenant } from './tenants.ts';

export function listOf<Item, Shown>({ items, nextCursor }: ListPage<Item>, show: (item: Item) => Shown) {
  return { object: 'list' as const, data: items.map(show), next_cursor: nextCursor };
}

export function tenantView(tenant: Tenant): T.Tenant {
  return { object: 'tenant', ...onWire(tenant) };
}

export function keyView(key: KeyView): T.Key {
  const shown = onWire(key);
  return { object: 'key', ...shown, scopes: shown.scopes as T.KeyScope[] };
}

export function createdKeyView({ key, text }: MadeKey): T.CreatedKey {
  return { object: 'created_key', secret: text, key: keyView(key) };
}

/** @param current id of the session that asks; null: it is none */
export function sessionView(session: SessionView, current: string | null): T.Session {
  const role = session.role as T.Session['role'];
  return { object: 'session', ...onWire(session), role, current: session.id === current };
}

export function serverView({ seenAt, config, ...server }: ServerProcess): T.RunningServer {
  return { object: 'server', ...onWire(server), config_digest: config, last_seen_at: isoTime(seenAt) };
}

export function auditView({ id, at, ...entry }: AuditEntry): T.AuditEntry {
  return { id, at: isoTime(at), ...onWire(entry) };
}

export function overridesOf(overrides: T.LimitOverrides): Overrides {
  return camelCased(overrides);
}

export function signupView({ orgName, ...signup }: Signup): T.SignupRecord {
  return { object: 'signup', ...onWire(signup), orgName };
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
