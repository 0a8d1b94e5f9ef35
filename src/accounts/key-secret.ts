import { createHmac, createSecretKey, type KeyObject, randomBytes, timingSafeEqual } from 'node:crypto';
import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ConfigError } from '../lib/config-error.ts';
import { createFile, isFileError } from '../lib/create-file.ts';
import type { Secret } from '../lib/secret.ts';
import type { Store } from '../store/store.ts';

const fileName = 'key-secret';

/**
 * What the digests of keys and tokens are keyed with: `KEY_SECRET`, or else the file `key-secret` of the data
 * directory, which is made if need be. It is never in the database: whoever gets only that, from a backup for
 * example, cannot try keys against it. Throws a `ConfigError` when it cannot be had, or is not the one that the
 * database's digests were made with.
 */
export async function openKeySecret(
  store: Store,
  dataDir: string,
  configured: Secret | null,
): Promise<KeyObject> {
  const bytes = configured ? fromSetting(configured) : await fromFile(join(dataDir, fileName), dataDir);
  const secret = createSecretKey(bytes);
  await checkAgainst(store, secret, configured ? 'KEY_SECRET' : join(dataDir, fileName));
  return secret;
}

function fromSetting(configured: Secret): Buffer {
  const text = configured.reveal();
  if (text.length >= 32) return Buffer.from(text);
  throw new ConfigError(['KEY_SECRET is too short; expected at least 32 characters, made at random.']);
}

async function fromFile(path: string, directory: string): Promise<Buffer> {
  try {
    await mkdir(directory, { recursive: true, mode: 0o700 });
    const fresh = randomBytes(32);
    if (await createFile(path, `${fresh.toString('hex')}\n`)) return fresh;
    const text = await readFile(path, 'utf8');
    if (/^[0-9a-f]{64}\n?$/.test(text)) return Buffer.from(text.trim(), 'hex');
  } catch (error) {
    if (!isFileError(error)) throw error;
    const remedy = 'give the server the rights to it, set DATA_DIR to another directory, or set KEY_SECRET';
    throw new ConfigError([`${path} cannot be used (${error.code}); ${remedy}.`], { cause: error });
  }
  throw new ConfigError([`${path} is damaged; restore it, or set KEY_SECRET.`]);
}

/** With another secret no key would be good, and every client would be told that its own is not. */
async function checkAgainst({ db }: Store, secret: KeyObject, where: string): Promise<void> {
  const check = createHmac('sha256', secret).update('switchyard key secret').digest('hex');
  await db
    .insertInto('settings')
    .values({ name: 'key_secret_check', value: check })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  const { value } = await db
    .selectFrom('settings')
    .select('value')
    .where('name', '=', 'key_secret_check')
    .executeTakeFirstOrThrow();
  if (value.length === check.length && timingSafeEqual(Buffer.from(value), Buffer.from(check))) return;
  throw new ConfigError([
    `${where} is not the secret that the keys in the database were made with; restore that one. On PostgreSQL set the same KEY_SECRET for every server.`,
  ]);
}
