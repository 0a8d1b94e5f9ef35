import { request } from 'undici';
import type { Tenant } from './evidence.ts';
import type { Server } from './server.ts';

/** A tenant with its limits and a key. */
export interface Account extends Tenant {
  readonly key: string;
}

/** Tenants of one round: their limits are met again in each. */
export const ofRound = (name: 'tight' | 'narrow', round: number) => `${name}-${round}`;

/** The tenant of clients that keep no account of what they send. */
export const anonymous = 'anonymous';

/** Makes the tenants of a cluster and of its rounds. Throws when the server does not. */
export async function createAccounts(
  server: Server,
  password: string,
  rounds: readonly number[],
): Promise<Map<string, Account>> {
  const tenants: Tenant[] = [
    { id: 'wide', perMinute: null, concurrent: null },
    { id: 'flood', perMinute: null, concurrent: null },
    { id: 'modest', perMinute: null, concurrent: null },
    { id: anonymous, perMinute: null, concurrent: null },
    { id: 'minute', perMinute: 60, concurrent: null },
    ...rounds.flatMap((round) => [
      { id: ofRound('tight', round), perMinute: 10, concurrent: null },
      { id: ofRound('narrow', round), perMinute: null, concurrent: 3 },
    ]),
  ];
  const accounts = new Map<string, Account>();
  for (const tenant of tenants) {
    const overrides = { requests_per_minute: tenant.perMinute, concurrent_requests: tenant.concurrent };
    await administer(server, password, '/api/admin/tenants', {
      id: tenant.id,
      plan: 'enterprise',
      overrides,
    });
    const created = await administer(server, password, '/api/admin/keys', { tenant_id: tenant.id });
    accounts.set(tenant.id, { ...tenant, key: String(created['secret']) });
  }
  return accounts;
}

async function administer(
  server: Server,
  password: string,
  path: string,
  body: unknown,
): Promise<Record<string, unknown>> {
  const reply = await request(server.origin + path, {
    method: 'POST',
    headers: { authorization: `Bearer ${password}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
    reset: true,
  });
  const text = await reply.body.text();
  if (reply.statusCode !== 201) throw new Error(`${path} answers ${reply.statusCode}: ${text}`);
  return JSON.parse(text) as Record<string, unknown>;
}
