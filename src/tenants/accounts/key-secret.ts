import {
  createHash,
  createHmac,
  createSecretKey,
  hkdfSync,
  type KeyObject,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto';
import { constants } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import type { Principal } from '../../contract/registry.ts';
import { ConfigError } from '../../lib/config-error.ts';
import { createFile, ensureDirectory, isFileError } from '../../lib/create-file.ts';
import type { Secret } from '../../lib/redact.ts';
import { addNewRow, findRow } from '../../store/rows.ts';
import type { Store } from '../../store/store.ts';
import { randomBase62, toBase62 } from './tokens.ts';

/**
 * The keys that we make: `sw_live_<public id>_<secret>_<checksum>`. The public id (12 characters) names the key in
 * logs and lists; the secret (32 characters, 190 bits) is never kept in clear. The checksum is the CRC-32 of
 * everything before its underscore as 6 base62 characters: it finds every single wrong character and every swap of
 * neighbours without asking a store, and lets scanners tell a leaked key from a look-alike.
 */

const prefix = 'sw_live_';

const format = /^(?<body>sw_live_(?<id>[0-9A-Za-z]{12})_[0-9A-Za-z]{32,128})_(?<checksum>[0-9A-Za-z]{6})$/;

const fileName = 'key-secret';

/**
 * The key of the digests of keys and tokens: `KEY_SECRET`, or else the file `key-secret` of the data
 * directory, which is made if need be. It is never in the database: anyone who gets only that, from a backup for example,
 * cannot try keys against it. Throws a `ConfigError` when it cannot be had, or is not the one that the database's digests
 * were made with.
 */
export async function openKeySecret(
  store: Store,
  dataDir: string,
  configured: Secret | null,
): Promise<KeyObject> {
  const path = join(dataDir, fileName);
  const bytes = configured ? fromSetting(configured) : await fromFile(path, dataDir, await isUsed(store));
  const secret = createSecretKey(bytes);
  await checkAgainst(store, secret, configured ? 'KEY_SECRET' : path);
  return secret;
}

/** A key of 32 bytes for one purpose, derived from our secret (HKDF-SHA-256, RFC 5869): it reveals nothing of the others. */
export function keyFor(secret: KeyObject, purpose: string): KeyObject {
  return createSecretKey(Buffer.from(hkdfSync('sha256', secret, '', `switchyard ${purpose}`, 32)));
}

function fromSetting(configured: Secret): Buffer {
  const text = configured.reveal();
  if (text.length >= 32) return Buffer.from(text);
  throw new ConfigError(['KEY_SECRET is too short; expected at least 32 characters, made at random.']);
}

/** @param mustExist whether another secret than that of the file would be the wrong one */
async function fromFile(path: string, directory: string, mustExist: boolean): Promise<Buffer> {
  try {
    await ensureDirectory(directory);
    const fresh = randomBytes(32);
    if (!mustExist && (await createFile(path, `${fresh.toString('hex')}\n`))) return fresh;
    // A pipe in its place must not keep the start waiting for a writer.
    const text = await readFile(path, { encoding: 'utf8', flag: constants.O_RDONLY | constants.O_NONBLOCK });
    if (/^[0-9a-f]{64}\n?$/.test(text)) return Buffer.from(text.trim(), 'hex');
  } catch (error) {
    if (!isFileError(error)) throw error;
    if (error.code === 'ENOENT') {
      const expected = 'expected the secret that the keys in the database were made with';
      throw new ConfigError([`${path} is missing; ${expected}. Restore it, or set KEY_SECRET. ${sharing}`]);
    }
    const remedy = 'give the server the rights to it, set DATA_DIR to another directory, or set KEY_SECRET';
    throw new ConfigError([`${path} cannot be used (${error.code}); ${remedy}.`], { cause: error });
  }
  throw new ConfigError([`${path} is damaged; restore it, or set KEY_SECRET.`]);
}

const checkName = 'key_secret_check';
const sharing = 'On PostgreSQL set the same KEY_SECRET for every server.';

/** Whether the database has digests that were made with a secret already. */
async function isUsed({ db }: Store): Promise<boolean> {
  return (await findRow(db, 'settings', { name: checkName })) !== undefined;
}

/** With another secret no key would be valid, and every client would get 401. */
async function checkAgainst({ db }: Store, secret: KeyObject, where: string): Promise<void> {
  const check = createHmac('sha256', secret).update('switchyard key secret').digest('hex');
  await addNewRow(db, 'settings', { name: checkName, value: check });
  const { value = '' } = (await findRow(db, 'settings', { name: checkName })) ?? {};
  if (value.length === check.length && timingSafeEqual(Buffer.from(value), Buffer.from(check))) return;
  throw new ConfigError([
    `${where} is not the secret that the keys in the database were made with; restore that one. ${sharing}`,
  ]);
}

interface GeneratedKey {
  /** Not secret. */
  readonly id: string;
  /** The whole key, to be shown once. */
  readonly text: string;
}

/** Makes a key from the system's secure random source. */
export function generateKey(): GeneratedKey {
  const id = randomBase62(12);
  const body = `${prefix}${id}_${randomBase62(32)}`;
  return { id, text: `${body}_${checksumOf(body)}` };
}

/** The public id in a well-formed key; null for anything else, a mistyped key included. Says nothing of its validity. */
export function parseKey(text: string): { readonly id: string } | null {
  const { body = '', id = '', checksum = '' } = format.exec(text)?.groups ?? {};
  return id !== '' && checksumOf(body) === checksum ? { id } : null;
}

/** Whether the text claims to be a key that we made, and can thus be refused when `parseKey` does. */
export function looksGenerated(text: string): boolean {
  return text.startsWith(prefix);
}

function checksumOf(body: string): string {
  return toBase62(crc32(body), 6);
}

/** The scopes that a key may have. */
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

/** The prefix of names of tokens, in place of the id of a key: those have no underscore. */
export const tokenPrefix = 'jwt_';

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
  constructor(hmacSecret: Buffer, keys: readonly string[]) {
    this.#hmacSecret = createSecretKey(hmacSecret);
    for (const key of keys) {
      const [id, digest] = [publicId(key), digestOf(key, hmacSecret)];
      const principal = Object.freeze({ keyId: id, scopes: allScopes });
      this.#entries.set(digest.toString('hex'), { digest, principal });
      this.#principals.set(id, principal);
    }
  }

  /** The owner of a key, by its public id; null when it is none of these. */
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
   * The owner of a key; null when it is none. Takes any text and gives no hint, not even by its timing, how near it is
   * to a key. Rejects only when the store cannot be asked.
   */
  verify(presented: string): Promise<Principal | null>;
}
