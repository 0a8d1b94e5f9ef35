import type { Held, KeyStore } from './key-store.ts';

/** How much of a tenant is remembered. */
export interface RoomLimits {
  readonly maxKeys: number;
  /** Of all answers of a tenant together, in bytes. */
  readonly maxTotalBytes: number;
}

interface Known extends Held {
  /** By the monotonic clock, in milliseconds. */
  readonly at: number;
}

/** How long what is known of a tenant is believed, in milliseconds. */
const freshMs = 10_000;
/** The same where it has no room: a key that was forgotten makes some. */
const fullMs = 1_000;

/**
 * Whether a tenant has room for another key and its answer. It is counted anew every few seconds, and what this process adds
 * is counted in between; so several processes may exceed the limits together by what each adds in that time.
 */
export class Room {
  readonly #keys: KeyStore;
  readonly #limits: RoomLimits;
  readonly #known = new Map<string, Known>();

  constructor(keys: KeyStore, limits: RoomLimits) {
    this.#keys = keys;
    this.#limits = limits;
  }

  /** Rejects with `StoreError`. */
  async hasKey(owner: string): Promise<boolean> {
    const { maxKeys } = this.#limits;
    let known = this.#known.get(owner);
    const age = known === undefined ? Number.POSITIVE_INFINITY : performance.now() - known.at;
    if (known === undefined || age > freshMs || (known.keys >= maxKeys && age > fullMs)) {
      known = { ...(await this.#keys.heldBy(owner, maxKeys)), at: performance.now() };
      this.#known.set(owner, known);
    }
    return known.keys < maxKeys;
  }

  hasBytes(owner: string, bytes: number): boolean {
    return (this.#known.get(owner)?.bytes ?? 0) + bytes <= this.#limits.maxTotalBytes;
  }

  add(owner: string, keys: number, bytes: number): void {
    const known = this.#known.get(owner);
    if (known) this.#known.set(owner, { ...known, keys: known.keys + keys, bytes: known.bytes + bytes });
  }

  /** Forgets who has not been asked about for a while. */
  forgetIdle(): void {
    const before = performance.now() - freshMs;
    for (const [owner, { at }] of this.#known) if (at < before) this.#known.delete(owner);
  }
}
