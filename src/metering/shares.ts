/** The requests of a batch, shared out to their tenants. */

import type { Limits } from '../accounts/plans.ts';
import { ulid } from '../lib/ids.ts';
import type { AdmissionRow, LedgerKey } from '../store/ledger.ts';
import type { AdmissionRequest, AdmissionResult } from './admission.ts';
import type { Decision } from './tenant-limiter.ts';

export interface Ask {
  readonly request: AdmissionRequest;
  readonly receivedAt: number;
  readonly resolve: (result: AdmissionResult) => void;
  readonly reject: (reason: unknown) => void;
}

/** A tenant's requests in a batch, and what was decided on them. */
export interface Share {
  readonly asks: readonly Ask[];
  decision: Decision | null;
  keys: LedgerKey[];
}

/** The requests by their tenants, without those whose client is gone. */
export function share(asks: readonly Ask[]): Map<string, Share> {
  const shares = new Map<string, { asks: Ask[]; decision: null; keys: LedgerKey[] }>();
  for (const ask of asks) {
    const { signal, caller } = ask.request;
    if (signal?.aborted) {
      ask.reject(signal.reason);
      continue;
    }
    const found = shares.get(caller.tenantId);
    if (found) found.asks.push(ask);
    else shares.set(caller.tenantId, { asks: [ask], decision: null, keys: [] });
  }
  return shares;
}

/** The limits of a tenant as its latest caller brings them. */
export function limitsOf(asks: readonly Ask[]): Limits {
  return (asks.at(-1) as Ask).request.caller.limits;
}

export function rowOf(
  { request, receivedAt }: Ask,
  tenantId: string,
  seq: number,
  at: number,
  now: number,
): AdmissionRow {
  return {
    tenant_id: tenantId,
    created_at: at,
    seq,
    id: ulid(at),
    request_id: request.requestId,
    key_id: request.caller.keyId,
    operation: request.operation,
    model_asked: request.model,
    queue_ms: Math.max(0, now - receivedAt),
  };
}
