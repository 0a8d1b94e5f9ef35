import { createHash, createHmac, createSecretKey, type KeyObject, timingSafeEqual } from 'node:crypto';
import type { Principal } from '../../contract/registry.ts';
import { ConfigError } from '../../lib/config-error.ts';
import { looksGenerated, parseKey } from './key-secret.ts';

/** What a key may be used for. */
export const allScopes: ReadonlySet<string> = new Set([
  'chat',
  'media',
  'files',
  'agents',
  'ai',
  'factory',
  'mcp',
]);

/** The tenant that the keys of the configuration belong to. */
export const localTenant = 'local';

/** What names of tokens begin with, in place of the id of a key: those have no underscore. */
export const tokenPrefix = 'jwt_';

/** A key of which only the digest is known. */
export interface StoredKey {
  /** Public id. */
  readonly id: string;
  /** `digestOf` the key. */
  readonly digest: Buffer;
}

interface Entry {
  readonly digest: Buffer;
  readonly principal: Principal;
}

/** HMAC-SHA-256 of a key, 32 bytes. */
export function digestOf(key: string, hmacSecret: Buffer | KeyObject): Buffer {
  return createHmac('sha256', hmacSecret).update(key).digest();
}

/** The keys of the configuration, which hold every scope. Only their digests are kept. */
export class ConfiguredKeys implements KeyStore {
  /** Imported once: doing it with every digest would take ten times as long as the digest. */
  readonly #hmacSecret: KeyObject;
  readonly #entries = new Map<string, Entry>();
  readonly #principals = new Map<string, Principal>();

  /**
   * @param hmacSecret what the digests are keyed with.
   * @param keys in clear; not kept.
   */
  constructor(hmacSecret: Buffer, keys: readonly string[], storedKeys: readonly StoredKey[]) {
    this.#hmacSecret = createSecretKey(hmacSecret);
    const configured = keys.map((key) => ({ id: publicId(key), digest: digestOf(key, hmacSecret) }));
    for (const { id, digest } of [...configured, ...storedKeys]) {
      const principal = Object.freeze({ keyId: id, scopes: allScopes });
      this.#entries.set(digest.toString('hex'), { digest, principal });
      this.#principals.set(id, principal);
    }
  }

  /** Whose key it is, by its public id; null when it is none of these. */
  find(id: string): Principal | null {
    return this.#principals.get(id) ?? null;
  }

  async verify(presented: string): Promise<Principal | null> {
    if (looksGenerated(presented) && parseKey(presented) === null) return null;
    // The map may answer at different speeds, but without the HMAC's secret the digest cannot be steered.
    const digest = digestOf(presented, this.#hmacSecret);
    const entry = this.#entries.get(digest.toString('hex'));
    return entry && timingSafeEqual(entry.digest, digest) ? entry.principal : null;
  }
}

/** A name for a key that can be shown and stays the same over restarts: 12 characters. */
function publicId(key: string): string {
  // A hash under a label of its own, so that the id gives away no part of a digest that verifies the key.
  return (
    parseKey(key)?.id ?? createHash('sha256').update(`switchyard key id\0${key}`).digest('hex').slice(0, 12)
  );
}

/**
 * Verification refuses mistyped keys of our own format unseen, so they must not be configured.
 * Throws a `ConfigError`.
 */
export function checkConfiguredKeys(keys: readonly string[]): void {
  const problems = keys.flatMap((key, index) =>
    looksGenerated(key) && parseKey(key) === null
      ? [
          `API_KEYS: key ${index + 1} of ${keys.length} begins like a key of ours, but is mistyped; expected it whole.`,
        ]
      : [],
  );
  if (problems.length > 0) throw new ConfigError(problems);
}

/** The keys that are in force, wherever they are kept. */
export interface KeyStore {
  /**
   * Whose key it is; null when it is none. Takes any text and gives no hint, not even by its timing, how near it is
   * to a key. Rejects only when the store cannot be asked.
   */
  verify(presented: string): Promise<Principal | null>;
}
