import type { Hmac } from 'node:crypto';
import type { Principal, Work } from './registry.ts';

/**
 * The handling of requests with an `Idempotency-Key` (draft-ietf-httpapi-idempotency-key-header). The HTTP layer claims the
 * key before the work, and keeps the answer or frees the key after it.
 */
export interface Idempotency {
  /** Maximum size of an answer that is kept, in bytes. */
  readonly maxAnswerBytes: number;
  /** The owner of a caller's keys; null: they are ignored. */
  ownerOf(principal: Principal | null): string | null;
  /** Takes everything that makes a request the same as another. */
  fingerprint(): Hmac;
  /**
   * Claims a key for a request, or finds the answer that is kept for it. Rejects with `ServiceError`:
   * `idempotency_key_in_use`, `idempotency_key_reused`, `idempotency_answer_not_kept`, `too_many_idempotency_keys`; with
   * `StoreError`.
   */
  claim(request: KeyedRequest): Promise<Claim>;
}

export interface KeyedRequest {
  readonly owner: string;
  readonly key: string;
  /** The result of `fingerprint`, in base64url. */
  readonly fingerprint: string;
}

export type Claim = { readonly kept: KeptAnswer } | { readonly claimed: Claimed };

/** An answer as it goes over the wire. */
export interface KeptAnswer {
  readonly status: number;
  /** Those that belong to the answer, in lower case; not those of the request that got it. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

/** A key that this request alone has. One of its ends is to be called, once; they never reject. */
export interface Claimed {
  readonly work: Work;
  /** The work is done; null: its answer cannot be kept. Resolves when that is on disk, or cannot be for now. */
  keep(answer: KeptAnswer | null): Promise<void>;
  /** Nothing was done. */
  free(): Promise<void>;
}
