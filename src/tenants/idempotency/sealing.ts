import { createHmac, type Hmac, type KeyObject } from 'node:crypto';
import type { KeptAnswer } from '../../contract/idempotency.ts';
import { openBytes, sealBytes } from '../../lib/sealer.ts';

/** Derives a key of 32 bytes for a purpose from the server's secret. */
export type KeyFor = (purpose: string) => KeyObject;

/** Where an answer belongs: sealed for one place, it cannot be opened in another. */
export interface Place {
  readonly owner: string;
  readonly digest: string;
  /** The claim that it came of. */
  readonly claim: string;
}

/**
 * Protects stored requests from readers of the database alone: keys and requests are there as keyed digests, and
 * answers are encrypted, with AES-256-GCM under a key of their claim's own, so that no number of answers wears a key out
 * (NIST SP 800-38D section 8.3).
 */
export class Sealing {
  readonly #digests: KeyObject;
  readonly #fingerprints: KeyObject;
  readonly #answers: KeyObject;

  constructor(keyFor: KeyFor) {
    this.#digests = keyFor('idempotency keys');
    this.#fingerprints = keyFor('idempotency fingerprints');
    this.#answers = keyFor('idempotency answers');
  }

  /** @returns base64url */
  digestOf(owner: string, key: string): string {
    return createHmac('sha256', this.#digests).update(`${owner}\0${key}`).digest('base64url');
  }

  fingerprint(): Hmac {
    return createHmac('sha256', this.#fingerprints);
  }

  seal(answer: KeptAnswer, place: Place): Buffer {
    const head = Buffer.from(JSON.stringify([answer.status, answer.headers]));
    const length = Buffer.alloc(4);
    length.writeUInt32BE(head.length);
    return sealBytes([length, head, answer.body], this.#keyOf(place), context(place));
  }

  /** Throws for what was not sealed for this place, or was changed since. */
  open(sealed: Uint8Array, place: Place): KeptAnswer {
    const plain = openBytes(sealed, this.#keyOf(place), context(place));
    const end = 4 + plain.readUInt32BE();
    const [status, headers] = JSON.parse(plain.toString('utf8', 4, end)) as [number, KeptAnswer['headers']];
    return { status, headers, body: plain.subarray(end) };
  }

  #keyOf({ claim }: Place): Buffer {
    return createHmac('sha256', this.#answers).update(claim).digest();
  }
}

function context({ owner, digest }: Place): string {
  return `${owner}\0${digest}`;
}
