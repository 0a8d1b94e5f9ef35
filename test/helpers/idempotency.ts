import { createHmac, createSecretKey } from 'node:crypto';
import type { Claimed, Idempotency, KeptAnswer } from '../../src/contract/idempotency.ts';
import type { Store } from '../../src/store/store.ts';
import {
  type IdempotencySettings,
  type OpenIdempotency,
  openIdempotency,
} from '../../src/tenants/idempotency/open-idempotency.ts';
import type { Sealing } from '../../src/tenants/idempotency/sealing.ts';

/** Keys for each purpose, the same in all processes of a test. */
export const testKeyFor: ConstructorParameters<typeof Sealing>[0] = (purpose) =>
  createSecretKey(createHmac('sha256', 'secret of tests').update(purpose).digest());

/** What a process has of it, which is in `instances`. */
export async function idempotencyOf(
  store: Store,
  instanceId: string,
  more: Partial<IdempotencySettings> = {},
): Promise<OpenIdempotency> {
  await store.db
    .insertInto('instances')
    .values({ id: instanceId, host: 'test', pid: process.pid, started_at: 0, expires_at: 2 ** 52 })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  return openIdempotency(store, {
    instanceId,
    idempotencyHours: 24,
    idempotencyMaxAnswer: 1024 * 1024,
    idempotencyMaxKeys: 1000,
    idempotencyMaxTotal: 1024 * 1024,
    keyFor: testKeyFor,
    onError: (error) => {
      throw error;
    },
    ...more,
  });
}

/** The process is gone, as its row is. */
export async function bury(store: Store, instanceId: string): Promise<void> {
  await store.db.deleteFrom('instances').where('id', '=', instanceId).execute();
}

export function answerOf(text: string): KeptAnswer {
  return { status: 200, headers: { 'content-type': 'text/plain' }, body: Buffer.from(text) };
}

export type Outcome = { readonly kept: string } | { readonly claimed: Claimed } | { readonly code: string };

/** What comes of a claim, for a test that looks at several. */
export async function tryClaim(
  keys: Idempotency,
  key = 'key',
  request = 'request',
  owner = 'acme',
): Promise<Outcome> {
  const fingerprint = keys.fingerprint().update(request).digest('base64url');
  try {
    const claim = await keys.claim({ owner, key, fingerprint });
    return 'kept' in claim ? { kept: claim.kept.body.toString() } : claim;
  } catch (error) {
    return { code: (error as { code: string }).code };
  }
}

/** A claim that must be won. */
export async function won(outcome: Promise<Outcome>): Promise<Claimed> {
  const got = await outcome;
  if ('claimed' in got) return got.claimed;
  throw new Error(`It was not won: ${JSON.stringify(got)}`);
}
