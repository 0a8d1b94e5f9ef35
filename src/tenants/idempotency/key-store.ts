import { sql } from 'kysely';
import { ulid, unguessable } from '../../lib/ids.ts';
import type { IdempotencyKeyRow } from '../../store/background-schema.ts';
import { addNewRow, changeRows, deleteRows } from '../../store/rows.ts';
import type { Store } from '../../store/store.ts';
import { present } from '../../store/store.ts';

/** The owner of a key, and its digest. */
export interface KeyAddress {
  readonly owner: string;
  readonly digest: string;
}

/** A claim on a key. */
export interface KeyClaim extends KeyAddress {
  readonly claim: string;
  readonly workId: string;
  /** Whether it was taken over from a process that has ended. */
  readonly resumed: boolean;
}

/** A tenant's holdings. */
export interface Held {
  readonly keys: number;
  readonly bytes: number;
}

/** A row, and whether the process that it names is there. */
export type FoundKey = IdempotencyKeyRow & { readonly abandoned: boolean };

/** Rows that are deleted at once. */
const batchSize = 200;

/** The rows of keys. Each change of hands is one statement, which one of several callers wins. Rejects with `StoreError`. */
export class KeyStore {
  readonly #store: Store;
  readonly #instanceId: string;
  readonly #keepMs: number;

  /** @param keepMs how long a key is remembered, from its claim on */
  constructor(store: Store, instanceId: string, keepMs: number) {
    this.#store = store;
    this.#instanceId = instanceId;
    this.#keepMs = keepMs;
  }

  get now(): number {
    return this.#store.clock.now();
  }

  /** A claim on an unused key, to be won by `insert`. */
  newClaim(address: KeyAddress): KeyClaim {
    return { ...address, claim: ulid(this.now), workId: unguessable(), resumed: false };
  }

  /** Whether a claim is won: the key was unused. */
  async insert(claim: KeyClaim, fingerprint: string): Promise<boolean> {
    const row = { ...keyOf(claim), ...this.#fresh(claim, fingerprint) };
    return addNewRow(this.#store.db, 'idempotency_keys', row);
  }

  async find({ owner, digest }: KeyAddress): Promise<FoundKey | null> {
    const row = await this.#store.db
      .selectFrom('idempotency_keys')
      .selectAll()
      .select(({ eb }) => eb('instance_id', 'not in', present(this.#store)).as('abandoned'))
      .where('owner', '=', owner)
      .where('key_digest', '=', digest)
      .executeTakeFirst();
    return row ? { ...row, abandoned: Boolean(row.abandoned) } : null;
  }

  /** A claim on a key that has expired, or whose process has ended, to be won by `takeOver`. */
  nextClaim(found: FoundKey): KeyClaim {
    const { owner, key_digest: digest } = found;
    const claim = this.newClaim({ owner, digest });
    return found.expires_at <= this.now ? claim : { ...claim, workId: found.work_id, resumed: true };
  }

  /** Whether a claim is won: no other process has taken the key since it was found, and it has not ended. */
  async takeOver(found: FoundKey, claim: KeyClaim, fingerprint: string): Promise<boolean> {
    const where = { ...keyOf(claim), claim: found.claim, state: found.state };
    const values = this.#fresh(claim, fingerprint);
    return (await changeRows(this.#store.db, 'idempotency_keys', where, values)) === 1;
  }

  /** Ends a claim. Nothing happens where another process has it by now. @param answer null: there is none to keep */
  async end(claim: KeyClaim, answer: Buffer | null): Promise<void> {
    const state = answer ? 'answered' : 'unkept';
    const values = { state, answer, answer_bytes: answer?.length ?? 0 } as const;
    await changeRows(this.#store.db, 'idempotency_keys', { ...keyOf(claim), claim: claim.claim }, values);
  }

  /** Forgets a claim, as if the key had never been used. */
  async free(claim: KeyClaim): Promise<void> {
    await deleteRows(this.#store.db, 'idempotency_keys', { ...keyOf(claim), claim: claim.claim });
  }

  /** @param most how many keys are counted at the most */
  async heldBy(owner: string, most: number): Promise<Held> {
    const { rows } = await sql<{ keys: number | string; bytes: number | string | null }>`
      select count(*) as keys, sum(answer_bytes) as bytes from (
        select answer_bytes from idempotency_keys where owner = ${owner} limit ${most}
      ) as held`.execute(this.#store.db);
    return { keys: Number(rows[0]?.keys ?? 0), bytes: Number(rows[0]?.bytes ?? 0) };
  }

  /** Deletes the keys whose time is over, in small batches. Returns how many there were. */
  async forgetOld(signal?: AbortSignal): Promise<number> {
    let deleted = 0;
    for (let more = true; more && !signal?.aborted; ) {
      const { numAffectedRows } = await sql`delete from idempotency_keys where (owner, key_digest) in (
        select owner, key_digest from idempotency_keys where expires_at <= ${this.now} limit ${batchSize})
        and expires_at <= ${this.now}`.execute(this.#store.db);
      const count = Number(numAffectedRows ?? 0n);
      deleted += count;
      more = count === batchSize;
    }
    return deleted;
  }

  #fresh({ claim, workId }: KeyClaim, fingerprint: string) {
    const { now } = this;
    return {
      fingerprint,
      state: 'running',
      claim,
      instance_id: this.#instanceId,
      work_id: workId,
      answer: null,
      answer_bytes: 0,
      claimed_at: now,
      expires_at: now + this.#keepMs,
    } as const;
  }
}

function keyOf({ owner, digest }: KeyAddress) {
  return { owner, key_digest: digest };
}

/** How much of a tenant is remembered. */
interface RoomLimits {
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
 * Whether a tenant has room for another key and its answer. It is counted again every few seconds, and what this process adds
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
