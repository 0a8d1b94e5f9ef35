import type { Hmac } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { ServiceError } from '../../contract/errors.ts';
import type { Claim, Claimed, Idempotency, KeptAnswer, KeyedRequest } from '../../contract/idempotency.ts';
import type { Principal } from '../../contract/registry.ts';
import { repeat } from '../../lib/timers.ts';
import type { Store } from '../../store/store.ts';
import { isCaller } from '../accounts/caller.ts';
import { type FoundKey, type KeyClaim, KeyStore, Room } from './key-store.ts';
import { type KeyFor, Sealing } from './sealing.ts';

export interface IdempotencySettings {
  /** This process among those on the database. */
  readonly instanceId: string;
  /** `IDEMPOTENCY_HOURS`, `IDEMPOTENCY_MAX_ANSWER`, `IDEMPOTENCY_MAX_KEYS`, `IDEMPOTENCY_MAX_TOTAL`. */
  readonly idempotencyHours: number;
  readonly idempotencyMaxAnswer: number;
  readonly idempotencyMaxKeys: number;
  readonly idempotencyMaxTotal: number;
  readonly keyFor: KeyFor;
  /** Called with errors of background work. */
  readonly onError: (error: unknown) => void;
}

export type OpenIdempotency = ReturnType<typeof openIdempotency>;

const hourMs = 3_600_000;
/** How often keys whose time is over are deleted, in milliseconds. */
const sweepMs = 600_000;

/** Opens the records of requests with an `Idempotency-Key`, and deletes expired ones. */
export function openIdempotency(
  store: Store,
  { instanceId, keyFor, onError, ...settings }: IdempotencySettings,
) {
  const keys = new KeyStore(store, instanceId, settings.idempotencyHours * hourMs);
  const { idempotencyMaxKeys: maxKeys, idempotencyMaxTotal: maxTotalBytes } = settings;
  const room = new Room(keys, { maxKeys, maxTotalBytes });
  const unwritten = new UnwrittenEnds(onError);
  const sweeping = repeat(
    sweepMs,
    async (signal) => {
      room.forgetIdle();
      await keys.forgetOld(signal);
    },
    onError,
  );
  const sealing = new Sealing(keyFor);
  const maxAnswerBytes = settings.idempotencyMaxAnswer;
  return {
    keys: new IdempotencyKeys({ keys, sealing, room, unwritten, maxKeys, maxAnswerBytes, onError }),
    /** Writes all that is not on disk yet, as far as it can be. The store stays open. */
    async close() {
      await sweeping.stop();
      await unwritten.stop();
    },
  };
}

const pauseMs = 1_000;

const limits = { changes: 10_000, bytes: 16 * 1024 * 1024 } as const;

/**
 * Ends of claims that the database did not take. They are tried again while this process lives: a key whose end is lost would
 * stay in use until its time is over.
 */
class UnwrittenEnds {
  readonly #waiting = new Set<Unwritten>();
  readonly #trying;
  #bytes = 0;

  constructor(onError: (error: unknown) => void) {
    this.#trying = repeat(pauseMs, () => this.#writeAll(), onError);
  }

  /** False, and it is not taken, when there is no room. */
  take(unwritten: Unwritten): boolean {
    if (this.#waiting.size >= limits.changes || this.#bytes + unwritten.bytes > limits.bytes) return false;
    this.#waiting.add(unwritten);
    this.#bytes += unwritten.bytes;
    return true;
  }

  async stop(): Promise<void> {
    await this.#trying.stop();
    await this.#writeAll();
  }

  /** In their order, up to the first that fails. */
  async #writeAll(): Promise<void> {
    for (const unwritten of this.#waiting) {
      try {
        await unwritten.write();
      } catch {
        return;
      }
      this.#waiting.delete(unwritten);
      this.#bytes -= unwritten.bytes;
    }
  }
}

/** The owner of administrators' keys: no tenant has such an id. */
const adminOwner = '@admin';

/** How often a key may change hands while it is being claimed. */
const maxTries = 8;
/** How long an answer waits for its row at the most, in milliseconds. */
const maxWaitMs = 2_000;
/** Seconds that a client is asked to wait for a request that runs: as long as it has run, within these. */
const retryAfter = { min: 1, max: 30 } as const;
/** The same where a tenant has too many keys. */
const roomAfter = 60;

interface KeysParts {
  readonly keys: KeyStore;
  readonly sealing: Sealing;
  readonly room: Room;
  readonly unwritten: UnwrittenEnds;
  readonly maxKeys: number;
  readonly maxAnswerBytes: number;
  readonly onError: (error: unknown) => void;
}

export class IdempotencyKeys implements Idempotency {
  readonly #parts: KeysParts;

  constructor(parts: KeysParts) {
    this.#parts = parts;
  }

  get maxAnswerBytes(): number {
    return this.#parts.maxAnswerBytes;
  }

  ownerOf(principal: Principal | null): string | null {
    if (!isCaller(principal)) return principal === null ? null : adminOwner;
    return principal.idempotency === false ? null : principal.tenantId;
  }

  fingerprint(): Hmac {
    return this.#parts.sealing.fingerprint();
  }

  async claim({ owner, key, fingerprint }: KeyedRequest): Promise<Claim> {
    const { keys, sealing, room, maxKeys } = this.#parts;
    const address = { owner, digest: sealing.digestOf(owner, key) };
    const hasRoom = await room.hasKey(owner);
    for (let n = 0; n < maxTries; n += 1) {
      if (hasRoom) {
        const claim = keys.newClaim(address);
        if (await this.#won(claim, keys.insert(claim, fingerprint))) {
          room.add(owner, 1, 0);
          return { claimed: this.#claimed(claim) };
        }
      }
      const found = await keys.find(address);
      if (found === null && !hasRoom) throw tooManyKeys(maxKeys, roomAfter);
      // It was freed a moment ago.
      if (found === null) continue;
      const free = found.expires_at <= keys.now || (found.state === 'running' && found.abandoned);
      if (found.fingerprint !== fingerprint && found.expires_at > keys.now) throw reused();
      if (!free) return { kept: this.#answer(found) };
      const claim = keys.nextClaim(found);
      if (await this.#won(claim, keys.takeOver(found, claim, fingerprint)))
        return { claimed: this.#claimed(claim) };
    }
    throw inUse(retryAfter.min);
  }

  /** Whether a claim is won. An uncertain one is given up. */
  async #won(claim: KeyClaim, winning: Promise<boolean>): Promise<boolean> {
    try {
      return await winning;
    } catch (error) {
      this.#parts.unwritten.take({ bytes: 0, write: () => this.#parts.keys.free(claim) });
      throw error;
    }
  }

  /** Throws `ServiceError` for what is not over, or has no answer. */
  #answer(found: FoundKey): KeptAnswer {
    if (found.state === 'running') {
      const seconds = Math.ceil((this.#parts.keys.now - found.claimed_at) / 1000);
      throw inUse(Math.min(Math.max(seconds, retryAfter.min), retryAfter.max));
    }
    if (found.answer === null) throw notKept();
    const { owner, key_digest: digest, claim } = found;
    try {
      return this.#parts.sealing.open(found.answer, { owner, digest, claim });
    } catch (error) {
      this.#parts.onError(error);
      throw notKept();
    }
  }

  #claimed(claim: KeyClaim): Claimed {
    const { keys } = this.#parts;
    return {
      work: { id: claim.workId, resumed: claim.resumed },
      keep: (answer) => this.#keep(claim, answer),
      free: () => this.#write(0, () => keys.free(claim)),
    };
  }

  async #keep(claim: KeyClaim, answer: KeptAnswer | null): Promise<void> {
    const { keys, sealing, room, maxAnswerBytes } = this.#parts;
    const small = answer !== null && answer.body.length <= maxAnswerBytes;
    const sealed = small ? sealing.seal(answer, claim) : null;
    const kept = sealed !== null && room.hasBytes(claim.owner, sealed.length) ? sealed : null;
    const bytes = kept?.length ?? 0;
    room.add(claim.owner, 0, bytes);
    await this.#write(bytes, () => keys.end(claim, kept));
  }

  /** Writes the end of a claim, now or later. Never rejects. */
  async #write(bytes: number, write: () => Promise<void>): Promise<void> {
    const writing = write().catch((error: unknown) => {
      if (!this.#parts.unwritten.take({ bytes, write })) this.#parts.onError(error);
    });
    const waiting = new AbortController();
    const late = delay(maxWaitMs, undefined, { signal: waiting.signal }).catch(() => undefined);
    await Promise.race([writing, late]);
    waiting.abort();
  }
}

/** draft-ietf-httpapi-idempotency-key-header, section 2.7: "reused with a different request payload". */
function reused(): ServiceError {
  const message = 'This Idempotency-Key was used for another request. A new request needs a new key.';
  return new ServiceError('idempotency_key_reused', message);
}

/** Section 2.7 as well: "a request is retried, while the original request is still being processed". */
function inUse(retryAfter: number): ServiceError {
  const message = 'A request with this Idempotency-Key still runs. Ask again for its answer.';
  return new ServiceError('idempotency_key_in_use', message, { retryAfter });
}

function notKept(): ServiceError {
  const message =
    'The request with this Idempotency-Key was carried out, but its answer was not kept, and it is not carried out again. Send a new key to have that done.';
  return new ServiceError('idempotency_answer_not_kept', message, { shouldRetry: false });
}

function tooManyKeys(maxKeys: number, retryAfter: number): ServiceError {
  const message = `At most ${maxKeys} Idempotency-Keys are remembered for a tenant. Send the request without one, or later.`;
  return new ServiceError('too_many_idempotency_keys', message, { retryAfter, shouldRetry: false });
}

/** A change of a row that could not be written. */
interface Unwritten {
  /** Its size in memory, in bytes. */
  readonly bytes: number;
  write(): Promise<void>;
}
